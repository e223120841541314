"""Example answers, taken from the demo, and what they were asked with.

`python -m orgctx.openapi.examples BASE_URL` with a key in ORGCTX_KEY asks a
running demo and writes them anew.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

import orjson

from orgctx.catalog import OPERATIONS
from orgctx.openapi.parameters import name_of
from orgctx.operation import Operation
from orgctx.shapes.payload import fields_of

FILE = Path(__file__).with_name("examples.json")
MOST_OBJECTS = 2
# By operation, its parameters. `first` gives a member of the first object of a list by its path.
First = Callable[[str, str], Any]
QUESTIONS: dict[str, Callable[[First], dict[str, Any]]] = {
    "search_context": lambda first: {
        "q": "lamp",
        "source": first("/sources", "id"),
        "after": "2026-01-01T00:00:00Z",
        "before": "2027-01-01T00:00:00+01:00",
        "limit": 2,
    },
    "list_people": lambda _: {"q": "mira", "page": 1},
    "read_person": lambda first: {"key": first("/people?q=mira", "key")},
    "list_knowledge": lambda _: {
        "q": "tide",
        "kind": "source",
        "visibility": "public",
        "archived": False,
        "page": 1,
    },
    "read_knowledge": lambda first: {
        "id": first("/knowledge?q=tide", "id"),
        "offset": 0,
        "limit": 200,
    },
    "list_assets": lambda first: {"folderId": _folder(first), "page": 1},
    "read_asset": lambda first: {"id": first(f"/assets?folderId={_folder(first)}", "id")},
    "list_telegram_chats": lambda _: {"page": 1},
    "list_telegram_messages": lambda first: {
        "id": first("/telegram/chats", "id"),
        "q": "lamp",
        "before": 1150,
        "limit": 2,
    },
    "list_x_mentions": lambda _: {"page": 1},
}


def of(name: str) -> Any:
    """An example answer of an operation, or None."""
    return _examples().get(name, {}).get("answer")


def asked(name: str) -> dict[str, Any]:
    """The parameters that this answer was asked with, by name."""
    parameters: dict[str, Any] = _examples().get(name, {}).get("asked", {})
    return parameters


@cache
def _examples() -> dict[str, Any]:
    examples: dict[str, Any] = orjson.loads(FILE.read_bytes()) if FILE.exists() else {}
    return examples


def main() -> None:
    """Ask a running service and write the file."""
    base_url, key = sys.argv[1], os.environ["ORGCTX_KEY"]

    def get(path: str) -> Any:
        headers = {"Authorization": f"Bearer {key}"}
        with urlopen(Request(f"{base_url}/api/v1{path}", headers=headers)) as response:  # noqa: S310
            return orjson.loads(response.read())

    def first(path: str, member: str) -> Any:
        return get(path)["data"][0][member]

    examples = {}
    for operation in OPERATIONS:
        question = QUESTIONS[operation.name](first) if operation.name in QUESTIONS else {}
        answer = _shortened(get(_path(operation, question)))
        examples[operation.name] = {"asked": question, "answer": answer}
    options = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
    FILE.write_bytes(orjson.dumps(examples, option=options))


def _folder(first: First) -> Any:
    """A folder with files in it: the first one of the first one at the root."""
    return first(f"/assets?folderId={first('/assets', 'id')}", "id")


def _path(operation: Operation, question: dict[str, Any]) -> str:
    """The path and query of a request. Raises KeyError for a path parameter that is missing."""
    query, path = dict(question), operation.path
    for field in fields_of(operation.arguments).values():
        if field.path:
            path = path.replace(f"{{{field.path}}}", quote(query.pop(name_of(field)), safe=""))
    texts = {
        name: str(value).lower() if isinstance(value, bool) else value
        for name, value in query.items()
    }
    return f"{path}?{urlencode(texts)}" if texts else path


def _shortened(answer: Any) -> Any:
    """The same answer with at most two objects in each of its lists."""
    if isinstance(answer, dict):
        return {name: _shortened(value) for name, value in answer.items()}
    if isinstance(answer, list):
        most = MOST_OBJECTS if answer and isinstance(answer[0], dict) else len(answer)
        return [_shortened(item) for item in answer[:most]]
    return answer


if __name__ == "__main__":
    main()
