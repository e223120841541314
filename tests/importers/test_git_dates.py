"""Dates from a history equal those that git reports, and nothing in a folder is run."""

import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from orgctx.importers.folder.history import read_history
from orgctx.importers.report import Report
from tests.importers.conftest import Read, Run, rows
from tests.importers.repositories import commit, git, logged

SOURCE = "docs:handbook"

# Each becomes a command that leaves a mark.
KEYS = rows("texts", "git_runs_values_of")
HOOKS = ("fsmonitor-watchman", "post-checkout", "post-index-change", "reference-transaction")


def mark(folder: Path, name: str) -> str:
    return f"touch '{folder}/{name}'; false"


def setting(key: str, value: str) -> str:
    """A key and its value, as a configuration file of git contains them."""
    section, _, name = key.rpartition(".")
    section, _, sub = section.partition(".")
    head = f'{section} "{sub}"' if sub else section
    quoted = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{head}]\n\t{name} = "{quoted}"\n'


@pytest.fixture
def trap(tmp_path: Path) -> tuple[Path, Path]:
    """A repository that names a program wherever git allows it and lacks an object, so that git
    would fetch it; and the folder in which each program leaves a mark."""
    folder, marks = tmp_path / "handbook", tmp_path / "marks"
    folder.mkdir()
    marks.mkdir()
    git(folder, "init", "-q")
    (folder / ".gitattributes").write_text("* diff=evil filter=evil merge=evil\n")
    (folder / "a").mkdir()
    (folder / "a" / "one.md").write_text("One")
    commit(folder, 1, two="Two")
    commit(folder, 2, two="Two, edited")
    missing = git(folder, "rev-parse", "HEAD~1:a").strip()
    for hook in HOOKS:
        path = folder / ".git" / "hooks" / hook
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n{mark(marks, hook)}\n")
        path.chmod(0o755)
    more = folder / "more.conf"
    more.write_text(setting("core.sshCommand", mark(marks, "include.path")))
    values = {key: mark(marks, key) for key in KEYS}
    values |= {key: f"!{values[key]}" for key in values if key.startswith(("alias", "submodule"))}
    values |= {
        "include.path": str(more),
        f"includeIf.gitdir:{folder}/.path": str(more),
        "protocol.ext.allow": "always",
        "remote.origin.url": str(folder),
        "core.worktree": str(folder),
        "remote.origin.promisor": "true",
        "extensions.partialClone": "origin",
        "core.repositoryFormatVersion": "1",
    }
    with (folder / ".git" / "config").open("a") as config:
        config.writelines(setting(key, value) for key, value in values.items())
    (folder / ".git" / "objects" / missing[:2] / missing[2:]).unlink()
    return folder, marks


def test_documents_and_assets_have_the_times_of_their_commits(
    run: Run, read: Read, tmp_path: Path
) -> None:
    """A source that had the times of files, or a time in the future, is corrected."""
    folder = tmp_path / "a"
    folder.mkdir()
    (folder / "page.html").write_text("<p>Text</p>")
    os.utime(folder / "page.html", (4e9, 4e9))
    sources = {"docs:wiki": "folder", "assets:wiki": "assets"}
    for source, importer in sources.items():
        run(importer, folder, source=source).json()
    now = f"{datetime.now(UTC):%FT%TZ}"
    assert [each["updatedAt"] for each in read("/sources") if each["updatedAt"] > now] == []
    git(tmp_path, "init", "-q")
    commit(tmp_path, 5)
    for source, importer in sources.items():
        run(importer, folder, source=source).json()
    (document,) = read("/knowledge")
    listed = [*read("/sources"), document, *read("/assets")]
    assert {each["updatedAt"] for each in listed} == {"2024-01-05T00:00:00Z"}


@pytest.mark.parametrize("options", [(), ("--dry-run",), ("--as-bundle",)])
def test_import_runs_nothing_of_a_folder(
    run: Run, trap: tuple[Path, Path], options: tuple[str, ...]
) -> None:
    folder, marks = trap
    for path in (folder, folder / "a"):
        run("folder", path, source=SOURCE, options=options).done()
    assert not list(marks.iterdir())


def test_trap_catches_git_itself(trap: tuple[Path, Path]) -> None:
    folder, marks = trap
    environment = {"PATH": os.environ["PATH"], "HOME": str(marks.parent)}
    for command in (["log", "--name-only", "--", "a"], ["status"]):
        subprocess.run(
            ["git", *command], cwd=folder, env=environment, check=False, capture_output=True
        )
    assert {path.name for path in marks.iterdir()} >= {"core.fsmonitor", "remote.origin.uploadpack"}


def dated(folder: Path, *paths: str) -> tuple[dict[str, Any], str]:
    """First and last commit in Unix seconds, and what was noted."""
    report = Report()
    history = read_history(folder, report)
    dates = {path: history.of(path) for path in paths}
    seconds = {
        path: tuple(int(time.timestamp()) for time in times)
        for path, times in dates.items()
        if times
    }
    return seconds, "; ".join(report.notes)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Two branches: one file changed on each, one on both, one changed and changed back."""
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    commit(folder, 1, left="1", right="1", both="1", back="1", again="1", ä="1")
    git(folder, "checkout", "-qb", "side")
    commit(folder, 3, right="2", both="2\n", back="2")
    commit(folder, 4, back="1")
    git(folder, "checkout", "-q", "main")
    (folder / "again.md").unlink()
    commit(folder, 2, left="2")
    commit(folder, 5, both="3\n")
    git(folder, "merge", "-q", "-X", "ours", "side", "-m", "merge", day=6)
    commit(folder, 7, again="again")
    return folder


PATHS = ("left.md", "right.md", "both.md", "back.md", "again.md", "ä.md")


def test_dates_are_those_that_git_reports(repository: Path) -> None:
    dates, note = dated(repository, *PATHS, "untracked.md")
    assert dates == {path: logged(repository, path) for path in PATHS}
    assert not note
    git(repository, "repack", "-adq")
    git(repository, "pack-refs", "--all")
    git(repository, "checkout", "-q", "--detach")
    assert dated(repository, *PATHS)[0] == dates


def test_shallow_clone_has_a_note(repository: Path, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--depth", "2", f"file://{repository}", clone)
    assert dated(clone, *PATHS) == (
        {},
        "dates are those of the files, because its clone is shallow; run git fetch --unshallow",
    )


def test_clone_without_trees_has_a_note(repository: Path, tmp_path: Path) -> None:
    git(repository, "config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--filter=tree:0", f"file://{repository}", clone)
    dates, note = dated(clone, *PATHS)
    assert dates.items() <= {path: logged(repository, path) for path in PATHS}.items()
    assert "git cannot read its repository" in note


def test_repository_above_dates_a_folder(repository: Path) -> None:
    docs = repository / ".docs"
    docs.mkdir()
    commit(docs, 9, inside="1")
    first = logged(docs, "inside.md")
    assert dated(docs, "inside.md") == ({"inside.md": first}, "")


def test_folder_is_as_new_as_the_commit_that_changed_it(repository: Path) -> None:
    docs = repository / "docs"
    docs.mkdir()
    commit(docs, 9, kept="1", gone="1")
    commit(repository, 11, elsewhere="1")

    def day() -> int:
        committed_at = read_history(docs, Report()).committed_at
        assert committed_at is not None
        return committed_at.day

    assert day() == 9
    (docs / "gone.md").unlink()
    commit(repository, 12, elsewhere="2")
    assert day() == 12


def test_other_object_format_is_read(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--object-format=sha256")
    commit(tmp_path, 3, one="1")
    assert dated(tmp_path, "one.md")[0] == {"one.md": logged(tmp_path, "one.md")}


def test_linked_repository_is_not_read(repository: Path, tmp_path: Path) -> None:
    worktree, link, borrower = tmp_path / "worktree", tmp_path / "link", tmp_path / "borrower"
    git(repository, "worktree", "add", "-q", worktree)
    assert dated(worktree, "left.md") == (
        {}, "dates are those of the files, because its .git points to another repository",
    )  # fmt: skip
    link.mkdir()
    (link / ".git").symlink_to(repository / ".git")
    assert "another repository" in dated(link, "left.md")[1]
    git(tmp_path, "clone", "-q", "--shared", repository, borrower)
    assert "uses objects of another" in dated(borrower, "left.md")[1]
    (borrower / ".git" / "objects" / "info" / "alternates").unlink()
    assert "dates are those of the files" in dated(borrower, "left.md")[1]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("HEAD", b"ref: ../../../etc/passwd\n"),
        ("HEAD", b"\xff" * 50),
        ("HEAD", b"0" * 40),
        ("HEAD", b""),
        ("packed-refs", b"\xff"),
        ("shallow", b"\xff\xff"),
    ],
)
def test_damaged_repository_leaves_the_dates_of_the_files(
    repository: Path, name: str, content: bytes
) -> None:
    git(repository, "pack-refs", "--all")
    (repository / ".git" / name).write_bytes(content)
    dates, note = dated(repository, "left.md")
    assert not dates
    assert note
