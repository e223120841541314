"""Who read what: the newest lines of the record of reads, by key or by source.

The record is the file of ORGCTX_AUDIT_READS, which the service writes and the desk reads. The pods
of the chart write a file each, and the desk reads their directory.
"""

import os
from collections.abc import Iterator
from operator import itemgetter
from pathlib import Path
from stat import S_ISREG
from typing import Any
from uuid import UUID

import orjson

from orgctx.decisions import keys
from orgctx.decisions.sentences import titles
from orgctx.desk.current import desk, member, reading

# How much of the end of the newest files is read, and how many reads are shown.
MOST_FILES, MOST_BYTES = 16, 8 * 1024 * 1024
MOST_READS, MOST_RECORDS = 20, 10
OFF = "off"  # the record is off
UNREADABLE = "unreadable"  # it is a pipe, or the desk may not read it

Read = dict[str, Any]


def latest(*, key_id: UUID | None = None, source_id: str | None = None) -> list[Read] | str:
    """Return the last reads of a key, or of a source, newest first.

    Returns:
        for each `time` (ISO 8601), `operation`, `key` (None if it is gone), `sources`, and
        `records`, the first ones with `id` and `title`, `count` of all; or OFF or UNREADABLE.
    """
    path = desk().config.audit_reads
    if not path:
        return OFF
    wanted = (str(member().organization_id), str(key_id) if key_id else None, source_id)
    try:
        found = [line for file in _files(path) for line in _matching(_last_lines(file), *wanted)]
    except OSError:
        return UNREADABLE
    found = sorted(found, key=itemgetter("timestamp"), reverse=True)[:MOST_READS]
    with reading() as tenant:
        listed = {str(row["id"]): row for row in keys.listed(tenant)}
        names = titles(tenant, {id_ for line in found for id_ in line["ids"]})
    return [
        {
            "time": line["timestamp"],
            "operation": line["operation"],
            "key": listed.get(line["keyId"]),
            "sources": line["sources"],
            "records": [{"id": id_, "title": names.get(id_)} for id_ in line["ids"][:MOST_RECORDS]],
            "count": len(line["ids"]),
        }
        for line in found
    ]


def is_readable(path: str) -> bool:
    """Return whether the desk may read the record at a path."""
    try:
        for file in _files(path):
            os.close(_open(file))
    except OSError:
        return False
    return True


def _files(path: str) -> list[Path]:
    """Return the newest files of the record. Raises OSError."""
    file = Path(path)
    try:
        names = [file / name for name in os.listdir(file)]
    except NotADirectoryError:
        return [file]
    except FileNotFoundError:
        # The service creates the file with the first read, but not its directory.
        file.parent.stat()
        return []
    return sorted(names, key=os.path.getmtime, reverse=True)[:MOST_FILES]


def _open(path: Path) -> int:
    """Return the descriptor of a regular file. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    if not S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError("not a file")
    return descriptor


def _last_lines(path: Path) -> list[bytes]:
    """Return the whole lines at the end of a file, newest first. Raises OSError."""
    with open(_open(path), "rb") as file:
        start = file.seek(max(0, os.fstat(file.fileno()).st_size - MOST_BYTES))
        lines = file.read(MOST_BYTES).splitlines()
    return lines[: 0 if start else None : -1]


def _matching(
    lines: list[bytes], organization_id: str, key_id: str | None, source_id: str | None
) -> Iterator[Read]:
    """Yield up to MOST_READS lines of the organization, with the `ids` of their records."""
    wanted, count = organization_id.encode(), 0
    for text in lines:
        if wanted not in text or count == MOST_READS:
            continue
        try:
            line = orjson.loads(text)
            if line["organizationId"] != organization_id or key_id not in (None, line["keyId"]):
                continue
            # A search reads several sources; its records say which of them.
            records = [
                record
                for record in line["records"]
                if source_id is None or record.get("sourceId", source_id) == source_id
            ]
        except (orjson.JSONDecodeError, KeyError, TypeError, AttributeError):
            continue
        if source_id is None or (source_id in line["sources"] and records):
            count += 1
            ids = [str(record.get("id") or record.get("key") or "") for record in records]
            yield line | {"ids": ids}
