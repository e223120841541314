"""Replace the includes of mdBook (`{{#include file.rs:anchor}}`) by their files."""

from __future__ import annotations

import re
from functools import partial

from orgctx.importers.markdown.snippets import Include
from orgctx.importers.report import Report

CALL = re.compile(
    r"(\\?)\{\{[ \t]{0,20}#(include|rustdoc_include|doc_comment_include|playground|playpen|title)"
    r"[ \t]([^{}\n]{1,1000})\}\}"
)
ANCHOR = re.compile(r"ANCHOR(_END)?:[ \t]*+([\w-]{1,100})")


def replace(text: str, include: Include, report: Report) -> str:
    """Replace includes by their files and examples by code; remove `{{#title …}}`."""

    def insert(match: re.Match[str]) -> str:
        escape, kind, argument = match.groups()
        if escape:
            return match[0][1:]
        if kind == "title":
            report.repair("title of a browser window dropped")
            return ""
        words = argument.split()
        return _insert(kind, words, include) if words else match[0]

    return CALL.sub(insert, text)


def _insert(kind: str, words: list[str], include: Include) -> str:
    name, _, selection = words[0].partition(":")
    if kind in ("playground", "playpen"):
        return f"```{','.join(['rust', *words[1:]])}\n{include(words[0])}\n```\n"
    text = include(name, partial(_take, selection) if selection else None)
    if kind == "doc_comment_include":
        text = "\n".join(line.strip().removeprefix("///").strip() for line in text.split("\n"))
    return text


def _take(selection: str, lines: list[str]) -> list[str] | None:
    """Return the lines `2`, `2:`, `:10` or `2:10`, counted from 1, or those of an anchor."""
    first, colon, last = selection.partition(":")
    if first and not first.isdigit():
        return _take_anchored(first, lines)
    start = max(int(first or 1) - 1, 0)
    end = int(last) if last.isdigit() else len(lines) if colon else start + 1
    return lines[start:end] or None


def _take_anchored(name: str, lines: list[str]) -> list[str] | None:
    taken: list[str] = []
    is_inside = False
    for line in lines:
        match = ANCHOR.search(line)
        if match is None:
            taken += [line] if is_inside else []
        elif match[2] == name:
            if match[1] and is_inside:
                return taken
            is_inside = not match[1]
    return taken if is_inside else None
