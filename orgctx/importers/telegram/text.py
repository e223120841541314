"""Flatten the texts of messages to plain ones: formatted text, polls, lists and rich messages."""

from collections.abc import Iterator
from itertools import chain, groupby
from typing import Any

# Members that hold words, in the order in which they are read.
WORDS = ("title", "question", "text", "caption", "credit", "alt", "expression")
# Members that hold a list, with the name of its question or title.
LISTS = {"poll": "question", "todo_list": "title"}


class InvalidMessage(Exception):
    """A member of a message has an invalid value."""


def text_of(exported: dict[str, Any]) -> str:
    """Return all text of a message: what searches find. Raises InvalidMessage, RecursionError."""
    parts = [plain(exported.get("text"), "text")]
    for name, title in LISTS.items():
        if exported.get(name) is not None:
            parts.append("\n".join(_answers(exported[name], name, title)))
    return "\n\n".join(filter(None, parts + _blocks(exported.get("rich_message"))))


def plain(value: Any, member: str) -> str:
    """Return a text without formatting. Raises InvalidMessage naming the member.

    A link is followed by its address, `the docs (https://example.com)`, and the mention of a person
    without username by the person's id, `Ada (user7)`.
    """
    if value is None or isinstance(value, str):
        return (value or "").replace("\0", "")
    if isinstance(value, dict):
        return " ".join(filter(None, (plain(value.get(name), member) for name in WORDS)))
    if not isinstance(value, list):
        raise InvalidMessage(f"{member} must be a string or an array")
    texts = []
    for address, parts in groupby(value, _address):
        words = "".join(plain(part, member) for part in parts)
        if address and address not in words:
            end = len(words.rstrip())
            words = f"{words[:end]} ({address}){words[end:]}"
        texts.append(words)
    return "".join(texts)


def _address(part: Any) -> str | None:
    """Return the address of a link, or the id of a mentioned person as in `from_id`."""
    if not isinstance(part, dict):
        return None
    address, number = part.get("href") or part.get("url"), part.get("user_id")
    if part.get("type") in ("text_link", "url", "email") and isinstance(address, str):
        return address
    is_person = part.get("type") == "mention_name" and type(number) is int and number > 0
    return f"user{number}" if is_person else None


def _answers(value: Any, name: str, title: str) -> Iterator[str]:
    """Yield the question or title of a poll or to-do list, then a line for each item."""
    answers = value.get("answers") or [] if isinstance(value, dict) else None
    if not isinstance(answers, list):
        raise InvalidMessage(f"{name} must be an object with an array of answers")
    yield plain(value.get(title), f"{name}.{title}")
    for answer in answers:
        item = answer if isinstance(answer, dict) else {"text": answer}
        count = item.get("voters") if value.get("total_voters") else None
        votes = f" ({count} vote{'s' * (count != 1)})" if type(count) is int else ""
        yield f"- {plain(item.get('text'), f'{name}.answers')}{votes}"


def _blocks(value: Any) -> list[str]:
    """Return the words of each block of a rich message, also of those inside it, as paragraphs."""
    blocks = value if isinstance(value, list) else [value]
    return [text for block in blocks if isinstance(block, dict) for text in _paragraphs(block)]


def _paragraphs(block: dict[str, Any]) -> list[str]:
    words = (plain(block.get(name), "rich_message") for name in WORDS)
    inner = (_blocks(value) for name, value in block.items() if name not in WORDS)
    return [*filter(None, words), *chain.from_iterable(inner)]
