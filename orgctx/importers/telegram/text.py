"""Flatten the texts of messages to plain ones: formatted text, polls, lists and rich messages."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

# Members that hold words, in the order in which they are read.
WORDS = ("title", "question", "text", "caption", "credit", "alt", "expression")
# Members that hold a list, with the name of its question or title.
LISTS = {"poll": "question", "todo_list": "title"}
MARKS = {"checked": "[x] ", "unchecked": "[ ] "}
MOST_DEPTH = 100


class InvalidMessage(Exception):
    """A member of a message has an invalid value."""


def plain(value: Any, member: str, *, with_links: bool = True, depth: int = 0) -> str:
    """Return a text without formatting. Raises InvalidMessage naming the member.

    A link is followed by its address, `the docs (https://example.com)`, and the mention of a person
    without username by the person's id, `Ada (user7)`.
    """
    if value is None or isinstance(value, str):
        return (value or "").replace("\0", "")
    if depth > MOST_DEPTH:
        raise InvalidMessage(f"{member} is nested too deeply")
    if isinstance(value, dict):
        inner = (value[name] for name in WORDS if name in value)
        texts = [plain(each, member, with_links=with_links, depth=depth + 1) for each in inner]
        return " ".join(filter(None, texts))
    if not isinstance(value, list):
        raise InvalidMessage(f"{member} must be a string or an array")
    texts = []
    for part, following in pairwise([*value, None]):
        words = plain(part, member, with_links=with_links, depth=depth + 1)
        address = _address(part) if with_links else None
        if address and address != _address(following) and address not in words:
            end = len(words.rstrip())
            words = f"{words[:end]} ({address}){words[end:]}"
        texts.append(words)
    return "".join(texts).replace("\0", "")


def _address(part: Any) -> str | None:
    """Return the address of a link, or the id of a mentioned person as in `from_id`."""
    if not isinstance(part, dict):
        return None
    address, number = part.get("href") or part.get("url"), part.get("user_id")
    if part.get("type") in ("text_link", "url", "email") and isinstance(address, str):
        return address
    is_person = part.get("type") == "mention_name" and type(number) is int and number > 0
    return f"user{number}" if is_person else None


def text_of(exported: dict[str, Any], *, with_links: bool) -> str:
    """Return all text of a message: what searches find. Raises InvalidMessage."""
    parts = [plain(exported.get("text"), "text", with_links=with_links)]
    for name, title in LISTS.items():
        if exported.get(name) is not None:
            parts.append("\n".join(_list(exported[name], name, title, with_links=with_links)))
    rich = exported.get("rich_message")
    if isinstance(rich, dict):
        parts += blocks(rich.get("blocks"), with_links=with_links)
    return "\n\n".join(filter(None, parts))


def _list(value: Any, name: str, title: str, *, with_links: bool) -> Iterator[str]:
    """Yield the question or title of a poll or to-do list, then a line for each item."""
    answers = value.get("answers") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(answers, list | None):
        raise InvalidMessage(f"{name} must be an object with an array of answers")
    yield plain(value.get(title), f"{name}.{title}", with_links=with_links)
    total = value.get("total_voters")
    for answer in answers or []:
        item = answer if isinstance(answer, dict) else {"text": answer}
        count = item.get("voters")
        has_votes = type(total) is int and total > 0 and type(count) is int
        votes = f" ({count} vote{'s' * (count != 1)})" if has_votes else ""
        yield f"- {plain(item.get('text'), f'{name}.answers', with_links=with_links)}{votes}"


def blocks(values: Any, *, with_links: bool, depth: int = 0) -> list[str]:
    """Return the blocks of a rich message as paragraphs. An unknown one keeps its words."""
    if depth > MOST_DEPTH:
        raise InvalidMessage("rich_message is nested too deeply")
    texts: list[str] = []
    for block in values if isinstance(values, list) else [values]:
        if not isinstance(block, dict):
            continue
        words = [
            plain(block[name], "rich_message", with_links=with_links)
            for name in WORDS
            if isinstance(block.get(name), str | dict | list)
        ]
        inner: list[str] = []
        for name, value in block.items():
            if name not in WORDS and isinstance(value, list | dict):
                inner += _inner(name, value, block, with_links=with_links, depth=depth + 1)
        texts += _block(block, list(filter(None, words)), list(filter(None, inner)))
    return texts


def _inner(
    name: str, value: Any, block: dict[str, Any], *, with_links: bool, depth: int
) -> list[str]:
    """Return what a member of a block holds: items of a list, rows of a table, other blocks."""
    values = value if isinstance(value, list) else [value]
    each = [blocks(part, with_links=with_links, depth=depth) for part in values]
    if name == "cells":
        return [" | ".join(" ".join(cell) for cell in each)]
    if name == "rows":
        return ["\n".join(row for rows in each for row in rows)]
    if name != "items":
        return [text for texts in each for text in texts]
    is_ordered = block.get("kind") in ("ordered", "number", "numbered", "decimal")
    lines = []
    for number, (item, texts) in enumerate(zip(values, each, strict=True), 1):
        mark = f"{number}. " if is_ordered else "- "
        task = MARKS.get(str(item.get("task_state")), "") if isinstance(item, dict) else ""
        lines.append(mark + task + "\n".join(texts).replace("\n", "\n  "))
    return ["\n".join(lines)]


def _block(block: dict[str, Any], words: list[str], inner: list[str]) -> list[str]:
    kind, level = block.get("type"), block.get("level")
    if kind == "heading":
        marks = "#" * (level if type(level) is int and 1 <= level <= 6 else 1)
        return [f"{marks} {' '.join(words)}", *inner]
    if isinstance(kind, str) and "quote" in kind:
        lines = "\n".join([*words, *inner]).split("\n")
        return ["\n".join(f"> {line}" for line in lines)]
    return [*words, *inner]
