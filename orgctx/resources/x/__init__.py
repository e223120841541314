"""Stored mentions of the connected X account."""
