"""Example answers, taken from the demo organization.

`python -m orgctx.openapi.examples BASE_URL` with a key in ORGCTX_KEY asks a
running demo and writes them anew.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote
from urllib.request import Request, urlopen

import orjson

FILE = Path(__file__).with_name("examples.json")
MOST_ITEMS = 2
# By operation, what is asked; {0} is an identifier from the list that the second names.
QUESTIONS: dict[str, tuple[str, str, str]] = {
    "get_context": ("/context", "", ""),
    "list_sources": ("/sources", "", ""),
    "search_context": ("/search?q=harbor&limit=2", "", ""),
    "list_people": ("/people", "", ""),
    "read_person": ("/people/{0}", "/people", "key"),
    "list_knowledge": ("/knowledge?kind=source", "", ""),
    "read_knowledge": ("/knowledge/{0}?limit=200", "/knowledge?kind=source", "id"),
    "list_assets": ("/assets", "", ""),
    "read_asset": ("/assets/{0}", "/assets", "id"),
    "list_telegram_chats": ("/telegram/chats", "", ""),
    "list_telegram_messages": ("/telegram/chats/{0}/messages?limit=2", "/telegram/chats", "id"),
    "list_x_mentions": ("/x/mentions", "", ""),
    "get_token": ("/token", "", ""),
}


@cache
def _examples() -> dict[str, Any]:
    examples: dict[str, Any] = orjson.loads(FILE.read_bytes()) if FILE.exists() else {}
    return examples


def of(name: str) -> Any:
    """An example answer of an operation, or None."""
    return _examples().get(name)


def main() -> None:
    """Ask a running service and write the file."""
    base_url, key = sys.argv[1], os.environ["ORGCTX_KEY"]

    def get(path: str) -> Any:
        headers = {"Authorization": f"Bearer {key}"}
        with urlopen(Request(f"{base_url}/api/v1{path}", headers=headers)) as response:  # noqa: S310
            return orjson.loads(response.read())

    answers = {}
    for name, (path, list_path, member) in QUESTIONS.items():
        identifier = quote(get(list_path)["data"][0][member], safe="") if list_path else ""
        answers[name] = _shortened(get(path.format(identifier)))
    options = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
    FILE.write_bytes(orjson.dumps(answers, option=options))


def _shortened(answer: Any) -> Any:
    """The same answer with at most two items in each of its lists."""
    if isinstance(answer, dict):
        return {name: _shortened(value) for name, value in answer.items()}
    if isinstance(answer, list):
        return [_shortened(item) for item in answer[:MOST_ITEMS]]
    return answer


if __name__ == "__main__":
    main()
