"""Office files keep their text; what their owner would not publish is counted."""

from __future__ import annotations

from io import BytesIO
from zipfile import ZipFile

import pytest

from tests.importers.conftest import Write, documents, imported
from tests.importers.files import workbook
from tests.importers.office import archive, paragraph, slides, word

MATH = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'


def run(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


def part(name: str, text: str) -> str:
    return f"<m:{name}>{text}</m:{name}>"


EQUATIONS = {
    run("a+b"): "a+b",
    run("50%_{x}"): r"50\%\_\{x\}",
    part("f", part("num", run("1")) + part("den", run("2"))): r"\frac{1}{2}",
    part("f", '<m:fPr><m:type m:val="noBar"/></m:fPr>' + part("num", run("n")) + part("den", "")):
        r"{n \atop }",
    part("sSup", part("e", run("x")) + part("sup", run("2"))): "x^{2}",
    part("sSub", part("e", run("x")) + part("sub", run("i"))): "x_{i}",
    part("sSubSup", part("e", run("x")) + part("sub", run("i")) + part("sup", run("2"))):
        "x_{i}^{2}",
    part("rad", part("deg", "") + part("e", run("x"))): r"\sqrt{x}",
    part("rad", part("deg", run("3")) + part("e", run("x"))): r"\sqrt[3]{x}",
    part(
        "nary",
        '<m:naryPr><m:chr m:val="∑"/></m:naryPr>'
        + part("sub", run("i=1")) + part("sup", run("n")) + part("e", run("i")),
    ): r"\sum_{i=1}^{n} i",
    part("d", part("e", run("x"))): r"\left(x\right)",
    part("d", '<m:dPr><m:begChr m:val="{"/><m:endChr m:val=""/></m:dPr>' + part("e", run("x"))):
        r"\left\{x\right.",
    part("m", part("mr", part("e", run("1")) + part("e", run("2"))) + part("mr", part("e", ""))):
        r"\begin{matrix}1 & 2 \\ \end{matrix}",
    part("func", part("fName", run("sin")) + part("e", run("α"))): "sin α",
    part("acc", '<m:accPr><m:chr m:val="⃗"/></m:accPr>' + part("e", run("v"))): r"\vec{v}",
}  # fmt: skip


@pytest.mark.parametrize(("equation", "tex"), EQUATIONS.items(), ids=[*EQUATIONS.values()])
def test_equation_becomes_tex(write: Write, equation: str, tex: str) -> None:
    words = "<w:r><w:t xml:space='preserve'>Let </w:t></w:r>"
    body = f"<w:p {MATH}>{words}<m:oMath>{equation}</m:oMath></w:p>"
    ((data,), _) = imported(documents, write("a.docx", word(body)))
    assert data["content"] == f"Let ${tex}$\n"


def test_equation_of_its_own_line(write: Write) -> None:
    body = f"<w:p {MATH}><m:oMathPara><m:oMath>{run('x_1')}</m:oMath></m:oMathPara></w:p>"
    ((data,), _) = imported(documents, write("a.docx", word(body)))
    assert data["content"] == "$$x\\_1$$\n"


def test_deep_equation_is_bounded(write: Write) -> None:
    deep = run("x")
    for _ in range(1_000):
        deep = part("rad", part("e", deep))
    body = f"<w:p {MATH}><m:oMath>{deep}</m:oMath></w:p>{paragraph('Rest')}"
    items, report = imported(documents, write("a.docx", word(body)))
    assert report.refused_count or "Rest" in items[0]["content"]


TRACKED = (
    "<w:p><w:r><w:t>Kept</w:t></w:r><w:ins><w:r><w:t> inserted</w:t></w:r></w:ins>"
    "<w:del><w:r><w:delText>deleted</w:delText></w:r></w:del>"
    "<w:moveFrom><w:r><w:t>moved away</w:t></w:r></w:moveFrom>"
    "<w:moveTo><w:r><w:t> moved here</w:t></w:r></w:moveTo></w:p>"
)


def test_tracked_changes_are_accepted(write: Write) -> None:
    """Deleted text is not published."""
    ((data,), report) = imported(documents, write("a.docx", word(TRACKED)))
    assert data["content"] == "Kept inserted moved here\n"
    assert report.skipped["deleted text of a tracked change"].count == 2


def test_footnotes_are_kept_and_comments_counted(write: Write) -> None:
    body = (
        "<w:p><w:r><w:t>Text</w:t></w:r><w:r><w:footnoteReference w:id='2'/></w:r>"
        "<w:r><w:commentReference w:id='1'/></w:r></w:p>"
    )
    parts = {
        "footnotes": f"<w:footnote w:id='2'>{paragraph('Well.')}</w:footnote>",
        "comments": f"<w:comment w:id='1'>{paragraph('Only for us.')}</w:comment>",
    }
    ((data,), report) = imported(documents, write("a.docx", word(body, parts=parts)))
    assert "Text" in data["content"]
    assert "Well." in data["content"]
    assert "Only" not in data["content"]
    assert report.skipped["comment"].count == 1


def test_text_that_a_style_hides_is_left_out(write: Write) -> None:
    vanish = "<w:rPr><w:vanish/></w:rPr>"
    styles = (
        f"<w:style w:type='character' w:styleId='Secret'>{vanish}</w:style>"
        f"<w:style w:type='paragraph' w:styleId='Private'>{vanish}</w:style>"
    )
    run = paragraph("Hidden", run="<w:rStyle w:val='Secret'/>")
    body = paragraph("Text") + run + paragraph("Hidden too", "Private")
    ((data,), report) = imported(documents, write("a.docx", word(body, parts={"styles": styles})))
    assert data["content"] == "Text\n"
    assert report.skipped["hidden text"].count == 2


def test_headers_are_counted(write: Write) -> None:
    parts = {"header1": paragraph("Confidential")}
    _, report = imported(documents, write("a.docx", word(paragraph("Text"), parts=parts)))
    assert report.skipped["header or footer"].count == 1


def with_replaced(package: bytes, name: str, old: bytes, new: bytes) -> bytes:
    """Replace bytes in one member of an Office file."""
    with ZipFile(BytesIO(package)) as file:
        members = {member: file.read(member) for member in file.namelist()}
    assert old in members[name]
    members[name] = members[name].replace(old, new)
    return archive(members)


def test_anchors_of_a_drawing_are_no_columns_of_the_sheet(write: Write) -> None:
    anchor = b"<controls><x:col xmlns:x='urn:drawing'>1</x:col></controls></worksheet>"
    sheet = "xl/worksheets/sheet1.xml"
    content = with_replaced(workbook(), sheet, b"</worksheet>", anchor)
    ((data,), report) = imported(documents, write("a.xlsx", content))
    assert "East" in data["content"]
    assert report.refused_count == 0


def test_picture_in_place_of_the_title_of_a_slide(write: Write) -> None:
    slide = "ppt/slides/slide1.xml"
    with ZipFile(BytesIO(slides())) as file:
        shape = file.read(slide).partition(b"<p:sp>")[2].partition(b"</p:sp>")[0]
    picture = (
        b"<p:pic><p:nvPicPr><p:cNvPr id='2' name='Title'/><p:cNvPicPr/><p:nvPr><p:ph type='title'/>"
        b"</p:nvPr></p:nvPicPr><p:blipFill/><p:spPr/></p:pic>"
    )
    content = with_replaced(slides(), slide, b"<p:sp>" + shape + b"</p:sp>", picture)
    ((data,), report) = imported(documents, write("a.pptx", content))
    assert data["content"] == "## Slide 1\n\n- From the west\n"
    assert report.skipped["picture, chart or other object"].count == 1


def test_slide_show_is_rejected_with_advice(write: Write) -> None:
    main, show = b"presentation.main+xml", b"slideshow.main+xml"
    content = with_replaced(slides(), "[Content_Types].xml", main, show)
    _, report = imported(documents, write("a.pptx", content))
    assert report.refused == ["a.pptx: cannot be converted: is no presentation; save it as .pptx"]
