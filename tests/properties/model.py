"""The rules of docs/contract.md in plain Python, applied to the records of a bundle.

The model is slow and simple and uses no SQL. Tests compare the service's answers with it.
"""

from bisect import bisect
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from orgctx.schemas.text import fold
from tests.contract.document import kinds
from tests.support.factories import Record

SCOPE_OF = {kind.name: kind.scope for kind in kinds()}
KNOWLEDGE_KINDS = tuple(kind.name for kind in kinds() if kind.prefix)


@dataclass(frozen=True)
class Item:
    """What a search can find: it looks for the term in `texts`, and previews `body`."""

    kind: str
    id: str
    source_id: str
    title: str
    at: str | None
    texts: tuple[str, ...]
    body: tuple[str, ...] = ()


@dataclass
class Person:
    """An identity, as far as the exposed sources show it."""

    key: str
    records: list[tuple[str, Any, str, str, str | None]] = field(default_factory=list)

    def add(self, at: str, id_: Any, source_id: str, name: str, username: str | None) -> None:
        self.records.append((at, id_, source_id, name, username))

    @property
    def newest(self) -> tuple[str, Any, str, str, str | None]:
        """The newest record; of several, that of the first source, then of the highest id."""
        at = max(record[0] for record in self.records)
        source_id = min(record[2] for record in self.records if record[0] == at)
        same = [record for record in self.records if (record[0], record[2]) == (at, source_id)]
        return max(same, key=lambda record: record[1])

    @property
    def counts(self) -> dict[str, int]:
        counts: dict[str, int] = {}
        for record in self.records:
            counts[record[2]] = counts.get(record[2], 0) + 1
        return counts


class World:
    """One organization's records. All times have one format, so text order is time order."""

    def __init__(self, records: Iterable[Record], suppressed: Iterable[str] = ()) -> None:
        self.by_type: dict[str, list[Record]] = {}
        for record in records:
            self.by_type.setdefault(record["type"], []).append(record)
        self.suppressed = set(suppressed)
        self.kinds = {
            record["sourceId"]: record["data"]["kind"] for record in self.by_type["source"]
        }
        self.accounts = {
            record["sourceId"]: record["data"].get("account") for record in self.by_type["source"]
        }
        self.chats = {
            record["data"]["id"]: record for record in self.by_type.get("telegram.chat", [])
        }

    def readable(self, on: set[str], limit: set[str] | None) -> set[str]:
        """The sources of `on` that a key reads. limit: those that it is limited to, if any."""
        return on if limit is None else on & limit

    def exposed(self, scopes: set[str], on: set[str]) -> set[str]:
        """The sources of `on` that the scopes cover."""
        return {source_id for source_id in on if SCOPE_OF[self.kinds[source_id]] in scopes}

    def knowledge(self, on: set[str], *, archived: bool = False) -> Iterator[Record]:
        """What /knowledge lists; knowledge:read covers every kind of source there."""
        for record in self.by_type.get("knowledge", []):
            hidden = (
                record["data"]["id"] in self.suppressed or record["data"]["archived"] != archived
            )
            if record["sourceId"] in on and not hidden:
                yield record

    def messages(self, sources: set[str]) -> Iterator[Record]:
        return (
            record
            for record in self.by_type.get("telegram.message", [])
            if record["sourceId"] in sources
        )

    def mentions(self, sources: set[str]) -> Iterator[Record]:
        """The mentions of the connected account; a source keeps those of former accounts too."""
        for record in self.by_type.get("x.mention", []):
            account = self.accounts[record["sourceId"]] or ""
            if (
                record["sourceId"] in sources
                and record["data"]["account"].lower() == account.lower()
            ):
                yield record

    def people(self, sources: set[str]) -> dict[str, Person]:
        people: dict[str, Person] = {}
        for record in self.messages(sources):
            sender, data = record["data"]["sender"], record["data"]
            if sender["id"] is not None:
                person = people.setdefault(key := f"telegram:{sender['id']}", Person(key))
                where = (data["sentAt"], data["id"], record["sourceId"])
                person.add(*where, sender["name"], sender["username"])
        for record in self.mentions(sources):
            author, data = record["data"]["author"], record["data"]
            person = people.setdefault(key := f"x:{author['id']}", Person(key))
            where = (data["createdAt"], data["id"], record["sourceId"])
            person.add(*where, author["name"], author["username"])
        return people

    def items(self, scopes: set[str], on: set[str]) -> list[Item]:
        """Everything that a search may find, ordered by updatedAt descending, kind and id."""
        sources = self.exposed(scopes, on)
        items = [*self._knowledge_items(scopes, sources), *self._message_items(sources)]
        items += [*self._post_items(sources), *self._person_items(sources)]
        items += [*self._asset_items(sources), *self._single_items(sources)]
        items.sort(key=lambda item: (item.kind, item.id))
        return sorted(items, key=lambda item: item.at or "", reverse=True)

    def _knowledge_items(self, scopes: set[str], sources: set[str]) -> Iterator[Item]:
        if "knowledge:read" not in scopes:
            return
        for record in self.knowledge(sources):
            data = record["data"]
            kind = "note" if data["id"].startswith("note:") else "document"
            texts = (data["title"], data["content"])
            at = data["updatedAt"]
            yield Item(kind, data["id"], record["sourceId"], data["title"], at, texts, texts[1:])

    def _message_items(self, sources: set[str]) -> Iterator[Item]:
        for record in self.messages(sources):
            data = record["data"]
            file_name = (data["file"] or {}).get("fileName")
            texts = tuple(text for text in (data["text"], file_name) if text is not None)
            title = f"{data['sender']['name']} in {self.chats[data['chatId']]['data']['title']}"
            id_ = f"{data['chatId']}:{data['id']}"
            body = texts or (data["detail"] or "",)
            yield Item("message", id_, record["sourceId"], title, data["sentAt"], texts, body)

    def _post_items(self, sources: set[str]) -> Iterator[Item]:
        for record in self.mentions(sources):
            data = record["data"]
            title = f"@{data['author']['username']}"
            texts = (data["text"],)
            yield Item(
                "post", data["id"], record["sourceId"], title, data["createdAt"], texts, texts
            )

    def _person_items(self, sources: set[str]) -> Iterator[Item]:
        for key, person in self.people(sources).items():
            at, _, source_id, name, username = person.newest
            texts = (name,) if username is None else (name, username)
            yield Item("person", key, source_id, name, at, texts, texts)

    def _asset_items(self, sources: set[str]) -> Iterator[Item]:
        for record in self.by_type.get("asset", []):
            if record["sourceId"] in sources:
                data = record["data"]
                texts = (data["name"],)
                title, at = data["name"], data["updatedAt"]
                yield Item("asset", data["id"], record["sourceId"], title, at, texts, texts)

    def _single_items(self, sources: set[str]) -> Iterator[Item]:
        """The organization and its token."""
        (organization,) = self.by_type["organization"]
        data = organization["data"]
        for record in self.by_type["source"]:
            if record["sourceId"] not in sources:
                continue
            if record["data"]["kind"] == "profile":
                texts = (data["displayName"], data["slug"])
                id_, title = organization["organizationId"], data["displayName"]
                yield Item(
                    "profile", id_, record["sourceId"], title, data["updatedAt"], texts, texts
                )
            if record["data"]["kind"] == "token":
                yield from self._token_item(record)

    def _token_item(self, source: Record) -> Iterator[Item]:
        for record in self.by_type.get("token", []):
            token = record["data"]["token"]
            if token["address"].lower() == (source["data"].get("account") or "").lower():
                texts = (token["name"], token["symbol"], token["address"])
                title = f"{token['name']} ({token['symbol']})"
                at = source["data"]["updatedAt"]
                yield Item("token", token["address"], source["sourceId"], title, at, texts, texts)


# tests/properties/test_folding.py compares it with the database.
folded = cache(fold)


def matching(items: Iterable[Item], q: str) -> list[Item]:
    """The items with a text that contains q once both are folded, or all if it folds to nothing."""
    term = folded(q)
    return [item for item in items if not term or any(term in folded(text) for text in item.texts)]


@cache
def span(text: str, q: str) -> tuple[int, int] | None:
    """The start and end of the first match of q in a text: its end is found from shorter ends of
    the text, which are as long as the rest once they are folded.
    """
    term, whole = folded(q), folded(text)
    if not term or term not in whole:
        return None
    rest = len(whole) - whole.index(term)
    start = bisect(range(len(text)), -rest, key=lambda start: -len(fold(text[start:]))) - 1
    # A letter and its mark may be as long as the mark.
    while fold(text[start:]).find(term) != len(fold(text[start:])) - rest:
        start -= 1
    ends = range(start + 1, len(text) + 1)
    return start, next(end for end in ends if term in fold(text[start:end]))
