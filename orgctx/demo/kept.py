"""Store the demo's address and key beside its data, for the next start and for `--lines`.

Only the owner may read the file.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import orjson

FILE = "demo.json"


class Kept(NamedTuple):
    """base_url: its last address. key_id, key: the API key that it issued.

    environment: variables with which commands reach the servers that it started.
    """

    base_url: str
    key_id: str
    key: str
    environment: dict[str, str]


def read(data_dir: Path) -> Kept | None:
    """Read the stored values; None if there are none or the file cannot be read."""
    try:
        return Kept(**orjson.loads(data_dir.joinpath(FILE).read_bytes()))
    except (OSError, orjson.JSONDecodeError, TypeError):
        return None


def write(data_dir: Path, kept: Kept) -> None:
    """Replace the stored values atomically."""
    new = data_dir / f"{FILE}.new"
    new.unlink(missing_ok=True)
    with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(orjson.dumps(kept._asdict()))
    new.replace(data_dir / FILE)
