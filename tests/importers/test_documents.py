"""HTML, Word, PowerPoint, PDF and EPUB become what a reader sees; nothing in them runs."""

from functools import partial
from io import BytesIO
from itertools import count
from pathlib import Path

import pytest
import yaml
from openpyxl import Workbook

from orgctx.importers.folder import reading
from tests.importers.conftest import STAMPED_AT, Read, Run, Write, folders, imported, tables
from tests.importers.office import (
    archive,
    members,
    paragraph,
    pdf,
    shape,
    sheet,
    slide,
    slides,
    word,
    workbook,
)

SOURCE = "docs:wiki"
PAGES = yaml.load(Path(__file__).with_name("pages.yaml").read_text("utf-8"), yaml.CBaseLoader)
MATH = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'


OUTSIDE = '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
RUSSIAN = "<h1>Погода</h1><p>Это обычный русский текст о погоде и море.</p>"
WEATHER = "# Погода\n\nЭто обычный русский текст о погоде и море.\n"
GUESS = "read as cp1252, because it declares no character set and is not UTF-8"
REPLACED = "bytes replaced that are not UTF-8"

converted = partial(imported, folders)


@pytest.mark.parametrize("name", PAGES)
def test_web_page_becomes_markdown(write: Write, name: str) -> None:
    page = PAGES[name]
    ((data,), report) = converted(write("page.html", page["html"]))
    assert (data["title"], data["content"]) == (page["title"], page["content"])
    dates = page.get("dates", [STAMPED_AT, STAMPED_AT])
    assert [data["createdAt"], data["updatedAt"]] == dates
    if "skipped" in page:
        skipped = {reason: str(skip.count) for reason, skip in report.skipped.items()}
        assert skipped == page["skipped"]


@pytest.mark.parametrize(
    ("content", "text", "repaired"),
    [
        (RUSSIAN.encode(), WEATHER, None),
        (RUSSIAN.encode("utf-16"), WEATHER, None),
        (b"<meta charset=windows-1251>" + RUSSIAN.encode("cp1251"), WEATHER, None),
        (b"<meta charset=utf-16>" + RUSSIAN.encode(), WEATHER, None),
        (b"<p>Gr\xf6\xdfe</p>", "Größe\n", GUESS),
        (b"<meta charset=utf-8><p>Gr\xf6\xdfe</p>", "Größe\n", GUESS),
        # As in browsers, Latin-1 is Windows-1252, which has these instead of control characters.
        (b"<meta charset=iso-8859-1><p>\x93Bell\x94 \x80 5</p>", "“Bell” € 5\n", None),
        (RUSSIAN.encode() + b"<p>caf\xe9</p>", f"{WEATHER}\ncaf\ufffd\n", REPLACED),
    ],
)
def test_guess_of_a_character_set_is_reported(
    write: Write, content: bytes, text: str, repaired: str | None
) -> None:
    ((data,), report) = converted(write("page.html", content))
    assert data["content"] == text
    assert report.repaired == ({repaired: 1} if repaired else {})


def test_xml_entity_reads_no_file(write: Write) -> None:
    document = write("a.docx", word(paragraph("before &x; after"), OUTSIDE))
    items, report = converted(document)
    assert report.refused_count or "root:" not in items[0]["content"]


@pytest.mark.thorough
def test_conversions_have_a_time_limit(
    run: Run, read: Read, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files that a run does not reach are named and stay as they were stored."""
    folder = write("wiki/a.html", "<p>A</p>").parent
    write("wiki/b.html", "<p>B</p>")
    run("folder", folder, source=SOURCE).json()
    write("wiki/a.html", "<p>A, edited</p>")
    write("wiki/b.html", "<p>B, edited</p>")
    write("wiki/c.html", "<p>C</p>")
    # More than two minutes pass between two looks at the clock.
    monkeypatch.setattr(reading, "monotonic", count(step=121).__next__)
    error = run("folder", folder, source=SOURCE, options=("--minutes", "2")).failed()
    reason = "cannot be converted: the time for all conversions is over; raise it with --minutes"
    for name in ("a", "b", "c"):
        assert f"{name}.html: {reason}" in error
    items = [read(f"/knowledge/{item['id']}")["content"] for item in read("/knowledge")]
    assert sorted(items) == ["A\n", "B\n"]


ROWS = tables("word")


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", ROWS)
def test_word_document_becomes_what_readers_see(write: Write, name: str) -> None:
    row = ROWS[name]
    body = row["body"].replace("<w:p>", f"<w:p {MATH}>", 1)
    ((data,), report) = converted(write("a.docx", word(body, parts=row.get("parts", {}))))
    assert data["content"] == row["text"]
    skipped = {reason: skip.count for reason, skip in report.skipped.items()}
    assert skipped == row.get("skipped", {})


def with_replaced(package: bytes, name: str, old: bytes, new: bytes) -> bytes:
    """Replace bytes in one member of an Office file."""
    content = members(package)
    assert old in content[name]
    return archive(content | {name: content[name].replace(old, new)})


def test_anchors_of_a_drawing_are_no_columns_of_the_sheet(write: Write) -> None:
    anchor = b"<controls><x:col xmlns:x='urn:drawing'>1</x:col></controls></worksheet>"
    sheet = "xl/worksheets/sheet1.xml"
    content = with_replaced(workbook(), sheet, b"</worksheet>", anchor)
    ((data,), report) = converted(write("a.xlsx", content))
    assert "East" in data["content"]
    assert report.refused_count == 0


VALUES = [
    (0.07, "0.0 %", "7%"),
    (3, "[<=1]0%;0.00", "3"),
    (5, '0"%"', "5"),
    (1.25, "[h]:mm", "1 day, 6:00:00"),
    (0.1 + 0.2, "General", "0.3"),
    (1234567.891, "#,##0", "1234567.891"),
]


def test_numbers_of_a_sheet_are_plain(write: Write) -> None:
    book = Workbook()
    for number, (value, form, _) in enumerate(VALUES, 1):
        cell = book.active.cell(number, 1, value)
        cell.number_format = form
    file = BytesIO()
    book.save(file)
    ((data,), _) = converted(write("a.xlsx", file.getvalue()))
    first, _, *rest = [line for line in data["content"].splitlines() if line.startswith("|")]
    assert [line.strip("| ") for line in (first, *rest)] == [text for *_, text in VALUES]


def test_picture_in_place_of_the_title_of_a_slide(write: Write) -> None:
    slide = "ppt/slides/slide1.xml"
    shape = members(slides())[slide].partition(b"<p:sp>")[2].partition(b"</p:sp>")[0]
    picture = (
        b"<p:pic><p:nvPicPr><p:cNvPr id='2' name='Title'/><p:cNvPicPr/><p:nvPr><p:ph type='title'/>"
        b"</p:nvPr></p:nvPicPr><p:blipFill/><p:spPr/></p:pic>"
    )
    content = with_replaced(slides(), slide, b"<p:sp>" + shape + b"</p:sp>", picture)
    ((data,), report) = converted(write("a.pptx", content))
    assert data["content"] == "## Slide 1\n\n- From the west\n"
    assert report.skipped["picture, chart or other object"].count == 1


def test_names_that_programs_give_are_no_titles(write: Write) -> None:
    row = '<sheetData><row><c t="inlineStr"><is><t>Words</t></is></c></row></sheetData>'
    write("docs/fees.xlsx", sheet(row))
    for name, title in ((" plan ", b"PowerPoint Presentation"), ("rent", b"untitled")):
        write(f"docs/{name}.pdf", pdf("Words").replace(b"Signals", title))
    write("docs/wordless.pptx", slide(shape("")))
    items, _ = converted(write("docs/tour.pptx", slide(shape("Words"))).parent)
    assert [data["title"] for data in items] == ["plan", "fees", "rent", "tour"]
