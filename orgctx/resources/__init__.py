"""One package per resource. No resource imports another."""
