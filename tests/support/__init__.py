"""Shared by tests: records, deployments, servers and faults. Contains no tests."""
