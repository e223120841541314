"""Folders of documents and notes, through the command and back through the API."""

from __future__ import annotations

import json
import os
import subprocess
import zipfile
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orgctx.bundle import load_records
from orgctx.cli.importing import run as import_run
from orgctx.importers import Existing, Report
from orgctx.importers.folder.headings import first_heading
from orgctx.importers.folder.parts import parts, units
from orgctx.importers.folder.walk import MOST_PATTERNS
from orgctx.importers.markdown import importer as markdown
from tests.importers.conftest import unchanged
from tests.importers.repositories import commit, git
from tests.importers.test_trees import CORPUS, packed
from tests.support import factories as f
from tests.support.deployment import Deployment, Result

Run = Callable[..., Result]
Read = Callable[[str], Any]
Write = Callable[..., Path]
SOURCE = "docs:handbook"
BOMB = b"a: &a {b: 1}\n" + b"".join(
    b"a%d: &a%d {<<: [*a%s, *a%s]}\n" % (i, i, *(str(i - 1 if i else "").encode(),) * 2)
    for i in range(30)
)
FRONT = "---\ntitle: From above\ndate: 2024-03-01\nupdated: 2024-04-01T10:00:00+02:00\n---\n\n"


@pytest.fixture
def folder(write: Write) -> Path:
    """A small handbook."""
    write("handbook/index.md", FRONT + "# Welcome\n\nSee [the guide](guide/start.md).\r\n")
    write("handbook/guide/start.mdx", "```sh\n# no heading\n```\n\nGetting started\n===\n\nText")
    write("handbook/notes.txt", "---\nplain: text\n---\n# as it is")
    write("handbook/draft.md", "---\ndraft: true\n---\nNot yet")
    write("handbook/secret.md", "---\npublish: false\n---\nNever")
    write("handbook/logo.png", b"\x89PNG")
    write("handbook/.git/config.md", "hidden")
    return write("handbook/bare.md", "No heading").parent


def test_a_folder_reads_back(run: Run, read: Read, folder: Path) -> None:
    report = run("markdown", folder, source=SOURCE).json()
    assert report["types"]["knowledge"]["created"] == 4
    assert report["skipped"]["not published: draft: true"]["count"] == 1
    assert report["skipped"]["unsupported type: .png"]["examples"] == ["logo.png"]
    assert unchanged(run("markdown", folder, source=SOURCE).json())
    items = {item["title"]: item for item in read("/knowledge")}
    assert items.keys() == {"From above", "Getting started", "notes", "bare"}
    assert items["From above"]["createdAt"] == "2024-03-01T00:00:00Z"
    assert items["From above"]["updatedAt"] == "2024-04-01T08:00:00Z"
    assert items["bare"]["createdAt"] == "2026-05-28T20:26:40Z"
    assert {(i["source"], i["visibility"], i["sourceLabel"]) for i in items.values()} == {
        ("docs", "public", "handbook")
    }
    contents = {title: read(f"/knowledge/{item['id']}") for title, item in items.items()}
    assert contents["From above"]["content"] == "# Welcome\n\nSee [the guide](guide/start.md).\r\n"
    assert contents["notes"]["content"] == "---\nplain: text\n---\n# as it is"
    assert contents["notes"]["contentFormat"] == "plain_text"


def test_a_folder_becomes_team_notes(run: Run, read: Read, folder: Path) -> None:
    run("markdown", folder, source="notes:team", options=("--as", "notes")).json()
    items = read("/knowledge?kind=note")
    assert {(i["id"][:5], i["source"], i["visibility"]) for i in items} == {
        ("note:", "team", "team")
    }


def test_what_vanished_is_deleted_unless_kept(run: Run, read: Read, folder: Path) -> None:
    run("markdown", folder, source=SOURCE).json()
    ids = {item["title"]: item["id"] for item in read("/knowledge")}
    (folder / "bare.md").unlink()
    (folder / "notes.txt").write_text("Edited")
    kept = run("markdown", folder, source=SOURCE, options=("--keep-missing",)).json()
    assert (kept["updated"], kept["deleted"]) == (2, 0)
    assert run("markdown", folder, source=SOURCE).json()["deleted"] == 1
    left = {item["title"]: item["id"] for item in read("/knowledge")}
    assert left == {title: id_ for title, id_ in ids.items() if title != "bare"}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"ok\nb\xff", "bad.md: is not UTF-8: byte 4, line 2"),
        (b"a\0b", "bad.md: holds a NUL character: character 1"),
        (b"---\na: [\n---\nText", "bad.md: its front matter is not YAML"),
        (b"---\n!!python/object:os.system {}\n---\n", "bad.md: its front matter is not YAML"),
        (b"---\na: " + b"[" * 9_000 + b"\n---\n", "bad.md: its front matter"),
        (b"---\nd: 2024-99-99\n---\n", "bad.md: its front matter holds a value"),
        (b"---\nd: !!bool x\n---\n", "bad.md: its front matter holds a value"),
        (b"---\na: " + b"x" * 70_000 + b"\n---\n", "longer than 64 KiB"),
        (b"---\n" + b"- " * 30_000 + b"\n---\n", "nests deeper than 32"),
        (b"---\n" + BOMB + b"---\n", "more than 8 aliases"),
        (b"---\na: " + b"1:" * 30_000 + b"1\n---\n", "holds a word too long"),
        (b"---\na: {" + b"b," * 25_000 + b"}\n---\n", "more than 20,000 values"),
        (b"+++\na = [\n+++\n", "bad.md: its front matter is not TOML"),
        (b"+++\n" + b"a." * 20_000 + b"a = 1\n+++\n", "nests too deep"),
        (b"+++\na = " + b"[" * 60_000 + b"\n+++\n", "holds a value"),
        (b'{"a": ' + b"[" * 60_000, "bad.md: its front matter is not JSON"),
        (b'{"draft": true\n}}\n', None),
    ],
)
def test_a_broken_file_is_refused(
    folder: Path, write: Write, content: bytes, reason: str | None
) -> None:
    write("handbook/bad.md", content)
    report = Report()
    where: dict[str, Any] = {"organization_id": f.ACME, "source_id": SOURCE, "existing": Existing()}
    kept = list(markdown.records(folder, report=report, **where))
    assert len(kept) == 5
    if reason is None:
        assert not report.refused
        return
    (refused,) = report.refused
    assert reason in refused


def test_what_cannot_be_read_stays_and_what_is_gone_goes(
    run: Run, read: Read, folder: Path, write: Write
) -> None:
    run("markdown", folder, source=SOURCE).json()
    write("handbook/bare.md", b"\xff")
    (folder / "notes.txt").unlink()
    result = run("markdown", folder, source=SOURCE)
    assert result.exit_code == 1
    assert json.loads(result.stdout)["deleted"] == 1
    assert {item["title"] for item in read("/knowledge")} == {
        "From above", "Getting started", "bare",
    }  # fmt: skip


def test_front_matter_says_who_may_read_it(run: Run, read: Read, write: Write) -> None:
    folder = write("docs/a.md", "---\nvisibility: team\n---\nA").parent
    write("docs/b.md", "B")
    write("docs/c.md", "---\nvisibility: secret\n---\nC")
    write("docs/d.md", '---\ndraft: "true"\n---\nD')
    report = json.loads(run("markdown", folder, source=SOURCE).stdout)
    assert report["refused"]["first"] == [
        "c.md: visibility in its front matter must be public or team"
    ]
    assert {i["title"]: i["visibility"] for i in read("/knowledge")} == {"a": "team", "b": "public"}


def test_drafts_are_loaded_when_asked_for(run: Run, read: Read, folder: Path) -> None:
    run("markdown", folder, source=SOURCE, options=("--include-drafts",)).json()
    drafts = [i for i in read("/knowledge") if i["sourceStatus"] == "draft"]
    assert {(i["title"], i["visibility"]) for i in drafts} == {
        ("draft", "team"),
        ("secret", "team"),
    }
    assert run("markdown", folder, source=SOURCE).json()["deleted"] == 2


def test_what_is_excluded_is_not_read(run: Run, read: Read, folder: Path, write: Write) -> None:
    run("markdown", folder, source=SOURCE).json()
    write("handbook/.orgctxignore", "# notes\nnotes.txt\n")
    write("handbook/bare.md", b"\xff")
    report = run(
        "markdown", folder, source=SOURCE, options=("--exclude", "*.mdx", "--exclude", "bare*")
    )
    assert report.json()["skipped"]["excluded by --exclude or .orgctxignore"]["count"] == 3
    assert [item["title"] for item in read("/knowledge")] == ["From above"]


@pytest.mark.parametrize("content", [b"\xff", b"*a*a*a*a*a", b"x" * 70_000])
def test_an_ignore_file_that_cannot_be_used_is_refused(
    run: Run, folder: Path, write: Write, content: bytes
) -> None:
    write("handbook/.orgctxignore", content)
    result = run("markdown", folder, source=SOURCE)
    assert result.exit_code == 1
    assert "nothing was imported: .orgctxignore" in result.stderr


def test_an_ignore_file_has_so_many_patterns(run: Run, folder: Path, write: Write) -> None:
    lines = ["# files", "", *(f"{number}.md" for number in range(MOST_PATTERNS))]
    write("handbook/.orgctxignore", "\n".join(lines))
    assert run("markdown", folder, source=SOURCE).exit_code == 0
    write("handbook/.orgctxignore", "\n".join([*lines, "more.md"]))
    result = run("markdown", folder, source=SOURCE)
    assert result.exit_code == 1
    assert ".orgctxignore: line 1003: has more than 1,000 patterns: name folders" in result.stderr


def test_an_empty_folder_deletes_nothing_unless_allowed(
    run: Run, folder: Path, write: Write
) -> None:
    run("markdown", folder, source=SOURCE).json()
    empty = write("elsewhere/handbook/logo.png", b"").parent
    refused = run("markdown", empty, source=SOURCE)
    assert "holds no document, and 4 are stored" in refused.stderr
    assert run("markdown", empty, source=SOURCE, options=("--keep-missing",)).json()["deleted"] == 0
    assert run("markdown", empty, source=SOURCE, options=("--allow-empty",)).json()["deleted"] == 4


def test_a_mistyped_source_is_not_made(run: Run, acme: Deployment, folder: Path) -> None:
    run("markdown", folder, source=SOURCE).json()
    for typed in ("docs:hanbook", "doc:handbook", "docs:handbooks"):
        refused = run("markdown", folder, source=typed)
        assert refused.exit_code == 1
        assert "did you mean 'docs:handbook'? Add --create" in refused.stderr
    run("markdown", folder, source="docs:wiki").json()
    run("markdown", folder, source="docs:handbooks", options=("--create",)).json()
    assert acme.execute("SELECT count(*) FROM sources") == [(3,)]


def test_a_suppressed_document_stays_so_under_a_new_name(
    run: Run, read: Read, acme: Deployment, folder: Path
) -> None:
    run("markdown", folder, source=SOURCE).json()
    ids = {item["title"]: item["id"] for item in read("/knowledge")}
    who = ("--organization", "acme", "--by", f.OWNER)
    chosen = (ids["notes"], ids["Getting started"])
    assert acme.cli("knowledge", "suppress", *who, *chosen).exit_code == 0
    (folder / "notes.txt").rename(folder / "remarks.txt")
    (folder / "bare.md").rename(folder / "plain.md")
    start = folder / "guide" / "start.mdx"
    (folder / "guide" / "begin.mdx").write_text(start.read_text() + "\nMore")
    start.unlink()
    bundle = run("markdown", folder, source=SOURCE, options=("--as-bundle",))
    assert "remarks" not in bundle.stdout
    assert "Skipped 2: suppressed under another name" in bundle.stderr
    assert run("markdown", folder, source=SOURCE, options=("--dry-run",)).exit_code == 0
    assert acme.execute("SELECT count(*) FROM knowledge_suppressions") == [(2,)]
    report = run("markdown", folder, source=SOURCE, options=("--keep-missing",)).json()
    assert report["renamed"]["count"] == 3
    assert f"bare ({ids['bare']}) → plain.md" in report["renamed"]["first"]
    run("markdown", folder, source=SOURCE).json()
    assert {item["title"] for item in read("/knowledge")} == {"From above", "plain"}
    assert acme.execute("SELECT record_count FROM sources") == [(2,)]
    assert unchanged(run("markdown", folder, source=SOURCE).json())
    audit = acme.cli("audit", "--organization", "acme", "--json").json()
    assert (
        sum(
            "as" in str(record["after"]) and "import markdown" in record["command"]
            for record in audit
        )
        == 2
    )


def test_what_is_suppressed_while_an_import_reads_stays_so_under_a_new_name(
    run: Run, read: Read, acme: Deployment, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("markdown", folder, source=SOURCE).json()
    chosen = next(item["id"] for item in read("/knowledge") if item["title"] == "notes")
    (folder / "notes.txt").rename(folder / "remarks.txt")

    def suppressing(*arguments: Any, **keywords: Any) -> Any:
        """Suppress an item after the import has looked it up and before it loads."""
        who = ("--organization", "acme", "--by", f.OWNER)
        assert acme.cli("knowledge", "suppress", *who, chosen).exit_code == 0
        return load_records(*arguments, **keywords)

    monkeypatch.setattr(import_run, "load_records", suppressing)
    assert run("markdown", folder, source=SOURCE).json()["renamed"]["count"] == 1
    assert not {"notes", "remarks"} & {item["title"] for item in read("/knowledge")}
    assert acme.execute("SELECT record_count FROM sources") == [(3,)]


def test_a_suppression_waits_for_an_import(
    run: Run, acme: Deployment, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An import that has carried the others over would leave the text readable under its new
    name; so who suppresses learns that the former one is gone."""
    run("markdown", folder, source=SOURCE).json()
    ((chosen,),) = acme.execute("SELECT id FROM knowledge WHERE title = 'notes'")
    (folder / "notes.txt").rename(folder / "remarks.txt")
    begun = []
    finish = import_run._Carried.finish

    def suppressing(*arguments: Any) -> None:
        finish(*arguments)
        who = ("--organization", "acme", "--by", f.OWNER)
        process = acme.process("knowledge", "suppress", *who, chosen)
        begun.append(process)
        while process.poll() is None and not acme.waiting():
            sleep(0.05)

    monkeypatch.setattr(import_run._Carried, "finish", suppressing)
    assert run("markdown", folder, source=SOURCE).json()["renamed"]["count"] == 1
    (process,) = begun
    _, stderr = process.communicate()
    assert (process.returncode, "has no knowledge item" in stderr) == (1, True), stderr


def test_what_front_matter_calls_a_page_is_found(run: Run, read: Read, write: Write) -> None:
    head = "---\ndescription: About piers\naliases: [jetty, quay]\ntags: harbour\n---\n"
    folder = write("docs/a.md", head + "# Moles\n").parent
    run("markdown", folder, source=SOURCE).json()
    for word in ("About piers", "jetty", "quay", "harbour"):
        assert [item["title"] for item in read(f"/search?q={word}")["items"]] == ["Moles"]


def test_a_notion_export_reads_back(run: Run, read: Read, tmp_path: Path) -> None:
    export = packed(CORPUS / "notion.zip" / "tree", tmp_path / "Export.zip")
    run("markdown", export, source=SOURCE).json()
    assert {item["title"] for item in read("/knowledge")} == {"Harbour", "Berths", "Crew"}
    outer = tmp_path / "Whole.zip"
    with zipfile.ZipFile(outer, "w") as archive:
        archive.write(export, "Export-Part-1.zip")
    report = run("markdown", outer, source=SOURCE).json()
    assert report["types"]["knowledge"]["unchanged"] == 3
    (tmp_path / "No.zip").write_text("no archive")
    assert (
        "or a Notion export as a .zip" in run("markdown", tmp_path / "No.zip", source=SOURCE).stderr
    )


def test_a_history_says_when_it_was_collected(run: Run, read: Read, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    commit(tmp_path, 5, one="1")
    run("markdown", tmp_path, source=SOURCE).json()
    (source,) = read("/sources")
    assert (source["updatedAt"], source["status"]) == ("2024-01-05T00:00:00Z", "stale")


@settings(max_examples=100, deadline=None)
@given(text=st.text(st.sampled_from("# \n`~ab\U0001f6a2"), max_size=80), most=st.integers(2, 30))
def test_parts_join_to_their_text(text: str, most: int) -> None:
    pieces = parts(text, most)
    assert "".join(pieces) == text
    assert all(0 < units(piece) <= most for piece in pieces if text)


def test_a_long_document_is_split_at_headings(tmp_path: Path) -> None:
    chapter = "# Chapter\n\n" + "A line of text.\n" * 250_000
    (tmp_path / "book.md").write_text("---\ntitle: Book\n---\n" + chapter * 5)
    where: dict[str, Any] = {"organization_id": f.ACME, "source_id": SOURCE, "existing": Existing()}
    kept = [r["data"] for r in markdown.records(tmp_path, report=Report(), **where)][1:]
    assert [data["title"] for data in kept] == [f"Book ({n} of 3)" for n in (1, 2, 3)]
    assert "".join(data["content"] for data in kept) == chapter * 5
    assert all(data["content"].startswith("# Chapter") for data in kept)
    assert len({data["id"] for data in kept}) == 3


def test_what_lies_too_deep_is_refused_and_deletes_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("A")
    where: dict[str, Any] = {"organization_id": f.ACME, "source_id": SOURCE}
    (_, kept) = markdown.records(tmp_path, report=Report(), existing=Existing(), **where)
    deep, gone = tmp_path, "docs:00000000-0000-4000-8000-000000000000"
    with chdir(tmp_path):
        for _ in range(1_200):
            os.mkdir("deep")
            os.chdir("deep")
    try:
        report = Report()
        existing = Existing(ids=frozenset({kept["data"]["id"], gone}))
        found = list(markdown.records(deep, report=report, existing=existing, **where))
        assert not [record for record in found if record["type"] == "delete"]
        assert "File name too long" in report.refused[0]
        assert "deletion held back, since a folder could not be read" in report.skipped
    finally:
        subprocess.run(["rm", "-rf", str(tmp_path / "deep")], check=True)


def test_links_that_lead_outside_are_not_followed(run: Run, folder: Path, write: Write) -> None:
    os.symlink(write("outside.md", "private"), folder / "inside.md")
    report = run("markdown", folder, source=SOURCE).json()
    assert report["skipped"]["symbolic link"]["examples"] == ["inside.md"]


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("# One #\n# Two", "One"),
        ("text\n\n  ## `Two`", "`Two`"),
        ("#No\n\n#\n\n### Yes", "Yes"),
        ("~~~\n# no\n```\n~~~\n# yes", "yes"),
        ("Title\n-----\n", "Title"),
        ("- item\n---\n# yes", "yes"),
        ("> quote\n===\n", None),
        ('<h1 class="a">\n  A &amp; <b>B</b>\n</h1>\n# C', "A & B"),
        ("", None),
    ],
)
def test_headings_are_found(text: str, heading: str | None) -> None:
    assert first_heading(text) == heading


def test_a_missing_folder_is_a_usage_error(acme: Deployment) -> None:
    where = ("--organization", "acme", "--source", SOURCE)
    assert acme.cli("import", "markdown", "nowhere", *where).exit_code == 2
