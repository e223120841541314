"""Store the demo's address and key beside its data, for the next start and for `--lines`.

Only the owner may read the file.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import NamedTuple

import orjson

from orgctx.keys import FORM

FILE = "demo.json"
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d{1,5}", re.ASCII)
NAME = re.compile(r"ORGCTX_[A-Z_]+", re.ASCII)


class Kept(NamedTuple):
    """base_url: its last address. key_id, key: the API key that it issued.

    environment: variables with which commands reach the servers that it started.
    """

    base_url: str
    key_id: str
    key: str
    environment: dict[str, str]


def read(data_dir: Path) -> Kept | None:
    """Read the stored values; None if there are none, or if a demo of this user did not write them.

    The folder may come from somebody else, and who follows its address sends it an API key.
    """
    try:
        descriptor = os.open(data_dir / FILE, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with open(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            is_own = status.st_uid == os.geteuid() and not status.st_mode & 0o077
            kept = Kept(**orjson.loads(file.read())) if is_own else None
        return kept if kept and _is_of_a_demo(kept) else None
    except (OSError, orjson.JSONDecodeError, TypeError, AttributeError):
        return None


def _is_of_a_demo(kept: Kept) -> bool:
    """Whether nothing in it would command a shell or lead to another machine."""
    return bool(
        ADDRESS.fullmatch(kept.base_url)
        and FORM.fullmatch(kept.key)
        and all(NAME.fullmatch(name) for name in kept.environment)
    )


def write(data_dir: Path, kept: Kept) -> None:
    """Replace the stored values atomically."""
    new = data_dir / f"{FILE}.new"
    new.unlink(missing_ok=True)
    with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(orjson.dumps(kept._asdict()))
    new.replace(data_dir / FILE)
