"""One function per people operation."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from orgctx.errors import NotFound
from orgctx.operations.exposure import Caller, Source, ids
from orgctx.operations.operation import Reader, Result
from orgctx.operations.source_kinds import PEOPLE_KINDS
from orgctx.resources.people.schemas import Person, PersonDetail
from orgctx.schemas.payload import numbered
from orgctx.schemas.text import preview

PAGE_SIZE = 50
PROFILES = {"telegram": "https://t.me/", "x": "https://x.com/"}


def list_people(caller: Caller, reader: Reader, *, q: str | None, page: int) -> Result:
    """List the people behind stored messages and posts, most recently active first. Each is
    an identity on one platform.

    50 per page, ordered by lastActiveAt descending, then key. q searches the
    10,000 most recently active people; searchLimited is true if there are more.
    """
    sources = caller.exposed(*PEOPLE_KINDS)
    totals, rows = reader.page(
        "people/search_people" if q else "people/list_people",
        page=page,
        size=PAGE_SIZE,
        first="platform",
        source_ids=ids(sources),
        **({"q": q} if q else {}),
    )
    people = [Person.one(_person(row, sources)) for row in rows.dicts()]
    pagination = numbered(page, PAGE_SIZE, totals["total"])
    pagination["search_limited"] = totals["search_limited"]
    return Result(people, sources, pagination)


def read_person(caller: Caller, reader: Reader, *, key: str) -> Result:
    """Read one person by key: names, totals, activity in each approved source, and the
    latest messages or posts.

    404 if the person is not visible through approved sources.
    """
    sources = caller.exposed(*PEOPLE_KINDS)
    platform, _, person_id = key.partition(":")
    person, activities = reader.rows(
        "people/read_person", platform=platform, person_id=person_id, source_ids=ids(sources)
    ).split("activity_kind")
    if not person:
        raise NotFound("There is no such person, or this key may not read them.")
    member = _person(person, sources)
    member["recent_activity"] = [_activity(row) for row in activities.dicts()]
    evidence_sources = tuple(source for source in sources if source.id in person["source_ids"])
    return Result(PersonDetail.one(member), evidence_sources)


def _person(row: Mapping[str, Any], sources: Sequence[Source]) -> dict[str, Any]:
    labels = {source.id: source.label for source in sources}
    platform, username = row["platform"], row["username"]
    evidence = zip(row["source_ids"], row["activity_counts"], row["last_active_ats"], strict=True)
    return {
        "key": f"{platform}:{row['person_id']}",
        "platform": platform,
        "id": row["person_id"],
        "display_name": row["display_name"],
        "username": username,
        "profile_url": PROFILES[platform] + quote(username, safe="") if username else None,
        "verified": row["verified"],
        "first_active_at": row["first_active_at"],
        "last_active_at": row["last_active_at"],
        "activity_count": row["activity_count"],
        "sources": [
            {
                "source_id": source_id,
                "label": labels[source_id],
                "activity_count": count,
                "last_active_at": last_active_at,
            }
            for source_id, count, last_active_at in evidence
        ],
    }


def _activity(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "kind": row["activity_kind"],
        "id": row["activity_id"],
        "source_id": row["activity_source_id"],
        "preview": preview(row["activity_text"]),
        "at": row["activity_at"],
        "href": row["activity_href"],
    }
