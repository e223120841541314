"""What a demo keeps beside its data for the next start and for `--lines`: its address and its key.

Only its owner may read the file.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import orjson

FILE = "demo.json"


class Kept(NamedTuple):
    """base_url: where it last answered. key_id, key: of the API key that it issued.

    environment: the variables by which commands reach the servers that it started.
    """

    base_url: str
    key_id: str
    key: str
    environment: dict[str, str]


def read(data_dir: Path) -> Kept | None:
    """What the last demo kept; None if there was none, or nothing that can be read."""
    try:
        return Kept(**orjson.loads(data_dir.joinpath(FILE).read_bytes()))
    except (OSError, orjson.JSONDecodeError, TypeError):
        return None


def write(data_dir: Path, kept: Kept) -> None:
    """Replace what was kept, whole or not at all."""
    new = data_dir / f"{FILE}.new"
    new.unlink(missing_ok=True)
    with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(orjson.dumps(kept._asdict()))
    new.replace(data_dir / FILE)
