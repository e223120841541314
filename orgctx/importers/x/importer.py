"""Convert mention responses of the X API v2 to bundle records.

Accepts the field names from before and after August 2026. A file holds one page or post, an array
of them, or one per line. &, < and > in texts are unescaped from HTML, and t.co addresses are
replaced by those behind them.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from orgctx.importers.records import Progress, Record, Target, no_progress
from orgctx.importers.report import ImportRejected, Report
from orgctx.importers.x.post import NAME, InvalidPost, mention, reposted_authors
from orgctx.importers.x.responses import pages

ERASED = "repost of a post of an erased person"


def records(
    paths: Sequence[Path],
    *,
    target: Target,
    report: Report,
    account: str | None = None,
    progress: Progress = no_progress,
) -> Iterator[Record]:
    """Yield the source and the mentions in file order; the last copy of a post wins.

    account: whose mentions they are; by default that of the stored source. Raises ImportRejected.
    """
    name, newest, now = _account(target, account), None, datetime.now(UTC)
    yield _source(target, name, None)
    for path in paths:
        for place, page in pages(path, progress, report):
            for number, post in enumerate(page.posts):
                report.read += 1
                post_place = f"{place}: data[{number}]"
                try:
                    data, missing = mention(post, page, name, target.is_erased)
                except InvalidPost as error:
                    report.refuse(post_place, str(error))
                    continue
                if any(map(target.is_erased, reposted_authors(post, page))):
                    missing = [ERASED]
                else:
                    yield target.record("x.mention", data)
                created_at = datetime.fromisoformat(data["createdAt"])
                if created_at <= now:
                    newest = max(created_at, newest or created_at)
                for reason in missing:
                    report.skip(reason, f"{post_place}, post {data['id']}")
    # The last record of a source is stored; it has the time of the newest post.
    yield _source(target, name, newest)


def _source(target: Target, name: str, newest: datetime | None) -> Record:
    source = target.source("x", f"@{name}", f"Posts on X that mention @{name}.", newest)
    source["data"]["account"] = name
    return source


def _account(target: Target, username: str | None) -> str:
    stored = (target.existing.sources.get(target.source_id) or {}).get("account")
    username = username.strip().removeprefix("@") if username else None
    if stored and username and stored.lower() != username.lower():
        raise ImportRejected(
            target.source_id, f"belongs to @{stored}, so it cannot contain mentions of @{username}"
        )
    if username and not NAME.fullmatch(username):
        raise ImportRejected("--account", "must be a username of letters, digits and _")
    if not (name := stored or username):
        raise ImportRejected(
            target.source_id,
            "has no account yet. Pass --account USERNAME: whose mentions were collected",
        )
    return str(name)
