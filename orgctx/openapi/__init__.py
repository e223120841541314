"""The machine-readable contract: the catalog as an OpenAPI 3.1 document."""
