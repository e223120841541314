"""Convert EPUB books: the chapters in reading order."""

from __future__ import annotations

from posixpath import normpath
from urllib.parse import unquote
from zipfile import ZipFile

from orgctx.importers.documents.converted import ConversionError, Converted, seconds
from orgctx.importers.documents.package_file import open_package, parse
from orgctx.importers.documents.web_page import page


def convert(content: bytes) -> Converted:
    """Convert a book. Parts outside the reading order and missing chapters are counted."""
    archive = open_package(content)
    container = parse(archive.read("META-INF/container.xml"))
    root = container.xpath("string(//*[local-name()='rootfile']/@full-path)")
    package = parse(archive.read(root))
    document = Converted(
        title=package.xpath("string(//*[local-name()='title'][1])"),
        updated=seconds(package.xpath("string(//*[@property='dcterms:modified'])")),
        created=seconds(package.xpath("string(//*[local-name()='date'][1])")),
    )
    items = {item.get("id"): item.get("href") for item in package.iter("{*}item")}
    base, names = root.rpartition("/")[0], set(archive.namelist())
    encrypted = _encrypted(archive)
    chapters = []
    for reference in package.iter("{*}itemref"):
        href = unquote((items.get(reference.get("idref")) or "").partition("#")[0])
        name = normpath(f"{base}/{href}".lstrip("/"))
        if reference.get("linear") == "no":
            document.skipped["part outside the reading order of a book"] += 1
        elif name not in names:
            document.skipped["chapter that a book lacks"] += 1
        elif name in encrypted:
            raise ConversionError("is encrypted; pass a copy without digital rights management")
        else:
            chapter = page(archive.read(name), is_chapter=True)
            chapters.append(chapter.content)
            document.skipped += chapter.skipped
            document.repaired += chapter.repaired
    document.content = "\n\n".join(chapters)
    return document


def _encrypted(archive: ZipFile) -> set[str]:
    """Return the names of the encrypted files, which are often only fonts."""
    if (name := "META-INF/encryption.xml") not in archive.namelist():
        return set()
    return {
        unquote(element.get("URI", ""))
        for element in parse(archive.read(name)).iter("{*}CipherReference")
    }
