"""A load that refuses a record names its place, its field and the reason."""

import re
from typing import Any

import pytest

from orgctx.bundle.loader import load_records
from orgctx.bundle.reading import BundleError
from orgctx.bundle.records import TYPES
from orgctx.operations.source_kinds import SOURCE_KINDS
from orgctx.stores.db import sql
from tests.support import factories as make
from tests.support.deployment import Deployment


def with_members(*names: str) -> dict[str, Any]:
    """A message with additional members of these names."""
    message = make.message(1)
    return message | {"data": message["data"] | dict.fromkeys(names, 1)}


INVALID: list[tuple[Any, str]] = [
    (make.message(1, extra=1), "data.extra is not a known member"),
    (make.message(1, texts="a"), "data.texts is not a known member; did you mean 'text'?"),
    (
        make.message(1, sender={"id": "a", "name": "x", "user_name": None, "username": None}),
        "data.sender.user_name is not a known member; did you mean 'username'?",
    ),
    (with_members("n" * 9_000), f"data.{'n' * 200} is not a known member"),
    (make.message(1, detail=5), "; it may be null"),
    (
        make.record("member", {"id": make.OWNER, "displayName": "Ada"}),
        "data.role is missing; it must be one of owner",
    ),
    (make.message(1) | {"organisationId": 1}, "did you mean 'organizationId'?"),
    (make.message(1, text=5), "data.text must be a string"),
    (make.message(1, text="a\0b"), "data.text must not contain the NUL character"),
    (make.message(True), "data.id must be an integer from 1 to 2147483647"),
    (make.message(1, sentAt="2026-01-31 08:00"), "data.sentAt must be an RFC 3339"),
    (make.message(1, sender=None), "data.sender must be an object, not null"),
    (
        make.message(1, sender={"id": "a/b", "name": "x", "username": None}),
        "data.sender.id must be a string of 1 to 200 characters without /",
    ),
    (make.message(1, kind="fax"), "data.kind must be one of text, photo"),
    (make.source("doc", "d"), "did you mean 'docs'?"),
    (make.knowledge(source="team"), "data.source must be docs where id begins with docs:"),
    (make.asset(publicUrl="https://a.example/x"), "data.publicUrl must be null unless"),
    (make.mention(author=make.author(verified="yes")), "data.author.verified must be true"),
    (make.mention(media=[{"type": "gif"}]), "data.media.0.url is missing"),
    (
        make.token(token=make.token()["data"]["token"] | {"chainId": 2}),
        "data.token.chainId must be one of 4663, 1, 31337, 31338",
    ),
    (make.token(holders={"count": 1, "trackedBalanceRaw": "1.5"}), "a string of digits"),
    (make.message() | {"approved": True}, "approved is not a known member"),
    (make.message() | {"type": "telegram.messages"}, "did you mean 'telegram.message'?"),
    (make.message() | {"organizationId": "acme"}, "organizationId must be a UUID"),
    (make.organization() | {"sourceId": "x"}, "sourceId does not belong to organization"),
    (make.delete("telegram.message", 1), "data.chatId belongs to a telegram.message"),
    (make.delete("telegram.message", "x", chatId=make.CHAT), "data.id must be an integer"),
    (make.delete("person", "x"), "data.type must be one of"),
    ([], "must be a JSON object"),
]
# Found in the database, when all records are valid.
MISPLACED = [
    (make.message(1, chatId=make.uuid("x")), "data.chatId names no chat"),
    (make.source("x", "x:second"), "already has a source of kind x, x:main"),
    (make.chat(make.uuid("second")), "already links the chat"),
    (make.asset(parentId=make.uuid("nowhere")), "data.parentId names no folder"),
    (make.asset("a", parentId=make.uuid("logo.png")), "data.parentId names no folder"),
]


@pytest.mark.parametrize("cases", [INVALID[:20], INVALID[20:], MISPLACED])
def test_error_names_field_and_reason(acme: Deployment, cases: list[tuple[Any, str]]) -> None:
    with pytest.raises(BundleError) as caught:
        acme.load(record for record, _ in cases)
    pairs = zip(cases, caught.value.errors, strict=True)
    for number, ((_, message), error) in enumerate(pairs, 1):
        assert error.startswith(f"record:{number}: ")
        assert message in error


def test_error_names_the_first_unknown_members(acme: Deployment) -> None:
    with pytest.raises(BundleError) as caught:
        acme.load([with_members(*(f"text{number}" for number in range(50_000)))])
    assert caught.value.errors[0].count("is not a known member") == 5


def test_slug_is_of_one_organization(own_acme: Deployment) -> None:
    one, two = make.uuid("one"), make.uuid("two")
    for records, place, other in (
        ([make.organization(one, slug="acme")], 1, make.ACME),
        ([make.organization(one, slug="new"), make.organization(two, slug="new")], 2, one),
        ([make.organization(slug="left"), make.organization(one, slug="left")], 2, make.ACME),
    ):
        with pytest.raises(BundleError) as caught:
            own_acme.load(records)
        slug = records[-1]["data"]["slug"]
        message = f"record:{place}: data.slug '{slug}' is taken by the organization {other}"
        assert caught.value.errors == [message]
    # A slug that the stream gives up or deletes is free in it, in whichever order it comes.
    own_acme.load([make.organization(one, slug="acme"), make.organization(slug="one")])
    own_acme.load([make.organization(slug="acme"), make.organization(one, slug="one")])
    own_acme.load([make.delete("organization", make.ACME), make.organization(two, slug="acme")])
    assert own_acme.execute("SELECT slug FROM organizations ORDER BY slug") == [("acme",), ("one",)]


def test_parent_must_come_earlier(own_acme: Deployment) -> None:
    second = {"source_id": "telegram:second"}
    chat_id = make.uuid("second")
    source = make.source("telegram", "telegram:second")
    chat = make.chat(chat_id, **second)
    message = make.message(1, chatId=chat_id, **second)
    with pytest.raises(BundleError):
        own_acme.load([source, message, chat])
    own_acme.load([source, chat, message])


# A record may only refer to matching records of its organization that precede it


OTHER = make.uuid("another organization")
RECORDS = make.everything()
EXAMPLES = {record["type"]: record for record in reversed(RECORDS)}
KINDS = {
    record["sourceId"]: record["data"]["kind"] for record in RECORDS if record["type"] == "source"
}
NO_ORGANIZATION = "organizationId names no organization that is stored or comes earlier"
NO_SOURCE = "sourceId names no source that is stored or comes earlier"
SOURCED = [name for name, type_ in TYPES.items() if type_.has_source and name != "source"]


@pytest.fixture(scope="module")
def loaded(module_deployment: Deployment) -> Deployment:
    """An organization with everything, and another with nothing but its name."""
    module_deployment.load([*RECORDS, make.organization(OTHER, slug="other")])
    return module_deployment


def rejected(loaded: Deployment, message: str, *records: dict[str, Any]) -> list[int]:
    """The numbers of the records that a load rejects, all with this message."""
    with pytest.raises(BundleError) as caught:
        loaded.load(list(records))
    assert not [error for error in caught.value.errors if message not in error]
    return [int(error.split(":")[1]) for error in caught.value.errors]


def test_organization_must_be_stored(loaded: Deployment) -> None:
    others = [EXAMPLES[name] for name in TYPES if name != "organization"]
    records = [record | {"organizationId": make.uuid("nobody")} for record in others]
    assert rejected(loaded, NO_ORGANIZATION, *records) == [*range(1, len(records) + 1)]


def test_source_must_precede_the_record(loaded: Deployment) -> None:
    """Only ACME has the sources of the records."""
    records = [EXAMPLES[name] for name in SOURCED]
    of_none = [record | {"sourceId": "none:such"} for record in records]
    of_other = [record | {"organizationId": OTHER} for record in records]
    late = [record | {"sourceId": f"late:{KINDS[record['sourceId']]}"} for record in of_other]
    late += [make.source(kind, f"late:{kind}", organization_id=OTHER) for kind in SOURCE_KINDS]
    for stream in (of_none, of_other, late):
        assert rejected(loaded, NO_SOURCE, *stream) == [*range(1, len(records) + 1)]


@pytest.mark.parametrize("kind", SOURCE_KINDS)
def test_source_must_be_of_the_kind_of_the_record(loaded: Deployment, kind: str) -> None:
    """The message names the wrong kind and the required kind."""
    records = [EXAMPLES[name] | {"sourceId": make.KIND_SOURCES[kind]} for name in SOURCED]
    message = f"sourceId names a source of kind {kind}; this record needs one of kind "
    wrong = [number for number, record in enumerate(records, 1) if record not in RECORDS]
    assert rejected(loaded, message, *records) == wrong


def is_counted(name: str) -> bool:
    """Whether sources show how many records of this type they have, and one moves by itself."""
    statement = re.sub("--.*", "", sql("bundle/count_records"))
    reads_it = re.search(rf"\b{TYPES[name].table}\b", statement)
    is_single = SOURCE_KINDS[KINDS[EXAMPLES[name]["sourceId"]]].is_single
    return bool(reads_it) and not is_single and name != "telegram.chat"


def deletion(record: dict[str, Any]) -> dict[str, Any]:
    """The deletion of a record."""
    identity = {key: record["data"][key] for key in ("id", "chatId") if key in record["data"]}
    return make.delete(record["type"], identity.pop("id", record["sourceId"]), **identity)


# The deletion of a chat deletes messages too.
@pytest.mark.parametrize(
    "names", [[name for name in SOURCED if name != "telegram.chat"], ["telegram.chat"]], ids=len
)
def test_deletion_may_name_the_source_of_the_record(loaded: Deployment, names: list[str]) -> None:
    """Whoever may write one source cannot delete the records of another."""
    of_none = [deletion(EXAMPLES[name]) | {"sourceId": None} for name in names]
    of_own = [deletion(EXAMPLES[name]) | {"sourceId": EXAMPLES[name]["sourceId"]} for name in names]
    for each in of_none:
        assert rejected(loaded, "sourceId must be ", each | {"sourceId": "other:one"}) == [1]
    for stream in (of_none, of_own):
        summary = load_records(loaded.admin_url, stream, dry_run=True)
        assert not [name for name in names if summary[name]["deleted"] == 0]


def test_deletion_names_no_source_that_cannot_have_the_record(loaded: Deployment) -> None:
    of_source = make.delete("source", "docs:handbook") | {"sourceId": "x:main"}
    assert rejected(loaded, "sourceId must be data.id, or absent", of_source) == [1]
    of_member = make.delete("member", make.OWNER) | {"sourceId": "x:main"}
    assert rejected(loaded, "sourceId does not belong to member", of_member) == [1]
    # Absent already is fine.
    absent = make.delete("knowledge", make.knowledge_id("none")) | {"sourceId": "none:such"}
    load_records(loaded.admin_url, [absent], dry_run=True)


@pytest.mark.parametrize("name", [name for name in SOURCED if is_counted(name)])
def test_moved_record_is_counted_in_both_sources(own_acme: Deployment, name: str) -> None:
    """It moves if it is deleted first, because a collector of one source may not take others'."""
    record = [record for record in RECORDS if record["type"] == name][-1]
    before = record["sourceId"]
    source, moved = make.source(KINDS[before], "moved:to"), record | {"sourceId": "moved:to"}
    taken = f"sourceId must be {before}, which has this record; to move it, delete it there"
    assert rejected(own_acme, taken, source, moved) == [2]
    own_acme.load([source, deletion(record), moved])
    counts = dict(own_acme.execute("SELECT id, record_count FROM sources"))
    stored = [r for r in RECORDS if r["type"] == name and r["sourceId"] == before]
    table = TYPES[name].table
    assert counts["moved:to"] == 1, f"bundle/count_records does not count {table}"
    assert counts[before] == len(stored) - 1, f"{TYPES[name].prepared_by} lacks touched sources"


# A load never changes the kind of a source that is stored


def test_load_compares_kinds_with_the_stored_source(own_acme: Deployment) -> None:
    """Many sources, because a sort may keep a few in the right order by chance."""
    source_ids = [f"docs:{number}" for number in range(200)]
    own_acme.load(make.source("docs", source_id) for source_id in source_ids)
    message = "data.kind cannot change: this source is of kind docs"
    for kinds in (("notes",), ("notes", "docs"), ("notes", "docs", "notes")):
        records = [make.source(kind, source_id) for source_id in source_ids for kind in kinds]
        with pytest.raises(BundleError) as caught:
            own_acme.load(records)
        wrong = [number for number, one in enumerate(records, 1) if one["data"]["kind"] == "notes"]
        assert [*caught.value.errors] == [f"record:{number}: {message}" for number in wrong[:20]]
        assert caught.value.more
        assert own_acme.execute("SELECT count(*) FROM sources WHERE kind = 'notes'") == [(1,)]
