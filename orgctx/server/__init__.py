"""gunicorn's worker: request headers, connections, buffers."""
