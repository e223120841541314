"""Compare lists and segments with the model of the property tests (tests/properties/model.py)."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit
from uuid import UUID

import orjson

from orgctx.operations.operation import Operation
from orgctx.resources.catalog import OPERATIONS
from orgctx.schemas.arguments import parse_text
from tests.properties.conftest import SPACE_RUN
from tests.properties.model import World, matching
from tests.soak.requests import REST, Request
from tests.soak.wire import Reply
from tests.soak.world import GRANTS, SWITCHED, State, records
from tests.support import factories as make
from tests.support.crawl import PREFIX
from tests.support.factories import Record
from tests.support.organizations import Organization

# How much of the text before a match a segment shows, and of all, in UTF-16 code units.
CONTEXT_UNITS, MATCH_UNITS = 200, 4000


class ModelCheck:
    """The contents of one organization's lists in one state, computed from the rules.

    A method named after an operation takes its arguments, so it fails until it knows a new one. It
    returns what `_shown` does for the right response, or None if the model cannot say.
    """

    def __init__(self, organization: Organization, state: State, grants: str) -> None:
        self._world = World(records(organization, state.version))
        self._scopes = set(GRANTS[grants][0])
        self._on = set(make.KIND_SOURCES.values())
        if not state.is_approved:
            self._on.remove(SWITCHED)
        self._exposed = self._world.exposed(self._scopes, self._on)

    def is_right(self, request: Request, reply: Reply) -> bool | None:
        """Whether a list has the right ids in the right order, or a segment the right text.

        None if the model cannot say.
        """
        if request.kind != REST or reply.status != 200:
            return None
        operation, arguments = _parsed(request.path.removeprefix(PREFIX))
        rule = getattr(self, operation.name, None)
        right = rule(**arguments) if rule else None
        return None if right is None else _shown(orjson.loads(reply.body)["data"]) == right

    def search_context(
        self,
        *,
        q: str | None,
        source: str | None,
        after: datetime | None,
        before: datetime | None,
        limit: int,
    ) -> list[Any]:
        on = self._on & {source} if source else self._on
        items = matching(self._world.items(self._scopes, on), q or "", _fold)
        return [each.id for each in items if _is_within(each.at or "", after, before)][:limit]

    def list_knowledge(
        self, *, q: str | None, kind: str, visibility: str, archived: bool, page: int
    ) -> list[Any]:
        found = [
            each["data"]
            for each in self._world.knowledge(self._on, archived=archived)
            if _has(q, each["data"]["title"], each["data"]["content"])
            and kind in ("all", "note" if each["data"]["id"].startswith("note:") else "source")
            and visibility in ("all", each["data"]["visibility"])
        ]
        return _page(_newest(found, "updatedAt"), page, 20)

    def read_knowledge(self, *, id: str, offset: int, limit: int, q: str | None) -> list[Any]:
        (item,) = (each["data"] for each in self._world.by_type["knowledge"]
                   if each["data"]["id"] == id and each["sourceId"] in self._on)  # fmt: skip
        content = item["content"]
        if q:
            first = len(content.encode("utf-16-le")[: 2 * offset].decode("utf-16-le", "ignore"))
            words = map(re.escape, SPACE_RUN.split(q))
            match = re.compile(SPACE_RUN.pattern.join(words), re.IGNORECASE).search(content, first)
            if not match:
                return [""]
            limit = min(limit, MATCH_UNITS)
            offset = len(content[: match.start()].encode("utf-16-le")) // 2
            offset = max(0, offset - min(CONTEXT_UNITS, limit // 2))
        units = content.encode("utf-16-le")[2 * offset : 2 * (offset + limit)]
        return [units.decode("utf-16-le")]

    def list_people(self, *, q: str | None, page: int) -> list[Any]:
        people = self._world.people(self._exposed).values()
        found = [each for each in people if _has(q, *each.newest[3:])]
        found.sort(key=lambda each: each.key)
        found.sort(key=lambda each: each.newest[0], reverse=True)
        return _page([each.key for each in found], page, 50)

    def list_telegram_chats(self, *, q: str | None, page: int) -> list[Any]:
        times: dict[str, str] = {}
        for each in self._world.messages(self._exposed):
            id_ = each["data"]["chatId"]
            times[id_] = max(times.get(id_, ""), each["data"]["sentAt"])
        chats = [
            each["data"] | {"lastMessageAt": times.get(each["data"]["id"], "")}
            for each in self._world.chats.values()
            if each["sourceId"] in self._exposed
            and _has(q, each["data"]["title"], each["data"]["username"])
        ]
        chats.sort(key=lambda each: (each["title"], each["id"]))
        chats.sort(key=lambda each: each["lastMessageAt"], reverse=True)
        return _page([each["id"] for each in chats], page, 50)

    def list_telegram_messages(
        self,
        *,
        chat_id: UUID | str,
        q: str | None,
        sender: str | None,
        since: datetime | None,
        until: datetime | None,
        before: int | None,
        around: int | None,
        limit: int,
    ) -> list[Any]:
        messages = [
            each["data"]
            for each in self._world.messages(self._exposed)
            if each["data"]["chatId"] == str(chat_id)
        ]
        people = [each["sender"] for each in messages]
        sender_id = sender and _person_id(sender, people, "username", "name")
        ids = sorted((
            each["id"]
            for each in messages
            if (before is None or each["id"] < before)
            and (sender_id is None or each["sender"]["id"] == sender_id)
            and _is_within(each["sentAt"], since, until)
            and _has(q, each["text"], (each["file"] or {}).get("fileName"))
        ), reverse=True)  # fmt: skip
        if around is None:
            return ids[:limit]
        newer = [each for each in ids if each > around]
        newer_count = max(limit // 2, limit - (len(ids) - len(newer)))
        return ids[max(0, len(newer) - newer_count) :][:limit]

    def list_x_mentions(
        self,
        *,
        q: str | None,
        after: datetime | None,
        before: datetime | None,
        sort: str,
        author: str | None,
        limit: int,
        page: int,
    ) -> list[Any]:
        mentions = [each["data"] for each in self._world.mentions(self._exposed)]
        people = [each["author"] for each in mentions]
        author_id = author and _person_id(author, people, "username")
        found = [
            each
            for each in mentions
            if _has(q, each["text"])
            and _is_within(each["createdAt"], after, before)
            and (author_id is None or each["author"]["id"] == author_id)
        ]
        views = {each["id"]: each["metrics"]["views"] for each in found}
        ids = _newest(found, "createdAt")
        if sort == "views":
            ids.sort(key=views.__getitem__, reverse=True)
        return _page(ids, page, limit)


def _parsed(path: str) -> tuple[Operation, dict[str, Any]]:
    """Return the operation of a path below /api/v1, and its arguments."""
    parts = urlsplit(path)
    for operation in OPERATIONS:
        pattern = re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", operation.path)
        match = re.fullmatch(pattern, parts.path)
        if match:
            names = {name: unquote(value) for name, value in match.groupdict().items()}
            pairs = parse_qsl(parts.query, keep_blank_values=True)
            return operation, parse_text(operation.arguments, pairs, names)
    raise LookupError(path)


def _shown(data: Any) -> list[Any]:
    """Return the ids of a list, the keys of people, or the content of one segment."""
    if "content" in data:
        return [data["content"]]
    listed = data["items"] if isinstance(data, dict) else data
    return [each["key"] if "key" in each else each["id"] for each in listed]


def _fold(text: str) -> str:
    return SPACE_RUN.sub(" ", text.lower())


def _has(q: str | None, *texts: str | None) -> bool:
    return not q or any(_fold(q) in _fold(text or "") for text in texts)


def _person_id(name: str, people: Iterable[Any], *members: str) -> str:
    """Return the id of the one person with an exact name, or "" without one.

    A key of a Telegram person names its id.
    """
    if name.startswith("telegram:"):
        return name.removeprefix("telegram:")
    wanted = _fold(name.removeprefix("@"))
    ids = {
        str(person["id"])
        for person in people
        if person["id"] is not None
        and any(_fold(person[member] or "").removeprefix("@") == wanted for member in members)
    }
    (id_,) = ids or {""}
    return id_


def _is_within(at: str, after: datetime | None, before: datetime | None) -> bool:
    """Whether a time of a record, or none, is in a period."""
    return _text(after, "") <= at < _text(before, "~")


def _text(time: datetime | None, absent: str) -> str:
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if time else absent


def _newest(records: Iterable[Record], time: str) -> list[str]:
    """Ids by time, the newest first, then by id."""
    by_id = sorted(records, key=lambda each: each["id"])
    return [each["id"] for each in sorted(by_id, key=lambda each: each[time], reverse=True)]


def _page(ids: list[Any], page: int, size: int) -> list[Any]:
    return ids[(page - 1) * size : page * size]
