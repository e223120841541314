"""What runs the application: gunicorn's worker, and logs."""
