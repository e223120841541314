"""`orgctx import folder` reads texts and documents; the narrower imports keep what others made."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from orgctx.importers.formats.table import IMPORTERS, suffixes
from tests.importers.conftest import STAMP, Read, Run, Write, unchanged
from tests.importers.office import archive, paragraph, pdf, word
from tests.support.deployment import Deployment

SOURCE = "docs:main"
Titles = Callable[[], set[str]]


@pytest.fixture
def titles(acme: Deployment) -> Titles:
    return lambda: {title for (title,) in acme.execute("SELECT title FROM knowledge")}


@pytest.fixture
def folder(write: Write) -> Path:
    """A folder with two texts, a Word and a web page, and a picture."""
    write("wiki/text.md", "# Text\n")
    write("wiki/notes.txt", "Words\n")
    write("wiki/page.html", "<title>Page</title><p>Words</p>")
    write("wiki/photo.png", b"")
    return write("wiki/deep/rigging.docx", word(paragraph("Knots"))).parents[1]


def test_folder_reads_texts_and_documents(
    run: Run, read: Read, folder: Path, titles: Titles
) -> None:
    report = run("folder", folder, source=SOURCE).json()
    assert titles() == {"Text", "notes", "Page", "Rigging"}
    assert report["skipped"] == {"unsupported type: .png": {"count": 1, "examples": ["photo.png"]}}
    assert (report["read"], report["created"]) == (4, 5)
    assert unchanged(run("folder", folder, source=SOURCE).json())
    (folder / "text.md").unlink()
    (folder / "page.html").unlink()
    assert run("folder", folder, source=SOURCE).json()["deleted"] == 2
    assert titles() == {"notes", "Rigging"}


def test_many_unsupported_types_hide_no_other_reason(run: Run, write: Write) -> None:
    for number in range(60):
        write(f"wiki/data.x{number}", b"")
    folder = write("wiki/page.html", "<p>Words<img src=a.png>").parent
    skipped = run("folder", folder, source=SOURCE).json()["skipped"]
    assert skipped["unsupported type: other reasons"]["count"] == 10
    assert skipped["picture"]["count"] == 1


@pytest.mark.parametrize("order", [("markdown", "documents"), ("documents", "markdown")])
def test_narrow_imports_keep_each_others_documents(
    run: Run, folder: Path, titles: Titles, order: tuple[str, str]
) -> None:
    for importer in (*order, *order, "folder"):
        report = run(importer, folder, source=SOURCE).json()
        assert report["deleted"] == 0
    assert unchanged(report)
    assert titles() == {"Text", "notes", "Page", "Rigging"}
    (folder / "text.md").unlink()
    (folder / "page.html").unlink()
    for importer, count in zip(order, (1, 1), strict=True):
        assert run(importer, folder, source=SOURCE).json()["deleted"] == count


def test_narrow_import_of_another_folder_keeps_documents(
    run: Run, folder: Path, write: Write, titles: Titles
) -> None:
    run("markdown", folder, source=SOURCE).json()
    other = write("files/other.html", "<title>Other</title><p>Words</p>").parent
    assert run("documents", other, source=SOURCE).json()["deleted"] == 0
    assert titles() == {"Text", "notes", "Other"}


@pytest.mark.parametrize("importer", ["markdown", "documents"])
def test_move_to_folder_changes_nothing_that_is_stored(
    acme: Deployment, run: Run, folder: Path, importer: str
) -> None:
    """Also for documents that an earlier version stored, whose importer is unknown."""
    run(importer, folder, source=SOURCE).json()
    acme.execute("DELETE FROM document_importers")
    before = acme.execute("SELECT id FROM knowledge")
    report = run("folder", folder, source=SOURCE).json()
    knowledge = report["types"]["knowledge"]
    assert (knowledge["unchanged"], knowledge["updated"], report["deleted"]) == (2, 0, 0)
    assert set(before) <= set(acme.execute("SELECT id FROM knowledge"))


def test_other_importer_keeps_documents_of_unknown_origin_whose_file_exists(
    acme: Deployment, run: Run, folder: Path, titles: Titles
) -> None:
    run("markdown", folder, source=SOURCE).json()
    acme.execute("DELETE FROM document_importers")
    assert run("documents", folder, source=SOURCE).json()["deleted"] == 0
    assert titles() == {"Text", "notes", "Page", "Rigging"}


def test_folder_without_files_deletes_nothing(
    run: Run, folder: Path, titles: Titles, tmp_path: Path
) -> None:
    run("folder", folder, source=SOURCE).json()
    (tmp_path / "empty").mkdir()
    refused = run("folder", tmp_path / "empty", source=SOURCE)
    assert (refused.exit_code, len(titles())) == (1, 4)
    assert "contains no document, but 4 are stored" in refused.stderr
    allowed = run("folder", tmp_path / "empty", source=SOURCE, options=("--allow-empty",))
    assert allowed.json()["deleted"] == 4


def test_folder_leaves_out_documents_that_the_site_does_not_publish(
    run: Run, write: Write, titles: Titles
) -> None:
    write("site/mkdocs.yml", "exclude_docs: secret\n")
    write("site/docs/secret/plan.pdf", pdf("Plan"))
    write("site/_drafts/idea.html", "<title>Idea</title><p>Words</p>")
    root = write("site/docs/index.md", "# Home\n").parents[1]
    report = run("folder", root, source=SOURCE).json()
    assert titles() == {"Home"}
    assert report["skipped"]["not published: excluded by mkdocs.yml"]["count"] == 1
    assert report["skipped"]["not published: a name that begins with _"]["count"] == 1


def test_folder_names_formats_that_cannot_be_converted(run: Run, write: Write) -> None:
    root = write("site/a.doc", b"").parent
    refused = run("folder", root, source=SOURCE)
    assert "a.doc: cannot be converted: save it as .docx" in refused.stderr


@pytest.mark.parametrize(
    ("name", "content", "title"),
    [
        ("a.md", "# Text\n", "Text"),
        ("a.html", "<title>Page</title><p>Words</p>", "Page"),
        ("e.zip", archive({"s/page.html": "<title>Page</title><p>W</p>"}), "Page"),
        ("n.zip", archive({f"Crew {'a' * 32}.md": "# Crew\n"}), "Crew"),
        ("w.zip", archive({"p.zip": archive({f"Crew {'a' * 32}.md": "# Crew\n"})}), "Crew"),
    ],
)
def test_folder_may_be_a_file_or_an_export(
    run: Run, write: Write, titles: Titles, name: str, content: str | bytes, title: str
) -> None:
    path = write(name, content)
    assert run("folder", path, source=SOURCE).exit_code == 0
    assert titles() == {title}
    assert unchanged(run("folder", path, source=SOURCE).json())


def test_help_and_page_name_the_formats_of_the_table(acme: Deployment) -> None:
    """docs/importing.md has a row for each importer."""
    page = (Path(__file__).parents[2] / "docs/importing.md").read_text("utf-8")
    rows = re.findall(r"^\| ((?:`\.\w+` )+)\|", page, re.MULTILINE)
    assert set("".join(rows).replace("`", "").split()) == set(IMPORTERS)
    for command, importer in (("folder", None), ("markdown",) * 2, ("documents",) * 2):
        text = " ".join(acme.cli("import", command, "--help").stdout.split())
        assert f"Formats: {', '.join(suffixes(importer))}." in text


@pytest.mark.parametrize(
    ("name", "content", "label"),
    [
        ("docs/readme.md", "[![b](x)](y) # no\n# The `Acme` [docs](https://x.example)\n",
         "The Acme docs"),
        ("mkdocs.yml", "theme: !!python/name:a.b\nsite_name: 'Acme docs' # name\n", "Acme docs"),
        ("docs/book.toml", '[book]\ntitle = "The Book"\n', "The Book"),
        ("docs/a.md", "# Page\n", "project"),
    ],
)  # fmt: skip
def test_source_is_named_after_its_site(
    run: Run, read: Read, write: Write, name: str, content: str, label: str
) -> None:
    write(f"project/{name}", content)
    folder = write("project/docs/page.md", "# Page\n").parent
    run("folder", folder, source=SOURCE).json()
    assert read("/sources")[0]["label"] == label


def test_label_and_description_are_options(run: Run, read: Read, folder: Path) -> None:
    options = ("--label", "Handbook", "--description", "How we sail.")
    run("markdown", folder, source=SOURCE).json()
    run("folder", folder, source=SOURCE, options=options).json()
    (source,) = read("/sources")
    assert (source["label"], source["description"]) == ("Handbook", "How we sail.")
    assert {item["sourceLabel"] for item in read("/knowledge")} == {"Handbook"}
    assert unchanged(run("folder", folder, source=SOURCE).json())
    assert run("folder", folder, source=SOURCE, options=("--label", "a\nb")).exit_code == 2


def test_newest_text_or_document_dates_the_source(run: Run, read: Read, folder: Path) -> None:
    os.utime(folder / "page.html", (STAMP + 60, STAMP + 60))
    run("folder", folder, source=SOURCE).json()
    assert read("/sources")[0]["updatedAt"] == "2026-05-28T20:27:40Z"


def test_folder_of_texts_alone_is_as_old_as_its_newest_text(
    run: Run, read: Read, write: Write
) -> None:
    path = write("wiki/text.md", "# Text\n").parent
    os.utime(path, (STAMP + 60, STAMP + 60))
    run("folder", path, source=SOURCE).json()
    assert read("/sources")[0]["updatedAt"] == "2026-05-28T20:26:40Z"


def test_documents_of_a_site_are_left_out_by_each_importer(
    run: Run, write: Write, titles: Titles
) -> None:
    write("site/mkdocs.yml", "exclude_docs: drafts/\n")
    write("site/docs/page.html", "<title>Page</title><p>Words</p>")
    write("site/docs/drafts/plan.html", "<title>Plan</title><p>Words</p>")
    docs = write("site/docs/_parts/head.html", "<title>Head</title><p>Words</p>").parents[1]
    for importer in ("documents", "folder", "documents"):
        report = run(importer, docs, source=SOURCE).json()
        assert {reason: skip["count"] for reason, skip in report["skipped"].items()} == {
            "not published: excluded by mkdocs.yml": 1,
            "not published: a name that begins with _": 1,
        }
        assert titles() == {"Page"}
    assert unchanged(report)


@pytest.mark.parametrize("packed", [False, True])
def test_folder_reads_notion_exports_as_html(
    run: Run, write: Write, titles: Titles, packed: bool
) -> None:
    """Databases are CSV files beside the pages in both kinds of exports."""
    page = "<title>Knots</title><article><h1>Knots</h1><p>Tie them.</p></article>"
    id_ = "0123456789abcdef" * 2
    export = archive({f"Export/Knots {id_}.html": page, f"Export/Log {id_[::-1]}.csv": "Name\nA\n"})
    path = write("Export.zip", archive({"Export-Part-1.zip": export}) if packed else export)
    report = run("folder", path, source=SOURCE).json()
    assert "Knots" in titles()
    assert (report["read"], report["skipped"]) == (2, {})
    assert unchanged(run("documents", path, source=SOURCE).json())


def test_folder_reads_notion_exports_as_markdown_in_parts(
    run: Run, write: Write, titles: Titles
) -> None:
    page = {f"Export/Knots {'0123456789abcdef' * 2}.md": "# Knots\n"}
    path = write("Export.zip", archive({"Export-Part-1.zip": archive(page)}))
    assert run("folder", path, source=SOURCE).json()["read"] == 1
    assert titles() == {"Knots"}


def test_report_groups_refused_files_by_reason(run: Run, write: Write) -> None:
    for number in range(30):
        folder = write(f"wiki/{number:02}.md", "---\n" + "a: b\n" * number + "[\n---\n").parent
    write("wiki/z.md", b"\xfa\xfb")
    report = run("markdown", folder, source=SOURCE)
    refused = json.loads(report.stdout)["refused"]
    assert refused["count"] == 31
    assert refused["reasons"] == {
        "its front matter is not YAML: line N": 30,
        "is not UTF-8: byte N, line N": 1,
    }
    assert "  30: its front matter is not YAML: line N" in report.stderr
