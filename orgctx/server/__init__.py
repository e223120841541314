"""The server that runs the application: gunicorn's worker, connection limits and logs."""
