"""Loads hold documents that nobody has seen, until an owner or admin releases them."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pytest

from orgctx.bundle.loader import load_records
from orgctx.key_format import BASE62, checksum
from tests.conftest import copy_of, template_with
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.waiting import until

DOCS = make.KIND_SOURCES["docs"]
TEXT = "The vault opens at nine.\nNobody may know its number."


# Acme with an approved handbook of one document, and approved team notes.
HANDBOOK = (make.source(), make.source("notes"), make.knowledge())
handbook = template_with(lambda deployment: deployment.load_acme(*HANDBOOK))
copied_handbook = copy_of("handbook", "function")


@dataclass(frozen=True)
class Acme(Deployment):
    reader: Any = None  # a client with a key of every scope


@pytest.fixture
def acme(copied_handbook: Deployment) -> Iterator[Acme]:
    with copied_handbook.client(copied_handbook.issue_key(make.ACME, make.OWNER)) as client:
        yield Acme(**vars(copied_handbook), reader=client)


def decide(acme: Acme, *words: object) -> Any:
    return acme.cli(*words[:2], *make.WHO, *words[2:]).done()


def undo(acme: Acme) -> None:
    """Undo the last decision that is not the issue of a key."""
    last = "SELECT max(sequence) FROM audit WHERE command <> 'keys issue'"
    decide(acme, "audit", "undo", acme.execute(last)[0][0])


def readable(acme: Acme) -> set[str]:
    """The titles of the documents that a key lists, reads, finds and that the sources count."""
    listed = acme.reader.get("/api/v1/knowledge").json["data"]
    found = acme.reader.get("/api/v1/search?limit=25&q=e").json["data"]["items"]
    for item in listed:
        assert acme.reader.get(f"/api/v1/knowledge/{item['id']}").status_code == 200
    titles = {item["title"] for item in listed}
    assert {item["title"] for item in found if item["kind"] in ("document", "note")} == titles
    counts = acme.execute("SELECT sum(record_count)::integer FROM sources")
    assert counts == [(len(titles),)]
    return titles


def held(acme: Acme) -> dict[str, list[str]]:
    """The reasons of held documents, by title."""
    rows = acme.cli("knowledge", "list", "--organization", "acme", "--held", "--json").json()
    return {row["title"]: sorted(row["held"]) for row in rows}


def document(name: str, content: str = TEXT, **data: Any) -> dict[str, Any]:
    return make.knowledge(name, content=content, **{"title": name} | data)


def test_source_that_holds_new_documents_holds_them_until_their_release(acme: Acme) -> None:
    decide(acme, "sources", "new-documents", "held", DOCS)
    changed = make.knowledge(content="Changed.")
    acme.load([document("new", make.AWS), changed, document("note", prefix="note")])
    assert readable(acme) == {"Document 1", "note"}
    assert held(acme) == {"new": ["new", "secret"]}
    # It waits whatever becomes of its text, and of the source's setting.
    decide(acme, "sources", "new-documents", "readable", DOCS)
    acme.load([document("new", "Another text."), document("later", "Later.")])
    assert readable(acme) == {"Document 1", "note", "later"}
    assert held(acme) == {"new": ["new"]}
    decide(acme, "knowledge", "restore", make.knowledge_id("new"))
    assert readable(acme) == {"Document 1", "note", "later", "new"}
    acme.load([document("new", "A third text.")])
    assert held(acme) == {}


def test_text_that_waits_waits_in_every_document_that_it_moves_to(acme: Acme) -> None:
    decide(acme, "sources", "new-documents", "held", DOCS)
    texts = [f"{TEXT} Floor {number}." for number in range(3)]
    acme.load([document(f"new {number}", text) for number, text in enumerate(texts)])
    # Renamed over a readable document, with another text now, and copied to another source.
    acme.load([
        make.delete("knowledge", make.knowledge_id("new 0")),
        make.knowledge(content=texts[0]),
        document("new 1", "Another text."),
        document("swapped", texts[1], prefix="note"),
        document("copied", texts[2], prefix="note"),
    ])  # fmt: skip
    assert readable(acme) == set()
    waiting = {"Document 1", "new 1", "new 2", "swapped", "copied"}
    assert {*held(acme)} == waiting
    # A copy in the load that brings the text, or that gives it to a document that waits.
    for name, text in (("new 4", f"{TEXT} Floor 4."), ("new 1", f"{TEXT} Floor 1, again.")):
        acme.load([document(f"copy of {name}", text, prefix="note"), document(name, text)])
        waiting |= {name, f"copy of {name}"}
    assert readable(acme) == set()
    assert {*held(acme)} == waiting
    # A text that a member released in the document, or that does not change, is readable.
    decide(acme, "knowledge", "restore", make.knowledge_id())
    acme.load([document("new 3", texts[0])])
    for data in ({"content": "Short."}, {"content": texts[0]}, {"title": "Later"}):
        acme.load([make.knowledge(**{"content": texts[0]} | data)])
        assert len(readable(acme)) == 1


def test_moved_document_is_new_in_its_source(acme: Acme) -> None:
    acme.load([make.source("docs", "docs:other"), document("moved", source_id="docs:other")])
    acme.approve(make.ACME, make.OWNER)
    decide(acme, "sources", "new-documents", "held", DOCS)
    acme.load([make.delete("knowledge", make.knowledge_id("moved")), document("moved")])
    assert readable(acme) == {"Document 1"}
    assert held(acme) == {"moved": ["new"]}


@pytest.mark.parametrize("place", ["content", "title"])
def test_secret_is_held_until_it_is_gone_or_released(acme: Acme, place: str) -> None:
    clean, leaking = {"title": "Keys", "content": "Ask Ada."}, {}
    leaking = clean | {place: f"Our key {make.AWS}"}
    id_ = make.knowledge_id("k")
    for _ in range(2):
        acme.load([make.knowledge("k", **leaking)])
        assert readable(acme) == {"Document 1"}
        assert [*held(acme).values()] == [["secret"]]
        acme.load([make.knowledge("k", **clean)])
        assert readable(acme) == {"Document 1", "Keys"}
    acme.load([make.knowledge("k", **leaking)])
    decide(acme, "knowledge", "restore", id_)
    # A release holds for this text, also when it comes back after another.
    for texts in (clean, leaking, leaking):
        acme.load([make.knowledge("k", **texts)])
        assert len(readable(acme)) == 2
    other = leaking | {place: f"Another key {make.AWS}"}
    acme.load([make.knowledge("k", **other)])
    assert readable(acme) == {"Document 1"}


def test_list_of_held_documents_masks_secrets_in_titles(acme: Acme) -> None:
    acme.load([document("key", title=f"Key {make.AWS}")])
    assert held(acme) == {"Key AKIA****": ["secret"]}
    assert make.AWS not in acme.cli("knowledge", "list", "--organization", "acme", "--held").stdout


def test_secret_is_held_in_a_source_that_is_not_approved(acme: Acme) -> None:
    acme.load([make.source("docs", "docs:raw"), document("raw", make.AWS, source_id="docs:raw")])
    assert held(acme) == {"raw": ["secret"]}
    acme.approve(make.ACME, make.OWNER)
    assert readable(acme) == {"Document 1"}


def test_secret_in_a_new_text_is_no_new_hold(acme: Acme, tmp_path: Any) -> None:
    bundle = tmp_path / "bundle.jsonl"
    for text, held_line in (("Our", True), ("Another", False)):
        bundle.write_text(json.dumps(document("k", f"{text} key {make.AWS}")))
        assert ("Held 1 document" in acme.cli("load", bundle).stderr) is held_line
        assert held(acme) == {"k": ["secret"]}


def test_secret_is_held_with_escapes_and_invisible_characters_inside(acme: Acme) -> None:
    body = "".join(BASE62[number] for number in range(30))
    acme.load([
        document("escaped", f"\U0001f511 ghp\\_{body}{checksum(body)}"),
        document("soft", f"AK\xadIA{make.AWS[4:]}"),
        document("clean", "An \\_ and a soft\xadhyphen."),
    ])  # fmt: skip
    assert held(acme) == {"escaped": ["secret"], "soft": ["secret"]}
    place = "SELECT detail_offset FROM knowledge_suppressions WHERE detail = 'GitHub Token'"
    assert acme.execute(place) == [(3,)]


def test_text_of_a_suppressed_document_is_held_however_it_comes(acme: Acme) -> None:
    short = [document(name, "None.") for name in ("short", "s2")]
    acme.load([document("memo"), document("stored copy"), *short])
    decide(acme, "knowledge", "suppress", make.knowledge_id("memo"), make.knowledge_id("short"))
    # A copy that is stored already is held with it; a short text is no copy.
    assert readable(acme) == {"Document 1", "s2"}
    # White space at line ends is no difference, other lines are one.
    spaced, lines = TEXT.replace("\n", " \t\r\n") + " \r\n\n", TEXT.replace("\n", "\n\n")
    acme.load([
        document("new copy", prefix="note"), document("spaced", spaced),
        document("other", f"More. {TEXT}"), document("lines", lines),
    ])  # fmt: skip
    assert readable(acme) == {"Document 1", "s2", "other", "lines"}
    assert held(acme) == {name: ["same text"] for name in ("stored copy", "new copy", "spaced")}
    acme.load([document("new copy", "Another text, of a note that was a copy.", prefix="note")])
    assert "new copy" in readable(acme)
    # A copy stays hidden when the document is deleted, and ends with its suppression.
    acme.load([make.delete("knowledge", make.knowledge_id("memo"))])
    other = {"organization_id": make.uuid("other")}
    acme.load([document("late copy"), *make.everything(**other), document("theirs", **other)])
    assert {"stored copy", "late copy"} <= held(acme).keys()
    hidden = "SELECT FROM knowledge_suppressions WHERE organization_id = %(organization_id)s"
    assert acme.execute(hidden, other) == []
    acme.load([make.delete("organization", make.uuid("other"), **other)])
    decide(acme, "knowledge", "restore", make.knowledge_id("memo"))
    assert held(acme) == {}
    assert {"stored copy", "late copy", "spaced"} <= readable(acme)


def test_suppressed_document_stays_hidden_and_takes_its_new_text_along(acme: Acme) -> None:
    acme.load([document("memo")])
    decide(acme, "knowledge", "suppress", make.knowledge_id("memo"))
    second = f"{TEXT} Since May, it opens at ten."
    for text in (f"{TEXT} A text in between.", second):
        acme.load([document("memo", text)])
    acme.load([document("first", TEXT), document("now", second)])
    acme.load([document("between", f"{TEXT} A text in between.")])
    assert readable(acme) == {"Document 1", "between"}
    # So it does after a restore that is undone, and that undo.
    decide(acme, "knowledge", "restore", make.knowledge_id("memo"))
    assert len(readable(acme)) == 5
    for count in (2, 5, 2):
        undo(acme)
        assert len(readable(acme)) == count


def test_released_copy_stays_readable_until_the_text_is_suppressed_again(acme: Acme) -> None:
    acme.load([document("memo"), document("copy")])
    memo, copy = make.knowledge_id("memo"), make.knowledge_id("copy")
    decide(acme, "knowledge", "suppress", memo)
    decide(acme, "knowledge", "restore", copy)
    for count in (1, 2):
        undo(acme)
        assert len(readable(acme)) == count
    acme.load([document("copy"), document("memo")])
    assert readable(acme) == {"Document 1", "copy"}
    decide(acme, "knowledge", "restore", memo)
    decide(acme, "knowledge", "suppress", memo)
    assert readable(acme) == {"Document 1"}


def test_held_document_leaves_nothing_behind(acme: Acme) -> None:
    decide(acme, "sources", "new-documents", "held", DOCS)
    acme.load([document("new", make.AWS)])
    decide(acme, "knowledge", "restore", make.knowledge_id("new"))
    acme.load([document("other", make.AWS)])
    for name in ("new", "other"):
        acme.load([make.delete("knowledge", make.knowledge_id(name))])
    for table in ("knowledge_suppressions", "knowledge_releases"):
        assert acme.execute(f"SELECT count(*) FROM {table}") == [(0,)]


def test_profile_and_token_are_not_held(acme: Acme) -> None:
    acme.load([
        make.source("profile"), make.knowledge("p", prefix="profile", content=f"{make.AWS} {TEXT}")
    ])  # fmt: skip
    assert held(acme) == {}


def test_load_says_what_it_holds(acme: Acme, tmp_path: Any) -> None:
    bundle = tmp_path / "bundle.jsonl"
    bundle.write_text("\n".join(json.dumps(document(name, make.AWS)) for name in "ab"))
    acme.cli("load", bundle, "--dry-run").done()
    result = acme.cli("load", bundle).done()
    assert "Held 2 documents: 2 with a secret." in result.stderr
    assert f"orgctx knowledge list --organization {make.ACME} --held" in result.stderr
    assert acme.cli("load", bundle).stderr == ""
    report = acme.cli("load", bundle, "--json").json()
    assert "held" not in report["knowledge"]
    audit = acme.cli("audit", "--organization", "acme", "--json").json()
    (loaded,) = [row for row in audit if row["command"] == "load"]
    assert loaded["after"]["knowledge"] == {"created": 2, "held": 2}
    line = "ran `load` of bundle.jsonl: knowledge (held: 2; created 2)"
    assert line in acme.cli("audit", "--organization", "acme").stdout


def test_secrets_that_cannot_be_held_are_counted_and_shown(acme: Acme, tmp_path: Any) -> None:
    places = {
        make.KIND_SOURCES["telegram"]: [
            make.source("telegram"), make.chat(), make.message(1, text=f"Key: {make.AWS}"),
            make.message(2, sender={"id": "u", "name": make.AWS, "username": None}),
            make.message(3),
        ],
        make.KIND_SOURCES["x"]: [make.source("x"), make.mention(1, text=make.AWS), make.mention(2)],
        make.KIND_SOURCES["assets"]: [make.source("assets"), make.folder(name=make.AWS)],
    }  # fmt: skip
    bundle = tmp_path / "bundle.jsonl"
    bundle.write_text("\n".join(json.dumps(row) for rows in places.values() for row in rows))
    result = acme.cli("load", bundle)
    assert held(acme) == {}
    for (source_id, _), (number, kind) in zip(
        places.items(), ((2, "message"), (1, "post"), (1, "folder")), strict=True
    ):
        has = "record has" if number == 1 else "records have"
        show = ("sources", "show", "--organization", make.ACME, source_id)
        assert f"{number} {has} a secret that cannot be held." in result.stderr
        assert f"`orgctx {' '.join(show)}`" in result.stderr
        printed = acme.cli(*show).stdout
        assert f"- secret (AWS Access Key) in {kind}" in printed
        assert make.AWS not in printed
        approve = ("sources", "approve", *make.WHO, source_id, "--dry-run", "--json")
        (previewed,) = acme.cli(*approve).json()["sources"]
        assert previewed["secretCount"] == number


def test_undo_holds_a_released_document_again(acme: Acme) -> None:
    decide(acme, "sources", "new-documents", "held", DOCS)
    acme.load([document("new", make.AWS), document("memo"), document("copy")])
    ids = {name: make.knowledge_id(name) for name in ("new", "memo", "copy")}
    decide(acme, "knowledge", "restore", *ids.values())
    rows = "SELECT knowledge_id, reason, detail, detail_offset FROM knowledge_suppressions"
    undo(acme)
    assert held(acme) == {"new": ["new", "secret"], "memo": ["new"], "copy": ["new"]}
    assert (ids["new"], "secret", "AWS Access Key", 0) in acme.execute(rows)
    # A release that was undone does not count.
    for text in ("Clean.", make.AWS):
        acme.load([document("new", text)])
    assert "secret" in held(acme)["new"]
    decide(acme, "knowledge", "restore", *ids.values())
    decide(acme, "knowledge", "suppress", ids["memo"])
    assert held(acme) == {"copy": ["same text"]}
    audit = acme.cli("audit", "--organization", "acme").stdout
    assert "suppressed memo and 1 with the same text" in audit
    undo(acme)
    assert held(acme) == {}
    decide(acme, "sources", "new-documents", "readable", DOCS)
    undo(acme)
    assert acme.execute("SELECT holds_new FROM sources WHERE id = %s", (DOCS,)) == [(True,)]


@pytest.mark.thorough
def test_simultaneous_loads_hold_the_same(acme: Acme, tmp_path: Any) -> None:
    decide(acme, "sources", "new-documents", "held", DOCS)
    bundle = tmp_path / "bundle.jsonl"
    records = [document(f"d{number}", make.AWS if number % 2 else TEXT) for number in range(40)]
    bundle.write_text("\n".join(map(json.dumps, records)))
    loads = [acme.process("load", bundle) for _ in range(2)]
    assert [(load.communicate(), load.returncode)[1] for load in loads] == [0, 0]
    expected = {f"d{n}": ["new", "secret"] if n % 2 else ["new"] for n in range(40)}
    assert held(acme) == expected
    releases = [
        acme.process("knowledge", "restore", *make.WHO, make.knowledge_id("d0")) for _ in range(2)
    ]
    assert {(each.communicate(), each.returncode)[1] for each in releases} == {0}
    acme.cli("load", bundle).done()
    del expected["d0"]
    assert held(acme) == expected
    assert readable(acme) == {"Document 1", "d0"}


def test_approval_during_a_load_sees_the_state_before_and_decides_after_it(
    acme: Acme,
) -> None:
    """The approval waits for the load; until both have ended, no key reads what the load brings."""
    decide(acme, "sources", "withdraw", DOCS)
    seen: list[set[str]] = []

    def finish(*_: object) -> None:
        threads.submit(decide, acme, "sources", "approve", "--yes", DOCS)
        until(acme.waiting, "the approval does not wait for the load")
        seen.append({item["title"] for item in acme.reader.get("/api/v1/knowledge").json["data"]})

    records = [make.organization(), document("secret", make.AWS), document("memo")]
    with ThreadPoolExecutor(1) as threads:
        load_records(acme.admin_url, records, finish=finish)
    assert seen == [set()]
    assert readable(acme) == {"Document 1", "memo"}
    assert held(acme) == {"secret": ["secret"]}


@pytest.mark.parametrize("was_held", [False, True])
def test_setting_that_changes_during_a_load_counts_for_the_next_one(
    acme: Acme, *, was_held: bool
) -> None:
    settings = ("readable", "held")
    decide(acme, "sources", "new-documents", settings[was_held], DOCS)

    def finish(*_: object) -> None:
        threads.submit(decide, acme, "sources", "new-documents", settings[not was_held], DOCS)
        until(acme.waiting, "the change does not wait for the load")

    with ThreadPoolExecutor(1) as threads:
        load_records(acme.admin_url, [make.organization(), document("first")], finish=finish)
    assert ("first" in held(acme)) is was_held
    acme.load([document("second", "Second.")])
    assert ("second" in held(acme)) is not was_held


def test_only_sources_of_documents_hold(acme: Acme) -> None:
    acme.load([make.source("x")])
    error = acme.cli("sources", "new-documents", *make.WHO, "held", "x:main").failed()
    assert "x:main cannot hold documents" in error
