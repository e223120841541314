"""Replace the snippets of MkDocs (`--8<-- "file.md:section"`) by their files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Protocol

MARKER = r"-{1,20}8<-{1,20}"
INLINE = re.compile(rf"([ \t]*+)(;*+){MARKER}[ \t]++([\"'])([^\"'\n]{{1,1000}})\3[ \t]*+")
BLOCK = re.compile(rf"[ \t]*+(;*+){MARKER}[ \t]*+")
SECTION = re.compile(
    rf"(;?){MARKER}[ \t]++\[[ \t]*+(start|end)[ \t]*+:[ \t]*+([\w-]{{1,100}})[ \t]*+\]", re.I
)
RANGES = re.compile(r"[-\d:,]+")


# Selects lines of a file; None if the selection does not exist.
Select = Callable[[list[str]], list[str] | None]


class Include(Protocol):
    """Returns the selected lines of a file, or a mark if it is not inserted."""

    def __call__(
        self, name: str, select: Select | None = None, *, anywhere: bool = False
    ) -> str: ...


def replace(text: str, include: Include) -> str:
    """Replace snippets, and remove the lines that mark sections."""
    return "\n".join(_lines(text.split("\n"), include))


def _lines(lines: list[str], include: Include) -> Iterator[str]:
    in_block = False
    for line in lines:
        bare = line.rstrip("\r")
        if "8<-" in bare:
            if match := INLINE.fullmatch(bare):
                yield line.replace(";", "", 1) if match[2] else _insert(match[1], match[4], include)
                continue
            if match := BLOCK.fullmatch(bare):
                if match[1]:
                    yield line.replace(";", "", 1)
                else:
                    in_block = not in_block
                continue
            if match := SECTION.search(bare):
                if match[1]:
                    yield line.replace(";", "", 1)
                continue
        if not in_block:
            yield line
        elif not bare.lstrip().startswith(";"):
            name = bare.strip()
            yield _insert(bare[: len(bare) - len(bare.lstrip())], name, include) if name else ""


def _insert(indent: str, snippet: str, include: Include) -> str:
    name, selection = snippet.strip(), ""
    if "://" not in name:
        name, _, selection = name.partition(":")
    select = None
    if selection:
        is_ranges = RANGES.fullmatch(selection)
        select = partial(_take_ranges if is_ranges else _take_section, selection)
    text = include(name, select, anywhere=True)
    return "\n".join(indent + line if line else line for line in text.split("\n"))


def _take_ranges(ranges: str, lines: list[str]) -> list[str] | None:
    """Return lines such as `2:4`, `:3`, `-5:` or `1:2,8:9`, counted from 1."""
    taken = []
    for span in ranges.split(","):
        first, _, last = span.partition(":")
        try:
            start, end = int(first or 0), int(last) if last else len(lines)
        except ValueError:
            return None
        start = max(start - 1 if start > 0 else start + len(lines) if start < 0 else 0, 0)
        taken += lines[start : end if end >= 0 else end + len(lines) + 1]
    return taken or None


def _take_section(name: str, lines: list[str]) -> list[str] | None:
    taken: list[str] = []
    is_inside = False
    for line in lines:
        match = SECTION.search(line)
        if match is None or match[1]:
            taken += [line] if is_inside else []
        elif match[3] == name and match[2].lower() == "start":
            is_inside = True
        elif match[3] == name:
            return taken if is_inside else None
    return taken if is_inside else None
