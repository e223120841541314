"""Flatten the texts of messages to plain ones: formatted text, polls, lists and rich messages."""

from collections.abc import Callable, Iterator
from itertools import chain, groupby
from typing import Any

# Members that hold words, in the order in which they are read.
WORDS = ("title", "question", "text", "caption", "credit", "alt", "expression")
# Members that hold a list, with the name of its question or title.
LISTS = {"poll": "question", "todo_list": "title"}
MARKS = {"checked": "[x] ", "unchecked": "[ ] "}
ORDERED = ("ordered", "number", "numbered", "decimal")


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
    """Return blocks of a rich message as paragraphs; one of an unknown kind keeps its words."""
    return [text for each in _dicts(value) for text in KINDS.get(str(each.get("type")), _any)(each)]


def _dicts(value: Any) -> list[dict[str, Any]]:
    values = value if isinstance(value, list) else [value]
    return [each for each in values if isinstance(each, dict)]


def _any(block: dict[str, Any]) -> list[str]:
    """Return the words of a block and the blocks that it contains as paragraphs."""
    inner = (_blocks(value) for name, value in block.items() if name not in WORDS)
    return [*_words(block), *chain.from_iterable(inner)]


def _words(block: dict[str, Any]) -> list[str]:
    return [*filter(None, (plain(block.get(name), "rich_message") for name in WORDS))]


def _heading(block: dict[str, Any]) -> list[str]:
    level = block.get("level")
    marks = "#" * (level if type(level) is int and 1 <= level <= 6 else 1)
    return [f"{marks} {' '.join(_any(block))}"]


def _items(block: dict[str, Any]) -> list[str]:
    lines = []
    for number, item in enumerate(_dicts(block.get("items")), 1):
        mark = f"{number}." if block.get("kind") in ORDERED else "-"
        task = MARKS.get(str(item.get("task_state")), "")
        lines.append(f"{mark} {task}" + "\n".join(_any(item)).replace("\n", "\n  "))
    return [*_words(block), "\n".join(lines)]


def _table(block: dict[str, Any]) -> list[str]:
    rows = (map(_any, _dicts(row.get("cells"))) for row in _dicts(block.get("rows")))
    lines = (" | ".join(" ".join(cell) for cell in row) for row in rows)
    return [*_words(block), "\n".join(lines)]


def _quote(block: dict[str, Any]) -> list[str]:
    return ["> " + "\n".join(_any(block)).replace("\n", "\n> ")]


KINDS: dict[str, Callable[[dict[str, Any]], list[str]]] = {
    "heading": _heading,
    "list": _items,
    "table": _table,
    "blockquote": _quote,
}
