"""Convert lists of files to asset metadata."""
