"""What an import deleted returns only with evidence that was collected later."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from orgctx.cli.importing import memory
from orgctx.importers.deletions import OLDER
from tests.importers.conftest import STAMP, Run, Write, unchanged
from tests.importers.exports import chat, message, page, post
from tests.support import factories as make
from tests.support.deployment import Deployment

CHAT = "telegram:main"
MENTIONS = "x:main"
PRUNE = ("--prune",)
RESTORE = ("--restore",)
ACCOUNT = ("--account", "acme")
Ids = Callable[[str], set[str]]


@pytest.fixture
def ids(acme: Deployment) -> Ids:
    """`ids("x_mentions")` returns the stored ids of a table, as texts."""
    return lambda table: {str(id_) for (id_,) in acme.execute(f"SELECT id FROM {table}")}


def held(report: dict[str, Any]) -> int:
    return int(report["skipped"].get(OLDER, {"count": 0})["count"])


def test_pruned_message_returns_only_with_a_later_export(run: Run, write: Write, ids: Ids) -> None:
    old = write("old.json", chat(message(1), message(2), message(3)))
    new = write("new.json", chat(message(1), message(3), message(4)))
    run("telegram", old, source=CHAT).json()
    run("telegram", new, source=CHAT, options=PRUNE).json()
    assert ids("telegram_messages") == {"1", "3", "4"}
    report = run("telegram", old, source=CHAT).json()
    assert (held(report), unchanged(report)) == (1, True)
    assert report["skipped"][OLDER]["examples"][0].endswith("message 2")
    later = write("later.json", chat(message(2), message(5)))
    assert held(run("telegram", later, source=CHAT).json()) == 0
    assert ids("telegram_messages") == {"1", "2", "3", "4", "5"}


def test_equally_old_export_does_not_restore_a_message(run: Run, write: Write, ids: Ids) -> None:
    old = write("old.json", chat(message(1), message(2), message(3)))
    run("telegram", old, source=CHAT).json()
    new = write("new.json", chat(message(1), message(3)))
    run("telegram", new, source=CHAT, options=PRUNE).json()
    assert held(run("telegram", old, source=CHAT).json()) == 1
    assert run("telegram", old, source=CHAT, options=RESTORE).json()["created"] == 1
    assert unchanged(run("telegram", old, source=CHAT).json())


def event(kind: str, id_: str, at: str, subject: str = "tweet") -> dict[str, Any]:
    return {"data": {kind: {subject: {"id": id_}, "event_at": at}}}


@pytest.mark.parametrize("is_stored", [True, False])
@pytest.mark.parametrize(
    ("deletion", "restoration"),
    [
        (("delete", "2", "2026-02-01T00:00:00.000Z"), ("undrop", "2", "2026-03-01T00:00:00.000Z")),
        (
            ("user_suspend", "7", "2026-02-01T00:00:00.000Z", "user"),
            ("user_unsuspend", "7", "2026-03-01T00:00:00.000Z", "user"),
        ),
    ],
)
def test_deleted_post_returns_only_after_it_was_restored(
    run: Run, write: Write, ids: Ids, deletion: Any, restoration: Any, is_stored: bool
) -> None:
    old = write("old.json", page(post(2)))
    if is_stored:
        run("x", old, source=MENTIONS, options=ACCOUNT).json()
    gone = write("gone.json", event(*deletion))
    run("x", gone, source=MENTIONS, options=ACCOUNT).json()
    assert held(run("x", old, source=MENTIONS).json()) == 1
    assert ids("x_mentions") == set()
    run("x", write("back.json", event(*restoration)), source=MENTIONS).json()
    assert held(run("x", old, source=MENTIONS).json()) == 0
    assert ids("x_mentions") == {"2"}


def test_page_of_a_later_time_restores_a_post(run: Run, write: Write, ids: Ids) -> None:
    gone = write("gone.json", event("delete", "2", "2026-02-01T00:00:00.000Z"))
    run("x", gone, source=MENTIONS, options=ACCOUNT).json()
    later = page(post(2), __twarc={"retrieved_at": "2026-02-02T00:00:00Z"})
    run("x", write("later.json", later), source=MENTIONS).json()
    assert ids("x_mentions") == {"2"}


def folder(write: Write, name: str, days: int, *files: str) -> Path:
    """A folder whose files were written `days` after the others."""
    for file in files:
        path = write(f"{name}/{file}", f"# {file}\n")
        os.utime(path, (STAMP + days * 86_400,) * 2)
    return path.parent


@pytest.mark.parametrize(
    ("importer", "source", "table", "files"),
    [
        ("markdown", "docs:main", "knowledge", ("a.md", "b.md")),
        ("documents", "docs:main", "knowledge", ("a.html", "b.html")),
        ("assets", "assets:main", "assets", ("a.png", "b.png")),
    ],
)
def test_deleted_file_does_not_return_with_an_older_folder(
    run: Run, write: Write, ids: Ids, importer: str, source: str, table: str, files: tuple[str, ...]
) -> None:
    old = folder(write, "old", 0, *files)
    new = folder(write, "new", 1, files[0])
    run(importer, old, source=source).json()
    assert run(importer, new, source=source).json()["deleted"] == 1
    report = run(importer, old, source=source).json()
    assert (held(report), report["created"], len(ids(table))) == (1, 0, 1)
    # The state of the same folder needs no later time.
    folder(write, "new", 1, files[1])
    assert run(importer, new, source=source).json()["created"] == 1
    assert held(run(importer, old, source=source).json()) == 0


def test_files_of_a_deleted_folder_stay_deleted_with_it(run: Run, write: Write, ids: Ids) -> None:
    old = folder(write, "old/inner", 0, "a.png").parent
    folder(write, "old", 0, "b.png")
    new = folder(write, "new", 1, "b.png")
    run("assets", old, source="assets:main").json()
    os.utime(new, (STAMP + 86_400,) * 2)
    run("assets", new, source="assets:main").json()
    os.utime(old / "inner", (STAMP, STAMP))
    report = run("assets", old, source="assets:main").json()
    assert (held(report), len(ids("assets"))) == (2, 1)


def test_memory_of_deletions_is_bounded(
    acme: Deployment, run: Run, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "MOST_DELETIONS", 2)
    run("telegram", write("a.json", chat(*map(message, range(1, 10)))), source=CHAT).json()
    pruned = write("b.json", chat(message(1), message(9), message(10)))
    report = run("telegram", pruned, source=CHAT, options=PRUNE).json()
    assert report["deleted"] == 7
    assert acme.execute("SELECT id FROM deleted_records ORDER BY id") == [("2",), ("3",)]


@pytest.mark.parametrize("option", ["--dry-run", "--as-bundle"])
def test_import_that_stores_nothing_remembers_no_deletion(
    acme: Deployment, run: Run, write: Write, option: str
) -> None:
    run("telegram", write("a.json", chat(message(1), message(2), message(3))), source=CHAT).json()
    pruned = write("b.json", chat(message(1), message(3)))
    run("telegram", pruned, source=CHAT, options=(*PRUNE, option))
    assert acme.execute("SELECT count(*) FROM deleted_records") == [(0,)]


@pytest.mark.parametrize("what", ["sources", "organizations"])
def test_deleted_source_forgets_its_deletions(
    acme: Deployment, run: Run, write: Write, what: str
) -> None:
    run("telegram", write("a.json", chat(message(1), message(2), message(3))), source=CHAT).json()
    pruned = write("b.json", chat(message(1), message(3)))
    run("telegram", pruned, source=CHAT, options=PRUNE).json()
    assert acme.execute("SELECT id FROM deleted_records") == [("2",)]
    who = ("--organization", "acme", "--by", make.OWNER, "--yes")
    deleted = acme.cli(what, "delete", *who, *([CHAT] if what == "sources" else []))
    assert deleted.exit_code == 0, json.dumps(deleted)
    assert acme.execute("SELECT count(*) FROM deleted_records") == [(0,)]


def test_service_cannot_read_what_imports_remember(acme: Deployment) -> None:
    for table in ("deleted_records", "document_importers"):
        readable = f"SELECT has_table_privilege('orgctx_reader', '{table}', 'SELECT')"
        assert acme.execute(readable) == [(False,)]
