"""Text that a reader does not see is in no record, and is counted; visible text is found.

hidden.yaml has ways to hide the word SECRET, and whole.yaml ways to show text, each after the
words that must be found, by suffix.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from orgctx.importers.formats import Converted, by_suffix, convert
from tests.importers.conftest import tables
from tests.importers.office import archive, members, paragraph, shape, sheet, slide, word

pytestmark = pytest.mark.filterwarnings("ignore:Workbook contains no")
SHOWN, SECRET = "SHOWN", "SECRET"


def docx(body: str, styles: str = "") -> bytes:
    return word(paragraph("HEAD") + body, parts={"styles": styles} if styles else {})


def html(source: str) -> bytes:
    return f"<body><p>HEAD</p>{source}</body>".encode()


def xlsx(content: str) -> bytes:
    start, _, rows = content.rpartition("<sheetData>")
    first = '<row r="1" ht="9"><c r="A1" t="inlineStr"><is><t>HEAD</t></is></c></row>'
    return sheet(f"{start}<sheetData>{first}{rows}</sheetData>")


def pptx(*shapes: str) -> bytes:
    return slide(shape("HEAD"), *shapes)


BUILDERS: Mapping[str, Callable[..., bytes]] = {
    ".docx": docx, ".html": html, ".pptx": pptx, ".xlsx": xlsx,
}  # fmt: skip


def cases(table: str) -> Iterator[Any]:
    for suffix, rows in tables(table).items():
        for name, source in rows.items():
            yield pytest.param(f".{suffix}", source, id=f"{suffix}-{name}")


def built(suffix: str, source: Any) -> bytes:
    parts = [source] if isinstance(source, str) else source
    return BUILDERS.get(suffix, str.encode)(*parts)


def converted(suffix: str, content: bytes) -> Converted:
    row = by_suffix()[suffix]
    return convert((row.function, row.is_text), content)


@pytest.mark.parametrize(("suffix", "source"), [*cases("hidden")])
def test_hidden_text_is_left_out_and_counted(suffix: str, source: Any) -> None:
    document = converted(suffix, built(suffix, source))
    assert SECRET not in document.content + document.title
    assert "HEAD" in document.content or SHOWN in document.content
    assert (SHOWN in str(source)) <= (SHOWN in document.content)
    assert document.skipped.total()


@pytest.mark.parametrize(("suffix", "case"), [*cases("whole")])
def test_visible_text_is_found(suffix: str, case: Any) -> None:
    words, source = case
    content = converted(suffix, built(suffix, source)).content
    assert [word for word in words if word not in content] == []


def test_main_part_of_a_word_document_may_have_any_name() -> None:
    body = paragraph(SECRET, run="<w:vanish/>") + paragraph("HEAD")
    parts = {
        name.replace("document.xml", "main.bin"): content.replace(b"document.xml", b"main.bin")
        for name, content in members(word(body)).items()
    }
    document = converted(".docx", archive(parts))
    assert document.content.strip() == "HEAD"
    parts["word/main.bin"] = parts["word/main.bin"].decode().encode("utf-16")
    assert SECRET not in converted(".docx", archive(parts)).content
