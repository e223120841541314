"""Read the file of a sync: a TOML table `[[import]]` for each import.

Its keys are kind, path, every, and the options of the import's command under their own names.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from orgctx.cli.errors import CommandError
from orgctx.cli.sync.entry import Entry, entry_of
from orgctx.cli.sync.values import Invalid, unknown_key

TABLE = "import"
HEADER = re.compile(rf"[ \t]*\[\[[ \t]*[\"']?{TABLE}[\"']?[ \t]*\]\]")


def read(file: Path) -> list[Entry]:
    """Read the file. Raises CommandError with every error, or OSError."""
    try:
        content = file.read_bytes().decode()
        tables = _tables(tomllib.loads(content))
    except (ValueError, RecursionError) as error:
        raise _invalid(file, [f"not TOML: {error}"]) from None
    except Invalid as error:
        raise _invalid(file, [str(error)]) from None
    lines = [number for number, line in enumerate(content.split("\n"), 1) if HEADER.match(line)]
    errors: list[str] = []
    entries: dict[tuple[str, str], Entry] = {}
    for index, table in enumerate(tables):
        try:
            entry = entry_of(table, file.resolve().parent)
            if entries.setdefault((entry.organization, entry.source_id), entry) is not entry:
                raise Invalid(f"{entry} has another import; a source has only one")
        except Invalid as error:
            place = f"line {lines[index]}" if len(lines) == len(tables) else f"import {index + 1}"
            errors.append(f"{place}: {error}")
    if errors:
        raise _invalid(file, errors)
    return [*entries.values()]


def _invalid(file: Path, errors: list[str]) -> CommandError:
    lines = "".join(f"\n  {error}" for error in errors)
    return CommandError(f"{file} is not valid. Correct these places:{lines}")


def _tables(content: dict[str, Any]) -> list[Mapping[str, Any]]:
    tables = content.pop(TABLE, [])
    for key in content:
        raise unknown_key(key, [TABLE])
    if not (isinstance(tables, list) and all(isinstance(table, dict) for table in tables)):
        raise Invalid(f"{TABLE}: write [[{TABLE}]] above the keys of each import")
    if not tables:
        raise Invalid(f"no imports; write [[{TABLE}]] above the keys of each")
    return tables
