"""What site generators and note programs publish, read from their configuration."""
