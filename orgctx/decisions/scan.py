"""Scan the newest records of a source for what an owner should see before they become readable."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from psycopg.errors import QueryCanceled

from orgctx.bundle.secret_kinds import certain_secrets
from orgctx.decisions.decision import DecisionRejected
from orgctx.decisions.findings import SECRET, find, visible
from orgctx.errors import RequestTimeout
from orgctx.operations.source_kinds import SOURCE_KINDS
from orgctx.schemas.text import utf16_length
from orgctx.stores.connections import LIMIT_SEARCH
from orgctx.stores.db import Row, Tenant, sql
from orgctx.stores.deadline import Deadline, let_others_run

# How much is scanned, in equal shares for each source: some seconds of work.
MOST_TEXTS, MOST_CHARACTERS = 2_000, 4_000_000
FEWEST_TEXTS = 20
SAMPLE_LENGTH = 100


class ScanTimeout(DecisionRejected):
    """The scan took longer than its deadline."""


def read_texts(
    tenant: Tenant, source_id: str, deadline: Deadline | None, source_count: int = 1
) -> tuple[list[Row], bool]:
    """Return the newest texts of a source, and whether these are all.

    Args:
        deadline: until when the statement may run.
        source_count: how many sources share what is scanned.

    Raises:
        ScanTimeout: it took too long.
    """
    limit = max(FEWEST_TEXTS, MOST_TEXTS // source_count)
    with _limited():
        if deadline:
            timeout = f"{max(1, int(deadline.left() * 1000))}ms"
            tenant.connection.execute(sql(LIMIT_SEARCH), {"statement_timeout": timeout})
        # One more than is scanned, to know whether there are more.
        bounds = {"source_id": source_id, "row_limit": limit + 1}
        texts = tenant.run("decisions/list_texts", **bounds)
    scanned = [*_beginning(texts[:limit], MOST_CHARACTERS // source_count)]
    return scanned, len(scanned) == len(texts)


@contextmanager
def _limited() -> Iterator[None]:
    """Raise ScanTimeout after a deadline."""
    try:
        yield
    except (RequestTimeout, QueryCanceled):
        raise ScanTimeout(
            "Reading the records took too long. Nothing was changed. Choose fewer sources, or use "
            "`orgctx sources` on the command line."
        ) from None


def _beginning(texts: Sequence[Row], characters: int) -> Iterator[Row]:
    """Yield the first texts that together have this many characters, and at least one."""
    for text in texts:
        yield text
        characters -= len(text["text"])
        if characters <= 0:
            return


def described_source(source: Row, scanned: Sequence[Row], *, is_scanned: bool) -> Row:
    """Return what a preview says of a source."""
    records = {(row["kind"], row["id"]) for row in scanned if row["kind"] != "source"}
    kind = SOURCE_KINDS[source["kind"]]
    return {
        **{name: source[name] for name in ("id", "kind", "label", "included")},
        "approved": source["external"],
        "held_count": source["held_count"],
        # Sources of other kinds have few records, so the scan has read all of them.
        "record_count": source["record_count"] if kind.is_counted else len(records),
        "scope": kind.scope,
        "scanned_count": len(records),
        "secret_count": 0,
        # Without a text, nothing was looked at.
        "is_scanned": is_scanned and bool(records or not source["record_count"]),
    }


def samples(source_id: str, scanned: Sequence[Row], most: int) -> Iterator[Row]:
    """Yield the newest records: `kind`, `source`, `id`, `title`, `preview`."""
    firsts = [row for row in scanned if not row["first_unit"] and row["kind"] != "source"]
    for row in firsts[:most]:
        body = row["text"][row["head_length"] :].removeprefix(row["title"] or "")
        preview = visible(body[: 4 * SAMPLE_LENGTH])[:SAMPLE_LENGTH]
        yield {**_place(source_id, row), "preview": preview}


def findings(
    source_id: str, scanned: Sequence[Row], deadline: Deadline | None = None
) -> Iterator[Row]:
    """Yield findings with their places. Raises ScanTimeout after the deadline."""
    seen: set[tuple[Any, ...]] = set()
    for row in scanned:
        # Let other requests of the desk run, because the scan of a text does not wait for anything.
        let_others_run()
        with _limited():
            if deadline:
                deadline.left()
        for finding in find(row["text"]):
            before = row["text"][row["head_length"] : finding.start]
            offset = row["first_unit"] + utf16_length(before)
            # The end of a text is the beginning of the next one.
            found = {"check": finding.check, "name": finding.name, "excerpt": finding.excerpt}
            subject = (row["id"], *found.values())
            if subject not in seen:
                seen.add(subject)
                yield found | _place(source_id, row) | {"offset": offset}


def certain_findings(source_id: str, scanned: Sequence[Row]) -> list[Row]:
    """Return the findings of secrets in texts with one of a certain kind."""
    rows = [row for row in scanned if next(certain_secrets(row["text"]), None)]
    return [row for row in findings(source_id, rows) if row["check"] == SECRET]


def _place(source_id: str, row: Row) -> Row:
    return {
        "source": source_id,
        "kind": row["kind"],
        "id": row["id"],
        "title": visible(row["title"] or ""),
    }
