"""Settings, read only from the environment, and the URLs in them."""
