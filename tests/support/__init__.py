"""What tests share: records, deployments, servers, faults. No tests here."""
