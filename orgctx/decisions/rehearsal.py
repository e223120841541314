"""Rehearse an approval or inclusion: what becomes readable, for whom, and what deserves a look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any
from uuid import UUID

from orgctx.decisions import scan
from orgctx.decisions.decision import Connection
from orgctx.decisions.findings import has_detectors
from orgctx.decisions.keys import listed, reads
from orgctx.decisions.sources import state, stored
from orgctx.stores.deadline import Deadline

MOST_SAMPLES = 6
# Findings of each check that are described; all are counted.
MOST_FINDINGS = 50
# Kinds of records with findings that a member can suppress.
SUPPRESSIBLE = ("document", "note")

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Opening:
    """A decision that may make sources readable. A source is readable after both of them."""

    name: str  # the command, and its name in sources.DECISIONS
    closing: str  # the name of the decision that undoes it
    noun: str
    done: str  # what a source is afterwards
    undone: str  # what it is before
    column: str  # the column of the source that it sets

    @property
    def other(self) -> Opening:
        """The other decision that a source needs."""
        return INCLUDE if self is APPROVE else APPROVE


APPROVE = Opening("approve", "withdraw", "approval", "approved", "not approved", "external")
INCLUDE = Opening("include", "exclude", "inclusion", "included", "excluded", "included")
OPENINGS = {opening.name: opening for opening in (APPROVE, INCLUDE)}


@dataclass(slots=True)
class Rehearsal:
    """What a decision about sources would do.

    Attributes:
        sources: those that it changes, in the order of lists: `id`, `kind`, `label`, `scope` of a
            key that reads it, `included`, `approved`, `record_count`, `scanned_count`: how many of
            its newest records were scanned, `is_scanned`: whether these are all.
        keys: active keys that would read more: `id`, `hint`, `name`, `access`, `issuer_name`, and
            the ids of the `sources` that they would newly read.
        people: names of the members who issued these keys.
        samples: newest records: `kind`, `source`, `id`, `title`, `preview`.
        findings: `check`, `name`, `source`, `kind`, `id`, `title`, `offset` in a document in
            UTF-16 code units, `excerpt`.
        finding_counts: how many findings each check has, described or not.
        has_detectors: whether all kinds of secrets were looked for; needs the extra `scan`.
        opening: the decision.
        state: the states of all these sources, for `Decision.expect`.
    """

    sources: list[Row]
    keys: list[Row]
    people: list[str]
    samples: list[Row] = field(default_factory=list)
    findings: list[Row] = field(default_factory=list)
    finding_counts: dict[str, int] = field(default_factory=dict)
    has_detectors: bool = field(default_factory=has_detectors)
    opening: Opening = APPROVE
    state: dict[str, str] = field(default_factory=dict)

    def members(self) -> Row:
        """Return everything but the decision and the state, for JSON."""
        members = asdict(self)
        return {name: members[name] for name in members if name not in ("opening", "state")}


def rehearse(
    connection: Connection,
    organization_id: UUID,
    source_ids: Sequence[str] | None,
    opening: Opening = APPROVE,
    deadline: Deadline | None = None,
) -> Rehearsal:
    """Rehearse a decision about sources, in a transaction.

    Args:
        source_ids: None for all sources. The decision changes only those that need it.
        deadline: when to give up.

    Raises:
        ScanTimeout: it took too long.
    """
    rows = stored(connection, organization_id, source_ids)
    opened = [row for row in rows if not row[opening.column]]
    keys = listed(connection, organization_id, state="active")
    readable = [row for row in opened if row[opening.other.column]]
    readers = [_reader(key, readable) for key in keys]
    rehearsal = Rehearsal(
        sources=[],
        keys=[reader for reader in readers if reader["sources"]],
        people=[],
        opening=opening,
        state={row["id"]: state(row, with_content=True) for row in rows},
    )
    rehearsal.people = sorted({key["issuer_name"] or "" for key in rehearsal.keys} - {""})
    _scan(rehearsal, connection, organization_id, opened, deadline)
    return rehearsal


def _reader(key: Row, readable: Sequence[Row]) -> Row:
    names = ("id", "hint", "name", "access", "issuer_name")
    newly = [row["id"] for row in readable if reads(key, row)]
    return {**{name: key[name] for name in names}, "sources": newly}


def _scan(
    rehearsal: Rehearsal,
    connection: Connection,
    organization_id: UUID,
    opened: Sequence[Row],
    deadline: Deadline | None,
) -> None:
    counts: Counter[str] = Counter()
    for source in opened:
        id_ = source["id"]
        scanned, is_scanned = scan.read_texts(
            connection, organization_id, id_, deadline, len(opened)
        )
        rehearsal.sources.append(scan.described_source(source, scanned, is_scanned=is_scanned))
        if len(rehearsal.samples) < MOST_SAMPLES:
            most = max(1, MOST_SAMPLES // len(opened))
            rehearsal.samples += scan.samples(id_, scanned, most)
        for finding in scan.findings(id_, scanned, deadline):
            counts[finding["check"]] += 1
            if counts[finding["check"]] <= MOST_FINDINGS:
                rehearsal.findings.append(finding)
    rehearsal.finding_counts = dict(counts)
