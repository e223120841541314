"""One function per source operation."""

from orgctx.operations.exposure import Caller
from orgctx.operations.operation import Reader, Result
from orgctx.operations.source_payload import context_sources


def list_sources(caller: Caller, reader: Reader) -> Result:  # noqa: ARG001
    """List the approved sources that this key can read, with status, update time and number of
    records. The id of a source narrows a search.

    Ordered by kind, then label (case-insensitive), then id, as approved at the
    time of this request.
    """
    sources = caller.exposed()
    return Result(context_sources(sources), sources)
