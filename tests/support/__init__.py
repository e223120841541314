"""Records, deployments, servers and network faults that tests share. Contains no tests."""
