"""Convert mentions in responses of the X API v2."""
