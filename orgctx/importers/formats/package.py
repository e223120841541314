"""Open documents of Office: zip archives of XML."""

import struct
from io import BytesIO
from posixpath import normpath
from typing import Any
from zipfile import BadZipFile, ZipFile

from lxml import etree

from orgctx.importers.formats import ConversionError, seconds

# Options of parsers of XML, which read nothing that entities name.
SAFE = {"resolve_entities": False, "no_network": True, "load_dtd": False}
STRICT = b"http://purl.oclc.org/ooxml/"
DAMAGED = "is damaged, protected by a password, or of another type"
LONGEST_UNPACKED = 512 * 1024 * 1024


def open_package(content: bytes) -> ZipFile:
    """Open a document. Raises ConversionError if it is invalid or too large when unpacked."""
    try:
        archive = ZipFile(BytesIO(content))
    except (BadZipFile, RuntimeError, struct.error):
        raise ConversionError(DAMAGED) from None
    if sum(member.file_size for member in archive.infolist()) > LONGEST_UNPACKED:
        raise ConversionError(f"unpacks to more than {LONGEST_UNPACKED >> 20} MiB")
    if "_rels/.rels" not in archive.namelist():
        raise ConversionError(DAMAGED)
    if STRICT in archive.read("_rels/.rels"):
        raise ConversionError("is Strict Open XML; save it in the usual format of its program")
    return archive


def properties(archive: ZipFile) -> dict[str, Any]:
    """Read title, created and updated from the core properties."""
    try:
        core = parse(archive.read("docProps/core.xml"))
    except (KeyError, etree.XMLSyntaxError):
        return {}
    return {
        "title": core.findtext(".//{*}title") or "",
        "created": seconds(core.findtext(".//{*}created")),
        "updated": seconds(core.findtext(".//{*}modified")),
    }


def relations(archive: ZipFile, path: str) -> dict[str, tuple[str, str]]:
    """Return the kind and the path, or external address, of what a part names, by id.

    Without a path: what the package names.
    """
    folder, _, name = path.rpartition("/")
    relations = f"{folder}/_rels/{name}.rels".lstrip("/")
    if relations not in archive.namelist():
        return {}
    return {
        each.get("Id"): (
            each.get("Type", "").rpartition("/")[2],
            target
            if each.get("TargetMode") == "External"
            else normpath(f"/{folder}/{target}" if target[:1] != "/" else target).lstrip("/"),
        )
        for each in parse(archive.read(relations))
        if (target := each.get("Target"))
    }


def parse(data: bytes) -> Any:
    """Parse XML, and no deeper than libxml2 does by default."""
    return etree.fromstring(data, etree.XMLParser(**SAFE))


def count(archive: ZipFile, prefix: str, tag: str) -> int:
    """Count the elements `tag` in the XML files whose names start with `prefix`."""
    names = (name for name in archive.namelist() if name.startswith(prefix))
    trees = (parse(archive.read(name)) for name in names if name.endswith(".xml"))
    return sum(1 for tree in trees for _ in tree.iter(f"{{*}}{tag}"))
