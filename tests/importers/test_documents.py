"""HTML, Word, PowerPoint, PDF and EPUB become what a reader sees; nothing in them runs."""

from __future__ import annotations

import json
import sys
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from orgctx.importers import Existing, ImportRefused, Report
from orgctx.importers import archive as archives
from orgctx.importers.documents import importer as documents
from tests.importers.conftest import unchanged
from tests.importers.office import archive, book, paragraph, pdf, slides, word
from tests.support import factories as f
from tests.support.deployment import Result

Run = Callable[..., Result]
Read = Callable[[str], Any]
Write = Callable[..., Path]
SOURCE = "docs:wiki"
PAGES = Path(__file__).parent / "corpus" / "pages"
HIDDEN = "<w:vanish/>"
LAUGHS = "<!DOCTYPE d [<!ENTITY a 'ha'>" + "".join(
    f"<!ENTITY {chr(98 + n)} '{f'&{chr(97 + n)};' * 10}'>" for n in range(12)
) + "]>"  # fmt: skip
OUTSIDE = '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>'


def converted(path: Path) -> tuple[list[dict[str, Any]], Report]:
    report = Report()
    where: dict[str, Any] = {"organization_id": f.ACME, "source_id": SOURCE, "existing": Existing()}
    records = list(documents.records(path, report=report, **where))
    return [record["data"] for record in records if record["type"] == "knowledge"], report


def zipped(members: dict[str, bytes]) -> bytes:
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as target:
        for name, content in members.items():
            target.writestr(name, content)
    return file.getvalue()


def shown(data: dict[str, Any]) -> dict[str, Any]:
    """What a page of the corpus becomes, without times, which depend on the checkout."""
    times = {n: data[n] for n in ("createdAt", "updatedAt") if data[n] < "2025"}
    return {"title": data["title"], "content": data["content"], **times}


@pytest.mark.parametrize("name", ["confluence", "google", "page"])
def test_a_page_becomes_what_is_expected(name: str) -> None:
    (data,), _ = converted(PAGES / f"{name}.html")
    assert shown(data) == json.loads((PAGES / f"{name}.json").read_text("utf-8"))


def test_documents_of_all_kinds_read_back(run: Run, read: Read, write: Write) -> None:
    parts = (paragraph("Knots", "Heading1"), paragraph("Tie them."), paragraph("No", run=HIDDEN))
    folder = write("wiki/rigging.docx", word("".join(parts))).parent
    write("wiki/winds.pptx", slides())
    write("wiki/signals.pdf", pdf("Red means stop.", "Green means go."))
    write("wiki/voyages.epub", book())
    write("wiki/page.htm", "<title>Page</title><p>Words</p>")
    write("wiki/photo.png", b"")
    report = run("documents", folder, source=SOURCE).json()
    assert report["skipped"] == {"unsupported type: .png": {"count": 1, "examples": ["photo.png"]}}
    assert unchanged(run("documents", folder, source=SOURCE).json())
    items = {item["title"]: item for item in read("/knowledge")}
    contents = {title: read(f"/knowledge/{i['id']}")["content"] for title, i in items.items()}
    assert contents == {
        "Rigging": "# Knots\n\nTie them.\n",
        "Weather": "## Winds\n\n- From the west\n",
        "Signals": "Red means stop.\nGreen means go.\n",
        "Voyages": "# First\n\nOut.\n\n# Second\n\nBack.\n",
        "Page": "Words\n",
    }
    assert {
        (i["createdAt"][:10], i["updatedAt"][:10]) for t, i in items.items() if t != "Page"
    } == {("2024-01-02", "2024-02-03")}


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.docx", b"no archive", "is damaged, protected by a password, or of another kind"),
        ("a.docx", word(paragraph("&l;"), LAUGHS), "cannot be converted"),
        ("a.pptx", archive(a="b"), "cannot be converted"),
        ("a.pdf", b"%PDF-1.4 broken", "cannot be converted"),
        ("a.pdf", pdf(), "holds no text"),
        ("a.html", b"<div>" * 5_000, "cannot be converted"),
        ("a.doc", b"", "save it as .docx"),
        ("a.xlsx", b"", "save it as .html or .pdf"),
    ],
)
def test_what_cannot_be_converted_is_named(
    write: Write, name: str, content: bytes, reason: str
) -> None:
    check_refused(write, name, content, reason)


def test_what_unpacks_to_too_much_is_named(write: Write) -> None:
    content = archive(a="0" * (600 << 20))
    check_refused(write, "a.docx", content, "unpacks to more than 512 MiB")


def check_refused(write: Write, name: str, content: bytes, reason: str) -> None:
    """It is refused for this reason, and what is beside it is read."""
    folder = write(f"wiki/{name}", content).parent
    write("wiki/good.html", "<p>Good</p>")
    found, report = converted(folder)
    assert [data["title"] for data in found] == ["good"]
    assert report.refused[0].startswith(f"{name}: ")
    assert reason in report.refused[0]


def test_no_entity_reads_another_file(write: Write) -> None:
    document = write("a.docx", word(paragraph("before &x; after"), OUTSIDE))
    found, report = converted(document)
    assert report.refused_count or "root:" not in found[0]["content"]


EXPORT = {
    "KEY/index.html": b"<title>Wiki</title><p>Pages</p>",
    "KEY/1.html": b"<title>Wiki : Knots</title><div id='main-content'><p>Tie them.</p></div>",
    "KEY/attachments/1/plan.pdf": pdf("Attached"),
    "KEY/attachments/1/all.zip": b"",
    "KEY/images/logo.png": b"",
}


def test_an_export_is_read_as_it_comes(write: Write) -> None:
    """An export may be packed, unpacked or in a folder of its own; attachments are left out."""
    path = write("wiki.zip", zipped(EXPORT))
    found, report = converted(path)
    assert {data["title"]: data["content"] for data in found} == {
        "Wiki": "Pages\n",
        "Knots": "Tie them.\n",
    }
    assert {reason: skipped.count for reason, skipped in report.skipped.items()} == {
        "attachment of an export": 2,
        "unsupported type: .png": 1,
    }
    for name, content in EXPORT.items():
        write(f"wiki/{name}", content)
    unpacked, report = converted(path.with_suffix(""))
    assert [data["id"] for data in unpacked] == [data["id"] for data in found]
    assert report.skipped["attachment of an export"].count == 2
    inner, report = converted(path.with_suffix("") / "KEY")
    assert [data["content"] for data in inner] == [data["content"] for data in found]
    assert report.skipped["attachment of an export"].count == 2


SPACE = b"""<html><head><title>KEY (Wiki)</title></head><body><div id="content">
<div id="main-content" class="pageSection"><table><tr><th>Key</th><td>KEY</td></tr></table></div>
<div class="pageSection"><h2 class="pageSectionTitle">Available Pages:</h2>
<ul><li><a href="1.html">Knots</a></li></ul></div></div></body></html>"""


def test_the_list_of_an_exports_pages_is_no_document(run: Run, read: Read, write: Write) -> None:
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
    assert "give --allow-empty" in run("documents", folder, source=SOURCE).stderr
    _, report = converted(write("wiki.zip", zipped({**EXPORT, "KEY/index.html": SPACE})))
    assert report.skipped["list of an export's pages"].examples == ["KEY/index.html"]
    assert report.skipped["attachment of an export"].count == 2


def test_what_an_archive_should_not_hold_is_named(write: Write) -> None:
    members = {
        "good.html": b"<p>Good</p>",
        "../up.html": b"<p>Up</p>",
        "/root.html": b"<p>Root</p>",
        "a\\..\\..\\b.html": b"<p>Back</p>",
        ".hidden/a.html": b"<p>Hidden</p>",
        "__MACOSX/good.html": b"<p>Mac</p>",
        "long.html": bytes(archives.LONGEST_MEMBER + 1),
        "more.zip": zipped({"inner.html": b"<p>Inner</p>"}),
    }
    path = write("wiki.zip", zipped(members))
    with zipfile.ZipFile(path, "a", zipfile.ZIP_BZIP2) as target:
        target.writestr("other.html", "<p>Other</p>")
        with pytest.warns(UserWarning, match="Duplicate"):
            target.writestr("good.html", "<p>Better</p>")
    found, report = converted(path)
    assert [data["content"] for data in found] == ["Good\n"]
    assert report.refused == [
        "../up.html: its name leads out of the archive",
        "/root.html: its name leads out of the archive",
        "a/../../b.html: its name leads out of the archive",
        "good.html: is in the archive twice",
        "long.html: cannot be converted: is longer than 64 MiB",
        "other.html: cannot be converted: is packed with another method than deflate",
    ]
    assert report.skipped["unsupported type: .zip"].examples == ["more.zip"]
    assert report.skipped["hidden file or folder"].count == 2


def test_an_archive_has_a_size(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what is read counts: attachments and pictures may be large."""
    monkeypatch.setattr(archives, "LONGEST_WHOLE", 1 << 20)
    big = {"photo.png": bytes(2 << 20), "good.html": b"<p>Good</p>"}
    assert len(converted(write("wiki.zip", zipped(big)))[0]) == 1
    pages = {f"{number}.html": b" " * (1 << 19) for number in range(3)}
    with pytest.raises(ImportRefused, match="unpacks to more than"):
        converted(write("wiki.zip", zipped(pages)))
    with pytest.raises(ImportRefused, match=r"a folder, a document, or an export as a \.zip"):
        converted(write("wiki.zip", b"PK\x03\x04 torn"))


def test_a_run_has_its_time(run: Run, read: Read, write: Write, monkeypatch: Any) -> None:
    """Files that it does not reach are named and stay as they were stored."""
    folder = write("wiki/a.html", "<p>A</p>").parent
    write("wiki/b.html", "<p>B</p>")
    run("documents", folder, source=SOURCE).json()
    write("wiki/a.html", "<p>A, edited</p>")
    write("wiki/b.html", "<p>B, edited</p>")
    write("wiki/c.html", "<p>C</p>")
    clock = iter((0, 60, 121, 121))
    monkeypatch.setattr(documents, "monotonic", lambda: next(clock))
    result = run("documents", folder, source=SOURCE, options=("--minutes", "2"))
    assert result.exit_code == 1
    for name in ("b", "c"):
        told = f"{name}.html: cannot be converted: 2 minutes were over; allow more with --minutes"
        assert told in result.stderr
    items = [read(f"/knowledge/{item['id']}")["content"] for item in read("/knowledge")]
    assert sorted(items) == ["A, edited\n", "B\n"]


if __name__ == "__main__":
    for page in sys.argv[1:] or [path.stem for path in PAGES.glob("*.html")]:
        (one,), _ = converted(PAGES / f"{page}.html")
        text = json.dumps(shown(one), indent=1, ensure_ascii=False)
        (PAGES / f"{page}.json").write_text(text + "\n", "utf-8")
