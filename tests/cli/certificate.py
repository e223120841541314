"""Untrusted certificates."""

import ssl
import subprocess
from pathlib import Path


def self_signed(certificate: Path, key: Path) -> None:
    """Create a certificate for localhost, valid for a day, and its private key."""
    command = (
        *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
        *("-nodes", "-days", "1", "-subj", "/CN=localhost", "-keyout", key, "-out", certificate),
    )
    subprocess.run(command, check=True, capture_output=True)
    key.chmod(0o600)


def untrusted(folder: Path) -> ssl.SSLContext:
    """Create such a certificate in a folder. Returns the context of a server that has it."""
    files = folder / "certificate.pem", folder / "key.pem"
    self_signed(*files)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*files)
    return context
