"""Store the demo's address and key in its data directory, for the next start."""

import os
import re
import sys
from pathlib import Path
from socket import socket
from typing import NamedTuple
from urllib.parse import urlsplit

import orjson

from orgctx.config.settings import variable
from orgctx.key_format import KEY_PATTERN

FILE = "demo.json"
# The default of `orgctx demo --data-dir`.
DATA_DIR = Path(".orgctx")
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d{1,5}", re.ASCII)
NAME = re.compile(r"ORGCTX_[A-Z_]+", re.ASCII)


class State(NamedTuple):
    base_url: str  # address of the last start
    key_id: str
    key: str  # the API key that the demo issued
    environment: dict[str, str]  # variables that point commands to the demo's servers


def read(data_dir: Path) -> State | None:
    """Read the state. Returns None if it is missing, or if this user's demo did not write it.

    Another user may own the directory: the address in the file would then receive the API key.
    """
    try:
        descriptor = os.open(data_dir / FILE, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with open(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            is_private = status.st_uid == os.geteuid() and not status.st_mode & 0o077
            state = State(**orjson.loads(file.read())) if is_private else None
        return state if state and _is_safe(state) else None
    except (OSError, orjson.JSONDecodeError, TypeError, AttributeError):
        return None


def _is_safe(state: State) -> bool:
    """Return whether the values are safe: no shell injection and no other machine's address."""
    return bool(
        ADDRESS.fullmatch(state.base_url)
        and KEY_PATTERN.fullmatch(state.key)
        and all(NAME.fullmatch(name) for name in state.environment)
    )


def write(data_dir: Path, state: State) -> None:
    """Replace the state atomically, readable only by this user."""
    new = data_dir / f"{FILE}.new"
    new.unlink(missing_ok=True)
    with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(orjson.dumps(state._asdict()))
    new.replace(data_dir / FILE)


def answers(host: str, port: int) -> bool:
    """Return whether a server listens at an address."""
    with socket() as probe:
        probe.settimeout(1)
        return not probe.connect_ex((host, port))


def use() -> None:
    """Point the settings to the demo that runs in this directory, unless they name servers."""
    if any(variable(name) for name in ("DATABASE_URL", "ADMIN_DATABASE_URL", "REDIS_URL")):
        return
    demo = read(DATA_DIR)
    if demo is None or "ORGCTX_ADMIN_DATABASE_URL" not in demo.environment:
        return
    address = urlsplit(demo.base_url)
    if not answers(str(address.hostname), address.port or 0):
        return
    os.environ.update(demo.environment)
    os.environ.setdefault("ORGCTX_BASE_URL", demo.base_url)
    print(
        f"Using the demo of {DATA_DIR}. For another service, set ORGCTX_DATABASE_URL.",
        file=sys.stderr,
    )
