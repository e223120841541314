"""Small files as Word, PowerPoint, a printer and a publisher write them."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from io import BytesIO
from types import MappingProxyType
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from openpyxl import Workbook
from openpyxl.comments import Comment
from pptx import Presentation
from pptx.oxml import parse_xml

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
SLIDE = (
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
)
CORE = """<cp:coreProperties
xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties"
xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/">
<dc:title>Rigging</dc:title><dcterms:created>2024-01-02T03:04:05Z</dcterms:created>
<dcterms:modified>2024-02-03T04:05:06Z</dcterms:modified></cp:coreProperties>"""


def archive(members: Mapping[str, str | bytes], method: int = ZIP_DEFLATED) -> bytes:
    """A zip file with these members by name."""
    file = BytesIO()
    with ZipFile(file, "w", method) as target:
        for name, content in members.items():
            target.writestr(ZipInfo(name, (2024, 5, 6, 7, 8, 10)), content, method)
    return file.getvalue()


def members(package: bytes) -> dict[str, bytes]:
    with ZipFile(BytesIO(package)) as file:
        return {name: file.read(name) for name in file.namelist()}


def word(body: str, head: str = "", parts: Mapping[str, str] = MappingProxyType({})) -> bytes:
    """A document with a body of WordprocessingML.

    Args:
        head: what precedes the root element.
        parts: the contents of further parts by name, such as footnotes, comments and header1.
    """
    types = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    roots = {name: "hdr" if name.startswith("header") else name for name in parts}
    further = {
        f"word/{name}.xml": f'<w:{roots[name]} xmlns:w="{WORD}">{text}</w:{roots[name]}>'
        for name, text in parts.items()
    }
    relations = "".join(
        f'<Relationship Id="{name}" Type="{OFFICE}/{name.rstrip("1")}" Target="{name}.xml"/>'
        for name in parts
    )
    return archive(
        {
            **further,
            "word/_rels/document.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">'
            f"{relations}</Relationships>",
            "word/document.xml": f'{head}<w:document xmlns:w="{WORD}"><w:body>{body}</w:body>'
            "</w:document>",
            "docProps/core.xml": CORE,
            "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types">'
            '<Default Extension="xml" ContentType="application/xml"/>'
            f'<Override PartName="/word/document.xml" ContentType="{types}"/></Types>',
            "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships">'
            f'<Relationship Id="r" Type="{OFFICE}/officeDocument" Target="word/document.xml"/>'
            "</Relationships>",
        }
    )


def paragraph(text: str, style: str = "", run: str = "") -> str:
    """A paragraph of WordprocessingML. run: properties of its text."""
    head = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{head}<w:r><w:rPr>{run}</w:rPr><w:t>{text}</w:t></w:r></w:p>"


def sheet(content: str) -> bytes:
    """A workbook with a sheet of SpreadsheetML: its format, columns and rows."""
    types = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    main = f'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="{OFFICE}"'
    parts = {
        "xl/workbook.xml": f'<workbook {main}><sheets><sheet name="S" sheetId="1" r:id="a"/>'
        "</sheets></workbook>",
        "xl/worksheets/s.xml": f"<worksheet {main}>{content}</worksheet>",
    }
    kinds = {"workbook": "sheet.main", "worksheets/s": "worksheet"}
    overrides = "".join(
        f'<Override PartName="/xl/{name}.xml" ContentType="{types}.{kind}+xml"/>'
        for name, kind in kinds.items()
    )
    relations = {
        "_rels/.rels": ("officeDocument", "xl/workbook.xml"),
        "xl/_rels/workbook.xml.rels": ("worksheet", "worksheets/s.xml"),
    }
    rels = {
        name: f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="a" '
        f'Type="{OFFICE}/{kind}" Target="{target}"/></Relationships>'
        for name, (kind, target) in relations.items()
    }
    content_types = f'<Types xmlns="{PACKAGE}/content-types">{overrides}</Types>'
    return archive({"[Content_Types].xml": content_types} | parts | rels)


def workbook() -> bytes:
    """Two visible sheets, one of them empty, and a hidden one."""
    book, created = Workbook(), datetime(2024, 1, 2)
    sheet = book.active
    sheet.title = "Harbours"
    for row in (
        ["Name", "Depth", "Secret", "Since"],
        ["East | A", 7.5, "x", created],
        ["hidden row"],
        [],
        ["West\nB", True, "y", "=SUM(B2:B3)"],
        [None, None, "z"],
    ):
        sheet.append(row)
    sheet.column_dimensions["C"].hidden = True
    sheet.row_dimensions[3].hidden = True
    sheet["A2"].comment = Comment("Only for us", "Bob")
    book.create_sheet("Empty")
    hidden = book.create_sheet("Plans")
    hidden.append(["secret"])
    hidden.sheet_state = "hidden"
    book.properties.title = "Ports"
    book.properties.created = created
    book.properties.modified = datetime(2024, 2, 3)
    file = BytesIO()
    book.save(file)
    return file.getvalue()


def slide(*shapes: str) -> bytes:
    """A presentation with a slide of these shapes in PresentationML, 9144000 units wide."""
    deck = Presentation()
    tree = deck.slides.add_slide(deck.slide_layouts[6]).shapes._spTree
    for shape in shapes:
        tree.append(parse_xml(shape.replace(">", f" {SLIDE}>", 1)))
    file = BytesIO()
    deck.save(file)
    return file.getvalue()


def shape(text: str) -> str:
    """A shape with a text."""
    return (
        '<p:sp><p:nvSpPr><p:cNvPr id="7" name="x"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr>'
        f"<p:spPr/><p:txBody><a:bodyPr/><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"
    )


def slides() -> bytes:
    """A presentation of slides with notes, of which two and a shape are hidden."""
    deck = Presentation()
    for title, body, show in (
        ("Winds", "From the west", "1"),
        ("Secret", "Hidden words", "0"),
        ("Secret", "Hidden words", "false"),
    ):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = body
        slide.notes_slide.notes_text_frame.text = "Words of the speaker"
        slide._element.set("show", show)
    box = deck.slides[0].shapes.add_textbox(0, 0, 9, 9)
    box.text_frame.text = "Hidden words"
    box._element.nvSpPr.cNvPr.set("hidden", "true")
    deck.core_properties.title = "Weather"
    deck.core_properties.modified = datetime(2024, 2, 3, tzinfo=UTC)
    deck.core_properties.created = datetime(2024, 1, 2, tzinfo=UTC)
    file = BytesIO()
    deck.save(file)
    return file.getvalue()


def pdf(
    *lines: str,
    font: str = "",
    page: str = "",
    pages: str = "",
    more: Iterable[str] = (),
) -> bytes:
    """A page with these lines of text.

    font, page: further entries of their dictionaries. pages: objects of further pages.
    more: objects from number 7.
    """
    text = "BT /F 12 Tf 72 700 Td 14 TL " + " ".join(f"({line}) Tj T*" for line in lines) + " ET"
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Kids[3 0 R {pages}]/Count {1 + pages.count('R')}>>",
        f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R"
        f"/Resources<</Font<</F 5 0 R>>>>{page}>>",
        f"<</Length {len(text)}>>stream\n{text}\nendstream",
        f"<</Type/Font/Subtype/Type1/BaseFont/Helvetica{font}>>",
        "<</Title(Signals)/CreationDate(D:20240102030405+01'00')/ModDate(D:20240203)>>",
        *more,
    ]
    content, offsets = "%PDF-1.4\n", []
    for number, text in enumerate(objects, 1):
        offsets.append(len(content))
        content += f"{number} 0 obj\n{text}\nendobj\n"
    rows = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    trailer = f"trailer<</Size {size}/Root 1 0 R/Info 6 0 R>>\nstartxref\n{len(content)}\n%%EOF"
    return f"{content}xref\n0 {size}\n0000000000 65535 f \n{rows}{trailer}".encode()
