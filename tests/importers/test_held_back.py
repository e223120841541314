"""What its owner would not publish stays out, in the forms that are easily overlooked."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from pptx import Presentation

from orgctx.importers import Report
from orgctx.importers.assets import importer as assets
from orgctx.importers.folder.walk import walk
from orgctx.importers.formats import importer as formats
from tests.importers import files
from tests.importers.conftest import Write, convert, documents, imported, markdown
from tests.importers.office import WORD, archive, paragraph, word
from tests.importers.repositories import git

TEXT_CELL = {"cell_type": "markdown", "source": "Words"}
STRICT_WORD = "http://purl.oclc.org/ooxml/wordprocessingml/main"


@pytest.mark.parametrize(
    ("patterns", "name"),
    [
        (b"\xef\xbb\xbfprivate.md\n", "private.md"),
        (b"private[[:digit:]].md\n", "private1.md"),
        (b"private[^[:digit:]].md\n", "privatex.md"),
        (b"private[[:alpha:][:space:]_-].md\n", "private-.md"),
        (b"private[[:punct:]].md\n", "private].md"),
        (b"private[\\]].md\n", "private].md"),
        (b"private[a\\-z].md\n", "private-.md"),
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


@pytest.mark.parametrize(
    "text",
    [
        "Title: Plan\nStatus:draft\n\nWords",
        "Title: Plan\nSummary: one\n    two\n\tthree\nStatus: draft\n\nWords",
        "Title: Plan\nTags:\nStatus: draft\n\nWords",
        "  Title: Plan\n  Status: draft\n\nWords",
        f"Summary: {'x' * 3000}\nStatus: draft\n\nWords",
        "tags::\npublic:: false\n\nWords",
        "---\nisDraft: true\n---\nWords",
        "---\nisPublished: false\n---\nWords",
        "---\nhugo_draft: true\n---\nWords",
    ],
)
def test_page_says_that_it_is_a_draft(write: Write, text: str) -> None:
    items, report = imported(markdown, write("docs/a.md", text).parent)
    assert not items
    assert any(reason.startswith("not published") for reason in report.skipped)


@pytest.mark.parametrize("front", ["draft: true", "published: false", "draft: ["])
@pytest.mark.parametrize("importer", [markdown, formats], ids=["markdown", "folder"])
def test_page_of_an_archive_says_that_it_is_a_draft(
    write: Write, importer: Any, front: str
) -> None:
    id_ = "0123456789abcdef" * 2
    text = f"---\n{front}\n---\nWords"
    path = write("a.zip", archive({f"Home {id_}.md": "# Home\n\nWords", "plan.md": text}))
    items, report = imported(importer, path)
    assert [data["title"] for data in items] == ["Home"]
    assert "front matter" in report.refused[0]


@pytest.mark.parametrize("importer", [documents, formats], ids=["documents", "folder"])
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.html", b"---\ndraft: true\n---\n<p>Words</p>"),
        ("a.html", b"\xef\xbb\xbf+++\ndraft = true\n+++\n<p>Words</p>"),
        ("a.htm", b"---\ndraft: [\n---\n<p>Words</p>"),
        ("a.textpack", files.text_pack("\ufeff---\ndraft: true\n---\nx")),
        ("a.textpack", files.text_pack('{"draft": true}\nx')),
        ("a.textpack", files.text_pack("Status: draft\n\nx")),
    ],
)
def test_document_says_that_it_is_a_draft(
    write: Write, importer: Any, name: str, content: bytes
) -> None:
    items, report = imported(importer, write(f"docs/{name}", content).parent)
    assert not items
    assert "front matter" in report.refused[0]


@pytest.mark.parametrize("kind", ["raw", "markdown"])
@pytest.mark.parametrize(
    "front", ['"draft" : "true"', "status: draft", "published: no", "draft: ["]
)
def test_notebook_says_that_it_is_a_draft(write: Write, kind: str, front: str) -> None:
    cells = [{"cell_type": kind, "source": f"---\n{front}\n---\n"}, TEXT_CELL]
    items, report = imported(documents, write("a.ipynb", {"cells": cells, "metadata": {}}))
    assert not items
    assert "front matter" in report.refused[0]


def test_rule_in_a_notebook_is_text(write: Write) -> None:
    cells = [{"cell_type": "markdown", "source": "---\n\nAfter a rule"}, TEXT_CELL]
    ((data,), _) = imported(documents, write("a.ipynb", {"cells": cells, "metadata": {}}))
    assert data["content"] == "---\n\nAfter a rule\n\nWords\n"


def test_front_matter_of_a_web_page_is_not_text(write: Write) -> None:
    ((data,), _) = imported(documents, write("a.html", b"---\nlayout: x\n---\n<p>Words</p>"))
    assert data["content"] == "Words\n"


def test_hidden_text_of_a_strict_document_is_left_out(write: Write) -> None:
    body = paragraph("Text") + paragraph("Hidden", run="<w:vanish/>") + paragraph("Too", "Private")
    style = "<w:style w:type='paragraph' w:styleId='Private'><w:rPr><w:vanish/></w:rPr></w:style>"
    content = word(body, parts={"styles": style})
    strict = archive({k: v.replace(WORD, STRICT_WORD) for k, v in _members(content).items()})
    ((data,), report) = imported(documents, write("a.docx", strict))
    assert data["content"] == "Text\n"
    assert report.skipped["hidden text"].count == 2


def test_hidden_part_of_an_equation_is_left_out(write: Write) -> None:
    math = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    hidden = "<m:r><w:rPr><w:vanish/></w:rPr><m:t>y</m:t></m:r>"
    body = f"<w:p {math}><m:oMath><m:r><m:t>x</m:t></m:r>{hidden}</m:oMath></w:p>"
    ((data,), _) = imported(documents, write("a.docx", word(body)))
    assert data["content"] == "$x$\n"


def test_style_based_on_a_hidden_one_hides_text(write: Write) -> None:
    styles = (
        "<w:style w:type='paragraph' w:styleId='A'><w:rPr><w:vanish/></w:rPr></w:style>"
        "<w:style w:type='paragraph' w:styleId='B'><w:basedOn w:val='A'/></w:style>"
        "<w:style w:type='paragraph' w:styleId='C'><w:basedOn w:val='B'/></w:style>"
        "<w:style w:type='paragraph' w:styleId='D'><w:basedOn w:val='C'/>"
        "<w:rPr><w:vanish w:val='0'/></w:rPr></w:style>"
        "<w:style w:type='paragraph' w:styleId='E'><w:basedOn w:val='E'/></w:style>"
    )
    body = "".join(paragraph(f"Text {style}", style) for style in "ABCDE")
    ((data,), _) = imported(documents, write("a.docx", word(body, parts={"styles": styles})))
    assert data["content"] == "Text D\n\nText E\n"


def test_hidden_shapes_and_slides_are_left_out(write: Write) -> None:
    deck = Presentation()
    for title in ("Winds", "Secret"):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = f"Body of {title}"
    deck.slides[1]._element.set("show", "false")
    box = deck.slides[0].shapes.add_textbox(0, 0, 9, 9)
    box.text_frame.text = "Hidden words"
    box._element.nvSpPr.cNvPr.set("hidden", "true")
    file = BytesIO()
    deck.save(file)
    ((data,), report) = imported(documents, write("a.pptx", file.getvalue()))
    assert data["content"] == "## Winds\n\n- Body of Winds\n"
    assert report.skipped["hidden slide"].count == 1
    assert report.skipped["hidden object of a slide"].count == 1


def test_reason_of_a_report_is_one_line(write: Write) -> None:
    cell = b'{"cell_type": "x\\n\\u001b]0;y\\u0007Read 9.", "source": "z"}'
    notebook = b'{"cells": [%s, {"cell_type": "markdown", "source": "A"}], "metadata": {}}' % cell
    _, report = imported(documents, write("a.ipynb", notebook))
    assert all(reason.isprintable() for reason in report.skipped)


def test_draft_is_not_included_as_html(write: Write) -> None:
    write("docs/draft.html", "---\npublished: false\n---\nSecret")
    ((data,), report) = imported(markdown, write("docs/a.md", '--8<-- "draft.html"').parent)
    assert data["content"] == "[not included]"
    assert report.skipped["not included: a private file"].count == 1


@pytest.mark.parametrize(
    "front", ["---\ndraft: true\n---\n", "Status: draft\n\n", '{"draft": true}\n']
)
def test_draft_does_not_name_the_source(write: Write, front: str) -> None:
    write("plans/README.md", f"{front}# Secret merger\n")
    ((data,), _) = imported(markdown, write("plans/a.md", "Words").parent)
    assert data["sourceLabel"] == "plans"


@pytest.mark.parametrize("importer", [markdown, formats, assets])
def test_ignored_readme_does_not_name_the_source(write: Write, importer: Any) -> None:
    write("plans/.gitignore", "README.md\n")
    write("plans/README.md", "# Secret merger\n")
    source, *_ = convert(importer, write("plans/a.md", "Words").parent)
    assert source["data"]["label"] == "plans"


def _members(content: bytes) -> dict[str, str]:
    with ZipFile(BytesIO(content)) as packed:
        return {name: packed.read(name).decode() for name in packed.namelist()}
