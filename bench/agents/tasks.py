"""The recorded tasks: rows of tasks.jsonl."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

FILE = Path(__file__).with_name("tasks.jsonl")


@dataclass(frozen=True)
class Task:
    """A question of a colleague, and what an able agent would try."""

    kind: str  # names a strategy
    organization: str  # demo or generated
    question: str
    queries: list[str]  # what to search for, in this order: a phrase, words, a word
    # Texts that results must contain, and numbers that they must count. Without any, the question
    # cannot be answered.
    answers: list[str | int] = field(default_factory=list)
    arguments: dict[str, Any] = field(default_factory=dict)  # what the question names, by argument
    secrets: list[str] = field(default_factory=list)  # texts that no result may contain
    planted: list[dict[str, Any]] = field(default_factory=list)  # see organization.py


def tasks() -> list[Task]:
    """Return all tasks, in the order of the file."""
    return [Task(**orjson.loads(line)) for line in FILE.read_bytes().splitlines()]
