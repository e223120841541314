"""The stored summary of the linked token."""
