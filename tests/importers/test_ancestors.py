"""Configuration above the imported folder decides what is published, as for the whole project."""

from __future__ import annotations

from pathlib import Path

import pytest

from orgctx.importers import ImportRejected
from orgctx.importers.folder.ancestors import MOST_LEVELS
from tests.importers.conftest import Read, Run, Write, imported, markdown

MKDOCS = "exclude_docs: |\n  plans/\ndraft_docs: soon.md\n"


@pytest.fixture
def docs(write: Write) -> Path:
    """The docs of a project whose configuration is above."""
    write("project/mkdocs.yml", MKDOCS)
    write("project/docs/plans/2027.md", "# Plan\n")
    write("project/docs/soon.md", "# Soon\n")
    return write("project/docs/index.md", "# Home\n").parent


def kept_back(folder: Path) -> dict[str, list[str]]:
    skipped = imported(markdown, folder)[1].skipped
    return {reason.removeprefix("not published: "): s.examples for reason, s in skipped.items()}


def test_docs_of_a_project_follow_its_configuration(run: Run, read: Read, docs: Path) -> None:
    report = run("markdown", docs, source="docs:main").json()
    reason = "not published: excluded by mkdocs.yml"
    assert report["skipped"][reason] == {"count": 2, "examples": ["plans/2027.md", "soon.md"]}
    assert [item["title"] for item in read("/knowledge")] == ["Home"]


def test_part_of_the_docs_follows_it_too(docs: Path) -> None:
    assert kept_back(docs / "plans") == {"excluded by mkdocs.yml": ["2027.md"]}


def test_search_ends_at_the_repository(docs: Path, write: Write) -> None:
    """Without a repository it ends after some levels."""
    write("project/docs/plans/a/b/c/d.md", "# Deep\n")
    assert kept_back(docs.joinpath("plans", *"abc"[: MOST_LEVELS - 2]))
    assert not kept_back(docs / "plans" / "a" / "b" / "c")
    write("project/.git/HEAD", "")
    assert kept_back(docs / "plans" / "a" / "b" / "c")
    write("project/docs/.git", "gitdir: ../.git/modules/docs")
    assert not kept_back(docs / "plans" / "a")


def test_invalid_configuration_above_is_named(docs: Path, write: Write) -> None:
    write("project/mkdocs.yml", "a: [\n")
    with pytest.raises(ImportRejected, match=r"project: mkdocs\.yml: may exclude files"):
        imported(markdown, docs)


@pytest.mark.parametrize(
    ("files", "folder", "expected"),
    [
        (
            {"_config.yml": "title: Harbour\n", "_drafts/idea.md": "# Idea\n"},
            "_drafts",
            {"a name that begins with _": ["idea.md"]},
        ),
        (
            {"content/_index.md": "---\ncascade: {draft: true}\n---\n", "content/a/b.md": "# B\n"},
            "content/a",
            {"draft: true": ["b.md"]},
        ),
        (
            {"posts/posts.json": '{"permalink": false}', "posts/2026/a.md": "# A\n"},
            "posts/2026",
            {"permalink: false": ["a.md"]},
        ),
        (
            {".eleventyignore": "notes\n", "notes/a.md": "# A\n"},
            "notes",
            {"excluded by .eleventyignore": ["a.md"]},
        ),
        (
            {"logseq/config.edn": "{}", "pages/a.md": "- A\n"},
            "pages",
            {"public: false": ["a.md"]},
        ),
        (
            {"book.toml": "", "src/SUMMARY.md": "[A](a.md)\n", "src/a.md": "# A\n"},
            "src",
            {"not in SUMMARY.md": ["SUMMARY.md"]},
        ),
        (
            {"posts/_index.md": "---\ncascade: [\n---\n", "posts/2026/a.md": "# A\n"},
            "posts/2026",
            {"_index.md, which applies to all files here, is unreadable": ["a.md"]},
        ),
    ],
)
def test_rules_above_apply(
    write: Write, tmp_path: Path, files: dict[str, str], folder: str, expected: dict[str, list[str]]
) -> None:
    for name, text in files.items():
        write(f"site/{name}", text)
    assert kept_back(tmp_path / "site" / folder) == expected


def test_part_of_a_vault_is_converted_like_the_vault(write: Write) -> None:
    """Obsidian shows comments to nobody."""
    folder = write("vault/notes/a.md", "# A\n\n%% secret %%\n").parent
    write("vault/.obsidian/app.json", "{}")
    ((document,), _) = imported(markdown, folder)
    assert "secret" not in document["content"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("config/_default/hugo.toml", "ignoreFiles = ['draft']\n"),
        ("config/production/config.yaml", "ignoreFiles: [draft]\n"),
        (
            "config/_default/module.json",
            '{"mounts": [{"source": "content", "excludeFiles": "draft*"}]}',
        ),
        ("hugo.json", '{"ignorefiles": ["draft"]}'),
    ],
)
def test_configuration_of_hugo_in_all_its_files(write: Write, name: str, text: str) -> None:
    write("site/config/_default/params.toml", "[")
    write(f"site/{name}", text)
    folder = write("site/content/draft.md", "# Draft\n").parent
    assert kept_back(folder) == {f"excluded by {name}": ["draft.md"]}


def test_file_of_another_program_is_no_configuration(write: Write) -> None:
    folder = write("docs/a.md", "# A\n").parent
    write("docs/example/config.json", "{ // a comment\n}")
    write("docs/example/a.md", "# Example\n")
    documents, _ = imported(markdown, folder)
    assert len(documents) == 2


def test_programs_are_named(write: Write) -> None:
    docs = write("project/docs/index.md", "# Home\n").parent
    write("project/docusaurus.config.js", "module.exports = {}\n")
    write("project/docs/.vitepress/config.mts", "export default {}\n")
    write("project/docs/posts/posts.11tydata.js", "module.exports = {draft: true}\n")
    write("project/docs/posts/a.md", "# A\n")
    (note,) = imported(markdown, docs)[1].notes
    assert note == (
        "rules in programs were not read; exclude what they hold back with --exclude: "
        "docusaurus.config.js, .vitepress/config.mts, posts/posts.11tydata.js"
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("hugo.toml", "ignoreFiles = ['(?=a)']\n"),
        ("config.toml", "ignoreFiles = ['[']\n"),
        ("mkdocs.yml", "plugins: [exclude: {regex: '(a)\\1'}]\n"),
        ("hugo.yaml", f"ignoreFiles: [{'a' * 1_001}]\n"),
    ],
)
def test_unsupported_expression_is_rejected(write: Write, name: str, text: str) -> None:
    folder = write(f"site/{name}", text).parent
    with pytest.raises(ImportRejected, match=f"^{name}: excludes files with.*with --exclude"):
        imported(markdown, folder)


def test_expression_takes_linear_time(write: Write) -> None:
    """Python's own expressions would not end."""
    folder = write("site/hugo.toml", "ignoreFiles = ['(a+)+b$']\n").parent
    write(f"site/content/{'a' * 200}.md", "# A\n")
    assert not [reason for reason in kept_back(folder) if "excluded" in reason]
