"""Small files as Word, PowerPoint, a printer and a publisher write them."""

from __future__ import annotations

from datetime import UTC, datetime
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

from pptx import Presentation

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
CORE = """<cp:coreProperties
xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties"
xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/">
<dc:title>{title}</dc:title><dcterms:created>2024-01-02T03:04:05Z</dcterms:created>
<dcterms:modified>2024-02-03T04:05:06Z</dcterms:modified></cp:coreProperties>"""


def archive(**members: str) -> bytes:
    """A zip file. In the name of a member `__` means a slash and `_` a dot."""
    file = BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as target:
        for name, text in members.items():
            target.writestr(name.replace("__", "/").replace("_", "."), text)
    return file.getvalue()


def word(body: str, head: str = "") -> bytes:
    types = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    document = f"""{head}<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>"""
    file = BytesIO(
        archive(
            word__document_xml=document,
            docProps__core_xml=CORE.format(title="Rigging"),
        )
    )
    with ZipFile(file, "a") as target:
        target.writestr(
            "[Content_Types].xml",
            '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            '<Default Extension="xml" ContentType="application/xml"/>'
            f'<Override PartName="/word/document.xml" ContentType="{types}"/></Types>',
        )
        target.writestr(
            "_rels/.rels",
            '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
            f'<Relationship Id="r" Type="{office}/officeDocument" Target="word/document.xml"/>'
            "</Relationships>",
        )
    return file.getvalue()


def paragraph(text: str, style: str = "", run: str = "") -> str:
    head = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{head}<w:r><w:rPr>{run}</w:rPr><w:t>{text}</w:t></w:r></w:p>"


def slides() -> bytes:
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
    made, starts = "%PDF-1.4\n", []
    for number, one in enumerate(objects, 1):
        starts.append(len(made))
        made += f"{number} 0 obj\n{one}\nendobj\n"
    rows = "".join(f"{start:010} 00000 n \n" for start in starts)
    made += f"xref\n0 7\n0000000000 65535 f \n{rows}trailer<</Size 7/Root 1 0 R/Info 6 0 R>>\n"
    start = made.index("xref\n")
    return f"{made}startxref\n{start}\n%%EOF".encode()


def book() -> bytes:
    return archive(
        **{
            "META-INF__container_xml": '<container><rootfiles><rootfile full-path="o/p.opf"/>'
            "</rootfiles></container>",
            "o__p_opf": '<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>'
            "<dc:title>Voyages</dc:title><dc:date>2024-01-02</dc:date>"
            '<meta property="dcterms:modified">2024-02-03T00:00:00Z</meta></metadata><manifest>'
            '<item id="a" href="a.xhtml"/><item id="b" href="b.xhtml"/></manifest>'
            '<spine><itemref idref="b"/><itemref idref="a"/></spine></package>',
            "o__a_xhtml": "<html><body><h1>Second</h1><p>Back.</p></body></html>",
            "o__b_xhtml": "<html><body><h1>First</h1><p>Out.</p></body></html>",
        }
    )
