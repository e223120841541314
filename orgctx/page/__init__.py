"""The page at `/`: files that show one organization through the public API, and nothing else."""
