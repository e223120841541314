"""`python -m orgctx.demo.write_data` writes the generated files of `data/`.

The files are committed; a test compares them with the output of this module.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from orgctx.demo import (
    write_chats,
    write_documents,
    write_files,
    write_mentions,
    write_organization,
)
from orgctx.demo.organization import DATA, map_id


def files() -> Iterator[tuple[str, str]]:
    """Yield pairs of a path below `data/` and its content."""
    yield "organization.jsonl", _lines(write_organization.records(map_id()))
    yield "docs/almanac/tide-almanac-2027.md", write_documents.almanac()
    yield "docs/almanac/lamp-log-2026.md", write_documents.lamp_log()
    yield "telegram/dockside.json", _indented(write_chats.dockside())
    yield "telegram/beacon.json", _indented(write_chats.beacon())
    for number, page in enumerate(write_mentions.pages(), 1):
        yield f"x/mentions-{number}.json", _indented(page)
    yield "assets.csv", write_files.manifest()


def _lines(records: Iterable[Any]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def _indented(value: Any) -> str:
    """Serialize JSON with the indentation of Telegram Desktop."""
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def main() -> None:
    for name, content in files():
        path = Path(DATA / name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")


if __name__ == "__main__":
    main()
