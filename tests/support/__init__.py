"""Records, deployments, servers and faults that tests share. It contains no tests."""
