"""Erase people: delete what they wrote, and keep later loads from storing it again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple
from uuid import UUID

import psycopg

from orgctx.bundle import Summary, load_records
from orgctx.cli import admin
from orgctx.cli.errors import CommandError
from orgctx.cli.recording import record
from orgctx.config.settings import Config

PLATFORMS = ("telegram", "x")
# How many records a report lists that contain the name of an erased person.
MAX_NAMING_RECORDS = 100


class Person(NamedTuple):
    """An identity on one platform. names: display names and usernames, if any are stored."""

    platform: str
    id: str
    names: tuple[str, ...]

    @property
    def key(self) -> str:
        return f"{self.platform}:{self.id}"

    def __str__(self) -> str:
        return f"{self.key} ({', '.join(self.names)})" if self.names else self.key


class Plan(NamedTuple):
    """What would be erased. records: lines of a bundle that delete it."""

    organization_id: UUID
    user_id: UUID  # the member who decides
    people: list[Person]
    records: list[dict[str, Any]]

    def counts(self) -> dict[str, int]:
        """Return the number of records by type."""
        return dict(Counter(row["data"]["type"] for row in self.records))


class Erasure(NamedTuple):
    """What was erased. naming_records: records of others that still contain a name."""

    counts: dict[str, int]
    quote_count: int
    naming_records: list[dict[str, Any]]


def plan(organization: str, by: str, terms: tuple[str, ...]) -> Plan:
    """Find the people and what they wrote.

    Raises:
        CommandError: a term fits nobody or several people, or `by` may not decide.
    """
    with admin.deciding(by, organization) as decision:
        people = list(dict.fromkeys(_find(decision, term) for term in terms))
        records = [row for person in people for row in _records(decision, person)]
        return Plan(decision.organization_id, decision.user_id, people, records)


def _find(decision: admin.Decision, term: str) -> Person:
    username = term.removeprefix("@")
    rows = decision.run("find_people", term=term, username=username, by_name=False)
    if len(rows) > 1:
        keys = ", ".join(str(_person(row)) for row in rows)
        raise CommandError(f"{term!r} fits several people: {keys}. Pass one of the keys.")
    if rows:
        return _person(rows[0])
    platform, _, id_ = term.partition(":")
    if platform in PLATFORMS and id_:
        # Nothing of this person is stored, but a later load could bring something.
        return Person(platform, id_, ())
    raise CommandError(
        f"Nobody has the id or username {term!r}. See `orgctx people find`, or pass a key such as "
        "telegram:user123 to keep out a person of whom nothing is stored."
    )


def _person(row: dict[str, Any]) -> Person:
    usernames = (f"@{username}" for username in row["usernames"])
    return Person(row["platform"], row["person_id"], (*row["display_names"], *usernames))


def _records(decision: admin.Decision, person: Person) -> Iterator[dict[str, Any]]:
    """Yield the deletions of what a person wrote."""
    for row in decision.run("list_person_records", platform=person.platform, person_id=person.id):
        chat = {"chatId": str(row["chat_id"])} if row["chat_id"] else {}
        yield {
            "type": "delete",
            "organizationId": str(decision.organization_id),
            "data": {"type": row["type"], "id": row["id"], **chat},
        }


def erase(planned: Plan) -> Erasure:
    """Erase the people in one transaction, with an audit record that does not name them.

    Raises:
        CommandError: a load stored more of a person meanwhile; nothing was erased.
    """
    results: list[Erasure] = []
    url = Config.from_environment().admin_database_url
    load_records(url, planned.records, finish=partial(_finish, planned, results))
    return results[0]


def _finish(
    planned: Plan,
    results: list[Erasure],
    connection: psycopg.Connection[Any],
    _: frozenset[UUID],
    summary: Summary,
) -> None:
    run = partial(admin.run, connection, organization_id=planned.organization_id)
    # Loads wait from here on, and then find the people erased.
    run("lock_organization")
    quote_count = 0
    for person in planned.people:
        identity = {"platform": person.platform, "person_id": person.id}
        if person.platform == "x":
            quote_count += run("erase_quotes", person_id=person.id)[0]["erased_count"]
            run("forget_author", person_id=person.id)
        run("remember_erasure", **identity)
        if run("list_person_records", **identity):
            raise CommandError(
                "Nothing was erased: a load stored more of a person meanwhile. Run this again."
            )
    counts = {name: deleted for name, count in summary.items() if (deleted := count["deleted"])}
    names = {name.removeprefix("@").lower() for person in planned.people for name in person.names}
    naming = run("list_naming_records", names=sorted(names), row_limit=MAX_NAMING_RECORDS)
    after = {"people": len(planned.people), "quotes": quote_count, **counts}
    record(connection, planned.organization_id, before={}, after=after, decided_by=planned.user_id)
    results.append(Erasure(counts, quote_count, naming))
