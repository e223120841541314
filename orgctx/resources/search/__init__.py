"""Literal search over all stored records that a key may see."""
