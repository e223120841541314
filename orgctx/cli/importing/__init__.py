"""`orgctx import`: run importers and load their records."""
