"""The service leaks, loses and blocks nothing; docs/reliability.md lists these tests."""
