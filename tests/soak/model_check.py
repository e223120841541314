"""Compare lists with the model of the property tests (tests/properties/model.py)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import orjson

from tests.properties.model import World, matching
from tests.soak.requests import REST, Request
from tests.soak.wire import Reply
from tests.soak.world import GRANTS, SWITCHED, State, records
from tests.support import factories as make
from tests.support.crawl import PREFIX
from tests.support.factories import Record
from tests.support.organizations import Organization


class ModelCheck:
    """The contents of one organization's lists in one state, computed from the rules."""

    def __init__(self, organization: Organization, state: State, grants: str) -> None:
        self._world = World(records(organization, state.version))
        self._scopes = set(GRANTS[grants][0])
        self._on = set(make.KIND_SOURCES.values())
        if not state.is_approved:
            self._on.remove(SWITCHED)

    def is_right(self, request: Request, reply: Reply) -> bool | None:
        """Whether a list has the right ids in the right order; None if the model cannot say."""
        if request.kind != REST or reply.status != 200:
            return None
        parts = urlsplit(request.path.removeprefix(PREFIX))
        query = dict(parse_qsl(parts.query))
        ids = self._ids(unquote(parts.path), query)
        if ids is None:
            return None
        data: Any = orjson.loads(reply.body)["data"]
        listed = data["items"] if isinstance(data, dict) else data
        return [each.get("id") if "key" not in each else each["key"] for each in listed] == ids

    def _ids(self, path: str, query: dict[str, str]) -> list[Any] | None:
        lists: dict[str, Callable[[dict[str, str]], list[Any] | None]] = {
            "/search": self._search, "/knowledge": self._knowledge, "/people": self._people,
            f"/telegram/chats/{make.CHAT}/messages": self._messages, "/x/mentions": self._mentions,
        }  # fmt: skip
        return lists[path](query) if path in lists else None

    def _search(self, query: dict[str, str]) -> list[Any] | None:
        if "source" in query:
            return None
        items = matching(self._world.items(self._scopes, self._on), query.get("q", ""), str.lower)
        after, before = query.get("after", ""), query.get("before", "~")
        kept = [each.id for each in items if after <= (each.at or "") < before]
        return kept[: int(query.get("limit", 20))]

    def _knowledge(self, query: dict[str, str]) -> list[Any]:
        archived, kind = query.get("archived") == "true", query.get("kind", "all")
        records = [
            each["data"]
            for each in self._world.knowledge(self._on, archived=archived)
            if _has(query, each["data"]["title"], each["data"]["content"])
            and kind in ("all", "note" if each["data"]["id"].startswith("note:") else "source")
        ]
        return _page(_newest(records, "updatedAt"), query, 20)

    def _people(self, query: dict[str, str]) -> list[Any]:
        people = self._world.people(self._world.exposed(self._scopes, self._on)).values()
        matches = [each for each in people if _has(query, *each.newest[3:])]
        matches.sort(key=lambda each: each.key)
        matches.sort(key=lambda each: each.newest[0], reverse=True)
        return [each.key for each in matches][:50] if query.get("page", "1") == "1" else []

    def _messages(self, query: dict[str, str]) -> list[Any]:
        before = int(query.get("before", 2**31))
        ids = [
            each["data"]["id"]
            for each in self._world.messages(self._world.exposed(self._scopes, self._on))
            if each["data"]["chatId"] == make.CHAT and each["data"]["id"] < before
            and _has(query, each["data"]["text"], (each["data"]["file"] or {}).get("fileName"))
        ]  # fmt: skip
        return sorted(ids, reverse=True)[: int(query.get("limit", 50))]

    def _mentions(self, query: dict[str, str]) -> list[Any]:
        exposed = self._world.exposed(self._scopes, self._on)
        records = [each["data"] for each in self._world.mentions(exposed)]
        return _page(_newest(records, "createdAt"), query, 20)


def _has(query: dict[str, str], *texts: str | None) -> bool:
    q = query.get("q", "").lower()
    return not q or any(q in (text or "").lower() for text in texts)


def _newest(records: list[Record], time: str) -> list[str]:
    """Ids by time, the newest first, then by id."""
    records.sort(key=lambda each: each["id"])
    records.sort(key=lambda each: each[time], reverse=True)
    return [each["id"] for each in records]


def _page(ids: list[str], query: dict[str, str], size: int) -> list[str]:
    first = (int(query.get("page", 1)) - 1) * size
    return ids[first : first + size]
