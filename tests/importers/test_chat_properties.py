"""Rules that every import of chats and posts follows, tested with generated exports.

An import loads nothing private, deletes nothing that the export could not hold, changes nothing
that did not change, and reports everything that it leaves out.
"""

import json
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from orgctx.importers import Existing, Report, StoredChat, StoredMessages
from orgctx.importers.telegram import importer as telegram
from orgctx.importers.x import importer as x
from tests.importers.conftest import convert
from tests.importers.exports import account, chat, message, page, post
from tests.support.thorough import examples

SECRET = "kept back"
PRIVATE = ("personal_chat", "bot_chat", "saved_messages", "replies", "verification_codes")
START = 1_769_846_400
SOURCE = "telegram:main"
LIMIT = examples(40)

numbers = st.integers(1, 12)
senders = st.sampled_from(["user7", "user8", None])


class Store:
    """A database after a load. Of records with equal identities the last one wins."""

    def __init__(self) -> None:
        self.records: dict[tuple[Any, ...], dict[str, Any]] = {}
        self.deleted: set[tuple[Any, ...]] = set()

    def load(self, records: list[dict[str, Any]]) -> None:
        for record in records:
            data = record["data"]
            if record["type"] == "delete":
                key = (data["type"], data["chatId"], data["id"])
                self.deleted |= {key} & self.records.keys()
                self.records.pop(key, None)
            elif record["type"] == "source":
                self.records["source", None, record["sourceId"]] = data
            else:
                key = (record["type"], data.get("chatId"), data["id"])
                self.records[key] = {**data, "sourceId": record["sourceId"]}

    def existing(self) -> Existing:
        chats, sources = {}, {}
        for (kind, _, id_), data in self.records.items():
            if kind == "source":
                sources[id_] = {**data, "updatedAt": _time(data["updatedAt"])}
            if kind == "telegram.chat":
                chats[id_] = StoredChat(
                    datetime.fromisoformat(data["linkedAt"]),
                    data["username"], data["memberCount"], data["sourceId"], data["type"],
                    data["title"], datetime.fromisoformat(data["updatedAt"]),
                )  # fmt: skip
        return Existing(sources=sources, chats=chats, messages=self._messages)

    def _messages(self, chat_id: str) -> StoredMessages:
        rows = []
        for (kind, stored_chat, id_), data in sorted(self.records.items(), key=str):
            if (kind, stored_chat) == ("telegram.message", chat_id):
                edited = data["editedAt"]
                rows.append(
                    (id_, _seconds(data["sentAt"]), _seconds(edited) if edited else 0,
                     hash(data["sender"]["id"]) % 1000)
                )  # fmt: skip
        return StoredMessages(sorted(rows))


def _time(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _seconds(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp())


def run(store: Store, export: Any, *, prune: bool = False) -> tuple[list[dict[str, Any]], Report]:
    """Import an export and load its records into the store."""
    report = Report()
    with TemporaryDirectory() as folder:
        path = Path(folder, "result.json")
        path.write_text(json.dumps(export), "utf-8")
        existing = store.existing()
        records = convert(telegram, path, report, existing=existing, source_id=SOURCE, prune=prune)
    store.load(records)
    return records, report


def left_out(report: Report) -> int:
    """How much was skipped or refused."""
    return sum(skip.count for skip in report.skipped.values()) + report.refused_count


@st.composite
def messages(draw: st.DrawFn) -> dict[int, dict[str, Any]]:
    """The messages of a chat by id, with the number of edits so far."""
    return {
        n: message(n, from_id=draw(senders), text=f"{n} v0", date_unixtime=str(START + n))
        for n in draw(st.sets(numbers, min_size=1))
    }


def later(history: dict[int, dict[str, Any]], edited: set[int], time: int) -> dict[int, Any]:
    """The same messages after some of them were edited at one time."""
    changed = {"text": f"edited at {time}", "edited_unixtime": str(START + 1000 + time)}
    return {id_: data | (changed if id_ in edited else {}) for id_, data in history.items()}


@LIMIT
@given(st.lists(st.tuples(st.sampled_from([*PRIVATE, "private_group", "nonsense"]), messages())))
def test_private_chat_never_becomes_a_record(chats: list[tuple[str, dict[int, Any]]]) -> None:
    exported = []
    for number, (kind, history) in enumerate(chats, 1):
        is_open = kind == "private_group"
        texts = [data | {"text": "open" if is_open else SECRET} for data in history.values()]
        title = "Open" if is_open else SECRET
        exported.append(chat(*texts, type=kind, id=number, name=title))
    records, report = run(Store(), account(exported, []))
    assert SECRET not in json.dumps(records)
    kept = sum(kind == "private_group" for kind, _ in chats)
    assert kept + left_out(report) == len(chats)


@LIMIT
@given(messages(), st.data(), st.booleans(), st.sampled_from([None, {"id": "x"}, 5]))
def test_prune_deletes_only_what_the_export_could_hold(
    history: dict[int, Any], data: st.DataObject, prune: bool, broken: Any
) -> None:
    store = Store()
    run(store, chat(*history.values()))
    held = data.draw(st.sets(st.sampled_from(sorted(history)), min_size=1))
    exported = [history[n] for n in sorted(held)] + ([broken] if broken else [])
    stored = {key for key in store.records if key[0] == "telegram.message"}
    _, report = run(store, chat(*exported), prune=prune)
    deleted = {id_ for _, _, id_ in store.deleted}
    assert store.deleted <= stored
    assert not deleted & held
    assert all(min(held) < id_ < max(held) for id_ in deleted)
    if broken or not prune or max(held) < max(history):
        assert not deleted
    unseen = {n for n in history if min(held) < n < max(held)} - held - deleted
    if unseen and max(held) == max(history):
        assert any("delet" in reason for reason in report.skipped)


@LIMIT
@given(messages(), st.sets(numbers), st.sets(numbers), st.booleans())
def test_exports_give_the_same_in_any_order(
    history: dict[int, Any], once: set[int], twice: set[int], renamed: bool
) -> None:
    first = later(history, once, 1)
    second = later(first, twice, 2)
    exports = [
        chat(*first.values(), name="Old"),
        chat(
            *second.values(),
            message(99, date_unixtime=str(START + 5000)),
            name="New" if renamed else "Old",
        ),
    ]
    states = []
    for order in (exports, exports[::-1]):
        store = Store()
        for export in order:
            run(store, export)
        # A source keeps its first label, because an operator may have chosen it.
        states.append({key: data for key, data in store.records.items() if key[0] != "source"})
        before = dict(store.records)
        for export in order:
            run(store, export)
        assert store.records == before
    assert states[0] == states[1]


STRANGE = [5, "text", {"id": "x"}, {"id": 3, "type": "service"}, {"id": 4, "type": "unsupported"},
           {"id": 5, "type": "new"}, {"id": 6, "text": []}, {"id": -7, "text": "x"}]  # fmt: skip


@LIMIT
@given(messages(), st.lists(st.sampled_from(STRANGE)))
def test_every_message_is_loaded_or_reported(history: dict[int, Any], strange: list[Any]) -> None:
    records, report = run(Store(), chat(*history.values(), *strange))
    loaded = sum(record["type"] == "telegram.message" for record in records)
    assert report.read == len(history) + len(strange) == loaded + left_out(report)


@LIMIT
@given(st.permutations([("1", 0), ("2", 1), ("3", 2), ("9", 0)]), st.sampled_from([None, "9", "3"]))
def test_newest_version_of_a_post_stays_unless_deleted(
    order: list[tuple[str, int]], deleted: str | None
) -> None:
    history = ["1", "2", "3"]
    values: list[Any] = [
        page(post(int(id_), edit_history_post_ids=history if id_ in history else [id_]))
        for id_, _ in order
    ]
    if deleted:
        values.insert(order[0][1], {"data": {"delete": {"tweet": {"id": deleted}}}})
    report, store = Report(), Store()
    with TemporaryDirectory() as folder:
        path = Path(folder, "posts.jsonl")
        path.write_text("".join(json.dumps(value) + "\n" for value in values), "utf-8")
        store.load(convert(x, [path], report, account="acme"))
    ids = {id_ for kind, _, id_ in store.records if kind == "x.mention"}
    assert ids == {"3", "9"} - {deleted}
    assert report.read == len(values)
