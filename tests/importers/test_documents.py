"""HTML, Word, PowerPoint, PDF and EPUB as documents: what a reader sees, and nothing that acts."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from orgctx.importers import Existing, Report, documents
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


def shown(data: dict[str, Any]) -> dict[str, Any]:
    """What a page of the corpus becomes; times of the file itself are the checkout's."""
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
        ("a.docx", archive(a="0" * (600 << 20)), "unpacks to more than 512 MiB"),
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


def test_what_is_attached_to_an_export_is_left_out(write: Write) -> None:
    write("wiki/index.html", "<title>Wiki</title><p>Pages</p>")
    folder = write("wiki/attachments/1/plan.pdf", pdf("Attached")).parents[2]
    found, report = converted(folder)
    assert [data["title"] for data in found] == ["Wiki"]
    assert report.skipped["excluded by --exclude or .orgctxignore"].examples == ["attachments"]


if __name__ == "__main__":
    for page in sys.argv[1:] or [path.stem for path in PAGES.glob("*.html")]:
        (one,), _ = converted(PAGES / f"{page}.html")
        text = json.dumps(shown(one), indent=1, ensure_ascii=False)
        (PAGES / f"{page}.json").write_text(text + "\n", "utf-8")
