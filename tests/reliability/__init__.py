"""Nothing leaks, hangs or is lost; docs/reliability.md lists these tests."""
