"""HTML, Word, PowerPoint, PDF and EPUB become what a reader sees; nothing in them runs."""

import zipfile
from functools import partial
from pathlib import Path

import pytest
import yaml

from orgctx.importers import ImportRejected
from orgctx.importers import archive as archives
from orgctx.importers.folder import reading
from tests.importers.conftest import STAMPED_AT, Read, Run, Write, documents, imported, tables
from tests.importers.files import workbook
from tests.importers.office import WORD, archive, book, members, paragraph, slides, word

SOURCE = "docs:wiki"
PAGES = yaml.load(Path(__file__).with_name("pages.yaml").read_text("utf-8"), yaml.CBaseLoader)
MATH = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'


STRICT_WORD = "http://purl.oclc.org/ooxml/wordprocessingml/main"
OUTSIDE = '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
RUSSIAN = "<h1>Погода</h1><p>Это обычный русский текст о погоде и море.</p>"
WEATHER = "# Погода\n\nЭто обычный русский текст о погоде и море.\n"
GUESS, REPLACED = "character set guessed: cp1251", "bytes replaced that are not UTF-8"

converted = partial(imported, documents)


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
        (RUSSIAN.encode("cp1251"), WEATHER, GUESS),
        (b"<meta charset=utf-8>" + RUSSIAN.encode("cp1251"), WEATHER, GUESS),
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


def test_chapter_keeps_all_articles(write: Write) -> None:
    """Text around the articles of a chapter belongs to the book."""
    chapter = "<body><h1>Poems</h1><article>One</article>Between<article>Two</article></body>"
    ((data,), _) = converted(write("a.epub", book(chapter)))
    assert data["content"] == "# First\n\nOut.\n\n# Poems\n\nOne\n\nBetween\n\nTwo\n"


def test_missing_chapter_of_a_book_is_counted(write: Write) -> None:
    (_, report) = converted(write("a.epub", book("")))
    assert report.skipped["chapter that a book lacks"].count == 1


def test_xml_entity_reads_no_file(write: Write) -> None:
    document = write("a.docx", word(paragraph("before &x; after"), OUTSIDE))
    items, report = converted(document)
    assert report.refused_count or "root:" not in items[0]["content"]


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


@pytest.mark.thorough
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
    # The seconds at the start, then before each file.
    clock = iter((0, 60, 121, 121))
    monkeypatch.setattr(reading, "monotonic", lambda: next(clock))
    result = run("documents", folder, source=SOURCE, options=("--minutes", "2"))
    assert result.exit_code == 1
    reason = "cannot be converted: the limit of 2 minutes is reached; raise it with --minutes"
    for name in ("b", "c"):
        assert f"{name}.html: {reason}" in result.stderr
    items = [read(f"/knowledge/{item['id']}")["content"] for item in read("/knowledge")]
    assert sorted(items) == ["A, edited\n", "B\n"]


ROWS = tables("word")
ROWS |= {
    f"equation {tex}": {
        "body": f"<w:p><w:r><w:t>Let</w:t></w:r><m:oMath>{math}</m:oMath></w:p>",
        "text": f"Let${tex}$\n",
    }
    for tex, math in ROWS.pop("equations").items()
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("namespace", [WORD, STRICT_WORD], ids=["transitional", "strict"])
@pytest.mark.parametrize("name", ROWS)
def test_word_document_becomes_what_readers_see(write: Write, name: str, namespace: str) -> None:
    row = ROWS[name]
    body = row["body"].replace("<w:p>", f"<w:p {MATH}>", 1)
    content = members(word(body, parts=row.get("parts", {})))
    strict = {
        part: text.replace(WORD.encode(), namespace.encode()) for part, text in content.items()
    }
    ((data,), report) = converted(write("a.docx", archive(strict)))
    assert data["content"] == row["text"]
    skipped = {reason: skip.count for reason, skip in report.skipped.items()}
    assert skipped == row.get("skipped", {})


def test_deep_equation_is_bounded(write: Write) -> None:
    deep = "<m:r><m:t>x</m:t></m:r>"
    for _ in range(1_000):
        deep = f"<m:rad><m:e>{deep}</m:e></m:rad>"
    body = f"<w:p {MATH}><m:oMath>{deep}</m:oMath></w:p>{paragraph('Rest')}"
    items, report = converted(write("a.docx", word(body)))
    assert report.refused_count or "Rest" in items[0]["content"]


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


def test_slide_show_is_rejected_with_advice(write: Write) -> None:
    main, show = b"presentation.main+xml", b"slideshow.main+xml"
    content = with_replaced(slides(), "[Content_Types].xml", main, show)
    _, report = converted(write("a.pptx", content))
    (refused,) = report.refused
    assert refused == "a.pptx: cannot be converted: is not a presentation; save it as .pptx"
