"""Merge a client's configuration into the file that the client reads.

Keeps everything else in the file: order, other servers and, in TOML, comments. Replaces the file
atomically and keeps its mode.
"""

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

from orgctx.key_format import KEY_PATTERN

INDENT = re.compile(r"^([ \t]+)\S", re.MULTILINE)
SURROGATE = re.compile("[\ud800-\udfff]")
MAX_DIGITS = 1000
# Members that address a server. An entry with two kinds of them would be ambiguous.
TRANSPORTS = frozenset({"command", "args", "url", "httpUrl", "serverUrl"})


class Merged(NamedTuple):
    is_changed: bool
    keeps_key: bool = False  # whether the entry contains a pasted key


class Unmergeable(Exception):
    """A file that cannot be changed without loss. The message completes "FILE ..."."""


def resolve_target(pattern: str) -> Path:
    """Return the real path of a client's file, because a write would replace a symbolic link."""
    home = Path.home()
    if sys.platform == "darwin":
        applications = home / "Library" / "Application Support"
    else:
        applications = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    # Path.resolve would raise RuntimeError for a link to itself; open() raises a clear OSError.
    return Path(os.path.realpath(Path(pattern.format(applications=applications)).expanduser()))


def merge(path: Path, text: str, format_: str) -> Merged:
    """Merge the configuration into the file.

    Args:
        format_: json or toml.

    Raises:
        Unmergeable, OSError
    """
    try:
        old = path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        old = ""
    except UnicodeDecodeError:
        raise Unmergeable("is not UTF-8") from None
    if not old.strip():
        _replace(path, text)
        return Merged(True)
    new, keeps_key = (_merge_toml if format_ == "toml" else _merge_json)(old, text)
    if new != old:
        _replace(path, new)
    return Merged(new != old, keeps_key)


def _merge_json(old: str, text: str) -> tuple[str, bool]:
    try:
        document = json.loads(
            old,
            object_pairs_hook=_parse_object,
            parse_constant=_reject_constant,
            parse_float=_parse_float,
            parse_int=_parse_integer,
        )
    except (json.JSONDecodeError, RecursionError):
        raise Unmergeable("is not valid JSON (comments are not supported)") from None
    if not isinstance(document, dict):
        raise Unmergeable("does not contain a JSON object")
    before = json.dumps(document)
    keeps_key = _combine(document, json.loads(text))
    if json.dumps(document) == before:
        return old, keeps_key
    indent = INDENT.search(old)
    new = json.dumps(document, indent=indent[1] if indent else 2, ensure_ascii=False)
    if SURROGATE.search(new):
        raise Unmergeable("contains half of a surrogate pair, which UTF-8 cannot encode")
    new += "\n" * old.endswith("\n")
    return new.replace("\n", "\r\n" if "\r\n" in old else "\n"), keeps_key


def _merge_toml(old: str, text: str) -> tuple[str, bool]:
    try:
        document = tomlkit.parse(old)
    except TOMLKitError as error:
        raise Unmergeable(f"is not valid TOML ({error})") from None
    try:
        keeps_key = _combine(document, tomlkit.parse(text))
    except ValueError:
        raise Unmergeable("has an inline table, which cannot be extended") from None
    return tomlkit.dumps(document), keeps_key


def _parse_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Reject repeated names: one of their values would be lost."""
    if len(members := dict(pairs)) < len(pairs):
        raise Unmergeable("has an object with a repeated member")
    return members


def _reject_constant(name: str) -> None:
    raise Unmergeable(f"contains {name}, which is not JSON")


def _parse_float(number: str) -> float:
    """Reject numbers that would change when they are written again."""
    value = float(number)
    with suppress(InvalidOperation):
        if Decimal(number) == Decimal(repr(value)):
            return value
    raise Unmergeable(f"contains the number {number[:40]}, which would be rounded")


def _parse_integer(number: str) -> int:
    if len(number) > MAX_DIGITS:
        raise Unmergeable(f"contains a number of more than {MAX_DIGITS} digits")
    return int(number)


def _combine(old: MutableMapping[str, Any], new: Mapping[str, Any], parent: str = "") -> bool:
    """Merge `new` into `old`. Keeps a pasted key; returns whether there is one."""
    keeps_key = False
    if new.keys() & TRANSPORTS:
        for name in (old.keys() & TRANSPORTS) - new.keys():
            del old[name]
    for name, value in new.items():
        path = f"{parent}.{name}" if parent else name
        if name not in old:
            old[name] = value
        elif isinstance(value, Mapping):
            if not isinstance(old[name], MutableMapping):
                raise Unmergeable(f"has a member {path} that is not an object")
            keeps_key |= _combine(old[name], value, path)
        elif name == "inputs":
            old[name] = _combine_inputs(old[name], value)
        elif KEY_PATTERN.search(str(old[name])):
            keeps_key = True
        elif old[name] != value:
            old[name] = value
    return keeps_key


def _combine_inputs(old: Any, new: list[dict[str, Any]]) -> list[Any]:
    """Merge the inputs of VS Code, one per id."""
    if not isinstance(old, list):
        raise Unmergeable("has inputs that are not an array")
    ids = {item.get("id") for item in old if isinstance(item, dict)}
    return [*old, *(item for item in new if item["id"] not in ids)]


def _replace(path: Path, text: str) -> None:
    """Replace the file. A new one is private, because the user may paste a key into it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    mode = path.stat().st_mode & 0o7777 if path.exists() else 0o600
    with NamedTemporaryFile("wb", dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
        try:
            file.write(text.encode("utf-8"))
            # Errors such as a full disk must occur before the old file is replaced.
            file.flush()
            os.fsync(file.fileno())
            os.fchmod(file.fileno(), mode)
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise
