"""What the interfaces share: the current request, conditional responses, headers and health."""
