"""Each format becomes what its readers see; what is left out is counted."""

import json
import os
import re
import struct
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest

from orgctx.importers.folder import conversion
from orgctx.importers.folder import importer as formats
from orgctx.importers.formats import (
    BY_SUFFIX,
    FORMATS,
    UNSUPPORTED,
    mail,
    notes,
    suffixes,
    tables,
    workbook,
)
from tests.importers import files
from tests.importers.conftest import (
    STAMPED_AT,
    Read,
    Run,
    Write,
    ids,
    imported,
    unchanged,
)
from tests.importers.office import archive, book, paragraph, pdf, slides, word
from tests.support.deployment import Deployment

SOURCE = "docs:wiki"
DAY = "2024-01-02T00:00:00Z"
MAIL = "- From: Ada Lovelace <ada@example.com>\n- To: Bob <bob@example.com>\n\n"


@dataclass
class Sample:
    """A file, and the document that it becomes. created: None for the time of the file."""

    content: bytes
    title: str
    text: str
    created: str | None = None
    skipped: dict[str, int] = field(default_factory=dict)


NOTE = "[x] {}\n\n- Author: Ada\n- Tags: harbour\n"
SAMPLES = {
    ".xlsx": Sample(
        files.workbook(), "Ports",
        "## Harbours\n\n| Name | Depth | Since |\n| --- | --- | --- |\n"
        "| East \\| A | 7.5 | 2024-01-02 |\n| West B | TRUE |  |\n",
        DAY,
        {"hidden sheet": 1, "hidden row of a table": 1, "hidden column of a table": 1, "comment": 1,
         "formula without a stored result": 1},
    ),
    ".odt": Sample(
        files.open_document(), "Ropes",
        "# Knots\n\nTie them.\n\n| Hour | Who |\n|------|-----|\n| 22   | Bob |\n", DAY,
        {"deleted text of a tracked change": 1},
    ),
    ".eml": Sample(
        files.MAIL, "Night wätch", f"{MAIL}Ring the bell at café.\n", DAY,
        {"attachment of a mail": 1, "hidden recipients of a mail (Bcc)": 1},
    ),
    ".msg": Sample(
        Path(__file__).with_name("watch.msg").read_bytes(), "Watch",
        "- From: Ada <ada@example.com>\n- To: Bob\n\nRing\nit.\n", DAY,
        {"attachment of a mail": 1, "hidden recipients of a mail (Bcc)": 1},
    ),
    ".mbox": Sample(
        files.mailbox("a"), "a", "- From: Ada <ada@example.com>\n\nText of a\n", None
    ),
    ".mhtml": Sample(
        files.SAVED_PAGE, "Moorings", "# Причал\n\nEast\n", DAY, {"embedded page or media": 1}
    ),
    ".ipynb": Sample(
        files.NOTEBOOK, "Tides",
        "# High\nwater\n\n```python\nprint(1)\n```\n\n```\n1\n```\n\n```\n<Figure>\n```\n", None,
        {"picture or program in a notebook": 1, "error output of a notebook": 1,
         "hidden cell of a notebook": 1, "hidden code of a notebook": 1,
         "raw cell of a notebook": 1},
    ),
    ".enex": Sample(
        files.notes("One"), "Bell", NOTE.format("One"), DAY,
        {"attachment of a note": 1, "encrypted part of a note": 1},
    ),
    ".csv": Sample(
        "Größe;b\n1;2|3\n\n;\n".encode("cp1252"), "a",
        "| Größe | b |\n| --- | --- |\n| 1 | 2\\|3 |\n",
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
        "Signals", "Stop.\nGo.\n", "2024-01-02T02:04:05Z", {"comment": 1},
    ),
    ".epub": Sample(book(), "Voyages", "# First\n\nOut.\n\n# Second\n\nBack.\n", DAY),
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


ENCRYPTION = "<encryption><CipherReference URI='o/b.xhtml'/></encryption>"
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
    (".pptx", archive({"a": "b"}), "cannot be converted"),
    (".pdf", b"%PDF-1.4 broken", "cannot be converted: is damaged or no PDF file"),
    (".pdf", pdf("Words")[:300], "cannot be converted: is damaged or no PDF file"),
    (".pdf", pdf("Words").replace(b"[3 0 R", b"[99 0 R"), "is damaged or no PDF file"),
    (".pdf", pdf("Words").replace(b"trailer<<", ENCRYPTED), "protected by a password; remove it"),
    (".pdf", pdf(), "cannot be converted: contains no text; scanned pages need OCR first"),
    (".html", b"<div>" * 5_000, "cannot be converted"),
    (".ipynb", b"[]", "is not a notebook"),
    (".msg", b"no", "is damaged"),
    (".odt", archive({"a": "b"}), "cannot be converted"),
    (".xlsx", archive({"a": "b"}), "cannot be converted"),
    (".mhtml", files.MAIL, "contains no page"),
    (".epub", archive({"a": "b"}), "cannot be converted"),
    (".epub", book(encrypted=ENCRYPTION), "is encrypted"),
    (".enex", b"<en-export><note>", "cannot be converted"),
)


converted = partial(imported, formats)


def test_every_format_has_a_row() -> None:
    titles = {one.title for one in FORMATS}
    whole = {BY_SUFFIX[suffix].title for suffix in SAMPLES}
    broken = {BY_SUFFIX[suffix].title for suffix, *_ in BROKEN}
    assert not titles - whole, f"add rows to SAMPLES in {__file__}: {titles - whole}"
    # Any bytes are a mail, a mailbox or a table.
    lacking = titles - broken - {"mails", "mailboxes", "CSV"}
    assert not lacking, f"add rows to BROKEN in {__file__}: {lacking}"


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
    os.truncate(path, BY_SUFFIX[suffix].max_bytes + 1)
    items, report = converted(path.parent)
    assert not items
    assert re.search(f"^a{suffix}: .*exceeds [0-9,]+ [MG]iB", report.refused[0])
    # The check for secrets at the end of a session would read its zeros.
    path.unlink()


def test_help_and_page_name_the_formats(acme: Deployment) -> None:
    """docs/importing.md has a row for each importer."""
    page = (Path(__file__).parents[2] / "docs/importing.md").read_text("utf-8")
    rows = re.findall(r"^\| ((?:`\.\w+` ?)+) \| ([\w ]+) \|", page, re.MULTILINE)
    documented = {title: tuple(re.findall(r"\.\w+", suffixes)) for suffixes, title in rows}
    sandboxed = {one.title: one.suffixes for one in FORMATS if one.is_sandboxed}
    assert sandboxed.items() <= documented.items()
    assert {suffix for one in documented.values() for suffix in one} == set(BY_SUFFIX)
    for command, importer in (("folder", None), ("markdown",) * 2, ("documents",) * 2):
        text = " ".join(acme.cli("import", command, "--help").stdout.split())
        assert f"Formats: {', '.join(suffixes(importer))}." in text


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
    for suffix in (".docx", ".pptx", ".pdf", ".epub"):
        sample = SAMPLES[suffix]
        item = read(f"/knowledge/{ids(read)[sample.title]}")
        assert item["content"] == sample.text
        assert (item["createdAt"][:10], item["updatedAt"][:10]) == ("2024-01-02", "2024-02-03")


@pytest.mark.parametrize("suffix", UNSUPPORTED)
def test_unsupported_format_is_refused_with_advice(write: Write, suffix: str) -> None:
    _, report = converted(write(f"a{suffix}", b"x"))
    assert report.refused == [f"a{suffix}: cannot be converted: {UNSUPPORTED[suffix]}"]


def test_mails_of_a_mailbox_have_stable_ids(run: Run, read: Read, write: Write) -> None:
    """A mail before others does not change their ids, and a copy is counted."""
    path = write("wiki/a.mbox", files.mailbox("one", "two", "one"))
    report = run("documents", path.parent, source=SOURCE).json()
    assert report["skipped"]["copy of another mail or note in the same file"]["count"] == 1
    before = ids(read)
    # Another mail with the Message-ID of a stored one does not replace it.
    forged = files.mailbox("one").replace(b"Text", b"Forged text")
    write("wiki/a.mbox", forged + files.mailbox("one", "two"))
    report = run("documents", path.parent, source=SOURCE).json()
    assert (report["created"], report["updated"], report["deleted"]) == (1, 0, 0)
    write("wiki/a.mbox", files.mailbox("one", "two"))
    assert run("documents", path.parent, source=SOURCE).json()["deleted"] == 1
    write("wiki/a.mbox", files.mailbox("zero", "one", "two"))
    report = run("documents", path.parent, source=SOURCE).json()
    assert (report["created"], report["updated"], report["deleted"]) == (1, 0, 0)
    assert before.items() <= ids(read).items()
    write("wiki/a.mbox", files.mailbox("zero"))
    assert run("documents", path.parent, source=SOURCE).json()["deleted"] == 2


def test_unreadable_file_of_several_documents_deletes_none(
    run: Run, read: Read, write: Write
) -> None:
    path = write("wiki/a.enex", files.notes("One", "Two"))
    run("documents", path.parent, source=SOURCE).json()
    write("wiki/a.enex", b"<en-export><note>")
    result = run("documents", path.parent, source=SOURCE, options=("--allow-empty",))
    assert "a.enex: cannot be converted" in result.stderr
    assert len(read("/knowledge")) == 2


@pytest.mark.parametrize(
    "header",
    [
        "X-Gmail-Labels: Inbox,Spam",
        "X-Gmail-Labels: Trash",
        "X-Mozilla-Status: 0009",
        "X-Status: AD",
    ],
)
def test_deleted_mails_and_spam_are_left_out(write: Write, header: str) -> None:
    content = files.mailbox("good", "bad", bad=f"{header}\n")
    items, report = converted(write("a.mbox", content))
    assert [data["title"] for data in items] == ["good"]
    assert sum(skip.count for skip in report.skipped.values()) == 1


def test_mailbox_is_converted_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversion, "PART_LENGTH", 1)
    path = tmp_path / "a.mbox"
    path.write_bytes(files.mailbox("one", "two", "three"))
    place = {"folder": str(path.parent), "path": path.name}
    request = {**place, "suffix": ".mbox", "start": 0, "keys_only": False}
    titles = []
    while request["start"] is not None:
        part = conversion.convert(request)
        titles += [document.title for document in part["documents"]]
        assert len(part["documents"]) <= 1
        request["start"] = part["next"]
    assert titles == ["one", "two", "three"]


def test_long_mail_costs_only_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mail, "LONGEST_MAIL", 200)
    path = tmp_path / "a.mbox"
    path.write_bytes(files.mailbox("one", "x" * 500, "three"))
    with path.open("rb") as file:
        mails = [document for document, _ in mail.mailbox(file, 0)]
    assert [mail.title for mail in mails] == ["one", "", "three"]
    assert "exceeds" in mails[1].error


def test_part_of_a_mail_without_headers_is_its_text(write: Write) -> None:
    head = b"Subject: Tide\nContent-Type: multipart/mixed; boundary=b\n\n"
    (data,), _ = converted(write("a.eml", head + b"--b\n\nHigh water.\n--b--\n"))
    assert data["content"].strip() == "High water."


def test_quoted_line_of_a_mail_begins_no_mail(write: Write) -> None:
    text = files.mailbox("one") + b">From Bob Tue Jan  2 00:00:00 2024\nFrom now on\n"
    (data,), _ = converted(write("a.mbox", text))
    assert data["content"].endswith("From Bob Tue Jan  2 00:00:00 2024\nFrom now on\n")


def test_table_has_a_maximum_of_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MOST_CELLS", 4)
    document = tables.delimited(b"a,b\n1,2\n3,4\n5,6\n")
    assert document.content.count("\n") == 2
    assert document.skipped[tables.CUT] == 2
    document = workbook.convert(files.workbook())
    assert document.skipped[tables.CUT] == 2  # one has values only in a hidden column


def test_attachments_of_a_text_bundle_are_no_documents(write: Write) -> None:
    write("wiki/Bell.textbundle/text.md", "Ring it.")
    folder = write("wiki/Bell.textbundle/assets/plan.html", "Words").parents[2]
    ((bell,), report) = converted(folder)
    assert bell["content"] == "Ring it."
    assert report.skipped["attachment of a text bundle"].count == 1


@pytest.mark.parametrize(
    ("option", "text"),
    [
        ("#| include: false", ""),
        ("#| hide", ""),
        ("#| echo: false", "```\n1\n```"),
        ("#| output: false", "```\n#| output: false\nprint(1)\n```"),
    ],
)
def test_option_hides_a_cell(option: str, text: str) -> None:
    cell = {"cell_type": "code", "source": f"{option}\nprint(1)",
            "outputs": [{"output_type": "stream", "text": "1\n"}]}  # fmt: skip
    document = notes.notebook(json.dumps({"cells": [cell], "metadata": {}}).encode())
    assert document.content == text
    assert document.skipped.total() == 1
