"""Folders of documents and notes, through the command and back through the API."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from orgctx.importers import Existing, Report, markdown
from orgctx.importers.headings import first_heading
from tests.importers.conftest import unchanged
from tests.support import factories as f
from tests.support.deployment import Deployment, Result

Run = Callable[..., Result]
Read = Callable[[str], Any]
Write = Callable[..., Path]
SOURCE = "docs:handbook"
BOMB = b"a: &a {b: 1}\n" + b"".join(
    b"a%d: &a%d {<<: [*a%s, *a%s]}\n" % (i, i, *[str(i - 1 if i else "").encode()] * 2)
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
    assert report["skipped"]["publish: false or draft: true"]["count"] == 2
    assert report["skipped"]["not .md, .mdx, .txt"]["examples"] == ["logo.png"]
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


def test_nothing_is_lost_while_a_file_is_broken(
    run: Run, read: Read, folder: Path, write: Write
) -> None:
    run("markdown", folder, source=SOURCE).json()
    write("handbook/bare.md", b"\xff")
    (folder / "notes.txt").unlink()
    result = run("markdown", folder, source=SOURCE)
    assert result.exit_code == 1
    assert json.loads(result.stdout)["deleted"] == 0
    assert {"bare", "notes"} <= {item["title"] for item in read("/knowledge")}


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
