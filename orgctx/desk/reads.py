"""Who read what: the newest lines of the record of reads, by key or by source.

The service writes it to the file of ORGCTX_AUDIT_READS, and pods to a file each of a directory.
"""

from datetime import datetime
from itertools import islice
from operator import itemgetter
from pathlib import Path
from uuid import UUID

import orjson

from orgctx.decisions import keys
from orgctx.decisions.sentences import titles
from orgctx.desk.current import desk, member, reading
from orgctx.stores.db import Row

# How much of the end of the newest files is read, and how many reads are shown.
MOST_FILES, MOST_BYTES, MOST_READS = 16, 8 * 1024 * 1024, 20
OFF = "off"  # the record is off
UNREADABLE = "unreadable"  # it is no file, or the desk may not read it


def latest(*, key_id: UUID | None = None, source_id: str | None = None) -> list[Row] | str:
    """Return the last reads of a key, or of a source, newest first; or OFF or UNREADABLE.

    Each is a line of the record with its `at`, `key` (None if it is gone), `ids` and `titles`.
    """
    if not (path := desk().config.audit_reads):
        return OFF
    key, tenant_id = str(key_id) if key_id else None, str(member().organization_id)
    rows: list[Row] = []
    try:
        for file in _files(Path(path)):
            found = (_parse(line, tenant_id, key, source_id) for line in _last_lines(file))
            rows += islice(filter(None, found), MOST_READS)
    except OSError:
        return UNREADABLE
    rows = sorted(rows, key=itemgetter("at"), reverse=True)[:MOST_READS]
    with reading() as tenant:
        listed = {str(row["id"]): row for row in keys.listed(tenant)}
        names = titles(tenant, {id_ for row in rows for id_ in row["ids"]})
    return [row | {"key": listed.get(row["keyId"]), "titles": names} for row in rows]


def _files(path: Path) -> list[Path]:
    """Return the newest files of the record. Raises OSError."""
    if path.is_dir():
        return sorted(path.iterdir(), key=lambda file: -file.stat().st_mtime)[:MOST_FILES]
    # The service creates the file with the first read, but not its directory.
    return [path] if path.exists() or not path.parent.stat() else []


def _last_lines(path: Path) -> list[bytes]:
    """Return the whole lines at the end of a file, newest first. Raises OSError."""
    if not path.is_file():
        raise OSError("not a file")
    with path.open("rb") as file:
        start = file.seek(max(0, path.stat().st_size - MOST_BYTES))
        lines = file.read(MOST_BYTES).splitlines()
    return lines[: 0 if start else None : -1]


def _parse(text: bytes, tenant_id: str, key_id: str | None, source_id: str | None) -> Row | None:
    """Return a line with the `ids` of its records, None if it is another's or not whole."""
    try:
        line: Row = orjson.loads(text) if tenant_id.encode() in text else {"organizationId": None}
        if line["organizationId"] != tenant_id or key_id not in (None, line["keyId"]):
            return None
        # A search reads several sources; its records say which of them.
        of_source = (row for row in line["records"] if row.get("sourceId", source_id) == source_id)
        records = [*(of_source if source_id else line["records"])]
        if source_id and not (source_id in line["sources"] and records):
            return None
        ids = [str(record.get("id") or record.get("key") or "") for record in records]
        return line | {"ids": ids, "at": datetime.fromisoformat(line["timestamp"])}
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
