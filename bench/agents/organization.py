"""The generated organization: realistic in size, with the answers of its tasks among noise.

The records are those of `bench.dataset`, with hard-wrapped Markdown. Their vocabulary has all words
of the questions and queries, so these also occur where they answer nothing. Records take what tasks
plant:

- {"document": title, "text": …, "length": …}: the text is in the middle of a document of that many
  characters, or is the whole document. Other members are those of the record.
- {"chat": title, "messages": [[name, text], …]}: successive messages of a chat. "updatedAt" is that
  of its source, which is then stale.
- {"post": text, "views": …, "createdAt": …}
- {"file": name, "bytes": …}
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from bench.agents.tasks import Task
from bench.dataset import Record, Size, chat, document, identity, of_sizes

NUMBER = 1  # of the organization
SIZE = Size(60_000, 100, 3_000, 200_000, 1_000, 2_000, 2_000)
STALE_AFTER_SECONDS = 24 * 60 * 60
# Planted records replace generated ones: the number of the first, and the distance between them.
DOCUMENTS, CHATS, POSTS, FILES = (100, 200), (5, 8), (1_000, 8), (500, 8)
FIRST_MESSAGE = 250
LINE_END = re.compile("(.{60,78}?) ")
REACTIONS = {"likes": 1, "reposts": 0, "replies": 0, "quotes": 0}

# The record type, and what identifies a record of it.
Place = tuple[str, Any]


def records(tasks: Sequence[Task]) -> Iterator[Record]:
    """Yield all records, parents first. Fails if a planted record has no place."""
    texts = " ".join(text for task in tasks for text in (task.question, *task.queries))
    words = sorted({*re.findall(r"\w{3,}", texts.lower())})
    planted = dict(_planted([each for task in tasks for each in task.planted]))
    for record in of_sizes([SIZE], rare_words=words):
        data = record["data"] | planted.pop(_place(record), {})
        if record["type"] == "knowledge":
            data["content"] = _content(data["content"], data.pop("planted", {}))
        yield record | {"data": data}
    assert not planted, planted.keys()


def _place(record: Record) -> Place:
    data = record["data"]
    if record["type"] == "source":
        return "source", record["sourceId"]
    return record["type"], (data.get("chatId"), data.get("id"))


def _content(noise: str, planted: Record) -> str:
    if planted and "length" not in planted:
        return str(planted["text"])
    hard_wrapped = LINE_END.sub(r"\1\n", noise)
    if not planted:
        return hard_wrapped
    half = planted["length"] // 2
    noise = hard_wrapped * (half // len(hard_wrapped) + 1)
    return f"{noise[:half]}\n\n{planted['text']}\n\n{noise[-half:]}"


def _planted(rows: Sequence[dict[str, Any]]) -> Iterator[tuple[Place, Record]]:
    """Yield the places of planted records, each with the members that it sets."""
    for number, row in enumerate(row for row in rows if "document" in row):
        members = {name: row[name] for name in row.keys() - {"document", "text", "length"}}
        id_ = document(NUMBER, _nth(DOCUMENTS, number))
        yield ("knowledge", (None, id_)), {"title": row["document"], "planted": row} | members
    titles = [*dict.fromkeys(row["chat"] for row in rows if "chat" in row)]
    for row in rows:
        if "chat" in row:
            yield from _chat(row, _nth(CHATS, titles.index(row["chat"])))
    for number, row in enumerate(row for row in rows if "post" in row):
        place: Place = "x.mention", (None, f"{10**17 + _nth(POSTS, number)}")
        metrics = REACTIONS | {"views": row.get("views", 1)}
        yield place, {"text": row["post"], "metrics": metrics, "createdAt": row["createdAt"]}
    for number, row in enumerate(row for row in rows if "file" in row):
        place = "asset", (None, identity(NUMBER, 4, _nth(FILES, number)))
        yield place, {"name": row["file"], "bytes": row["bytes"]}


def _nth(places: tuple[int, int], number: int) -> int:
    first, step = places
    return first + step * number


def _chat(row: dict[str, Any], number: int) -> Iterator[tuple[Place, Record]]:
    id_ = chat(NUMBER, number)
    yield ("telegram.chat", (None, id_)), {"title": row["chat"]}
    source: Record = {"label": row["chat"]}
    if "updatedAt" in row:
        source |= {"updatedAt": row["updatedAt"], "staleAfterSeconds": STALE_AFTER_SECONDS}
    yield ("source", f"telegram:{number}"), source
    for message_id, (name, text) in enumerate(row.get("messages", ()), FIRST_MESSAGE):
        sender = {"id": "user" + name.replace(" ", ""), "name": name, "username": None}
        members = {"sender": sender, "text": text, "kind": "text", "file": None}
        yield ("telegram.message", (id_, message_id)), members
