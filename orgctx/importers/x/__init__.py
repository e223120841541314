"""Convert responses of the X API v2."""
