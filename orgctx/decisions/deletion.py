"""Delete sources and organizations with their records, and erase people.

Deletions are loads, so that derived data follows. Each has one transaction and one audit record.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from orgctx.bundle.counts import Summary
from orgctx.decisions.audit_log import record
from orgctx.decisions.decision import Decision, DecisionRejected
from orgctx.stores.db import Connection, Row, Tenant

PLATFORMS = ("telegram", "x")


class Deletion(NamedTuple):
    record_type: str  # source or organization
    descriptions: Mapping[str, Mapping[str, Any]]  # what the audit stores, by id
    organization_id: UUID
    user_id: UUID  # the member who decides
    record_counts: Mapping[str, int]  # records that are deleted with them, by type


class Person(NamedTuple):
    """An identity on one platform, with the names that are stored."""

    platform: str
    id: str
    display_names: tuple[str, ...] = ()
    usernames: tuple[str, ...] = ()
    unique_usernames: tuple[str, ...] = ()  # of X, in lower case, that nobody else has

    @property
    def key(self) -> str:
        return f"{self.platform}:{self.id}"

    def __str__(self) -> str:
        names = (*self.display_names, *(f"@{username}" for username in self.usernames))
        return f"{self.key} ({', '.join(names)})" if names else self.key

    @property
    def identity(self) -> dict[str, Any]:
        """The parameters of statements that find what the person wrote."""
        usernames = [*self.unique_usernames]
        return {"platform": self.platform, "person_id": self.id, "usernames": usernames}


class Erasure(NamedTuple):
    """What would be erased. records: lines of a bundle that delete it."""

    organization_id: UUID
    user_id: UUID  # the member who decides
    people: list[Person]
    records: list[dict[str, Any]]

    def counts(self) -> dict[str, int]:
        """Return the number of records by type."""
        return dict(Counter(row["data"]["type"] for row in self.records))


class Erased(NamedTuple):
    """What was erased: records by type, and quotes in records of others."""

    counts: dict[str, int]
    quote_count: int


def plan_deletion(
    decision: Decision, record_type: str, objects: Mapping[str, Mapping[str, Any]]
) -> Deletion:
    """Count what would be deleted. objects: what the audit log stores of each object, by id."""
    from orgctx.bundle.loader import count_descendants

    total: Counter[str] = Counter()
    descriptions = {}
    for id_, description in objects.items():
        counts = count_descendants(decision.connection, record_type, decision.organization_id, id_)
        descriptions[id_] = {**description, "records": counts}
        total.update(counts)
    return Deletion(record_type, descriptions, decision.organization_id, decision.user_id, total)


def delete(database_url: str, planned: Deletion, *, command: str) -> dict[str, int]:
    """Delete all objects and their records in one transaction. Returns the records by type.

    Args:
        database_url: the URL with the admin's login.
        command: what the audit record names as the command.
    """
    from orgctx.bundle.loader import load_records

    records = [
        _delete_record(planned.organization_id, {"type": planned.record_type, "id": id_})
        for id_ in planned.descriptions
    ]

    def finish(connection: Connection, _: frozenset[UUID], summary: Summary) -> None:
        # Unless another command has deleted everything already.
        if _deleted(summary):
            before, author = planned.descriptions, planned.user_id
            tenant = Tenant(connection, planned.organization_id)
            record(tenant, command=command, before=before, decided_by=author)

    counts = _deleted(load_records(database_url, records, finish=finish))
    counts.pop(planned.record_type, None)
    return counts


def plan_erasure(decision: Decision, terms: Sequence[str]) -> Erasure:
    """Find people and what they wrote.

    Raises:
        DecisionRejected: a term fits nobody or several people.
    """
    people = list(dict.fromkeys(_find_person(decision, term) for term in terms))
    records = [row for person in people for row in _deletions(decision, person)]
    return Erasure(decision.organization_id, decision.user_id, people, records)


def find_people(tenant: Tenant, term: str, *, by_name: bool = False) -> list[Row]:
    """Return the columns of decisions/find_people. by_name: whether a part of a name is enough."""
    names = {"term": term, "username": term.removeprefix("@")}
    return tenant.run("decisions/find_people", **names, by_name=by_name)


def _find_person(decision: Decision, term: str) -> Person:
    rows = find_people(decision, term)
    if len(rows) > 1:
        keys = ", ".join(str(_person(row)) for row in rows)
        raise DecisionRejected(f"{term!r} fits several people: {keys}. Pass one of the keys.")
    if rows:
        person = _person(rows[0])
        unique = []
        for username in person.usernames if person.platform == "x" else ():
            platforms = [row["platform"] for row in find_people(decision, f"@{username}")]
            if platforms.count("x") == 1:
                unique.append(username.lower())
        return person._replace(unique_usernames=tuple(unique))
    platform, _, id_ = term.partition(":")
    if platform in PLATFORMS and id_:
        # No record of this person is stored, but a later load could bring one.
        return Person(platform, id_)
    raise DecisionRejected(
        f"Nobody has the id or username {term!r}. See `orgctx people find`, or pass a key such as "
        "telegram:user123 to keep out a person of whom nothing is stored."
    )


def _person(row: dict[str, Any]) -> Person:
    names = (tuple(row[column]) for column in ("display_names", "usernames"))
    return Person(row["platform"], row["person_id"], *names)


def _deletions(decision: Decision, person: Person) -> Iterator[dict[str, Any]]:
    """Yield the deletions of what a person wrote."""
    for row in decision.run("decisions/list_person_records", **person.identity):
        chat = {"chatId": str(row["chat_id"])} if row["chat_id"] else {}
        data = {"type": row["type"], "id": row["id"], **chat}
        yield _delete_record(decision.organization_id, data)


def erase(database_url: str, planned: Erasure, *, command: str) -> Erased:
    """Erase people in one transaction, with an audit record that does not name them.

    Later loads do not bring back what they wrote. Arguments: as for `delete`.

    Raises:
        DecisionRejected: a load stored more of a person meanwhile; nothing was erased.
    """
    from orgctx.bundle.loader import load_records

    results: list[Erased] = []

    def finish(connection: Connection, _: frozenset[UUID], summary: Summary) -> None:
        tenant = Tenant(connection, planned.organization_id)
        counts, quote_count = _deleted(summary), _finish_erasure(tenant, planned)
        results.append(Erased(counts, quote_count))
        after = {"people": len(planned.people), "quotes": quote_count, **counts}
        record(tenant, command=command, after=after, decided_by=planned.user_id)
        tenant.set_version()  # also if only quotes were erased, which is no load

    load_records(database_url, planned.records, finish=finish)
    return results[0]


def _finish_erasure(tenant: Tenant, planned: Erasure) -> int:
    """Delete quotes of the people, and keep out later records. Returns the number of quotes."""
    # Loads wait from here on, and then find the people erased.
    tenant.lock_organization()
    quote_count = 0
    for person in planned.people:
        if person.platform == "x":
            quote_count += len(tenant.run("decisions/erase_quotes", person_id=person.id))
        names = [person.id, *(f"@{username}" for username in person.unique_usernames)]
        tenant.run("decisions/remember_erasure", platform=person.platform, names=names)
        if tenant.run("decisions/list_person_records", **person.identity):
            raise DecisionRejected(
                "Nothing was erased: a load stored more of a person meanwhile. Run this again."
            )
    return quote_count


def _delete_record(organization_id: UUID, data: dict[str, Any]) -> dict[str, Any]:
    return {"type": "delete", "organizationId": str(organization_id), "data": data}


def _deleted(summary: Summary) -> dict[str, int]:
    return {name: count["deleted"] for name, count in summary.items() if count["deleted"]}
