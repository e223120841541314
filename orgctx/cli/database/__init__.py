"""`orgctx migrate`: the schema, the roles and the distribution of the database."""
