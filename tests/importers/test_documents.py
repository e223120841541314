"""HTML, Word, PowerPoint, PDF and EPUB become what a reader sees; nothing in them runs."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from pdfminer.layout import LTTextBoxHorizontal

from orgctx.importers import ImportRejected, Report
from orgctx.importers import archive as archives
from orgctx.importers.documents import conversions
from orgctx.importers.documents.pdf import convert as convert_pdf
from tests.importers.conftest import STAMPED_AT, Read, Run, Write, documents, imported, unchanged
from tests.importers.office import archive, book, paragraph, pdf, slides, word

SOURCE = "docs:wiki"
PAGES = yaml.load(Path(__file__).with_name("pages.yaml").read_text("utf-8"), yaml.BaseLoader)
HIDDEN = "<w:vanish/>"
LAUGHS = "<!DOCTYPE d [<!ENTITY a 'ha'>" + "".join(
    f"<!ENTITY {chr(98 + n)} '{f'&{chr(97 + n)};' * 10}'>" for n in range(12)
) + "]>"  # fmt: skip
OUTSIDE = '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>'


def converted(path: Path) -> tuple[list[dict[str, Any]], Report]:
    return imported(documents, path)


@pytest.mark.parametrize("name", PAGES)
def test_web_page_becomes_markdown(write: Write, name: str) -> None:
    page = PAGES[name]
    ((data,), _) = converted(write("page.html", page["html"]))
    assert (data["title"], data["content"]) == (page["title"], page["content"])
    dates = page.get("dates", [STAMPED_AT, STAMPED_AT])
    assert [data["createdAt"], data["updatedAt"]] == dates


RUSSIAN = "<h1>Погода</h1><p>Это обычный русский текст о погоде и море.</p>"


@pytest.mark.parametrize(
    ("content", "guess"),
    [
        (RUSSIAN.encode(), None),
        (RUSSIAN.encode("utf-16"), None),
        (b"<meta charset=windows-1251>" + RUSSIAN.encode("cp1251"), None),
        (b"<meta charset=utf-16>" + RUSSIAN.encode(), None),
        (RUSSIAN.encode("cp1251"), "cp1251"),
        (b"<meta charset=utf-8>" + RUSSIAN.encode("cp1251"), "cp1251"),
    ],
)
def test_guess_of_a_character_set_is_reported(
    write: Write, content: bytes, guess: str | None
) -> None:
    ((data,), report) = converted(write("page.html", content))
    assert data["content"] == "# Погода\n\nЭто обычный русский текст о погоде и море.\n"
    assert report.repaired == ({f"character set guessed: {guess}": 1} if guess else {})


def test_comments_and_empty_pages_of_a_pdf_are_counted(write: Write) -> None:
    note = b"/Annots[<</Subtype/Text/Rect[0 0 1 1]/Contents(Only for us)>>]/Resources"
    ((data,), report) = converted(write("a.pdf", pdf("Words").replace(b"/Resources", note)))
    assert data["content"] == "Words\n"
    assert report.skipped["comment"].count == 1
    pages = pdf("Words").replace(b"/Kids[3 0 R]/Count 1", b"/Kids[3 0 R 7 0 R]/Count 2")
    blank = (
        b"7 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<<>>>>\nendobj\nxref"
    )
    _, report = converted(write("a.pdf", pages.replace(b"xref", blank, 1)))
    assert report.skipped["page without text"].count == 1


def test_text_of_a_pdf_does_not_depend_on_addresses() -> None:
    page = pdf("10) Tj 60 0 Td (20) Tj -30 -7 Td (30")  # 30 is as far from 10 as from 20
    texts = set()
    for seed in range(6):
        boxes = [LTTextBoxHorizontal() for _ in range(1000)]
        Random(seed).shuffle(boxes)
        while boxes:  # free the addresses of the next boxes in another order each time
            boxes.pop()
        texts.add(convert_pdf(page).content)
    assert len(texts) == 1


def test_pictures_of_a_page_are_counted(write: Write) -> None:
    page = "<p>Text<img src=a.png alt=lamp><svg><text>x</text></svg></p>"
    ((data,), report) = converted(write("a.html", page))
    assert data["content"] == "Textlamp\n"
    assert report.skipped["picture"].count == 1
    assert report.skipped["embedded page or media"].count == 1


def test_declared_latin1_is_windows_1252(write: Write) -> None:
    """As in browsers: its quotation marks and the euro are no control characters."""
    page = b"<meta charset=iso-8859-1><p>\x93Bell\x94 \x80 5</p>"
    ((data,), _) = converted(write("page.html", page))
    assert data["content"] == "“Bell” € 5\n"


def test_empty_target_of_a_skip_link_is_not_the_content(write: Write) -> None:
    page = "<body><a id=main-content></a><p>Text</p></body>"
    ((data,), _) = converted(write("page.html", page))
    assert data["content"] == "Text\n"


def test_text_that_is_mostly_utf8_stays_utf8(write: Write) -> None:
    ((data,), report) = converted(write("page.html", RUSSIAN.encode() + b"<p>caf\xe9</p>"))
    assert "Погода" in data["content"]
    assert report.repaired == {"bytes replaced that are not UTF-8": 1}


def test_chapter_keeps_all_articles(write: Write) -> None:
    """Text around the articles of a chapter belongs to the book."""
    chapter = "<body><h1>Poems</h1><article>One</article>Between<article>Two</article></body>"
    ((data,), _) = converted(write("a.epub", book(chapter)))
    assert data["content"] == "# First\n\nOut.\n\n# Poems\n\nOne\n\nBetween\n\nTwo\n"


def test_missing_chapter_of_a_book_is_counted(write: Write) -> None:
    (_, report) = converted(write("a.epub", book("")))
    assert report.skipped["chapter that a book lacks"].count == 1


def test_parts_of_a_page_that_are_left_out_are_counted(write: Write) -> None:
    page = PAGES["any page"]["html"].replace("<form>", "<form>Name")
    _, report = converted(write("page.html", page))
    assert {reason: skip.count for reason, skip in report.skipped.items()} == {
        "hidden part of a page": 2,
        "embedded page or media": 1,
        "form": 1,
    }


def test_documents_of_all_kinds_read_back(run: Run, read: Read, write: Write) -> None:
    parts = (paragraph("Knots", "Heading1"), paragraph("Tie them."), paragraph("No", run=HIDDEN))
    folder = write("wiki/rigging.docx", word("".join(parts))).parent
    write("wiki/winds.pptx", slides())
    write("wiki/signals.pdf", pdf("Red means stop.", "Green means go."))
    write("wiki/voyages.epub", book())
    write("wiki/page.htm", "<title>Page</title><p>Words</p>")
    write("wiki/photo.png", b"")
    report = run("documents", folder, source=SOURCE).json()
    assert report["skipped"] == {
        "unsupported type: .png": {"count": 1, "examples": ["photo.png"]},
        "hidden text": {"count": 1, "examples": ["rigging.docx"]},
        "hidden slide": {"count": 1, "examples": ["winds.pptx"]},
        "speaker notes": {"count": 2, "examples": ["winds.pptx"]},
    }
    assert unchanged(run("documents", folder, source=SOURCE).json())
    items = {item["title"]: item for item in read("/knowledge")}
    contents = {title: read(f"/knowledge/{item['id']}") for title, item in items.items()}
    assert {title: item["content"] for title, item in contents.items()} == {
        "Rigging": "# Knots\n\nTie them.\n",
        "Weather": "## Winds\n\n- From the west\n",
        "Signals": "Red means stop.\nGreen means go.\n",
        "Voyages": "# First\n\nOut.\n\n# Second\n\nBack.\n",
        "Page": "Words\n",
    }
    del items["Page"]
    dates = {(item["createdAt"][:10], item["updatedAt"][:10]) for item in items.values()}
    assert dates == {("2024-01-02", "2024-02-03")}


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.docx", lambda: b"no archive", "is damaged, protected by a password, or of another"),
        ("a.docx", lambda: word(paragraph("&l;"), LAUGHS), "cannot be converted"),
        ("a.docx", lambda: archive({"a": "0" * (600 << 20)}), "unpacks to more than 512 MiB"),
        ("a.pptx", lambda: archive({"a": "b"}), "cannot be converted"),
        ("a.pdf", lambda: b"%PDF-1.4 broken", "cannot be converted"),
        ("a.pdf", pdf, "contains no text"),
        ("a.html", lambda: b"<div>" * 5_000, "cannot be converted"),
        ("a.doc", lambda: b"", "save it as .docx"),
        ("a.xls", lambda: b"", "save it as .xlsx"),
    ],
)
def test_document_that_cannot_be_converted_is_named(
    write: Write, name: str, content: Callable[[], bytes], reason: str
) -> None:
    """The files beside it are read."""
    folder = write(f"wiki/{name}", content()).parent
    write("wiki/good.html", "<p>Good</p>")
    items, report = converted(folder)
    assert [data["title"] for data in items] == ["good"]
    assert report.refused[0].startswith(f"{name}: ")
    assert reason in report.refused[0]


def test_xml_entity_reads_no_file(write: Write) -> None:
    document = write("a.docx", word(paragraph("before &x; after"), OUTSIDE))
    items, report = converted(document)
    assert report.refused_count or "root:" not in items[0]["content"]


EXPORT = {
    "KEY/index.html": b"<title>Wiki</title><p>Pages</p>",
    "KEY/1.html": b"<title>Wiki : Knots</title><div id='main-content'><p>Tie them.</p></div>",
    "KEY/attachments/1/plan.pdf": pdf("Attached"),
    "KEY/attachments/1/all.zip": b"",
    "KEY/images/logo.png": b"",
}


def test_export_may_be_packed_unpacked_or_a_folder_in_it(write: Write) -> None:
    """Attachments are left out."""
    path = write("wiki.zip", archive(EXPORT))
    packed, report = converted(path)
    assert {data["title"]: data["content"] for data in packed} == {
        "Wiki": "Pages\n",
        "Knots": "Tie them.\n",
    }
    assert {reason: skip.count for reason, skip in report.skipped.items()} == {
        "attachment of an export": 2,
        "unsupported type: .png": 1,
    }
    for name, content in EXPORT.items():
        write(f"wiki/{name}", content)
    for folder, field in ((path.with_suffix(""), "id"), (path.with_suffix("") / "KEY", "content")):
        items, report = converted(folder)
        assert [data[field] for data in items] == [data[field] for data in packed]
        assert report.skipped["attachment of an export"].count == 2


SPACE = b"""<html><head><title>KEY (Wiki)</title></head><body><div id="content">
<div id="main-content" class="pageSection"><table><tr><th>Key</th><td>KEY</td></tr></table></div>
<div class="pageSection"><h2 class="pageSectionTitle">Available Pages:</h2>
<ul><li><a href="1.html">Knots</a></li></ul></div></div></body></html>"""


def test_index_page_of_an_export_is_no_document(run: Run, read: Read, write: Write) -> None:
    """If an earlier run loaded it, it is deleted, unless nothing else is in the export."""
    folder = write("wiki/KEY/index.html", EXPORT["KEY/index.html"]).parents[1]
    write("wiki/KEY/1.html", EXPORT["KEY/1.html"])
    run("documents", folder, source=SOURCE).json()
    assert {item["title"] for item in read("/knowledge")} == {"Wiki", "Knots"}
    write("wiki/KEY/index.html", SPACE)
    skipped = {"list of an export's pages": {"count": 1, "examples": ["KEY/index.html"]}}
    assert run("documents", folder, source=SOURCE).json()["skipped"] == skipped
    assert {item["title"] for item in read("/knowledge")} == {"Knots"}
    (folder / "KEY" / "1.html").unlink()
    assert "pass --allow-empty" in run("documents", folder, source=SOURCE).stderr
    _, report = converted(write("wiki.zip", archive({**EXPORT, "KEY/index.html": SPACE})))
    assert report.skipped["list of an export's pages"].examples == ["KEY/index.html"]
    assert report.skipped["attachment of an export"].count == 2


def test_unsafe_members_of_an_archive_are_refused(write: Write) -> None:
    members = {
        "good.html": b"<p>Good</p>",
        "../up.html": b"<p>Up</p>",
        "/root.html": b"<p>Root</p>",
        "a\\..\\..\\b.html": b"<p>Back</p>",
        ".hidden/a.html": b"<p>Hidden</p>",
        "__MACOSX/good.html": b"<p>Mac</p>",
        "long.html": bytes(archives.LONGEST_MEMBER + 1),
        "more.zip": archive({"inner.html": b"<p>Inner</p>"}),
    }
    path = write("wiki.zip", archive(members))
    with zipfile.ZipFile(path, "a", zipfile.ZIP_BZIP2) as target:
        target.writestr("other.html", "<p>Other</p>")
        with pytest.warns(UserWarning, match="Duplicate"):
            target.writestr("good.html", "<p>Better</p>")
    items, report = converted(path)
    assert [data["content"] for data in items] == ["Good\n"]
    assert report.refused == [
        "../up.html: the name points outside the archive",
        "/root.html: the name points outside the archive",
        "a/../../b.html: the name points outside the archive",
        "good.html: occurs twice in the archive",
        "long.html: cannot be converted: exceeds 64 MiB",
        "other.html: cannot be converted: uses a compression other than deflate; pack it again",
    ]
    assert report.skipped["unsupported type: .zip"].examples == ["more.zip"]
    assert report.skipped["hidden file or folder"].count == 2


def test_archive_has_a_maximum_size(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what is read counts: attachments and pictures may be large."""
    monkeypatch.setattr(archives, "LONGEST_WHOLE", 1 << 20)
    large = {"photo.png": bytes(2 << 20), "good.html": b"<p>Good</p>"}
    assert len(converted(write("wiki.zip", archive(large)))[0]) == 1
    pages = {f"{number}.html": b" " * (1 << 19) for number in range(3)}
    with pytest.raises(ImportRejected, match="unpacks to more than"):
        converted(write("wiki.zip", archive(pages)))
    with pytest.raises(ImportRejected, match=r"a folder, a document, or an export as a \.zip"):
        converted(write("wiki.zip", b"PK\x03\x04 torn"))


def test_conversions_have_a_time_limit(
    run: Run, read: Read, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files that a run does not reach are named and stay as they were stored."""
    folder = write("wiki/a.html", "<p>A</p>").parent
    write("wiki/b.html", "<p>B</p>")
    run("documents", folder, source=SOURCE).json()
    write("wiki/a.html", "<p>A, edited</p>")
    write("wiki/b.html", "<p>B, edited</p>")
    write("wiki/c.html", "<p>C</p>")
    clock = iter((0, 60, 121, 121))
    monkeypatch.setattr(conversions, "monotonic", lambda: next(clock))
    result = run("documents", folder, source=SOURCE, options=("--minutes", "2"))
    assert result.exit_code == 1
    reason = "cannot be converted: the limit of 2 minutes is reached; raise it with --minutes"
    for name in ("b", "c"):
        assert f"{name}.html: {reason}" in result.stderr
    items = [read(f"/knowledge/{item['id']}")["content"] for item in read("/knowledge")]
    assert sorted(items) == ["A, edited\n", "B\n"]
