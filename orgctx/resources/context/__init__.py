"""The overview that a client reads first."""
