"""Rehearse an approval: what becomes readable, for whom, and what in it deserves a look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any
from uuid import UUID

from orgctx.bundle.content import utf16_length
from orgctx.decisions.decision import Connection, run
from orgctx.decisions.findings import Finding, find, has_detectors, visible
from orgctx.decisions.keys import listed, reads
from orgctx.decisions.sources import state
from orgctx.operations.source_kinds import KINDS, SOURCE_KINDS

# How much is scanned, in equal shares for each source: some seconds of work.
MOST_TEXTS, MOST_CHARACTERS = 2_000, 4_000_000
FEWEST_TEXTS = 20
MOST_SAMPLES, SAMPLE_LENGTH = 6, 100
# Findings that are described; all are counted.
MOST_FINDINGS = 100

Row = dict[str, Any]


@dataclass(slots=True)
class Rehearsal:
    """What an approval of sources would do.

    Attributes:
        sources: those that are not approved yet, in the order of lists: `id`, `kind`, `label`,
            `scope` of a key that reads it, `included`, `record_count`, `scanned_count`: how many of
            its newest records were scanned, `is_scanned`: whether these are all.
        keys: active keys that would read more: `id`, `hint`, `name`, `access`, `issuer_name`, and
            the ids of the `sources` that they would newly read.
        people: names of the members who issued these keys.
        samples: newest records: `kind`, `source`, `id`, `title`, `preview`.
        findings: `check`, `name`, `source`, `kind`, `id`, `title`, `offset` in a document in
            UTF-16 code units, `excerpt`.
        finding_counts: how many findings each check has, described or not.
        has_detectors: whether all kinds of secrets were looked for; needs the extra `scan`.
        state: the states of all these sources, for `Decision.expect`.
    """

    sources: list[Row]
    keys: list[Row]
    people: list[str]
    samples: list[Row] = field(default_factory=list)
    findings: list[Row] = field(default_factory=list)
    finding_counts: dict[str, int] = field(default_factory=dict)
    has_detectors: bool = field(default_factory=has_detectors)
    state: dict[str, str] = field(default_factory=dict)

    def members(self) -> Row:
        """Return everything but the state, for JSON."""
        return {name: value for name, value in asdict(self).items() if name != "state"}


def rehearse(
    connection: Connection, organization_id: UUID, source_ids: Sequence[str] | None
) -> Rehearsal:
    """Rehearse the approval of sources; those that are approved already change nothing.

    Args:
        source_ids: None for all sources.
    """
    ids = None if source_ids is None else list(source_ids)
    common = {"organization_id": organization_id}
    rows = run(connection, "list_sources", **common, ids=ids, kinds=list(KINDS))
    opened = [row for row in rows if not row["external"]]
    keys = listed(connection, organization_id, state="active")
    readers = [_reader(key, opened) for key in keys]
    rehearsal = Rehearsal(
        sources=[],
        keys=[reader for reader in readers if reader["sources"]],
        people=[],
        state={row["id"]: state(row, with_content=True) for row in rows},
    )
    rehearsal.people = sorted({key["issuer_name"] or "" for key in rehearsal.keys} - {""})
    _scan(rehearsal, connection, organization_id, opened)
    return rehearsal


def _reader(key: Row, opened: Sequence[Row]) -> Row:
    names = ("id", "hint", "name", "access", "issuer_name")
    newly = [row["id"] for row in opened if row["included"] and reads(key, row)]
    return {**{name: key[name] for name in names}, "sources": newly}


def _scan(
    rehearsal: Rehearsal, connection: Connection, organization_id: UUID, opened: Sequence[Row]
) -> None:
    counts: Counter[str] = Counter()
    for source in opened:
        limit = max(FEWEST_TEXTS, MOST_TEXTS // len(opened))
        # One more than is scanned, to know whether there are more.
        texts = run(
            connection,
            "list_texts",
            organization_id=organization_id,
            source_id=source["id"],
            row_limit=limit + 1,
        )
        scanned = [*_beginning(texts[:limit], MOST_CHARACTERS // len(opened))]
        is_scanned = len(scanned) == len(texts)
        rehearsal.sources.append(_source(source, scanned, is_scanned=is_scanned))
        if len(rehearsal.samples) < MOST_SAMPLES:
            rehearsal.samples += _samples(source, scanned, max(1, MOST_SAMPLES // len(opened)))
        for finding in _findings(source, scanned):
            counts[finding["check"]] += 1
            if len(rehearsal.findings) < MOST_FINDINGS:
                rehearsal.findings.append(finding)
    rehearsal.finding_counts = dict(counts)


def _beginning(texts: Sequence[Row], characters: int) -> Iterator[Row]:
    """Yield the first texts that together have this many characters, and at least one."""
    for text in texts:
        yield text
        characters -= len(text["text"])
        if characters <= 0:
            return


def _source(source: Row, scanned: Sequence[Row], *, is_scanned: bool) -> Row:
    records = {(row["kind"], row["id"]) for row in scanned if row["kind"] != "source"}
    return {
        **{name: source[name] for name in ("id", "kind", "label", "included", "record_count")},
        "scope": SOURCE_KINDS[source["kind"]].scope,
        "scanned_count": len(records),
        "is_scanned": is_scanned,
    }


def _samples(source: Row, scanned: Sequence[Row], most: int) -> Iterator[Row]:
    firsts = [row for row in scanned if not row["first_unit"] and row["kind"] != "source"]
    for row in firsts[:most]:
        body = row["text"].removeprefix(row["title"] or "")
        preview = visible(body[: 4 * SAMPLE_LENGTH])[:SAMPLE_LENGTH]
        yield {**_place(source, row), "preview": preview}


def _place(source: Row, row: Row) -> Row:
    return {
        "source": source["id"],
        "kind": row["kind"],
        "id": row["id"],
        "title": visible(row["title"] or ""),
    }


def _findings(source: Row, scanned: Sequence[Row]) -> Iterator[Row]:
    seen: set[tuple[Any, ...]] = set()
    for row in scanned:
        head = len(row["title"]) + 1 if row["kind"] in ("document", "note") else 0
        head = 0 if row["first_unit"] else head
        for finding in find(row["text"]):
            offset = row["first_unit"] + utf16_length(row["text"][head : finding.start])
            # The end of a text is the beginning of the next one.
            subject = (row["id"], finding.check, finding.name, finding.excerpt)
            if subject not in seen:
                seen.add(subject)
                yield {**_described(finding), **_place(source, row), "offset": offset}


def _described(finding: Finding) -> Row:
    return {"check": finding.check, "name": finding.name, "excerpt": finding.excerpt}
