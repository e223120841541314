"""Merge a client's configuration into the file that the client reads.

Keeps everything else in the file: order, other servers and, in TOML, comments. The file is
replaced atomically and keeps its mode.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping, MutableMapping
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, NamedTuple

import tomlkit
from tomlkit.exceptions import TOMLKitError

from orgctx.keys import FORM

INDENT = re.compile(r"^([ \t]+)\S", re.MULTILINE)
SURROGATE = re.compile("[\ud800-\udfff]")
LONGEST_NUMBER = 1000
# Members that say how to reach a server; two of them would contradict each other.
TRANSPORTS = frozenset({"command", "args", "url", "httpUrl", "serverUrl"})


class Merged(NamedTuple):
    """is_changed: whether the file was. keeps_key: whether a pasted key stayed in our entry."""

    is_changed: bool
    keeps_key: bool = False


class Unmergeable(Exception):
    """A file that cannot be changed without loss; the message says why."""


def target(pattern: str) -> Path:
    """The file of a row of CLIENTS on this machine; links are followed, so that they stay."""
    home = Path.home()
    if sys.platform == "darwin":
        applications = home / "Library" / "Application Support"
    else:
        applications = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    # Path.resolve fails on a link to itself before reading does, which says what is wrong.
    return Path(os.path.realpath(Path(pattern.format(applications=applications)).expanduser()))


def merge(path: Path, text: str, form: str) -> Merged:
    """Put the configuration into the file. form: json or toml. Raises Unmergeable, OSError."""
    try:
        old = path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        old = ""
    except UnicodeDecodeError:
        raise Unmergeable("is not UTF-8") from None
    if not old.strip():
        _replace(path, text)
        return Merged(True)
    new, keeps_key = (_merged_toml if form == "toml" else _merged_json)(old, text)
    if new != old:
        _replace(path, new)
    return Merged(new != old, keeps_key)


def _merged_json(old: str, text: str) -> tuple[str, bool]:
    try:
        document = json.loads(
            old,
            object_pairs_hook=_once,
            parse_constant=_no_constant,
            parse_float=_as_written,
            parse_int=_bounded,
        )
    except (json.JSONDecodeError, RecursionError):
        raise Unmergeable("is not plain JSON (it may have comments)") from None
    if not isinstance(document, dict):
        raise Unmergeable("holds no JSON object")
    before = json.dumps(document)
    keeps_key = _combine(document, json.loads(text))
    if json.dumps(document) == before:
        return old, keeps_key
    found = INDENT.search(old)
    new = json.dumps(document, indent=found[1] if found else 2, ensure_ascii=False)
    if SURROGATE.search(new):
        raise Unmergeable("holds half of a character, which is not Unicode")
    new += "\n" * old.endswith("\n")
    return new.replace("\n", "\r\n" if "\r\n" in old else "\n"), keeps_key


def _merged_toml(old: str, text: str) -> tuple[str, bool]:
    try:
        document = tomlkit.parse(old)
    except TOMLKitError as error:
        raise Unmergeable(f"is not TOML ({error})") from None
    try:
        keeps_key = _combine(document, tomlkit.parse(text))
    except ValueError:
        raise Unmergeable("has a table on one line, which takes no other") from None
    return tomlkit.dumps(document), keeps_key


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object without repeated names, of which one value would be lost."""
    if len(members := dict(pairs)) < len(pairs):
        raise Unmergeable("names a member twice")
    return members


def _no_constant(name: str) -> None:
    raise Unmergeable(f"holds {name}, which is not JSON")


def _as_written(number: str) -> float:
    """A number with a fraction, unless it would be another one when it is written again."""
    value = float(number)
    with suppress(InvalidOperation):
        if Decimal(number) == Decimal(repr(value)):
            return value
    raise Unmergeable(f"holds the number {number[:40]}, which would be rounded")


def _bounded(number: str) -> int:
    if len(number) > LONGEST_NUMBER:
        raise Unmergeable("holds a number that is too long")
    return int(number)


def _combine(there: MutableMapping[str, Any], ours: Mapping[str, Any], where: str = "") -> bool:
    """Merge `ours` into the existing value. A pasted key stays; returns whether there was one."""
    keeps_key = False
    if ours.keys() & TRANSPORTS:
        for name in (there.keys() & TRANSPORTS) - ours.keys():
            del there[name]
    for name, value in ours.items():
        place = f"{where}.{name}" if where else name
        if name not in there:
            there[name] = value
        elif isinstance(value, Mapping):
            if not isinstance(there[name], MutableMapping):
                raise Unmergeable(f"has a {place} that is no object")
            keeps_key |= _combine(there[name], value, place)
        elif name == "inputs":
            there[name] = _with_inputs(there[name], value)
        elif FORM.search(str(there[name])):
            keeps_key = True
        elif there[name] != value:
            there[name] = value
    return keeps_key


def _with_inputs(there: Any, ours: list[dict[str, Any]]) -> list[Any]:
    """Merge the inputs of VS Code, one per id."""
    if not isinstance(there, list):
        raise Unmergeable("has inputs that are no array")
    known = {one.get("id") for one in there if isinstance(one, dict)}
    return [*there, *(one for one in ours if one["id"] not in known)]


def _replace(path: Path, text: str) -> None:
    """Write the file. A new one is readable only by its owner, because it may get a key."""
    path.parent.mkdir(parents=True, exist_ok=True)
    mode = path.stat().st_mode & 0o7777 if path.exists() else 0o600
    with NamedTemporaryFile("wb", dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
        try:
            file.write(text.encode("utf-8"))
            # What cannot be written is known before the old file is gone.
            file.flush()
            os.fsync(file.fileno())
            os.fchmod(file.fileno(), mode)
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise
