"""`orgctx connect`: configure a client, and check its connection."""
