"""Certificates that nobody trusts."""

from __future__ import annotations

import subprocess
from pathlib import Path


def self_signed(certificate: Path, key: Path) -> None:
    """Make a certificate for localhost and one day, and a key that only the caller may read."""
    made = (
        *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
        *("-nodes", "-days", "1", "-subj", "/CN=localhost", "-keyout", key, "-out", certificate),
    )
    subprocess.run(made, check=True, capture_output=True)
    key.chmod(0o600)
