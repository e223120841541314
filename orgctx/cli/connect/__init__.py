"""`orgctx connect`: configure clients, and check their connection."""
