"""Open documents that are zip archives of XML: Office, OpenDocument and EPUB."""

from __future__ import annotations

import struct
from io import BytesIO
from typing import Any
from zipfile import BadZipFile, ZipFile

from lxml import etree

from orgctx.importers.archive import opened
from orgctx.importers.documents.converted import ConversionError, seconds

LONGEST_UNPACKED = 512 * 1024 * 1024


def open_package(content: bytes) -> ZipFile:
    """Open an archive. Raises ConversionError if it is invalid or too large when unpacked."""
    try:
        archive = opened(BytesIO(content))
    except (BadZipFile, RuntimeError, struct.error):
        raise ConversionError("is damaged, protected by a password, or of another type") from None
    if sum(member.file_size for member in archive.infolist()) > LONGEST_UNPACKED:
        raise ConversionError(f"unpacks to more than {LONGEST_UNPACKED >> 20} MiB")
    return archive


def properties(archive: ZipFile) -> dict[str, Any]:
    """Read title, created and updated of an Office file."""
    try:
        core = parse(archive.read("docProps/core.xml"))
    except (KeyError, etree.XMLSyntaxError):
        return {}
    return {
        "title": core.findtext("{*}title") or "",
        "created": seconds(core.findtext("{*}created")),
        "updated": seconds(core.findtext("{*}modified")),
    }


def parse(data: bytes) -> Any:
    """Parse XML without reading what its entities name."""
    return etree.fromstring(
        data, etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    )


def count(archive: ZipFile, prefix: str, tag: str) -> int:
    """Count the elements `tag` in the XML files whose names start with `prefix`."""
    names = (name for name in archive.namelist() if name.startswith(prefix))
    trees = (parse(archive.read(name)) for name in names if name.endswith(".xml"))
    return sum(1 for tree in trees for _ in tree.iter(f"{{*}}{tag}"))
