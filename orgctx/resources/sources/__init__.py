"""The list of approved context sources."""
