"""`orgctx migrate`: schema, roles and distribution of the database."""
