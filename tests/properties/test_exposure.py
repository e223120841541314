"""Each endpoint shows exactly the records that the key's scopes and the approvals allow."""

from itertools import combinations
from typing import Any

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orgctx.operations.source_kinds import SCOPES
from orgctx.resources.context import Connections
from orgctx.schemas.payload import fields_of
from tests.contract.conftest import Api
from tests.operations import ROWS
from tests.properties.model import KNOWLEDGE_KINDS, World
from tests.support import factories as make
from tests.support.marked import marked
from tests.support.thorough import examples, sampled

SOURCES = tuple(make.KIND_SOURCES.values())
Subset = tuple[str, ...]


def mark(source_id: str) -> str:
    """A word in each free text of a source's records."""
    return f"of-{source_id.replace(':', '-')}"


def records() -> list[make.Record]:
    records = [
        *make.everything(),
        make.message(2, sender={"id": None, "name": "Nobody", "username": None}),
        make.mention(2, author=make.author(8)),
        make.mention(3, account="before", author=make.author(9)),
        make.knowledge("archived", archived=True),
    ]
    return [marked(record, mark(record.get("sourceId", ""))) for record in records]


WORLD = World(records())


def subsets(values: Subset, *sizes: int) -> list[Subset]:
    return [subset for size in sizes for subset in combinations(values, size)]


@pytest.fixture(scope="module")
def api(module_api: Api) -> Api:
    module_api.deployment.load(records())
    module_api.key()
    return module_api


class Expected:
    """What the rules allow a key with these scopes and limit while these sources are on."""

    def __init__(self, scopes: Subset, on: Subset, limit: Subset | None = None) -> None:
        self.scopes = set(scopes)
        self.on = WORLD.readable(set(on), None if limit is None else set(limit))
        self.exposed = WORLD.exposed(self.scopes, self.on)
        self.people = WORLD.people(self.exposed)

    def sources_of(self, *kinds: str) -> set[str]:
        return {source_id for source_id in self.exposed if WORLD.kinds[source_id] in kinds}

    def check(self, api: Api) -> None:
        self.check_every_operation(api)
        self.check_overview(api)
        self.check_search(api)
        self.check_people(api)
        self.check_knowledge(api)
        self.check_assets(api)
        self.check_telegram(api)
        self.check_x_and_token(api)

    def check_every_operation(self, api: Api) -> None:
        """No operation shows a text of a source that is off, or of any without a scope of it."""
        hidden = [mark(source_id) for source_id in SOURCES if source_id not in self.on]
        for row in ROWS.values():
            response = api.request(row.request(row.asks[0]))
            allowed = bool(self.scopes & set(row.scopes))
            assert (response.status_code != 403) == allowed, row.name
            assert not [word for word in hidden if word in response.text], row.name

    def read(self, api: Api, path: str, *scopes: str, exists: bool = True) -> Any:
        """The data of an answer, whose status follows from the scopes and from `exists`."""
        allowed = self.scopes & set(scopes)
        status = 200 if allowed and exists else 404 if allowed else 403
        body = api.get(path, status=status)
        return body["data"] if status == 200 else None

    def check_overview(self, api: Api) -> None:
        context = self.read(api, "/context", "context:read")
        sources = self.read(api, "/sources", "context:read")
        if context is None:
            return
        assert context["sources"] == sources
        assert {source["id"] for source in sources} == self.exposed
        assert set(context["grantedScopes"]) == self.scopes
        assert ("displayName" in context["organization"]) == bool(self.sources_of("profile"))
        blocks = {name for name in fields_of(Connections) if self.sources_of(name)}
        blocks |= {"knowledge"} if self.sources_of("docs", "notes") else set()
        connections = context["connections"]
        assert set(connections) == blocks
        if "knowledge" in blocks:
            assert (connections["knowledge"]["docs"] is not None) == bool(self.sources_of("docs"))

    def check_search(self, api: Api) -> None:
        result = self.read(api, "/search?limit=50", "context:read")
        if result is None:
            return
        expected = [(item.kind, item.id, item.title) for item in WORLD.items(self.scopes, self.on)]
        assert [(item["kind"], item["id"], item["title"]) for item in result["items"]] == expected
        assert {source["id"] for source in result["sources"]} == self.exposed
        assert result["hasMore"] is False
        for source_id in SOURCES[:3]:
            exists = source_id in self.exposed
            self.read(api, f"/search?source={source_id}", "context:read", exists=exists)

    def check_people(self, api: Api) -> None:
        scopes = ("telegram:read", "x:read")
        people = self.read(api, "/people", *scopes)
        if people is not None:
            assert {person["key"] for person in people} == set(self.people)
        for key in ("telegram:user1", "x:7", "x:8", "x:9"):
            person = self.read(api, f"/people/{key}", *scopes, exists=key in self.people)
            if person:
                counts = {
                    source["sourceId"]: source["activityCount"] for source in person["sources"]
                }
                assert counts == self.people[key].counts
                assert len(person["recentActivity"]) == sum(counts.values())

    def check_knowledge(self, api: Api) -> None:
        on = {source_id for source_id in self.on if WORLD.kinds[source_id] in KNOWLEDGE_KINDS}
        for archived in (False, True):
            expected = {record["data"]["id"] for record in WORLD.knowledge(on, archived=archived)}
            path = f"/knowledge?archived={str(archived).lower()}"
            items = self.read(api, path, "knowledge:read")
            if items is not None:
                assert {item["id"] for item in items} == expected
            for record in WORLD.knowledge(set(SOURCES), archived=archived):
                id_ = record["data"]["id"]
                self.read(api, f"/knowledge/{id_}", "knowledge:read", exists=id_ in expected)

    def check_assets(self, api: Api) -> None:
        exists = bool(self.sources_of("assets"))
        brand, logo = make.uuid("Brand"), make.uuid("logo.png")
        root = self.read(api, "/assets", "assets:read")
        if root is not None:
            assert [asset["id"] for asset in root] == ([brand] if exists else [])
        inside = self.read(api, f"/assets?folderId={brand}", "assets:read", exists=exists)
        if inside is not None:
            assert [asset["id"] for asset in inside] == [logo]
        self.read(api, f"/assets/{logo}", "assets:read", exists=exists)

    def check_telegram(self, api: Api) -> None:
        exists = bool(self.sources_of("telegram"))
        chats = self.read(api, "/telegram/chats", "telegram:read")
        if chats is not None:
            assert [chat["id"] for chat in chats] == ([make.CHAT] if exists else [])
        path = f"/telegram/chats/{make.CHAT}/messages"
        messages = self.read(api, path, "telegram:read", exists=exists)
        if messages is not None:
            assert [message["id"] for message in messages] == [2, 1]

    def check_x_and_token(self, api: Api) -> None:
        mentions = self.read(api, "/x/mentions", "x:read")
        if mentions is not None:
            expected = {record["data"]["id"] for record in WORLD.mentions(self.sources_of("x"))}
            assert {mention["id"] for mention in mentions} == expected
        self.read(api, "/token", "token:read", exists=bool(self.sources_of("token")))


def check(
    api: Api,
    admin: psycopg.Connection[Any],
    scopes: Subset,
    on: Subset,
    limit: Subset | None = None,
) -> None:
    """Compare every endpoint with the rules for these scopes and approvals.

    limit: the only sources that the key reads.
    """
    # Exclusion and missing approval must hide alike, so each turns off half of the sources.
    off = [source_id for source_id in SOURCES if source_id not in on]
    admin.execute(
        "UPDATE sources SET included = NOT id = ANY(%s), external = NOT id = ANY(%s)",
        [off[::2], off[1::2]],
    )
    admin.execute("UPDATE organizations SET version = gen_random_uuid()")
    admin.execute(
        "UPDATE api_keys SET scopes = %s, source_ids = %s",
        [list(scopes), None if limit is None else list(limit)],
    )
    Expected(scopes, on, limit).check(api)


FEW_AND_MANY = subsets(SOURCES, 0, 1, len(SOURCES) - 1, len(SOURCES))
# The scopes of a key, the sources that are on, and those that the key is limited to.
CASES: list[tuple[Subset, Subset, Subset | None]] = [
    *((scopes, SOURCES, None) for scopes in subsets(SCOPES, *range(1, len(SCOPES) + 1))),
    *((scopes, (), None) for scopes in subsets(SCOPES, 1, len(SCOPES) - 1)),
    *((SCOPES, on, None) for on in FEW_AND_MANY),
    *((tuple({"context:read", scope}), on, None) for scope in SCOPES for on in FEW_AND_MANY),
    *((SCOPES, SOURCES, limit) for limit in subsets(SOURCES, 1, len(SOURCES) - 1)),
]


def is_quick(case: tuple[Subset, ...]) -> bool:
    """Whether a scope, source or limit is alone."""
    return len(case[0]) != 2 and any(subset and len(subset) == 1 for subset in case)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("case", sampled(CASES, is_quick))
def test_exposure_of_scopes_approvals_and_limits(
    api: Api, admin: psycopg.Connection[Any], case: tuple[Subset, Subset, Subset | None]
) -> None:
    """[2.5.2] [3.2.1] [4.3.1] [5.16]"""
    check(api, admin, *case)


# A limit may name sources that were deleted.
LIMITS = st.none() | st.sets(st.sampled_from((*SOURCES, "docs:deleted")), min_size=1).map(tuple)


@given(
    scopes=st.sets(st.sampled_from(SCOPES), min_size=1).map(tuple),
    on=st.sets(st.sampled_from(SOURCES)).map(tuple),
    limit=LIMITS,
)
@examples(50)
def test_exposure_of_any_scopes_approvals_and_limits(
    api: Api, admin: psycopg.Connection[Any], scopes: Subset, on: Subset, limit: Subset | None
) -> None:
    """[3.2.1] [5.16]"""
    check(api, admin, scopes, on, limit)
