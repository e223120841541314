"""Print what a decision would make readable, and what in it deserves a look."""

import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from shlex import quote
from typing import Any

from orgctx.cli.errors import confirm
from orgctx.cli.output import camel, echo, print_json, print_rows, printable
from orgctx.decisions.preview import SUPPRESSIBLE, Preview
from orgctx.schemas.text import counted

MOST_SHOWN = 20
COLUMNS = {
    "id": "source",
    "label": "name",
    "records": "records",
    "scope": "scope",
    "secret_count": "secrets",
}

NOT_CONFIRMED = "Nothing was changed, because of what the scan found. Look at it, then pass --yes."


def ask(preview: Preview, who: str, question: str, *, dry_run: bool, as_json: bool) -> None:
    """Show a preview and ask for confirmation; a dry run only shows it.

    who: as for `show`. Without a terminal, raises CommandError if the preview has findings.
    """
    if dry_run and as_json:
        members = preview.as_json()
        rows = ("sources", "keys", "samples", "findings")
        print_json(camel(members | {name: [*map(camel, members[name])] for name in rows}))
    elif dry_run or sys.stdin.isatty() or preview.findings:
        with redirect_stdout(sys.stdout if dry_run else sys.stderr):
            show(preview, who)
        if preview.sources and not dry_run:
            confirm(question, NOT_CONFIRMED)


def show(preview: Preview, who: str) -> None:
    """Print a preview. who: the `options` of the commands that it suggests."""
    exposure = preview.exposure
    if not preview.sources:
        done = exposure.done
        echo(f"These sources are {done} already." if done else "The key would read nothing more.")
        return
    echo(f"The {exposure.noun} makes these sources readable for keys with the scope:")
    counts = {row["id"]: f"{row['record_count']:,}" for row in preview.sources}
    counts |= {row["id"]: "-" for row in preview.sources if row["kind"] == "profile"}
    print_rows(COLUMNS, [{**row, "records": counts[row["id"]]} for row in preview.sources])
    other = exposure.other
    for row in preview.sources:
        if not row[other.done]:
            echo(
                f"{printable(row['id'])} is {other.undone}, so no key reads it until it is "
                f"{other.done}."
            )
        if held := row["held_count"]:
            echo(
                f"{counted(held, 'document')} of {printable(row['id'])} "
                f"{'stays' if held == 1 else 'stay'} hidden until a release: `orgctx knowledge "
                f"list {who.partition(' --by ')[0]} --held`."
            )
    names = [
        f"{key['name'] or key['hint']} ({key['issuer_name'] or 'unknown issuer'})"
        for key in preview.keys
    ]
    echo(f"Keys that would read them at once: {printable(', '.join(names) or 'none')}.")
    if preview.samples:
        echo("\nThe newest records:")
        print_rows({"kind": "kind", "title": "title", "preview": "preview"}, preview.samples)
    _show_findings(preview, who)


def _show_findings(preview: Preview, who: str) -> None:
    counts = preview.finding_counts
    summary = ", ".join(f"{check} ({count:,})" for check, count in counts.items())
    echo(f"\nThe scan found {summary or 'nothing'}.")
    show_findings(preview.findings[:MOST_SHOWN], who)
    if (more := sum(counts.values()) - MOST_SHOWN) > 0:
        echo(f"{more:,} more are not shown. See --dry-run --json.")
    if any(row["kind"] not in SUPPRESSIBLE for row in preview.findings):
        echo("Only documents and notes can be suppressed. Correct other records and import again.")
    for row in preview.sources:
        if not row["is_scanned"]:
            echo(
                f"Only the newest {row['scanned_count']:,} records of {printable(row['id'])} were "
                "scanned."
            )


def show_findings(findings: Sequence[Mapping[str, Any]], who: str) -> None:
    for finding in findings:
        place = f"{finding['kind']} {finding['title']!r} of {finding['source']}"
        if finding["kind"] in SUPPRESSIBLE:
            place += f", offset {finding['offset']:,}"
        echo(f"- {finding['check']} ({finding['name']}) in {place}:")
        echo(f"    {finding['excerpt']}")
        if finding["kind"] in SUPPRESSIBLE:
            echo(f"    orgctx knowledge suppress {who} {finding['id']}")


def options(organization: str, by: str) -> str:
    """Return the options --organization and --by of a command, in this order."""
    return f"--organization {quote(organization)} --by {quote(by)}"
