"""Print what a decision would make readable, and what in it deserves a look."""

from __future__ import annotations

from collections.abc import Mapping
from shlex import quote
from typing import Any

from orgctx.cli.output import camel, echo, print_json, print_rows, printable
from orgctx.decisions.rehearsal import SUPPRESSIBLE, Rehearsal

MOST_SHOWN = 20
COLUMNS = {"id": "source", "label": "name", "records": "records", "scope": "scope"}


def as_json(rehearsal: Rehearsal) -> None:
    members = rehearsal.members()
    rows = ("sources", "keys", "samples", "findings")
    print_json(camel(members | {name: [*map(camel, members[name])] for name in rows}))


def show(rehearsal: Rehearsal, who: str) -> None:
    """Print a rehearsal. who: the options --organization and --by, for the commands in it."""
    opening = rehearsal.opening
    if not rehearsal.sources:
        echo(f"These sources are {opening.done} already.")
        return
    echo(f"An {opening.noun} makes these sources readable for keys with the scope:")
    print_rows(COLUMNS, [{**row, "records": _count(row)} for row in rehearsal.sources])
    other = opening.other
    for row in rehearsal.sources:
        if not row[other.done]:
            echo(
                f"{printable(row['id'])} is {other.undone}, so no key reads it until it is "
                f"{other.done}."
            )
    echo(f"Keys that would read them at once: {_keys(rehearsal)}.")
    if rehearsal.samples:
        echo("\nThe newest records:")
        print_rows({"kind": "kind", "title": "title", "preview": "preview"}, rehearsal.samples)
    _show_findings(rehearsal, who)


def _count(source: Mapping[str, Any]) -> str:
    return f"{source['record_count']:,}" if source["kind"] != "profile" else "-"


def _keys(rehearsal: Rehearsal) -> str:
    names = [
        f"{key['name'] or key['hint']} ({key['issuer_name'] or 'unknown issuer'})"
        for key in rehearsal.keys
    ]
    return printable(", ".join(names) or "none")


def _show_findings(rehearsal: Rehearsal, who: str) -> None:
    counts = rehearsal.finding_counts
    summary = ", ".join(f"{check} ({count:,})" for check, count in counts.items())
    echo(f"\nThe scan found {summary or 'nothing'}.")
    for finding in rehearsal.findings[:MOST_SHOWN]:
        _show_finding(finding, who)
    if (more := sum(counts.values()) - MOST_SHOWN) > 0:
        echo(f"{more:,} more are not shown. See --dry-run --json.")
    if any(row["kind"] not in SUPPRESSIBLE for row in rehearsal.findings):
        echo("Only documents and notes can be suppressed. Correct other records and import again.")
    for row in rehearsal.sources:
        if not row["is_scanned"]:
            echo(
                f"Only the newest {row['scanned_count']:,} records of {printable(row['id'])} were "
                "scanned."
            )
    if not rehearsal.has_detectors:
        echo("The scan looked for few kinds of secrets. For all: pip install 'orgctx[scan]'")


def _show_finding(finding: Mapping[str, Any], who: str) -> None:
    place = f"{finding['kind']} {finding['title']!r} of {finding['source']}"
    if finding["kind"] in SUPPRESSIBLE:
        place += f", offset {finding['offset']:,}"
    echo(f"- {finding['check']} ({finding['name']}) in {place}:")
    echo(f"    {finding['excerpt']}")
    if finding["kind"] in SUPPRESSIBLE:
        echo(f"    orgctx knowledge suppress {who} {finding['id']}")


def options(organization: str, by: str) -> str:
    """Return the options that name the organization and who decides."""
    return f"--organization {quote(organization)} --by {quote(by)}"
