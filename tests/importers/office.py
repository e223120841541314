"""Small files as Word, PowerPoint, a printer and a publisher write them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from io import BytesIO
from types import MappingProxyType
from zipfile import ZIP_DEFLATED, ZipFile

from pptx import Presentation

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
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
            target.writestr(name, content)
    return file.getvalue()


def word(body: str, head: str = "", parts: Mapping[str, str] = MappingProxyType({})) -> bytes:
    """A document with a body of WordprocessingML.

    Args:
        head: what precedes the root element.
        parts: the contents of further parts by name, such as footnotes, comments and header1.
    """
    types = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    roots = {name: "hdr" if name.startswith("header") else name for name in parts}
    further = {
        f"word/{name}.xml": f'<w:{roots[name]} xmlns:w="{WORD}">{text}</w:{roots[name]}>'
        for name, text in parts.items()
    }
    relations = "".join(
        f'<Relationship Id="{name}" Type="{office}/{name.rstrip("1")}" Target="{name}.xml"/>'
        for name in parts
    )
    return archive(
        {
            **further,
            "word/_rels/document.xml.rels": f'<Relationships xmlns="{package}/relationships">'
            f"{relations}</Relationships>",
            "word/document.xml": f'{head}<w:document xmlns:w="{WORD}"><w:body>{body}</w:body>'
            "</w:document>",
            "docProps/core.xml": CORE,
            "[Content_Types].xml": f'<Types xmlns="{package}/content-types">'
            '<Default Extension="xml" ContentType="application/xml"/>'
            f'<Override PartName="/word/document.xml" ContentType="{types}"/></Types>',
            "_rels/.rels": f'<Relationships xmlns="{package}/relationships">'
            f'<Relationship Id="r" Type="{office}/officeDocument" Target="word/document.xml"/>'
            "</Relationships>",
        }
    )


def paragraph(text: str, style: str = "", run: str = "") -> str:
    """A paragraph of WordprocessingML. run: properties of its text."""
    head = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{head}<w:r><w:rPr>{run}</w:rPr><w:t>{text}</w:t></w:r></w:p>"


def slides() -> bytes:
    """A presentation of two slides with notes, the second one hidden."""
    deck = Presentation()
    for title, body in (("Winds", "From the west"), ("Secret", "Hidden words")):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = body
        slide.notes_slide.notes_text_frame.text = "Words of the speaker"
    deck.slides[1]._element.set("show", "0")
    deck.core_properties.title = "Weather"
    deck.core_properties.modified = datetime(2024, 2, 3, tzinfo=UTC)
    deck.core_properties.created = datetime(2024, 1, 2, tzinfo=UTC)
    file = BytesIO()
    deck.save(file)
    return file.getvalue()


def pdf(*lines: str) -> bytes:
    """A page with these lines of text."""
    text = "BT /F 12 Tf 72 700 Td 14 TL " + " ".join(f"({line}) Tj T*" for line in lines) + " ET"
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R"
        "/Resources<</Font<</F 5 0 R>>>>>>",
        f"<</Length {len(text)}>>stream\n{text}\nendstream",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        "<</Title(Signals)/CreationDate(D:20240102030405+01'00')/ModDate(D:20240203)>>",
    ]
    content, offsets = "%PDF-1.4\n", []
    for number, text in enumerate(objects, 1):
        offsets.append(len(content))
        content += f"{number} 0 obj\n{text}\nendobj\n"
    rows = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    start = len(content)
    content += f"xref\n0 7\n0000000000 65535 f \n{rows}trailer<</Size 7/Root 1 0 R/Info 6 0 R>>\n"
    return f"{content}startxref\n{start}\n%%EOF".encode()


SECOND = "<html><body><h1>Second</h1><p>Back.</p></body></html>"


def book(second: str = SECOND) -> bytes:
    """An EPUB of two chapters, whose spine has another order than its manifest.

    second: the second chapter; empty if it is missing.
    """
    package = (
        '<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>'
        "<dc:title>Voyages</dc:title><dc:date>2024-01-02</dc:date>"
        '<meta property="dcterms:modified">2024-02-03T00:00:00Z</meta></metadata><manifest>'
        '<item id="a" href="a.xhtml"/><item id="b" href="b.xhtml"/></manifest>'
        '<spine><itemref idref="b"/><itemref idref="a"/></spine></package>'
    )
    return archive(
        {
            "META-INF/container.xml": '<container><rootfiles><rootfile full-path="o/p.opf"/>'
            "</rootfiles></container>",
            "o/p.opf": package,
            **({"o/a.xhtml": second} if second else {}),
            "o/b.xhtml": "<html><body><h1>First</h1><p>Out.</p></body></html>",
        }
    )
