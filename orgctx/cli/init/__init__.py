"""`orgctx init`: from nothing to an agent's configuration in one dialogue."""
