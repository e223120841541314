"""The knowledge library: documents and notes, their list and their content."""
