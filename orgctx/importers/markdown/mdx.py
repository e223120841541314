"""Drop the imports and exports at the top of MDX, and insert imported Markdown."""

from __future__ import annotations

import re

from orgctx.importers.markdown.snippets import Include
from orgctx.importers.report import Report

# Limits of one statement.
MOST_LINES = 500
LONGEST_LINE = 2_000
START = re.compile(r"(?:import|export)[\s{*]")
IMPORT = re.compile(r"import\s[^'\"]{0,2000}['\"]([^'\"\n]{1,500})['\"]\s*;?\s*(?://.*)?")
EXPORT = re.compile(
    r"export\s+(?:(?:const|let|var|type|interface)\s+[\w${\[]|(?:default\s+)?(?:async\s+)?"
    r"(?:function|class)\b|default\b.*[{(=;]|[{*])"
)
NAME = re.compile(r"import\s+([A-Z]\w{0,60})\s+from\s")
USE = re.compile(r"<([A-Z]\w{0,60})(?:\s[^<>]{0,500})?/>")
BRACKETS = {**dict.fromkeys("([{", 1), **dict.fromkeys(")]}", -1)}


def replace(text: str, include: Include, report: Report) -> str:
    """Drop the statements above the text, and insert the Markdown that they import."""
    if not START.match(text.lstrip()):
        return text
    lines = text.split("\n")
    position, dropped, parts = 0, 0, dict[str, str]()
    while position < len(lines):
        if not lines[position].strip():
            position += 1
            continue
        end = _end(lines, position)
        if end is None:
            break
        statement = "\n".join(lines[position:end])
        match, name = IMPORT.fullmatch(statement), NAME.match(statement)
        if match and name and match[1].lower().endswith((".md", ".mdx")):
            parts[name[1]] = match[1]
        position, dropped = end, dropped + 1
    if not dropped:
        return text
    report.repair("imports and exports of MDX dropped")
    return _insert("\n".join(lines[position:]), parts, include)


def _end(lines: list[str], start: int) -> int | None:
    """Return the line after the statement that starts in a line, or None if there is none."""
    line = lines[start]
    if line.startswith("import"):
        for end in range(start + 1, min(start + MOST_LINES, len(lines)) + 1):
            if IMPORT.fullmatch("\n".join(lines[start:end])):
                return end
            if not lines[end - 1].strip() or len(lines[end - 1]) > LONGEST_LINE:
                break
        return None
    if not EXPORT.match(line):
        return None
    depth = 0
    for end in range(start, min(start + MOST_LINES, len(lines))):
        depth += sum(BRACKETS.get(character, 0) for character in lines[end])
        if depth <= 0 and not lines[end].rstrip().endswith(("=", ",", "=>", "(", "{", "[")):
            return end + 1
    return None


def _insert(text: str, parts: dict[str, str], include: Include) -> str:
    if not parts:
        return text

    def insert(match: re.Match[str]) -> str:
        path = parts.get(match[1])
        if path is None:
            return match[0]
        return include(path.removeprefix("@site/"), anywhere=path.startswith("@"))

    return USE.sub(insert, text)
