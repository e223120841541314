"""Patterns match the paths that they match in .gitignore files.

Files that git ignores are not imported, whichever .gitignore of the repository says so.
"""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orgctx.importers.folder.files import walk
from orgctx.importers.folder.ignore import LONGEST_FILE, parsed
from orgctx.importers.report import ImportRejected, Report
from tests.importers.conftest import Write, folders, imported
from tests.importers.repositories import git
from tests.support.thorough import examples


@pytest.mark.parametrize("pattern", ["[b-a]", "\\", "!"])
def test_invalid_pattern_is_rejected(pattern: str) -> None:
    with pytest.raises(ImportRejected, match="here: has an invalid pattern"):
        parsed(["a", pattern], "here")


FILES = ("a.md", "b.md", "sub/a.md", "sub/b.md", "sub/deep/a.md", "sub/deep/b.md")
IGNORES = (
    "a.md", "/a.md", "*.md", "!a.md", "!b.md", "sub/", "sub", "!sub/", "deep/", "sub/*",
    "/sub/deep", "**/deep/**", "# none", "*", "!*/", "sub/**/a.md", "[ab].md", "!/sub/b.md", "?.md",
    " ", "b.md ",
)  # fmt: skip


@examples(40)
@given(
    above=st.lists(st.sampled_from(IGNORES), max_size=4),
    nested=st.lists(st.sampled_from(IGNORES), max_size=3),
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


def test_linked_file_is_not_read(write: Write) -> None:
    folder = write("docs/open.md", "# Open\n").parent
    os.symlink(write("rules", "*.md\n"), folder / ".gitignore")
    assert len(imported(folders, folder)[0]) == 1


@pytest.mark.parametrize("content", ["\\", "x" * (LONGEST_FILE + 1), "*a\n" * 1_001])
def test_invalid_file_is_named(write: Write, content: str) -> None:
    folder = write("docs/sub/open.md", "# Open\n").parents[1]
    write("docs/sub/.gitignore", content)
    with pytest.raises(ImportRejected, match=r"sub/\.gitignore.*mend it"):
        imported(folders, folder)


@pytest.mark.parametrize(
    ("patterns", "name"),
    [
        (b"\xef\xbb\xbfprivate.md\n", "private.md"),
        ("private\u2028.md\n".encode(), "private\u2028.md"),
        (b"private\x0b.md\r\n", "private\x0b.md"),
    ],
)
def test_gitignore_excludes_what_git_does(tmp_path: Path, patterns: bytes, name: str) -> None:
    git(tmp_path, "init", "--quiet")
    (tmp_path / ".gitignore").write_bytes(patterns)
    for file in (name, "public.md", "privateb"):
        (tmp_path / file).write_text("x", "utf-8")
    listed = git(tmp_path, "ls-files", "-z", "--others", "--exclude-standard").split("\0")
    assert name not in listed
    assert {e.path for e in walk(tmp_path, Report())} == {*listed} - {"", ".gitignore"}
