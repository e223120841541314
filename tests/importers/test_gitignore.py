"""Files that git ignores are not imported, whichever .gitignore of the repository says so."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from orgctx.importers import ImportRejected, Report
from orgctx.importers.folder.gitignore import LONGEST_FILE
from orgctx.importers.folder.walk import walk
from tests.importers.conftest import Read, Run, Write, imported, markdown
from tests.importers.repositories import git

FILES = ("a.md", "b.md", "sub/a.md", "sub/b.md", "sub/deep/a.md", "sub/deep/b.md")
LINES = (
    "a.md", "/a.md", "*.md", "!a.md", "!b.md", "sub/", "sub", "!sub/", "deep/", "sub/*",
    "/sub/deep", "**/deep/**", "# none", "*", "!*/", "sub/**/a.md", "[ab].md", "!/sub/b.md", "?.md",
    " ", "b.md ",
)  # fmt: skip
IGNORED = "ignored by .gitignore"


def titles(folder: Path, **options: bool) -> set[str]:
    return {data["title"] for data in imported(markdown, folder, **options)[0]}


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    above=st.lists(st.sampled_from(LINES), max_size=4),
    nested=st.lists(st.sampled_from(LINES), max_size=3),
)
def test_walk_yields_what_git_lists(above: list[str], nested: list[str]) -> None:
    with TemporaryDirectory() as name:
        root = Path(name)
        for path in FILES:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).touch()
        (root / ".gitignore").write_text("\n".join(above))
        (root / "sub" / ".gitignore").write_text("\n".join(nested))
        git(root, "init", "-q")
        listed = git(root, "ls-files", "-o", "--exclude-standard").split()
        found = [entry.path for entry in walk(root, Report()) if not entry.is_folder]
    assert sorted(found) == sorted(path for path in listed if path.endswith(".md"))


def test_ignored_files_stay_out(run: Run, read: Read, write: Write) -> None:
    folder = write("docs/a.md", "# Open\n").parent
    write("docs/.gitignore", "private/\nnode_modules\n")
    write("docs/private/plan.md", "# Plan\n")
    write("docs/node_modules/left-pad/README.md", "# Library\n")
    report = run("markdown", folder, source="docs:main").json()
    assert report["skipped"][IGNORED]["examples"] == ["node_modules", "private"]
    assert [item["title"] for item in read("/knowledge")] == ["Open"]
    everything = run("markdown", folder, source="docs:main", options=("--no-gitignore",))
    assert everything.json()["created"] == 2


@pytest.mark.parametrize("importer", ["documents", "assets"])
def test_every_import_of_a_folder_skips_ignored_files(
    run: Run, write: Write, importer: str
) -> None:
    folder = write("folder/open.html", "<h1>Open</h1><p>Text").parent
    write("folder/.gitignore", "closed*\n")
    write("folder/closed.html", "<h1>Closed</h1><p>Text")
    report = run(importer, folder, source=f"{importer}:main").json()
    assert (report["created"], report["skipped"][IGNORED]["count"]) == (2, 1)


def test_files_of_the_repository_above_apply(write: Write) -> None:
    docs = write("project/docs/guide/open.md", "# Open\n").parents[1]
    write("project/.git/info/exclude", "excluded.md\n")
    write("project/.gitignore", "docs/private/\n*.tmp.md\n")
    write("project/docs/.gitignore", "!kept.tmp.md\n")
    for name in ("private/plan.md", "note.tmp.md", "guide/excluded.md"):
        write(f"project/docs/{name}", "# Ignored\n")
    write("project/docs/kept.tmp.md", "# Kept\n")
    write(".gitignore", "*.md\n")
    assert titles(docs) == {"Open", "Kept"}
    assert titles(docs, gitignore=False) == {"Open", "Kept", "Ignored"}


def test_ignored_folder_that_is_asked_for_is_imported(write: Write) -> None:
    folder = write("project/build/docs/open.md", "# Open\n").parent
    write("project/.git/HEAD", "")
    write("project/.gitignore", "/build/\n")
    documents, report = imported(markdown, folder)
    assert [data["title"] for data in documents] == ["Open"]
    assert "ignores the whole folder, and was not applied" in report.notes[0]


def test_linked_file_is_not_read(write: Write) -> None:
    folder = write("docs/open.md", "# Open\n").parent
    os.symlink(write("rules", "*.md\n"), folder / ".gitignore")
    assert titles(folder) == {"Open"}


@pytest.mark.parametrize("content", ["a\\", "x" * (LONGEST_FILE + 1), "*a\n" * 1_001])
def test_invalid_file_names_the_option(write: Write, content: str) -> None:
    folder = write("docs/sub/open.md", "# Open\n").parents[1]
    write("docs/sub/.gitignore", content)
    with pytest.raises(ImportRejected, match=r"^sub/\.gitignore.*pass --no-gitignore"):
        imported(markdown, folder)
    assert titles(folder, gitignore=False) == {"Open"}
