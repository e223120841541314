"""The list of approved context sources."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from orgctx.operations.exposure import Caller
from orgctx.operations.operation import Reader, Resource, Result, Use
from orgctx.operations.source_kinds import KINDS
from orgctx.operations.source_payload import ContextSource, descriptions_of, members_of, summary
from orgctx.operations.stored_text import Folded, TextWork
from orgctx.schemas import arguments
from orgctx.schemas.arguments import Arguments
from orgctx.schemas.fields import Enum
from orgctx.schemas.payload import NumberedPagination, numbered

RESOURCE = Resource(tag="context")
PAGE_SIZE = 50
SEARCHED = ("label", "description", "id")
# Matches no q, so that no match spans two members.
SEPARATOR = "\0"


class ListSourcesTool(Arguments):
    kind = Enum(*KINDS, default=None, doc="Only sources of this kind.")
    q = arguments.query("Literal text to find in labels, descriptions and ids, ignoring case.")
    page = arguments.page()


def page_of_sources(result: Result, reader: Reader, arguments: Mapping[str, Any]) -> Result:
    """Return one page of 50, with a summary by kind if the first page does not hold all sources."""
    kind, page, q = (arguments[name] for name in ("kind", "page", "q"))
    work = TextWork(reader.deadline)
    sources = [source for source in result.data if kind in (None, source["kind"])]
    if q:
        sources = [source for source in sources if q in Folded(_searched(source), work)]
    is_long = not kind and not q and page == 1 and len(sources) > PAGE_SIZE
    return replace(
        result,
        data=sources[(page - 1) * PAGE_SIZE : page * PAGE_SIZE],
        pagination=numbered(page, PAGE_SIZE, len(sources)),
        hints=(f"{summary(result.sources)} Pass `q`, `kind` or `page` for the others.",)
        if is_long
        else (),
    )


def _searched(source: Mapping[str, Any]) -> str:
    return SEPARATOR.join(source[name] for name in SEARCHED)


@RESOURCE.operation(
    path="/sources",
    title="List sources",
    scopes=("context:read",),
    kinds=KINDS,
    is_overview=True,
    arguments=Arguments,
    payload=ContextSource,
    is_list=True,
    use=Use("Which chats are stale?", {"kind": "telegram"}),
    shape=page_of_sources,
    tool_arguments=ListSourcesTool,
    tool_pagination=NumberedPagination,
)
def list_sources(caller: Caller, reader: Reader) -> Result:
    """List the approved sources that this key can read, with status, update time and number of
    records. The id of a source narrows a search.

    Ordered by kind, then label (case-insensitive), then id, as approved at the
    time of this request.
    """
    sources = caller.exposed()
    (descriptions,) = reader.rows_of_all([descriptions_of(sources)])
    return Result([ContextSource.one(each) for each in members_of(sources, descriptions)], sources)
