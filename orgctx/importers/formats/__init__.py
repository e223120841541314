"""Import every supported text and document format of a folder at once."""
