"""The record of reads: who read which records, as JSON lines for a collector.

A line is written after the caller was verified and before the answer is sent. If it cannot be
written, the answer is 503, so no unrecorded answer is sent (docs/operations/reads.md).
"""

import os
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from stat import S_ISREG
from threading import Lock
from typing import Any

import orjson

from orgctx.errors import ServiceUnavailable
from orgctx.gate.admission import Admission
from orgctx.operations.operation import Operation, Result

# A pipe does not mix the lines of several workers up to this size (PIPE_BUF of Linux).
MAX_LINE_BYTES = 4096
# Do not block a worker if the collector of a pipe is slow.
FLAGS = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC
NOT_RECORDED = "The service cannot answer at the moment. Retry with backoff."

Members = dict[str, Any]


class ReadLog:
    """Appends lines to a file or a pipe, which it opens again when it was replaced."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._descriptor = -1
        self._mutex = Lock()

    def check(self) -> None:
        """Raise ServiceUnavailable if the file cannot be opened."""
        self.write([])

    def write(self, lines: Sequence[bytes]) -> None:
        """Append lines. Raises ServiceUnavailable if that fails."""
        try:
            with self._mutex:
                self._open()
                for line in lines:
                    count = os.write(self._descriptor, line)
                    if count < len(line):
                        self._remove_end(count)
                        raise OSError("partial write")
        except OSError as error:
            raise ServiceUnavailable(NOT_RECORDED, reason="reads cannot be recorded") from error

    def _remove_end(self, count: int) -> None:
        """Remove the part of a line that a full disk left, or the next line would follow it."""
        status = os.fstat(self._descriptor)
        end = os.lseek(self._descriptor, 0, os.SEEK_CUR) if S_ISREG(status.st_mode) else 0
        # Unless another worker has appended meanwhile.
        if end == status.st_size:
            os.ftruncate(self._descriptor, end - count)

    def _open(self) -> None:
        if self._descriptor >= 0:
            try:
                if os.path.samestat(os.stat(self._path), os.fstat(self._descriptor)):
                    return
            except FileNotFoundError:
                # Rotated.
                pass
            os.close(self._descriptor)
            self._descriptor = -1
        self._descriptor = os.open(self._path, FLAGS, 0o640)

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def read_of(
    operation: Operation, result: Result, path: Mapping[str, Any], etag: str, status: int = 200
) -> Members:
    """Return the members of a read that do not depend on the request.

    Args:
        path: the arguments that REST has in the path, by their name there.
        etag: digest of the answer.
    """
    return {
        "operation": operation.name,
        "status": status,
        "etag": etag,
        "path": path,
        "sources": [source.id for source in result.sources],
        "records": list(result.records()),
    }


def write(log: ReadLog, admission: Admission, *, interface: str) -> None:
    """Write the reads of a request. Raises ServiceUnavailable if that fails."""
    caller, reads = admission.caller, admission.record
    assert caller is not None
    assert reads is not None
    common = {
        "timestamp": datetime.now(UTC),
        "keyId": caller.key_id,
        "organizationId": caller.organization.id,
        "requestId": admission.request_id,
        "interface": interface,
    }
    log.write([line for read in reads for line in _lines({**common, **read}, read["records"])])


def _lines(members: Members, records: list[Members]) -> list[bytes]:
    """Return a read as lines of at most MAX_LINE_BYTES: as many as its records need.

    Each line repeats the sources, unless they would fill it.
    """
    line = orjson.dumps({**members, "records": records}, option=orjson.OPT_UTC_Z) + b"\n"
    if len(line) <= MAX_LINE_BYTES:
        return [line]
    sources = members["sources"]
    if len(sources) > 1 and len(orjson.dumps(sources)) > MAX_LINE_BYTES // 2:
        half = len(sources) // 2
        first, last = ({**members, "sources": part} for part in (sources[:half], sources[half:]))
        return [*_lines(first, []), *_lines(last, records)]
    if len(records) < 2:
        return [line]
    half = len(records) // 2
    return [*_lines(members, records[:half]), *_lines(members, records[half:])]
