"""Mention responses of the X API v2 as bundle records, in its words before and after August 2026.

Reads pages: a file of one, an array of them, or one a line. Texts come with &, < and >
escaped for HTML, which is undone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from orgctx.importers.existing import Existing
from orgctx.importers.records import Progress, Record, Target, modified_at, no_progress
from orgctx.importers.report import ImportRefused, Report
from orgctx.importers.x_pages import Page, pages
from orgctx.importers.x_post import NAME, Includes, Unfit, mention


def records(
    paths: Sequence[Path],
    *,
    organization_id: str,
    source_id: str,
    report: Report,
    existing: Existing,
    account: str | None = None,
    stale_after_seconds: int | None = None,
    progress: Progress = no_progress,
) -> Iterator[Record]:
    """The source and the mentions of all files, in their order; of copies the last wins.

    account: the username that mentions were asked for; that of a stored source where it
    has one. Raises ImportRefused for a file that is no JSON, or where account is unknown.
    """
    target = Target(organization_id, source_id, existing, stale_after_seconds)
    name = _account(target, account)
    updated_at = max(modified_at(path) for path in paths)
    source = target.source("x", f"@{name}", f"Posts on X that mention @{name}.", updated_at)
    source["data"]["account"] = name
    yield source
    for path in paths:
        for page in pages(path, report, progress):
            for data in _mentions(page, name, report):
                yield target.record("x.mention", data)


def _account(target: Target, given: str | None) -> str:
    stored = (target.existing.sources.get(target.source_id) or {}).get("account")
    given = given.strip().removeprefix("@") if given else None
    if stored and given and stored.lower() != given.lower():
        raise ImportRefused(
            target.source_id, f"is connected to @{stored}, so it cannot hold mentions of @{given}"
        )
    if given and not NAME.fullmatch(given):
        raise ImportRefused("--account", "must be a username: letters, digits and _")
    name = stored or given
    if not name:
        raise ImportRefused(
            target.source_id, "is of no account yet: say with --account whose mentions these are"
        )
    return str(name)


def _mentions(page: Page, account: str, report: Report) -> Iterator[Record]:
    posts = page.content.get("data", [])
    for error in page.errors():
        report.skip("partial error of the API", f"{page.place}: {error}")
    if not isinstance(posts, list):
        report.refuse(page.place, "data must be an array of posts")
        return
    includes = Includes(page.content.get("includes"))
    for number, post in enumerate(posts):
        report.read += 1
        place = f"{page.place}: data[{number}]"
        try:
            data, missing = mention(post, includes, account)
        except Unfit as error:
            report.refuse(place, str(error))
            continue
        for what in missing:
            report.skip(what, f"{place}, post {data['id']}")
        yield data
