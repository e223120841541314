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

# Opening a pipe, which is then rejected, does not block a worker.
FLAGS = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC
LINE = orjson.OPT_UTC_Z | orjson.OPT_APPEND_NEWLINE
NOT_RECORDED = "The service cannot answer at the moment. Retry with backoff."

Members = dict[str, Any]


class ReadLog:
    """Appends lines to a file, which it opens again when it was replaced.

    Each line is one write, so those of several workers do not mix.
    """

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
        end = os.lseek(self._descriptor, 0, os.SEEK_CUR)
        # Unless another worker has appended meanwhile.
        if end == os.fstat(self._descriptor).st_size:
            os.ftruncate(self._descriptor, end - count)

    def _open(self) -> None:
        if self._descriptor >= 0:
            try:
                if os.path.samestat(os.stat(self._path), os.fstat(self._descriptor)):
                    return
            except FileNotFoundError:
                # Rotated.
                pass
            self.close()
        self._descriptor = os.open(self._path, FLAGS, 0o640)
        if not S_ISREG(os.fstat(self._descriptor).st_mode):
            self.close()
            raise OSError("not a file")

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
    caller, reads = admission.caller, admission.recorded_reads
    assert caller is not None
    assert reads is not None
    common = {
        "timestamp": datetime.now(UTC),
        "keyId": caller.key_id,
        "organizationId": caller.organization.id,
        "requestId": admission.request_id,
        "interface": interface,
    }
    log.write([orjson.dumps(common | read, option=LINE) for read in reads])
