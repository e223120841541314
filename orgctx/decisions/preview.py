"""Preview an approval or inclusion: what becomes readable, for whom, and what deserves a look."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from uuid import UUID

from orgctx.decisions import scan
from orgctx.decisions.findings import SECRET
from orgctx.decisions.keys import listed
from orgctx.decisions.keys import state as key_state
from orgctx.decisions.sources import is_readable, reads, state, stored
from orgctx.stores.db import Row, Tenant
from orgctx.stores.deadline import Deadline

MOST_SAMPLES = 6
# Findings of each check that are described; all are counted.
MOST_FINDINGS = 50
# Kinds of records with findings that a member can suppress.
SUPPRESSIBLE = ("document", "note")


@dataclass(frozen=True, slots=True)
class Exposure:
    """A decision that exposes sources to keys. A source is readable after both of them."""

    name: str  # the command, and its name in sources.DECISIONS
    noun: str
    done: str  # what a source is afterwards
    undone: str  # what it is before
    column: str  # the column of the source that it sets

    @property
    def other(self) -> "Exposure":
        """The other decision that a source needs."""
        return INCLUDE if self is APPROVE else APPROVE


APPROVE = Exposure("approve", "approval", "approved", "not approved", "external")
INCLUDE = Exposure("include", "inclusion", "included", "excluded", "included")
# Makes sources readable for one key, and not for others.
CHANGE = Exposure("change", "change", "", "", "")
EXPOSURES = {exposure.name: exposure for exposure in (APPROVE, INCLUDE)}


@dataclass(slots=True)
class Preview:
    """What a decision about sources would do.

    Attributes:
        sources: those that it changes, in the order of lists: `id`, `kind`, `label`, `scope` of a
            key that reads it, `included`, `approved`, `record_count`, `held_count`: documents that
            wait, and stay hidden; `scanned_count`: how many of its newest records were scanned,
            `is_scanned`: whether these are all, `secret_count`: how many secrets are in them.
        keys: active keys that would read more: `id`, `hint`, `name`, `access`, `issuer_name`, and
            the ids of the `sources` that they would newly read.
        people: names of the members who issued these keys.
        samples: newest records: `kind`, `source`, `id`, `title`, `preview`.
        findings: `check`, `name`, `source`, `kind`, `id`, `title`, `offset` in a document in
            UTF-16 code units, `excerpt`.
        finding_counts: how many findings each check has, described or not.
        exposure: the decision.
        state: the states of all these sources, for `Decision.expect`.
    """

    sources: list[Row]
    keys: list[Row]
    people: list[str]
    samples: list[Row] = field(default_factory=list)
    findings: list[Row] = field(default_factory=list)
    finding_counts: dict[str, int] = field(default_factory=dict)
    exposure: Exposure = APPROVE
    state: dict[str, str] = field(default_factory=dict)

    def as_json(self) -> Row:
        """Return everything but the decision and the state, for JSON."""
        members = asdict(self)
        return {name: members[name] for name in members if name not in ("exposure", "state")}


def build_preview(
    tenant: Tenant,
    source_ids: Sequence[str] | None,
    exposure: Exposure = APPROVE,
    deadline: Deadline | None = None,
) -> Preview:
    """Preview a decision about sources, in a transaction.

    Args:
        source_ids: None for all sources. The decision changes only those that need it.
        deadline: when to give up.

    Raises:
        ScanTimeout: it took too long.
    """
    rows = stored(tenant, source_ids)
    changed = [row for row in rows if not row[exposure.column]]
    affected = [row for row in changed if row[exposure.other.column]]
    keys = listed(tenant, state="active")
    readers = [_reader(key, [row for row in affected if reads(key, row)]) for key in keys]
    preview = Preview(
        sources=[],
        keys=[reader for reader in readers if reader["sources"]],
        people=[],
        exposure=exposure,
        state={row["id"]: state(row, with_content=True) for row in rows},
    )
    preview.people = sorted({key["issuer_name"] or "" for key in preview.keys} - {""})
    _scan(preview, tenant, changed, deadline)
    return preview


def preview_change(tenant: Tenant, key_id: UUID, rights: Row) -> Preview:
    """Preview what a key newly reads. rights: its new `scopes` and `sources`, where they change."""
    (key,) = listed(tenant, key_id=key_id)
    readable = [row for row in stored(tenant) if is_readable(row) and not reads(key, row)]
    exposed = [row for row in readable if reads(key | rights, row)]
    readers = [_reader(key, exposed)] if exposed and key["state"] == "active" else []
    preview = Preview([], readers, [], exposure=CHANGE, state={str(key_id): key_state(key)})
    _scan(preview, tenant, exposed, None)
    return preview


def _reader(key: Row, sources: Sequence[Row]) -> Row:
    """Return a key with the ids of sources that it would read."""
    shown = {name: key[name] for name in ("id", "hint", "name", "access", "issuer_name")}
    return shown | {"sources": [row["id"] for row in sources]}


def _scan(
    preview: Preview,
    tenant: Tenant,
    sources: Sequence[Row],
    deadline: Deadline | None,
) -> None:
    """Add the sources to a preview, with samples of their records and what a scan finds in them."""
    counts: Counter[str] = Counter()
    for source in sources:
        id_ = source["id"]
        scanned, is_scanned = scan.read_texts(tenant, id_, deadline, len(sources))
        preview.sources.append(scan.described_source(source, scanned, is_scanned=is_scanned))
        if len(preview.samples) < MOST_SAMPLES:
            most = max(1, MOST_SAMPLES // len(sources))
            preview.samples += scan.samples(id_, scanned, most)
        for finding in scan.findings(id_, scanned, deadline):
            counts[finding["check"]] += 1
            preview.sources[-1]["secret_count"] += finding["check"] == SECRET
            if counts[finding["check"]] <= MOST_FINDINGS:
                preview.findings.append(finding)
    preview.finding_counts = dict(counts)
