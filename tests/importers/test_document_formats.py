"""Each format becomes what its readers see; what is left out is counted."""

import os
import re
import struct
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest

from orgctx.importers.folder import importer as folders
from orgctx.importers.formats import FORMATS, MAX_FILE_BYTES, UNSUPPORTED, tables
from orgctx.importers.formats import workbook as workbooks
from tests.importers.conftest import (
    STAMPED_AT,
    Read,
    Run,
    Write,
    ids,
    imported,
    unchanged,
)
from tests.importers.office import archive, paragraph, pdf, slides, word, workbook
from tests.support.deployment import Deployment

SOURCE = "docs:wiki"
DAY = "2024-01-02T00:00:00Z"


@dataclass
class Sample:
    """A file, and the document that it becomes. created: None for the time of the file."""

    content: bytes
    title: str
    text: str
    created: str | None = None
    skipped: dict[str, int] = field(default_factory=dict)


SAMPLES = {
    ".xlsx": Sample(
        workbook(), "Ports",
        "## Harbours\n\n| Name | Depth | Since |\n| --- | --- | --- |\n"
        "| East \\| A | 7.5 | 2024-01-02 |\n| West B | TRUE |  |\n",
        DAY,
        {"hidden sheet": 1, "hidden row of a table": 1, "hidden column of a table": 1, "comment": 1,
         "formula without a stored result": 1},
    ),
    ".csv": Sample(
        "Größe;b\nC:\\a;2|3\\|4\n\n;\n".encode("cp1252"), "a",
        "| Größe | b |\n| --- | --- |\n| C:\\a | 2\\|3\\\\\\|4 |\n",
    ),
    ".html": Sample(
        b"<title>Page</title><p>Words</p><p hidden>Secret</p>", "Page", "Words\n",
        skipped={"hidden part of a page": 1},
    ),
    ".md": Sample(b"---\ntitle: Page\n---\nWords\n", "Page", "Words\n"),
    ".txt": Sample(b"Words\n", "a", "Words\n"),
    ".docx": Sample(
        word(paragraph("Knots", "Heading1") + paragraph("Secret", run="<w:vanish/>")),
        "Rigging", "# Knots\n", "2024-01-02T03:04:05Z", {"hidden text": 1},
    ),
    ".pdf": Sample(
        pdf("Stop.", "Go.", page="/Annots[<</Subtype/Text/Rect[0 0 1 1]"
            "/Contents(Only for us)>><</Subtype/Link/Rect[0 0 1 1]>>]"),
        "Signals", "Stop.\nGo.\n", "2024-01-02T02:04:05Z",
    ),
    ".pptx": Sample(
        slides(), "Weather", "## Winds\n\n- From the west\n", DAY,
        {"hidden slide": 2, "speaker notes": 3, "hidden object of a slide": 1},
    ),
}  # fmt: skip


LAUGHS = "<!DOCTYPE d [<!ENTITY a 'ha'>" + "".join(
    f"<!ENTITY {chr(98 + n)} '{f'&{chr(97 + n)};' * 10}'>" for n in range(12)
) + "]>"  # fmt: skip


def stating(size: int) -> bytes:
    """An archive whose directory states this size of its file."""
    content = archive({"a": "b"})
    entry = content.index(b"PK\x01\x02")
    return content[: entry + 24] + struct.pack("<I", size) + content[entry + 28 :]


ENCRYPTED = b"trailer<</ID[<00><00>]/Encrypt<</Filter/Standard/V 1/R 2/P -1/O(%s)/U(%s)>>" % (
    b"o" * 32,
    b"u" * 32,
)
# Files that are refused, and why: at least one of each format.
BROKEN = (
    (".md", b"ok\nb\xff", "is not UTF-8: byte 4, line 2"),
    (".md", "hello".encode("utf-16"), "is UTF-16; save it as UTF-8"),
    (".md", b"a\0b", "contains a NUL character at character 1"),
    (".txt", b"a\0b", "contains a NUL character"),
    (".docx", b"no archive", "is damaged, protected by a password, or of another"),
    (".docx", word(paragraph("&l;"), LAUGHS), "cannot be converted"),
    (".docx", stating(600 << 20), "unpacks to more than 512 MiB"),
    (".docx", archive({"_rels/.rels": "http://purl.oclc.org/ooxml/"}), "is Strict Open XML; save"),
    (".pptx", archive({"a": "b"}), "cannot be converted"),
    (".pdf", b"%PDF-1.4 broken", "cannot be converted: is damaged or no PDF file"),
    (".pdf", pdf("Words")[:300], "cannot be converted: is damaged or no PDF file"),
    (".pdf", pdf("Words").replace(b"[3 0 R", b"[99 0 R"), "is damaged or no PDF file"),
    (".pdf", pdf("Words").replace(b"trailer<<", ENCRYPTED), "protected by a password; remove it"),
    (".pdf", pdf(), "cannot be converted: contains no text; scanned pages need OCR first"),
    (".html", b"<div>" * 5_000, "cannot be converted"),
    (".xlsx", archive({"a": "b"}), "cannot be converted"),
)


converted = partial(imported, folders)


def test_every_sandboxed_format_has_a_row() -> None:
    for one in FORMATS:
        suffixes = {*SAMPLES, ".mdx", ".adoc", ".rst", ".org"}
        assert suffixes & {*one.suffixes}, f"add a row to SAMPLES in {__file__}: {one.title}"


def test_help_and_page_name_the_formats(acme: Deployment) -> None:
    """docs/importing.md has a row for each format."""
    page = (Path(__file__).parents[2] / "docs/importing.md").read_text("utf-8")
    text = " ".join(acme.cli("import", "folder", "--help").stdout.split())
    for one in FORMATS:
        assert f"| {' '.join(f'`{suffix}`' for suffix in one.suffixes)} |" in page
        assert all(f"{suffix}" in text for suffix in one.suffixes)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("suffix", "content", "reason"), BROKEN)
def test_broken_file_is_refused(write: Write, suffix: str, content: bytes, reason: str) -> None:
    """Other files of the folder are imported."""
    folder = write(f"wiki/a{suffix}", content).parent
    write("wiki/good.html", "<p>Good</p>")
    items, report = converted(folder)
    assert [data["title"] for data in items] == ["good"]
    assert report.refused[0].startswith(f"a{suffix}: ")
    assert reason in report.refused[0]


@pytest.mark.parametrize("suffix", SAMPLES)
def test_file_has_a_maximum_size(write: Write, suffix: str) -> None:
    path = write(f"wiki/a{suffix}", SAMPLES[suffix].content)
    os.truncate(path, MAX_FILE_BYTES + 1)
    items, report = converted(path.parent)
    assert not items
    assert re.search(f"^a{suffix}: .*exceeds [0-9,]+ [MG]iB", report.refused[0])
    # The check for secrets at the end of a session would read its zeros.
    path.unlink()


@pytest.mark.parametrize("suffix", SAMPLES)
def test_format_becomes_what_readers_see(write: Write, suffix: str) -> None:
    sample = SAMPLES[suffix]
    (data,), report = converted(write(f"a{suffix}", sample.content))
    assert (data["title"], data["content"]) == (sample.title, sample.text)
    assert data["createdAt"] == (sample.created or STAMPED_AT)
    assert {reason: skip.count for reason, skip in report.skipped.items()} == sample.skipped
    assert not report.refused


def test_documents_of_all_formats_read_back(run: Run, read: Read, write: Write) -> None:
    """A second import changes nothing."""
    for suffix, sample in SAMPLES.items():
        folder = write(f"wiki/a{suffix}", sample.content).parent
    assert run("folder", folder, source=SOURCE).json()["created"] == len(SAMPLES) + 1
    assert unchanged(run("folder", folder, source=SOURCE).json())
    for suffix in (".docx", ".pptx", ".pdf"):
        sample = SAMPLES[suffix]
        item = read(f"/knowledge/{ids(read)[sample.title]}")
        assert item["content"] == sample.text
        assert (item["createdAt"][:10], item["updatedAt"][:10]) == ("2024-01-02", "2024-02-03")


@pytest.mark.parametrize("suffix", UNSUPPORTED)
def test_unsupported_format_is_refused_with_advice(write: Write, suffix: str) -> None:
    _, report = converted(write(f"a{suffix}", b"x"))
    assert report.refused == [f"a{suffix}: cannot be converted: {UNSUPPORTED[suffix]}"]


def test_table_has_a_maximum_of_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MOST_CELLS", 4)
    document = tables.delimited(b"a,b\n1,2\n3,4\n5,6\n")
    assert document.content.count("\n") == 2
    assert document.skipped["end of a table that has too many cells"] == 1
    document = workbooks.convert(workbook())
    assert document.skipped["end of a table that has too many cells"] == 1
