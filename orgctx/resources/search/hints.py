"""What a search tells an agent in sentences: what it found, or what it has searched in vain."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from orgctx.operations.exposure import Caller, Source
from orgctx.operations.operation import Result
from orgctx.operations.source_kinds import SOURCE_KINDS
from orgctx.resources.search.words import is_single
from orgctx.schemas.text import counted

MOST_NAMED = 5
PARTIAL = "partialItems have some or all words of q, but not as one phrase."
PARTS = "No record was found with q. partialItems have only parts of it."
INSIDE = "The items show q only inside longer words; if hasMore, others may not."
ABSENT = "No record was found with {words}."
CONVERSATION = (
    "The id of a message is chatId:number. list_telegram_messages with around=number reads on."
)
NOTHING = (
    "No record was found with q or its words. Check the spelling, or search for a part of a word, "
    "such as its stem or, in Chinese or Japanese, 2 to 4 characters, or for a synonym."
)
CUT = "Of messages and people, only the newest 10,000 of a chat and of all people were searched."


def hints(
    result: Result, caller: Caller, arguments: Mapping[str, Any], inside: Sequence[bool]
) -> Iterator[str]:
    """Yield the hints of a search. inside: whether each item shows q only inside longer words."""
    partial_items = result.data.get("partialItems", [])
    found = [*result.data["items"], *partial_items]
    if arguments["q"] and not found:
        yield NOTHING
        yield from _grounds(result, caller, arguments)
    else:
        words = result.data.get("words", [])
        if absent := [word["word"] for word in words if not word["recordCount"]]:
            yield ABSENT.format(words=", ".join(absent))
    if inside and all(inside):
        yield INSIDE
    if partial_items:
        yield PARTS if is_single(arguments["q"]) else PARTIAL
    if any(item["kind"] == "message" for item in found):
        yield CONVERSATION


def _grounds(result: Result, caller: Caller, arguments: Mapping[str, Any]) -> Iterator[str]:
    """Yield what was searched, up to when, and what was not, so that an agent can say "none".

    Tells only of sources that the key may read, and of its own scopes.
    """
    sources = result.sources
    searched = [
        _part(kind, [source for source in sources if source.kind == kind])
        for kind in dict.fromkeys(source.kind for source in sources)
    ]
    yield f"Searched: {'; '.join(searched) or 'no source'}."
    if narrow := [name for name in ("source", "after", "before") if arguments.get(name)]:
        yield f"Only what {' and '.join(narrow)} allow was searched. There may be more without."
    if result.data["hasMore"]:
        yield CUT
    if late := [source.id for source in sources if source.status not in ("current", "synthetic")]:
        more = " and others" if len(late) > MOST_NAMED else ""
        yield f"Not current, so newer records may exist: {', '.join(late[:MOST_NAMED])}{more}."
    if closed := [
        name for name, kind in SOURCE_KINDS.items() if not kind.is_readable_with(caller.scopes)
    ]:
        yield f"The scopes of this key exclude: {', '.join(closed)}."


def _part(kind: str, sources: Sequence[Source]) -> str:
    """Return how many records of a kind were searched, and the time of the newest source."""
    count = f"{sum(source.record_count for source in sources):,}"
    records = SOURCE_KINDS[kind].records
    newest = max((source.updated_at for source in sources if source.updated_at), default=None)
    until = f" up to {newest:%Y-%m-%dT%H:%MZ}" if newest else ""
    places = counted(len(sources), "source")
    return f"{count} {records} of {places}{until}" if records else f"{kind}{until}"
