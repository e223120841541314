"""One function per source operation."""

from __future__ import annotations

from orgctx.operations.exposure import Caller
from orgctx.operations.operation import Reader, Result
from orgctx.operations.source_payload import context_sources


def list_sources(caller: Caller, reader: Reader) -> Result:  # noqa: ARG001
    """List the approved context sources that this key may read, with kind, status, time of
    update and count. Use a source's id to narrow a search.

    By kind, then label ignoring case, then id. They are as approved at the
    time of this request.
    """
    sources = caller.exposed()
    return Result(context_sources(sources), sources)
