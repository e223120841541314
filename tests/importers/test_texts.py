"""Texts: titles, front matter that holds a file back, comments, and the sources of sites."""

from pathlib import Path

import pytest

from orgctx.importers.folder.titles import first_heading, plain_title
from orgctx.importers.front_matter import HOLD_IF_FALSE, HOLD_IF_STATUS, HOLD_IF_TRUE
from orgctx.importers.report import ImportRejected
from tests.importers.conftest import Write, folders, imported, rows
from tests.importers.repositories import commit, git

PAGE = (Path(__file__).parents[2] / "docs" / "importing.md").read_text("utf-8")


def test_members_that_hold_a_file_back_are_documented() -> None:
    for name in (*HOLD_IF_TRUE, *HOLD_IF_FALSE, *HOLD_IF_STATUS, "publishDate", "expiryDate"):
        assert f"`{name}`" in PAGE


@pytest.mark.parametrize(("markup", "title"), rows("texts", "title_has_no_markup"))
def test_title_has_no_markup(markup: str, title: str) -> None:
    assert plain_title(markup) == title


@pytest.mark.parametrize(("text", "heading"), rows("texts", "first_heading_of_a_text"))
def test_first_heading_of_a_text(text: str, heading: str | None) -> None:
    assert first_heading(text) == heading


@pytest.mark.parametrize(
    "front",
    [
        "draft: true", "Draft: yes", "draft: 1", 'draft: "true"', "private: true", "hidden: TRUE",
        "internal: yes", "confidential: true", "unlisted: true", "published: false", "publish: no",
        "public: 0", "status: draft", "status: Private", "publishDate: 2999-01-01",
        "publish_date: 2999-01-01 10:00:00", "expiryDate: 2001-01-01", "expiryDate: 1970-01-01",
        "  draft: true", "draft: \u00a0true",
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", ["a.md", "a.txt", "a.adoc", "a.html"])
def test_front_matter_holds_a_file_back(write: Write, front: str, name: str) -> None:
    folder = write(f"docs/{name}", f"\n---\n{front}\n---\n<p>Words</p>\n").parent
    items, report = imported(folders, folder)
    assert not items
    assert [reason for reason in report.skipped if reason.startswith("not published: ")]


def test_toml_holds_a_file_back(write: Write) -> None:
    folder = write("docs/a.md", "+++\ndraft = true\n+++\nWords\n").parent
    assert not imported(folders, folder)[0]
    ((data,), _) = imported(folders, folder, include_drafts=True)
    assert (data["visibility"], data["sourceStatus"]) == ("team", "draft")


@pytest.mark.parametrize(
    "front",
    ["draft: maybe", "draft: no", "published: perhaps", "status: pending", "secret: true",
     "publishDate: 2001-01-01", "date: 2999-01-01", "password: x"],
)  # fmt: skip
def test_only_a_clear_word_holds_a_file_back(write: Write, front: str) -> None:
    assert imported(folders, write("a.md", f"---\n{front}\n---\nWords\n"))[0]


@pytest.mark.parametrize(
    "text",
    [
        "---\ndraft: true\nWords\n", "---\ndraft:true\n---\nWords\n",
        "---\ndraft:\u00a0true\n---\nWords\n", "---\ntitle: a\ndraft:true\n---\nWords\n",
        "---\ndraft: false\ndraft: true\n---\nWords\n", "---\na: [\n---\nWords\n",
        "---\ndraft: false\nDraft: true\n---\nWords\n", "+++\na = [\n+++\nWords\n",
        "---\na: &x [1]\nb: *x\n---\nWords\n", "---\nd: 2024-99-99\n---\nWords\n",
        "---\nvisibility: staff\n---\nWords\n", "---\na: " + "[" * 9000 + "\n---\n",
        "---\na: " + "x" * 70_000 + "\n---\nWords\n",
    ],
)  # fmt: skip
def test_unreadable_front_matter_is_refused(write: Write, text: str) -> None:
    items, report = imported(folders, write("a.md", text))
    assert not items
    assert report.refused_count == 1


@pytest.mark.parametrize("text", ["---\n\nWords\n", "---\nSome words\n---\nMore\n", "---\nWords\n"])
def test_horizontal_rule_is_text(write: Write, text: str) -> None:
    ((data,), _) = imported(folders, write("a.md", text))
    assert data["content"] == text


def test_text_stays_as_it_is(write: Write) -> None:
    text = '--8<-- "a.md"\n{{< note >}}x{{< /note >}} {# of files and {#} total #} [[Page|words]]\n'
    ((data,), _) = imported(folders, write("a.md", text))
    assert data["content"] == text


@pytest.mark.parametrize(
    ("name", "text", "content"),
    [
        ("a.mdx", "A {/* SECRET */} B", "A  B"),
        ("a.md", "A {/* x */} B", "A {/* x */} B"),
        ("a.md", "A <!-- ` --> B <!-- SECRET --> `c`", "A  B  `c`"),
        ("a.md", "A `<!-- b -->` ` <!-- SECRET -->", "A `<!-- b -->` ` "),
        ("a.md", "A <!--> B -->", "A  B -->"),
        ("a.md", "50 %% of, 60 %% of", "50 %% of, 60 %% of"),
        ("a.md", "A <template> B", "A <template> B"),
        ("a.org", "A @@comment:b\n\nC@@ D", "A @@comment:b\n\nC@@ D"),
        ("a.org", "A @@comment: SECRET@@ B @@html:<b>@@", "A  B @@html:<b>@@"),
    ],
)
def test_comment_is_one_of_the_syntax_of_its_file(
    write: Write, name: str, text: str, content: str
) -> None:
    ((data,), _) = imported(folders, write(name, text))
    assert data["content"] == content


@pytest.mark.parametrize("settings", [".obsidian/app.json", ".gitignore"])
@pytest.mark.parametrize("path", [".", "vault", "vault/notes", "vault/notes/a.md"])
def test_comment_of_a_vault_is_left_out_below_and_above(
    write: Write, tmp_path: Path, path: str, settings: str
) -> None:
    write(f"vault/{settings}", "/.obsidian/")
    write("vault/notes/a.md", "A %%SECRET%% B")
    ((data,), report) = imported(folders, tmp_path / path)
    assert data["content"] == "A  B"
    assert report.skipped["comment"].count == 1


@pytest.mark.parametrize(
    ("name", "text", "command"),
    [
        ("mkdocs.yml", "", "mkdocs build"), ("hugo.toml", "", "hugo"),
        ("config.toml", 'base_url = "x"', "zola build"), ("config.toml", "baseURL = 'x'", "hugo"),
        ("_config.yml", "title: x", "jekyll build"), ("_config.yml", "source_dir: x", "hexo"),
        ("docusaurus.config.ts", "", "npm run build"), ("conf.py", "extensions=[]", "sphinx"),
        ("conf.py", "BLOG_TITLE = 1", "nikola build"), ("pelicanconf.py", "", "pelican content"),
        ("book.toml", "", "mdbook build"), ("antora.yml", "", "antora"), ("myst.yml", "", "myst"),
        ("_quarto.yml", "", "quarto render"), ("_bookdown.yml", "", "bookdown"),
        ("eleventy.config.js", "", "eleventy"), (".vitepress/config.mts", "", "vitepress build"),
        (".gitbook.yaml", "", "honkit build"), ("dendron.yml", "", "dendron"),
        ("logseq/config.edn", "", "Export graph"), (".obsidian/publish.json", "{}", "Obsidian"),
    ],
)  # fmt: skip
def test_source_of_a_site_is_refused(write: Write, name: str, text: str, command: str) -> None:
    write(f"site/{name}", text)
    folder = write("site/docs/a.md", "# A\n").parents[1]
    with pytest.raises(ImportRejected, match=f"{command}.*pass --source-files"):
        imported(folders, folder)
    assert [data["title"] for data in imported(folders, folder, source_files=True)[0]] == ["A"]


def test_configuration_above_counts_up_to_the_repository(write: Write, tmp_path: Path) -> None:
    write("mkdocs.yml", "")
    folder = write("docs/a.md", "# A\n").parent
    assert imported(folders, folder)[0]
    git(tmp_path, "init", "-q")
    with pytest.raises(ImportRejected, match="MkDocs builds it"):
        imported(folders, folder)
    assert imported(folders, write("site/index.html", "<p>Words").parent)[0]


@pytest.mark.parametrize(("name", "text"), [("conf.py", "a = 1"), ("config.toml", "[server]")])
def test_other_configuration_is_no_generator(write: Write, name: str, text: str) -> None:
    write(f"docs/{name}", text)
    assert imported(folders, write("docs/a.md", "# A\n").parent)[0]


def test_commit_updates_a_page_that_states_only_its_date(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    commit(tmp_path, 5, page="---\ndate: 2023-01-01\n---\nText")
    ((data,), _) = imported(folders, tmp_path)
    assert data["createdAt"] == "2023-01-01T00:00:00Z"
    assert data["updatedAt"] == "2024-01-05T00:00:00Z"


def test_paths_are_compared_in_nfc(write: Write) -> None:
    decomposed, composed = "Cafe\u0301", "Caf\u00e9"
    (first,), _ = imported(folders, write(f"a/{decomposed}.md", "# A\n").parent)
    (second,), _ = imported(folders, write(f"b/{composed}.md", "# A\n").parent)
    assert first["id"] == second["id"]
    write(f"a/{composed}.md", "# B\n")
    items, report = imported(folders, write("a/c.md", "# C\n").parent)
    assert (len(items), report.refused_count) == (1, 2)
    assert (
        len(imported(folders, write("b/c.md", "# C\n").parent, exclude=(f"{decomposed}*",))[0]) == 1
    )
