"""Convert mention responses of the X API v2 to bundle records.

Accepts the field names from before and after August 2026. A file holds one page, post or event,
an array of them, or one per line. &, < and > in texts are unescaped from HTML, and t.co addresses
are replaced by those behind them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from orgctx.importers.records import Progress, Record, Target, no_progress
from orgctx.importers.report import ImportRejected, Report
from orgctx.importers.x.account import find_account
from orgctx.importers.x.history import History
from orgctx.importers.x.pages import values
from orgctx.importers.x.post import NAME
from orgctx.importers.x.responses import InvalidPage, page


def records(
    paths: Sequence[Path],
    *,
    target: Target,
    report: Report,
    account: str | None = None,
    progress: Progress = no_progress,
) -> Iterator[Record]:
    """Yield the source and the mentions in file order; the last copy of a post wins.

    The source gets the time of the newest post or event, or the time that twarc wrote.

    Args:
        account: the username whose mentions were collected. Default: that of the stored source,
            else the only one that all posts mention.

    Raises:
        ImportRejected: a file is not JSON, the account is unknown, or no file has a valid page.
    """
    history = History(target, _account(paths, target, account), report)
    for path in paths:
        for place, value in values(path, progress, report):
            try:
                yield from history.add(place, page(value))
            except InvalidPage as error:
                report.refuse(place, str(error))
    if not history.is_valid:
        message = report.refused[0] if report.refused else f"{paths[0].name}: contains no page"
        place, _, reason = message.partition(": ")
        more = report.refused_count - 1
        raise ImportRejected(place, f"{reason}; {more:,} more were refused" if more > 0 else reason)
    yield from history.end()


def _account(paths: Sequence[Path], target: Target, username: str | None) -> str:
    for id_, source in target.existing.sources.items():
        if source["kind"] == "x" and id_ != target.source_id:
            raise ImportRejected(
                target.source_id,
                f"would be a second source of mentions, and an organization has one; "
                f"import into {id_}, or delete it first",
            )
    stored = (target.existing.sources.get(target.source_id) or {}).get("account")
    username = username.strip().removeprefix("@") if username else None
    if stored and username and stored.lower() != username.lower():
        raise ImportRejected(
            target.source_id, f"belongs to @{stored}, so it cannot contain mentions of @{username}"
        )
    if username and not NAME.fullmatch(username):
        raise ImportRejected("--account", "must be a username of letters, digits and _")
    name = stored or username or find_account(paths)
    if not name:
        raise ImportRejected(
            target.source_id,
            "has no account yet, and there is not exactly one account that all posts mention. "
            "Pass --account USERNAME, the account whose mentions were collected",
        )
    return str(name)
