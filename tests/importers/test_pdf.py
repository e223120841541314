"""The text of a PDF is what a reader copies from it, whatever fonts it has."""

from collections.abc import Mapping
from typing import Any

import pytest

from orgctx.importers.formats.pdf import convert
from tests.importers.conftest import Write, folders, imported
from tests.importers.office import pdf

BLANK = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<<>>>>"


def mapped(**characters: str) -> dict[str, Any]:
    """Options of a font in which these letters have other characters."""
    rows = "".join(
        f"<{ord(letter):02x}> <{text.encode('utf-16-be').hex()}>\n"
        for letter, text in characters.items()
    )
    table = (
        "/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> "
        f"endcodespacerange {len(characters)} beginbfchar\n{rows}endbfchar endcmap end"
    )
    return {
        "font": "/ToUnicode 7 0 R",
        "more": (f"<</Length {len(table)}>>stream\n{table}\nendstream",),
    }


TEXTS = {
    "paragraphs": (pdf("One", "line", ") Tj 0 -30 Td (Two"), "One\nline\nTwo"),
    "a broken word": (pdf("We guaran-", "tee it"), "We guarantee it"),
    "a broken name": (pdf("By Soria-", "Comas"), "By Soria-Comas"),
    "a hyphen before a number": (pdf("In UTF-", "8"), "In UTF-8"),
    "ligatures": (pdf("fnd cofee", **mapped(f="\ufb01", e="e")), "find cofiee"),
    "right to left": (pdf("ABCD", **mapped(A="ם", B="ו", C="ל", D="ש")), "שלום"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_text_of_a_pdf(name: str) -> None:
    content, text = TEXTS[name]
    assert convert(content).content.strip() == text


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (pdf("Words", pages="7 0 R", more=(BLANK,)), {"page without text": 1}),
        (pdf("Words", pages="99 0 R"), {"damaged page": 1}),
        (pdf("Words\\003"), {}),
    ],
)
def test_parts_of_a_pdf_that_are_left_out_are_counted(
    write: Write, content: bytes, reason: Mapping[str, int]
) -> None:
    ((data,), report) = imported(folders, write("a.pdf", content))
    assert data["content"] == "Words\n"
    assert {name: skip.count for name, skip in report.skipped.items()} == reason


def test_time_of_zero_is_no_date(write: Write) -> None:
    content = pdf("Words").replace(b"(D:20240203)", b"(D:19700101000000Z)")
    path = write("a.pdf", content.replace(b"/CreationDate", b"/Created"))
    ((data,), _) = imported(folders, path)
    assert data["updatedAt"] > "2024"


def test_title_that_is_no_text_is_left_out() -> None:
    content = pdf("Words").replace(b"/Title(Signals)", b"/Title<feffd800>")
    assert convert(content).title == ""
