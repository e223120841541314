"""Each format becomes what its readers see; what is left out is counted."""

from __future__ import annotations

import json
import re
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from orgctx.importers.documents import conversion, delimited, mailbox, notebook, table, workbook
from orgctx.importers.documents.formats import BY_SUFFIX, FORMATS, UNSUPPORTED
from tests.importers import files
from tests.importers.conftest import STAMPED_AT, Read, Run, Write, documents, imported, unchanged
from tests.importers.office import archive, book, paragraph, pdf, slides, word

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
        {"comment": 1, "deleted text of a tracked change": 1, "hidden text": 1},
    ),
    ".rtf": Sample(
        files.RICH_TEXT, "Ropes", "Tie knots. [Well.]\nCafé ’s.\nhere\n", DAY,
        {"header or footer": 1, "hidden text": 1, "deleted text of a tracked change": 1,
         "comment": 1, "address of a link, or another field": 1, "picture": 1},
    ),
    ".eml": Sample(
        files.MAIL, "Night wätch", f"{MAIL}Ring the bell at café.\n", DAY,
        {"attachment of a mail": 1, "hidden recipients of a mail (Bcc)": 1},
    ),
    ".msg": Sample(
        files.outlook(), "Watch", "- From: Ada <ada@example.com>\n- To: Bob\n\nRing\nit.\n", DAY,
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
    ".textpack": Sample(
        files.text_pack(), "Bell", "# Bell\n\nRing it.\n", None, {"attachment of a text bundle": 1}
    ),
    ".csv": Sample(
        "Größe;b\n1;2|3\n\n;\n".encode("cp1252"), "a",
        "| Größe | b |\n| --- | --- |\n| 1 | 2\\|3 |\n",
    ),
    ".html": Sample(b"<title>Page</title><p>Words</p>", "Page", "Words\n"),
    ".docx": Sample(word(paragraph("Words")), "Rigging", "Words\n", "2024-01-02T03:04:05Z"),
    ".pdf": Sample(pdf("Words"), "Signals", "Words\n", "2024-01-02T02:04:05Z"),
    ".epub": Sample(book(), "Voyages", "# First\n\nOut.\n\n# Second\n\nBack.\n", DAY),
    ".pptx": Sample(
        slides(), "Weather", "## Winds\n\n- From the west\n", DAY,
        {"hidden slide": 1, "speaker notes": 2},
    ),
}  # fmt: skip


def converted(path: Path) -> tuple[list[dict[str, Any]], Any]:
    return imported(documents, path)


def test_every_format_has_a_sample() -> None:
    assert {BY_SUFFIX[suffix].title for suffix in SAMPLES} == {one.title for one in FORMATS}


def test_every_format_is_documented() -> None:
    page = Path(__file__).parents[2] / "docs/importing.md"
    rows = re.findall(r"^\| ((?:`\.\w+` ?)+) \| ([\w ]+) \|", page.read_text("utf-8"), re.MULTILINE)
    documented = {title: tuple(re.findall(r"\.\w+", suffixes)) for suffixes, title in rows}
    assert {one.title: one.suffixes for one in FORMATS}.items() <= documented.items()


@pytest.mark.parametrize("suffix", SAMPLES)
def test_format_becomes_what_readers_see(write: Write, suffix: str) -> None:
    sample = SAMPLES[suffix]
    (data,), report = converted(write(f"a{suffix}", sample.content))
    assert (data["title"], data["content"]) == (sample.title, sample.text)
    assert data["createdAt"] == (sample.created or STAMPED_AT)
    assert {reason: skip.count for reason, skip in report.skipped.items()} == sample.skipped
    assert not report.refused


def test_second_import_of_all_formats_changes_nothing(run: Run, write: Write) -> None:
    for suffix, sample in SAMPLES.items():
        folder = write(f"wiki/a{suffix}", sample.content).parent
    assert run("documents", folder, source=SOURCE).json()["created"] == len(SAMPLES) + 1
    assert unchanged(run("documents", folder, source=SOURCE).json())


@pytest.mark.parametrize("suffix", UNSUPPORTED)
def test_unsupported_format_is_refused_with_advice(write: Write, suffix: str) -> None:
    _, report = converted(write(f"a{suffix}", b"x"))
    assert report.refused == [f"a{suffix}: cannot be converted: {UNSUPPORTED[suffix]}"]


def test_mails_of_a_mailbox_have_stable_ids(run: Run, read: Read, write: Write) -> None:
    """A mail before others does not change their ids, and a copy is counted."""
    path = write("wiki/a.mbox", files.mailbox("one", "two", "one"))
    report = run("documents", path.parent, source=SOURCE).json()
    assert report["skipped"]["copy of another mail or note in the same file"]["count"] == 1
    ids = {item["title"]: item["id"] for item in read("/knowledge")}
    write("wiki/a.mbox", files.mailbox("zero", "one", "two"))
    report = run("documents", path.parent, source=SOURCE).json()
    assert (report["created"], report["updated"], report["deleted"]) == (1, 0, 0)
    assert ids.items() <= {item["title"]: item["id"] for item in read("/knowledge")}.items()
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
    ["X-Gmail-Labels: Inbox,Spam", "X-Gmail-Labels: Trash", "X-Mozilla-Status: 0009"],
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
    monkeypatch.setattr(mailbox, "LONGEST_MAIL", 200)
    path = tmp_path / "a.mbox"
    path.write_bytes(files.mailbox("one", "x" * 500, "three"))
    with path.open("rb") as file:
        mails = [document for document, _ in mailbox.convert_all(file, 0)]
    assert [mail.title for mail in mails] == ["one", "", "three"]
    assert "exceeds" in mails[1].error


def test_quoted_line_of_a_mail_begins_no_mail(write: Write) -> None:
    text = files.mailbox("one") + b">From Bob Tue Jan  2 00:00:00 2024\nFrom now on\n"
    (data,), _ = converted(write("a.mbox", text))
    assert data["content"].endswith("From Bob Tue Jan  2 00:00:00 2024\nFrom now on\n")


def test_table_has_a_maximum_of_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "MOST_CELLS", 4)
    document = delimited.convert(b"a,b\n1,2\n3,4\n5,6\n")
    assert document.content.count("\n") == 2
    assert document.skipped[table.CUT] == 2
    document = workbook.convert(files.workbook())
    assert document.skipped[table.CUT] == 1


def test_equal_notes_are_kept_apart(write: Write) -> None:
    items, _ = converted(write("a.enex", files.notes("One", "Two")))
    assert [data["content"] for data in items] == [NOTE.format("One"), NOTE.format("Two")]
    assert len({data["id"] for data in items}) == 2


def test_text_bundle_may_be_a_folder(write: Write) -> None:
    write("wiki/Bell.textbundle/text.md", "Ring it.")
    write("wiki/Bell.textbundle/info.json", "{}")
    items, report = converted(write("wiki/Bell.textbundle/assets/plan.pdf", pdf("x")).parents[2])
    assert [(data["title"], data["content"]) for data in items] == [("Bell", "Ring it.\n")]
    assert report.skipped["attachment of a text bundle"].count == 2


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.textpack", files.text_pack("---\ndraft: true\n---\nx"), "has front matter"),
        ("a.ipynb", files.NOTEBOOK.replace(b"title: x", b"draft: true"), "is a draft"),
        ("a.ipynb", b"[]", "is no notebook"),
        ("a.rtf", b"no", "is damaged"),
        ("a.msg", b"no", "is damaged"),
        ("a.odt", archive({"a": "b"}), "cannot be converted"),
        ("a.xlsx", archive({"a": "b"}), "cannot be converted"),
        ("a.mhtml", files.MAIL, "contains no page"),
    ],
)
def test_unpublished_or_damaged_file_is_refused(
    write: Write, name: str, content: bytes, reason: str
) -> None:
    items, report = converted(write(name, content))
    assert not items
    assert reason in report.refused[0]


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
    document = notebook.convert(json.dumps({"cells": [cell], "metadata": {}}).encode())
    assert document.content == text
    assert document.skipped.total() == 1


def test_encrypted_book_is_refused(write: Write) -> None:
    encryption = "<encryption><CipherReference URI='o/b.xhtml'/></encryption>"
    path = write("a.epub", book())
    with zipfile.ZipFile(path, "a") as target:
        target.writestr("META-INF/encryption.xml", encryption)
    items, report = converted(path)
    assert not items
    assert "is encrypted" in report.refused[0]
    assert report.read == 1


def test_notion_export_as_html(write: Write) -> None:
    """A large export is an archive of archives. A page keeps its id when it is moved."""
    page = "<title>Knots</title><article><h1>Knots</h1><p>Tie them.</p></article>"
    name = f"Knots {'0123456789abcdef' * 2}.html"
    ids = set()
    for folder in ("Ropes/", ""):
        part = archive({f"Export/{folder}{name}": page, "Export/photo.png": b""})
        (data,), _ = converted(write("Export.zip", archive({"Export-Part-1.zip": part})))
        assert data["title"] == "Knots"
        ids.add(data["id"])
    assert len(ids) == 1
