"""What an operation is, which sources a caller may read, and how fresh they are."""
