"""The page at `/`: static files that show one organization through the public API."""
