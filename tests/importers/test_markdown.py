"""Folders of documents and notes, through the command and back through the API."""

from __future__ import annotations

import json
import os
import subprocess
from contextlib import chdir
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orgctx.bundle import load_records
from orgctx.bundle.content import utf16_length
from orgctx.cli.importing import run as import_run
from orgctx.cli.importing.memory import Memory
from orgctx.importers import Existing, Report
from orgctx.importers.folder.headings import first_heading
from orgctx.importers.folder.ignore import LONGEST_PATTERN, MOST_PATTERNS
from orgctx.importers.folder.parts import parts
from tests.importers.conftest import (
    STAMPED_AT,
    Read,
    Run,
    Write,
    convert,
    imported,
    markdown,
    unchanged,
)
from tests.importers.repositories import commit, git
from tests.support import factories as make
from tests.support.deployment import Deployment

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


@pytest.fixture
def stored(run: Run, folder: Path) -> Path:
    """The handbook, imported."""
    run("markdown", folder, source=SOURCE).json()
    return folder


def titles(read: Read) -> set[str]:
    return {item["title"] for item in read("/knowledge")}


def ids(read: Read) -> dict[str, str]:
    return {item["title"]: item["id"] for item in read("/knowledge")}


def suppress(acme: Deployment, *item_ids: str) -> None:
    who = ("--organization", "acme", "--by", make.OWNER)
    assert acme.cli("knowledge", "suppress", *who, *item_ids).exit_code == 0


def test_folder_reads_back(run: Run, read: Read, folder: Path) -> None:
    report = run("markdown", folder, source=SOURCE).json()
    assert report["types"]["knowledge"]["created"] == 4
    assert report["skipped"]["not published: draft: true"]["count"] == 1
    assert report["skipped"]["unsupported type: .png"]["examples"] == ["logo.png"]
    assert unchanged(run("markdown", folder, source=SOURCE).json())
    items = {item["title"]: item for item in read("/knowledge")}
    assert items.keys() == {"From above", "Getting started", "notes", "bare"}
    assert items["From above"]["createdAt"] == "2024-03-01T00:00:00Z"
    assert items["From above"]["updatedAt"] == "2024-04-01T08:00:00Z"
    assert items["bare"]["createdAt"] == STAMPED_AT
    assert {
        (item["source"], item["visibility"], item["sourceLabel"]) for item in items.values()
    } == {("docs", "public", "handbook")}
    contents = {title: read(f"/knowledge/{item['id']}") for title, item in items.items()}
    assert contents["From above"]["content"] == "# Welcome\n\nSee [the guide](guide/start.md).\r\n"
    assert contents["notes"]["content"] == "---\nplain: text\n---\n# as it is"
    assert contents["notes"]["contentFormat"] == "plain_text"


def test_folder_becomes_notes_of_the_team(run: Run, read: Read, folder: Path) -> None:
    run("markdown", folder, source="notes:team", options=("--as", "notes")).json()
    items = read("/knowledge?kind=note")
    assert {(item["id"][:5], item["source"], item["visibility"]) for item in items} == {
        ("note:", "team", "team")
    }


def test_missing_file_is_deleted_unless_kept(run: Run, read: Read, stored: Path) -> None:
    before = ids(read)
    (stored / "bare.md").unlink()
    (stored / "notes.txt").write_text("Edited")
    kept = run("markdown", stored, source=SOURCE, options=("--keep-missing",)).json()
    assert (kept["updated"], kept["deleted"]) == (2, 0)
    assert run("markdown", stored, source=SOURCE).json()["deleted"] == 1
    del before["bare"]
    assert ids(read) == before


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"ok\nb\xff", "bad.md: is not UTF-8: byte 4, line 2"),
        ("hello".encode("utf-16"), "bad.md: is UTF-16; save it as UTF-8"),
        (b"a\0b", "bad.md: contains a NUL character at character 1"),
        (b"---\na: [\n---\nText", "bad.md: its front matter is not YAML"),
        (b"---\n!!python/object:os.system {}\n---\n", "bad.md: its front matter is not YAML"),
        (b"---\na: " + b"[" * 9_000 + b"\n---\n", "bad.md: its front matter"),
        (b"---\nd: 2024-99-99\n---\n", "bad.md: its front matter contains an invalid value"),
        (b"---\nd: !!bool x\n---\n", "bad.md: its front matter contains an invalid value"),
        (b"---\na: " + b"x" * 70_000 + b"\n---\n", "exceeds 64 KiB"),
        (b"---\n" + b"- " * 30_000 + b"\n---\n", "is nested deeper than 32"),
        (b"---\n" + BOMB + b"---\n", "more than 20,000 values"),
        (b"---\na: " + b"1:" * 30_000 + b"1\n---\n", "has a word of more than"),
        (b"---\na: {" + b"b," * 25_000 + b"}\n---\n", "more than 20,000 values"),
        (b"+++\na = [\n+++\n", "bad.md: its front matter is not TOML"),
        (b"+++\n" + b"a." * 20_000 + b"a = 1\n+++\n", "has a line with more than"),
        (b"+++\na = " + b"[" * 60_000 + b"\n+++\n", "contains an invalid value"),
        (b'{"a": ' + b"[" * 60_000, "bad.md: its front matter is not JSON"),
        (b'{"draft": true\n}}\n', None),
    ],
)
def test_faulty_file_is_refused(
    folder: Path, write: Write, content: bytes, reason: str | None
) -> None:
    write("handbook/bad.md", content)
    items, report = imported(markdown, folder)
    assert len(items) == 4
    assert len(report.refused) == (reason is not None)
    assert all(reason in refused for refused in report.refused if reason)


def test_refused_file_stays_stored(run: Run, read: Read, stored: Path, write: Write) -> None:
    """A missing file is deleted all the same."""
    write("handbook/bare.md", b"\xff")
    (stored / "notes.txt").unlink()
    result = run("markdown", stored, source=SOURCE)
    assert result.exit_code == 1
    assert json.loads(result.stdout)["deleted"] == 1
    assert titles(read) == {"From above", "Getting started", "bare"}


def test_drafts_are_loaded_with_an_option(run: Run, read: Read, folder: Path) -> None:
    run("markdown", folder, source=SOURCE, options=("--include-drafts",)).json()
    drafts = [item for item in read("/knowledge") if item["sourceStatus"] == "draft"]
    assert {(item["title"], item["visibility"]) for item in drafts} == {
        ("draft", "team"),
        ("secret", "team"),
    }
    assert run("markdown", folder, source=SOURCE).json()["deleted"] == 2


def test_excluded_file_is_not_read(run: Run, read: Read, stored: Path, write: Write) -> None:
    write("handbook/.orgctxignore", "# notes\nnotes.txt\n")
    write("handbook/bare.md", b"\xff")
    report = run(
        "markdown", stored, source=SOURCE, options=("--exclude", "*.mdx", "--exclude", "bare*")
    )
    assert report.json()["skipped"]["excluded by --exclude or .orgctxignore"]["count"] == 3
    assert titles(read) == {"From above"}


@pytest.mark.parametrize(
    "name", ["n" * 252 + ".md", "é" * 120 + "n" * 12 + ".md", "n" * 248 + ".md"]
)
def test_file_with_a_long_name_is_loaded(tmp_path: Path, name: str) -> None:
    """Eleventy's file beside it would have a name that is too long."""
    (tmp_path / name).write_text("# Long")
    items, report = imported(markdown, tmp_path)
    assert ([data["title"] for data in items], report.refused) == (["Long"], [])


PATTERNS = "\n".join(["# files", "", *(f"{number}.md" for number in range(MOST_PATTERNS))])


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\xff", ""),
        ("a" * (LONGEST_PATTERN + 1), ": line 1: exceeds 1,000 characters"),
        (b"x" * 70_000, ""),
        (PATTERNS, None),
        (f"{PATTERNS}\nmore.md", ": line 1003: exceeds 1,000 patterns; exclude folders"),
    ],
    ids=["encoding", "characters", "length", "1,000 patterns", "1,001 patterns"],
)
def test_ignore_file_has_limits(
    run: Run, folder: Path, write: Write, content: str | bytes, reason: str | None
) -> None:
    write("handbook/.orgctxignore", content)
    result = run("markdown", folder, source=SOURCE)
    assert result.exit_code == (reason is not None)
    assert reason is None or f"Nothing was imported: .orgctxignore{reason}" in result.stderr


def test_folder_without_documents_deletes_nothing(run: Run, stored: Path, write: Write) -> None:
    write("elsewhere/handbook/.hidden.md", "Hidden")
    empty = write("elsewhere/handbook/logo.png", b"").parent
    refused = run("markdown", empty, source=SOURCE)
    assert refused.exit_code == 1
    assert "contains no document, but 4 are stored" in refused.stderr
    assert "pass --allow-empty" in refused.stderr
    assert run("markdown", empty, source=SOURCE, options=("--keep-missing",)).json()["deleted"] == 0
    assert run("markdown", empty, source=SOURCE, options=("--allow-empty",)).json()["deleted"] == 4


def test_similar_source_must_be_confirmed(run: Run, acme: Deployment, stored: Path) -> None:
    for source in ("docs:hanbook", "doc:handbook", "docs:handbooks"):
        refused = run("markdown", stored, source=source)
        assert refused.exit_code == 1
        assert "did you mean 'docs:handbook'? Pass --create" in refused.stderr
    run("markdown", stored, source="docs:wiki").json()
    run("markdown", stored, source="docs:handbooks", options=("--create",)).json()
    assert acme.execute("SELECT count(*) FROM sources") == [(3,)]


def test_suppressed_document_stays_so_under_a_new_name(
    run: Run, read: Read, acme: Deployment, stored: Path
) -> None:
    before = ids(read)
    suppress(acme, before["notes"], before["Getting started"])
    (stored / "notes.txt").rename(stored / "remarks.txt")
    (stored / "bare.md").rename(stored / "plain.md")
    start = stored / "guide" / "start.mdx"
    (stored / "guide" / "begin.mdx").write_text(start.read_text() + "\nMore")
    start.unlink()
    bundle = run("markdown", stored, source=SOURCE, options=("--as-bundle",))
    assert "remarks" not in bundle.stdout
    assert "Skipped 2: suppressed under a former name" in bundle.stderr
    assert run("markdown", stored, source=SOURCE, options=("--dry-run",)).exit_code == 0
    assert acme.execute("SELECT count(*) FROM knowledge_suppressions") == [(2,)]
    report = run("markdown", stored, source=SOURCE, options=("--keep-missing",)).json()
    assert report["renamed"]["count"] == 3
    assert f"bare ({before['bare']}) → plain.md" in report["renamed"]["first"]
    run("markdown", stored, source=SOURCE).json()
    assert titles(read) == {"From above", "plain"}
    assert acme.execute("SELECT record_count FROM sources") == [(2,)]
    assert unchanged(run("markdown", stored, source=SOURCE).json())
    audit = acme.cli("audit", "--organization", "acme", "--json").json()
    carried = [record for record in audit if "import markdown" in record["command"]]
    assert sum("as" in str(record["after"]) for record in carried) == 2


def test_suppression_during_an_import_holds_under_a_new_name(
    run: Run, read: Read, acme: Deployment, stored: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = ids(read)["notes"]
    (stored / "notes.txt").rename(stored / "remarks.txt")

    def load_after_suppression(*arguments: Any, **keywords: Any) -> Any:
        """Suppress an item after the import has looked it up and before it loads."""
        suppress(acme, chosen)
        return load_records(*arguments, **keywords)

    monkeypatch.setattr(import_run, "load_records", load_after_suppression)
    assert run("markdown", stored, source=SOURCE).json()["renamed"]["count"] == 1
    assert not {"notes", "remarks"} & titles(read)
    assert acme.execute("SELECT record_count FROM sources") == [(3,)]


def test_suppression_waits_for_an_import(
    run: Run, acme: Deployment, stored: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An import that has carried the others over would leave the text readable under its new
    name, so the command that suppresses it reports that the former one does not exist."""
    ((chosen,),) = acme.execute("SELECT id FROM knowledge WHERE title = 'notes'")
    (stored / "notes.txt").rename(stored / "remarks.txt")
    processes = []
    finish = Memory.store

    def suppress_after_finish(*arguments: Any) -> None:
        finish(*arguments)
        who = ("--organization", "acme", "--by", make.OWNER)
        process = acme.process("knowledge", "suppress", *who, chosen)
        processes.append(process)
        while process.poll() is None and not acme.waiting():
            sleep(0.05)

    monkeypatch.setattr(Memory, "store", suppress_after_finish)
    assert run("markdown", stored, source=SOURCE).json()["renamed"]["count"] == 1
    (process,) = processes
    _, stderr = process.communicate()
    assert (process.returncode, "has no knowledge item" in stderr) == (1, True), stderr


def test_search_finds_words_of_front_matter(run: Run, read: Read, write: Write) -> None:
    head = "---\ndescription: About piers\naliases: [jetty, quay]\ntags: harbour\n---\n"
    folder = write("docs/a.md", head + "# Moles\n").parent
    run("markdown", folder, source=SOURCE).json()
    for word in ("About piers", "jetty", "quay", "harbour"):
        assert [item["title"] for item in read(f"/search?q={word}")["items"]] == ["Moles"]


def test_source_is_as_old_as_its_newest_commit(run: Run, read: Read, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    commit(tmp_path, 5, one="1")
    run("markdown", tmp_path, source=SOURCE).json()
    (source,) = read("/sources")
    assert (source["updatedAt"], source["status"]) == ("2024-01-05T00:00:00Z", "stale")


@settings(max_examples=100, deadline=None)
@given(text=st.text(st.sampled_from("# \n`~ab\U0001f6a2"), max_size=80), most=st.integers(2, 30))
def test_parts_join_to_their_text(text: str, most: int) -> None:
    split = parts(text, most)
    assert "".join(split) == text
    assert all(0 < utf16_length(part) <= most for part in split if text)


def test_long_document_is_split_at_headings(tmp_path: Path) -> None:
    chapter = "# Chapter\n\n" + "A line of text.\n" * 250_000
    (tmp_path / "book.md").write_text("---\ntitle: Book\n---\n" + chapter * 5)
    items, _ = imported(markdown, tmp_path)
    assert [data["title"] for data in items] == [f"Book ({number} of 3)" for number in (1, 2, 3)]
    assert "".join(data["content"] for data in items) == chapter * 5
    assert all(data["content"].startswith("# Chapter") for data in items)
    assert len({data["id"] for data in items}) == 3


def test_folder_too_deep_to_read_deletes_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("A")
    ((item,), _) = imported(markdown, tmp_path)
    deep, missing = tmp_path, "docs:00000000-0000-4000-8000-000000000000"
    name = "deep" * 50
    with chdir(tmp_path):
        for _ in range(30):
            os.mkdir(name)
            os.chdir(name)
    try:
        report = Report()
        existing = Existing(ids=frozenset({item["id"], missing}))
        records = convert(markdown, deep, report, existing=existing)
        assert not [record for record in records if record["type"] == "delete"]
        assert "File name too long" in report.refused[0]
        assert "deletion skipped: a folder could not be read" in report.skipped
    finally:
        subprocess.run(["rm", "-rf", str(tmp_path / name)], check=True)


def test_symbolic_link_is_not_followed(folder: Path, write: Write) -> None:
    os.symlink(write("outside.md", "private"), folder / "inside.md")
    items, report = imported(markdown, folder)
    assert len(items) == 4
    assert report.skipped["symbolic link"].examples == ["inside.md"]


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("# One #\n# Two", "One"),
        ("text\n\n  ## `Two`", "Two"),
        ("#No\n\n#\n\n### Yes", "Yes"),
        ("~~~\n# no\n```\n~~~\n# yes", "yes"),
        ("Title\n-----\n", "Title"),
        ("- item\n---\n# yes", "yes"),
        ("> quote\n===\n", None),
        ('<h1 class="a">\n  A &amp; <b>B</b>\n</h1>\n# C', "A & B"),
        ("", None),
    ],
)
def test_first_heading_of_a_text(text: str, heading: str | None) -> None:
    assert first_heading(text) == heading


def test_missing_folder_is_a_usage_error(run: Run) -> None:
    assert run("markdown", "nowhere", source=SOURCE).exit_code == 2
