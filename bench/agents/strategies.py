"""How an able agent answers each kind of question, from the tools and results that it sees.

A strategy ends early by Answered, which `Session.call` raises.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

from bench.agents.session import Json, Session
from bench.agents.tasks import Task

# The most items that an agent opens after a search, pages of a list, and segments of a text.
OPENED, PAGES, SEGMENTS = 2, 10, 6
FEW_ITEMS = 5  # few enough to open items that share only one word with the queries
CONVERSATION = 20  # messages
WEAK_WORDS = 3
STEM = 5  # characters that the forms of a word share
# What results say if other words would not help either; and how often an agent has to read it.
DEAD_END, DEAD_ENDS = "do not have the answer", 2
MESSAGES, POSTS = "list_telegram_messages", "list_x_mentions"


def look_up(session: Session, task: Task) -> None:
    """Search for the phrase, then for words, and open what promises most.

    Stop where results say that the answer is not stored.
    """
    opened: set[str] = set()
    absent: list[str] = []
    dead_end_count = 0
    for q in task.queries:
        # If a word occurs nowhere, no phrase with it does.
        if any(word in q for word in absent):
            continue
        answer = session.call("search_context", q=q, **task.arguments)
        data = answer["data"]
        counts = {word["word"]: _total(word) for word in data.get("words", ())}
        absent += [word for word, total in counts.items() if not total]
        if any(DEAD_END in hint for hint in answer.get("hints", ())):
            dead_end_count += 1
            if dead_end_count == DEAD_ENDS:
                return
            continue
        items = [*data["items"], *data.get("partialItems", ())]
        for item in _promising(items, task, opened):
            opened.add(item["id"])
            if item["kind"] in OPENERS:
                OPENERS[item["kind"]](session, item, _rarest(item, counts, q))


def bag_of_words(session: Session, task: Task) -> None:
    """Search once for the longest words of the question, as a weak agent does."""
    words = re.findall(r"\w+", task.question)
    longest = sorted(words, key=len, reverse=True)[:WEAK_WORDS]
    session.call("search_context", q=" ".join(word for word in words if word in longest))


def _total(word: Json) -> int:
    """Return how many records contain a word; other checkouts count them by place."""
    places = word.get("found", ())
    return int(word.get("recordCount", sum(place["recordCount"] for place in places)))


def _rarest(item: Json, counts: dict[str, int], q: str) -> str:
    """Return what to look for in an item: q, or the rarest word of a partial item."""
    words: list[str] = item.get("words", [q])
    return min(words, key=lambda word: (counts.get(word, 0), -len(word)))


def _promising(items: list[Json], task: Task, opened: set[str]) -> list[Json]:
    """Return the items not yet opened that share most words with the queries.

    If there are many items, each must share at least two words.
    """
    wanted = _stems(" ".join(task.queries))
    scores = [len(wanted & _stems(f"{item['title']} {item['preview']}")) for item in items]
    ranked = sorted(zip(scores, items, strict=True), key=lambda pair: -pair[0])
    least = 2 if len(items) > FEW_ITEMS else 1
    promising = [item for score, item in ranked if score >= least and not _is_whole(item)]
    return [item for item in promising if item["id"] not in opened][:OPENED]


def _is_whole(item: Json) -> bool:
    """Return whether the preview of a document is its text, so that reading it adds nothing."""
    return item["kind"] in ("document", "note") and "…" not in item["preview"]


def _stems(text: str) -> set[str]:
    return {word[:STEM] for word in re.findall(r"\w{4,}|\w*\d\w*", text.casefold())}


def _read_text(session: Session, item: Json, term: str) -> None:
    """Read from the match if the tools tell where it is, else from the start."""
    is_placed = "matchOffset" in item or "words" in item
    arguments = session.offered("read_knowledge", {"q": term} if is_placed else {})
    offset, count = 0, 2 if arguments else SEGMENTS
    for _ in range(count):
        item = session.call("read_knowledge", id=item["id"], offset=offset, **arguments)["data"]
        offset = item["contentRange"]["nextOffset"]
        if offset is None:
            break


def _read_conversation(session: Session, item: Json, _: str) -> None:
    """Read the messages around one."""
    chat_id, _, number = item["id"].rpartition(":")
    middle = session.offered(MESSAGES, {"around": int(number)})
    middle = middle or {"before": int(number) + CONVERSATION // 2 + 1}
    session.call(MESSAGES, chatId=chat_id, limit=CONVERSATION, **middle)


def _read_person(session: Session, item: Json, _: str) -> None:
    session.call("read_person", key=item["id"])


def _read_asset(session: Session, item: Json, _: str) -> None:
    session.call("read_asset", id=item["id"])


OPENERS: dict[str, Callable[[Session, Json, str], None]] = {
    "document": _read_text,
    "note": _read_text,
    "message": _read_conversation,
    "person": _read_person,
    "asset": _read_asset,
}


def ask_person(session: Session, task: Task) -> None:
    """Find a person by name, read the profile, then search what the person wrote."""
    people = session.call("list_people", q=task.arguments["name"])["data"]
    for person in people[:OPENED]:
        detail = session.call("read_person", key=person["key"])["data"]
        chat_ids = {
            activity["href"].split("/chats/")[1].partition("/")[0]
            for activity in detail["recentActivity"]
            if activity["kind"] == "message"
        }
        for chat_id in sorted(chat_ids):
            for q in task.queries:
                sender = session.offered(MESSAGES, {"sender": person["key"]})
                session.call(MESSAGES, chatId=chat_id, q=q, **sender)


def list_posts(session: Session, task: Task) -> None:
    """List the posts that a question is about, and count them."""
    wanted = task.arguments
    arguments = session.offered(POSTS, wanted)
    count = 0
    for page in _pages(session, POSTS, **arguments):
        count += sum(_is_wanted(post, wanted) for post in page)
        if page and page[-1]["createdAt"] < wanted.get("after", ""):
            break
    session.conclude(count)


def _is_wanted(post: Json, wanted: dict[str, Any]) -> bool:
    return wanted.get("q", "").casefold() in post["text"].casefold() and wanted.get(
        "after", ""
    ) <= post["createdAt"] < wanted.get("before", "~")


def ask_chat(session: Session, task: Task) -> None:
    """Find a chat by its title, search in it, and read around each of the first messages."""
    chat_id = _chat_id(session, task)
    for q in task.queries:
        messages = session.call(MESSAGES, chatId=chat_id, q=q)["data"]
        for message in messages[:OPENED]:
            _read_conversation(session, {"id": f"{chat_id}:{message['id']}"}, q)


def _chat_id(session: Session, task: Task) -> str:
    title = task.arguments["chat"]
    searched = session.offered("list_telegram_chats", {"q": title})
    for page in _pages(session, "list_telegram_chats", **searched):
        for chat in page:
            if title in chat["title"]:
                return str(chat["id"])
    raise LookupError(title)


def count_messages(session: Session, task: Task) -> None:
    """Find a chat by its title, and count its messages that contain a term."""
    chat_id = _chat_id(session, task)
    for q in task.queries:
        arguments: Json = {"chatId": chat_id, "q": q}
        count = 0
        for _ in range(PAGES):
            answer = session.call(MESSAGES, **arguments)
            count += len(answer["data"])
            if not answer["pagination"]["hasMore"]:
                break
            arguments["before"] = answer["pagination"]["nextBefore"]
        session.conclude(count)


def count_of_person(session: Session, task: Task) -> None:
    """Find a person by name. The list contains how many messages and posts each person wrote."""
    session.call("list_people", q=task.arguments["name"])


def list_sources(session: Session, task: Task) -> None:
    """List the sources of a kind until the wanted one is there."""
    for _ in _pages(session, "list_sources", **session.offered("list_sources", task.arguments)):
        pass


def read_token(session: Session, task: Task) -> None:
    """Read the token summary."""
    session.call("get_token", **task.arguments)


def _pages(session: Session, tool: str, **arguments: Any) -> Iterator[list[Json]]:
    """Yield the items of each page of a list."""
    for page in range(1, PAGES + 1):
        number = session.offered(tool, {"page": page})
        answer = session.call(tool, **arguments, **number)
        yield answer["data"]
        if not answer.get("pagination", {}).get("hasNextPage"):
            break


# The strategy for each kind of task.
STRATEGIES: dict[str, Callable[[Session, Task], None]] = {
    "documentation": look_up,
    "conversation": look_up,
    "conversation of a chat": ask_chat,
    "decision": look_up,
    "file": look_up,
    "unanswerable": look_up,
    "person": ask_person,
    "posts": list_posts,
    "messages of a chat": count_messages,
    "messages of a person": count_of_person,
    "sources": list_sources,
    "token": read_token,
}
