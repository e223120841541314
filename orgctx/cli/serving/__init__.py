"""`orgctx serve` and `orgctx demo`."""
