"""Admit requests: client address, API key, quotas, cached callers and replica reads."""
