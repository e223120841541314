"""The calls of an agent that answers one question."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

Json = dict[str, Any]
MEASURES = ("total", "count", "bytes")
# Sends a JSON-RPC method with its parameters, and returns the result.
Send = Callable[[str, Json], Json]


@dataclass(frozen=True)
class Call:
    """A call of a tool."""

    tool: str
    arguments: Json
    result_bytes: int


class Answered(Exception):
    """The agent has seen the whole answer, and stops."""


class Session:
    """Calls tools until the results contain the answers.

    answers: texts, ignoring case and line breaks, and numbers, which results state as totals,
    counts or sizes. Only `call` and `conclude` see them, so that a strategy decides from results.
    """

    def __init__(self, send: Send, tools: Mapping[str, Json], answers: list[str | int]) -> None:
        self.calls: list[Call] = []
        self.search_count = 0
        self.empty_count = 0  # searches that returned nothing
        self.partial_count = 0  # searches that returned only records with some of the words
        self._send = send
        self._tools = tools
        self._answers = answers
        self._texts: list[str] = []
        self._numbers: set[int] = set()

    @property
    def result_bytes(self) -> int:
        """Return the size of all results."""
        return sum(call.result_bytes for call in self.calls)

    def takes(self, tool: str, argument: str) -> bool:
        """Return whether the list of tools offers the tool, with this argument."""
        return argument in self._tools.get(tool, {}).get("inputSchema", {}).get("properties", {})

    def offered(self, tool: str, arguments: Json) -> Json:
        """Return those arguments that the tool takes."""
        return {name: value for name, value in arguments.items() if self.takes(tool, name)}

    def call(self, tool: str, **arguments: Any) -> Json:
        """Return the structured content of a call.

        Raises:
            Answered: the results so far contain all answers.
            RuntimeError: the call failed.
        """
        result = self._send("tools/call", {"name": tool, "arguments": arguments})
        # structuredContent repeats it; clients show one of both to the agent.
        content = result["content"][0]["text"]
        self.calls.append(Call(tool, arguments, len(content.encode())))
        if result["isError"]:
            raise RuntimeError(f"{tool} {arguments}: {content}")
        answer: Json = orjson.loads(content)
        if "q" in arguments and tool != "read_knowledge":
            self._count(answer["data"])
        self._texts += map(_folded, _texts(answer))
        self._numbers.update(_numbers(answer))
        if self._answers and self.has_answer():
            raise Answered
        return answer

    def conclude(self, number: int) -> None:
        """Answer with a number that the agent has counted itself."""
        self._numbers.add(number)

    def has_answer(self) -> bool:
        """Return whether the results so far contain all answers."""
        return all(
            answer in self._numbers if isinstance(answer, int) else self.has_seen(answer)
            for answer in self._answers
        )

    def has_seen(self, text: str) -> bool:
        """Return whether a result contained the text."""
        return any(_folded(text) in seen for seen in self._texts)

    def _count(self, data: Any) -> None:
        is_list = isinstance(data, list)
        items, partial = (data, None) if is_list else (data["items"], data.get("partialItems"))
        self.search_count += 1
        self.partial_count += not items and bool(partial)
        self.empty_count += not items and not partial


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for member in value.values() if isinstance(value, dict) else value:
            yield from _texts(member)


def _numbers(value: Any, name: str = "") -> Iterator[int]:
    """Yield the totals, counts and sizes in a result, and the numbers in its hints."""
    if isinstance(value, dict):
        for key, member in value.items():
            yield from _numbers(member, key)
    elif isinstance(value, list):
        for member in value:
            yield from _numbers(member, name)
    elif name == "hints":
        words = value.replace(",", "").split()
        yield from (int(word) for word in words if word.isdecimal())
    elif isinstance(value, int) and (name in MEASURES or name.endswith("Count")):
        yield value
