"""Pages, as texts.yaml describes them: titles, dates, rules of their site, and what they include.

Configuration above the imported folder decides what is published, as for the whole project. What a
page shows is stored, and nothing private with it.
"""

import re
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from orgctx.importers import ImportRejected, Report
from orgctx.importers.folder.ignore import MOST_LEVELS
from orgctx.importers.folder.titles import first_heading, plain_title
from orgctx.importers.markdown import front_matter as rules
from orgctx.importers.markdown import includes
from orgctx.importers.markdown.dates import LONGEST_DATE, date_in_path, parse
from tests.importers.conftest import Write, imported, markdown, rows
from tests.importers.repositories import commit, git

PAGE = (Path(__file__).parents[2] / "docs" / "importing.md").read_text("utf-8")


def test_members_that_hold_a_page_back_are_documented() -> None:
    (row,) = (line for line in PAGE.splitlines() if line.startswith("| front matter |"))
    members = {*rules.HOLD_IF_TRUE, *rules.HOLD_IF_FALSE, rules.STATUS, *rules.HOLD_IF_STATUS}
    others = "permalink build _build render list never password publishDate date expiryDate"
    assert set(re.findall(r"`([\w-]+)`", row)) == members | set(others.split())


def titles(folder: Path) -> set[str]:
    return {data["title"] for data in imported(markdown, folder)[0]}


@pytest.mark.parametrize(("markup", "title"), rows("texts", "title_has_no_markup"))
def test_title_has_no_markup(write: Write, markup: str, title: str) -> None:
    assert plain_title(markup) == title
    folder = write("docs/a.md", f"# {markup}\n\n## Next\n").parent
    assert titles(folder) == {title or "Next"}


def test_versions_and_languages_have_distinct_titles(write: Write) -> None:
    paths = (
        "install.md", "install.de.md", "v1/install.md", "v2/install.md", "latest/install.md",
        "versioned_docs/version-1.0/start.md", "docs/start.md",
        "i18n/fr/docusaurus-plugin-content-docs/current/start.md",
        "i18n/fr/docusaurus-plugin-content-docs/version-1.0/start.md",
    )  # fmt: skip
    for path in paths:
        write(f"site/{path}", f"# Install\n\nText of {path}\n")
    folder = write("site/index.md", "# Install\n").parent
    assert titles(folder) == {
        "Install", "Install (de)", "Install (v1)", "Install (v2)", "Install (latest)",
        "Install (1.0)", "Install (fr)", "Install (fr, 1.0)",
    }  # fmt: skip


@pytest.mark.parametrize(("text", "heading"), rows("texts", "first_heading_of_a_text"))
def test_first_heading_of_a_text(text: str, heading: str | None) -> None:
    assert first_heading(text) == heading


@pytest.mark.parametrize(("value", "time"), rows("texts", "date_form_is_read"))
def test_date_form_is_read(value: Any, time: str) -> None:
    assert parse(value) == datetime.fromisoformat(time)


UNREADABLE: tuple[Any, ...] = (
    "tomorrow", "10", "May", "Friday", "1.2.3", "13/13/2024", "2024-02-30", "2024/99/99", "10:00",
    "2024-01-02 10:00 XYZ", "2024-01-02 25:00", "01/02/2024", "02.01.2024", "2024-01", "2024",
    10**40, 16**5_000, float("nan"), float("inf"), -1, 7, True, "Mayor 5 2024", None, [], {},
    {"date": {}}, "-" * LONGEST_DATE, "2024-01-02" + " " * LONGEST_DATE,
)  # fmt: skip


def test_unreadable_date_is_not_completed() -> None:
    assert [parse(value) for value in UNREADABLE] == [None] * len(UNREADABLE)


@pytest.mark.parametrize(("path", "time"), rows("texts", "path_contains_a_date"))
def test_path_contains_a_date(path: str, time: str | None) -> None:
    assert date_in_path(path) == (time and datetime.fromisoformat(time))


def test_commit_updates_a_page_that_states_only_its_date(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    commit(tmp_path, 5, page="---\ndate: 2023-01-01\n---\nText")
    ((data,), _) = imported(markdown, tmp_path)
    assert data["createdAt"] == "2023-01-01T00:00:00Z"
    assert data["updatedAt"] == "2024-01-05T00:00:00Z"


@pytest.fixture
def docs(write: Write) -> Path:
    """The docs of a project whose configuration is above."""
    write("project/mkdocs.yml", "exclude_docs: plans/\n")
    write("project/docs/plans/2027.md", "# Plan\n")
    return write("project/docs/index.md", "# Home\n").parent


def kept_back(folder: Path) -> dict[str, list[str]]:
    skipped = imported(markdown, folder)[1].skipped
    return {reason.removeprefix("not published: "): s.examples for reason, s in skipped.items()}


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


@pytest.mark.parametrize(("files", "folder", "expected"), rows("texts", "rules_above_apply"))
def test_rules_above_apply(
    write: Write, tmp_path: Path, files: dict[str, str], folder: str, expected: dict[str, list[str]]
) -> None:
    for name, text in files.items():
        write(f"site/{name}", text)
    assert kept_back(tmp_path / "site" / folder) == expected


@pytest.mark.parametrize(("name", "text"), rows("texts", "configuration_of_hugo_in_all_its_files"))
def test_configuration_of_hugo_in_all_its_files(write: Write, name: str, text: str) -> None:
    write("site/config/_default/params.toml", "[")
    write(f"site/{name}", text)
    folder = write("site/content/draft.md", "# Draft\n").parent
    assert kept_back(folder) == {f"excluded by {name}": ["draft.md"]}


@pytest.mark.parametrize(("name", "text"), rows("texts", "unsupported_expression_is_rejected"))
def test_unsupported_expression_is_rejected(write: Write, name: str, text: str) -> None:
    folder = write(f"site/{name}", text).parent
    with pytest.raises(ImportRejected, match=f"^{name}: excludes files with.*with --exclude"):
        imported(markdown, folder)


def test_expression_takes_linear_time(write: Write) -> None:
    """Python's own expressions would not end."""
    folder = write("site/hugo.toml", "ignoreFiles = ['(a+)+b$']\n").parent
    write(f"site/content/{'a' * 200}.md", "# A\n")
    assert not [reason for reason in kept_back(folder) if "excluded" in reason]


CODE = "# --8<-- [start:main]\ndef main():\n    pass\n# --8<-- [end:main]\n\nmain()\n"
RUST = (
    "use std;\n// ANCHOR: all\nfn one() {}\n// ANCHOR: two\nfn two() {}\n// ANCHOR_END: two\n"
    "// ANCHOR_END: all\n"
)


def text_of(write: Write, page: str, name: str = "page.md", **files: str) -> tuple[str, Report]:
    """The content of a page that is imported with files beside it, and the report."""
    for file, text in files.items():
        write(f"docs/{file.replace('__', '/').replace('_', '.', 1)}", text)
    folder = write(f"docs/{name}", page).parent
    items, report = imported(markdown, folder)
    return next(data["content"] for data in items if data["title"] == "page"), report


@pytest.mark.parametrize(("page", "text"), rows("texts", "include_is_inserted"))
def test_include_is_inserted(write: Write, page: str, text: str) -> None:
    """As MkDocs, mdBook and Hugo do. What is not inserted leaves a mark."""
    write("docs/sub/d.txt", "D")
    write("docs/sub/c.md", "C: {{#include d.txt}}")
    files = {"a_py": CODE, "a_rs": RUST, "b_rs": "fn b() {}\n", "conf_yaml": "a: 1\n"}
    content, _ = text_of(write, page, part_md="Part\n", **files)
    assert content == text


@pytest.mark.parametrize(("include", "mark", "reason"), rows("texts", "missing_include_is_marked"))
def test_missing_include_is_marked(write: Write, include: str, mark: str, reason: str) -> None:
    (write("docs/a.md", "A").parent / "link.md").symlink_to(write("out.md", "Outside"))
    write("docs/.hidden.md", "Hidden")
    write("docs/zloop.txt", "{{#include page.md}}")
    write("docs/bytes.bin", b"\xff\xfe\x00")
    write("docs/saved.html", "<!DOCTYPE html>\n<style>p { display: none }</style><p>Hidden")
    write("docs/mail.eml", "Bcc: a@example.com\n\nHello")
    write("docs/large.txt", "x" * (includes.MAX_FILE_BYTES + 1))
    content, report = text_of(write, f"Before\n\n{include}\n\nAfter")
    assert content == f"Before\n\n{mark}\n\nAfter"
    assert report.skipped[f"not included: {reason}"].examples[0].startswith("page.md: ")


@pytest.mark.parametrize(("path", "text"), rows("texts", "private_file_is_never_included"))
def test_private_file_is_never_included(write: Write, path: str, text: str) -> None:
    write("site/mkdocs.yml", "docs_dir: docs\nexclude_docs: excluded/\n")
    write(f"site/docs/{path}", text)
    write("site/docs/one.md", f'--8<-- "docs/{path}"\n\nOne')
    write("site/docs/two.md", f"{{{{#include {path}}}}}\n\nTwo")
    write("site/docs/three.md", f'{{{{< include "{path}" >}}}}\n\nThree')
    write("site/docs/four.mdx", f"import Part from './{path}'\n\n<Part />\n\nFour")
    write("site/docs/five.md", f"![[{path.removesuffix('.md')}]]\n\nFive")
    folder = write("site/docs/index.md", "# Home\n").parents[1]
    items, report = imported(markdown, folder)
    public = {data["title"]: data["content"] for data in items if data["title"] != "team"}
    assert public.keys() == {"one", "two", "three", "four", "five", "Home"}
    assert "SECRET" not in "".join(public.values())
    reasons = ("not included: a private file", "not included: an unreadable file")
    count = sum(report.skipped[reason].count for reason in reasons if reason in report.skipped)
    assert count == 3 + 2 * path.endswith(".md")
    drafts, _ = imported(markdown, folder, include_drafts=True)
    assert not [d for d in drafts if d["visibility"] == "public" and "SECRET" in d["content"]]


@pytest.mark.parametrize(("embed", "text"), rows("texts", "embed_of_a_note_is_inserted"))
def test_embed_of_a_note_is_inserted(write: Write, embed: str, text: str) -> None:
    write("docs/.obsidian/publish.json", '{"excluded": ["shared"]}')
    write("docs/shared/plan.md", "SECRET")
    write("docs/notes/proj.plan.md", "---\ntags: a\n---\nPlan ![[knots]]\n")
    content, _ = text_of(
        write, embed, knots_md="One\n^one\n# Two\n## Two b\n```\n# no\n```\n# 3\nEnd ^end\n"
    )
    assert content == text


def test_includes_are_bounded(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(20):
        write(f"docs/chain{number}.txt", f"{number} {{{{#include chain{number + 1}.txt}}}}")
    for number in range(12):
        twice = f"{{{{#include tree{number + 1}.txt}}}}\n" * 2
        write(f"docs/tree{number}.txt", twice)
    write("docs/tree12.txt", "leaf")
    content, report = text_of(write, "{{#include chain0.txt}}")
    assert content == " ".join(map(str, range(10))) + " [not included: chain10.txt]"
    content, report = text_of(write, "{{#include tree4.txt}}\n")
    assert content.count("leaf") <= includes.MOST_FILES
    assert report.skipped[f"not included: {includes.TOO_MUCH}"].count > 0
    monkeypatch.setattr(includes, "MAX_LENGTH", 10)
    write("docs/eight.txt", "12345678")
    content, _ = text_of(write, "{{#include eight.txt}} {{#include eight.txt}}")
    assert content == "12345678 [not included: eight.txt]"


@pytest.mark.parametrize(("page", "text"), rows("texts", "imports_of_mdx_are_dropped"))
def test_imports_of_mdx_are_dropped(write: Write, page: str, text: str) -> None:
    write("docs/_part.mdx", "Part\n")
    for name in ("page.mdx", "page.md"):
        content, _ = text_of(write, "---\ntitle: page\n---\n" + page, name)
        assert content == text
