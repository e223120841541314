"""Records of the demo organization: its bundle, and what the importers read from its files."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson

from orgctx.demo import identities as ids
from orgctx.importers.records import Existing, StoredChat, Target
from orgctx.importers.report import Report
from orgctx.imports import catalog

Record = dict[str, Any]

DATA = Path(__file__).parent / "data"
EXPORTED_AT = "2026-11-21T06:26:05Z"
BUNDLE = [*map(orjson.loads, (DATA / "organization.jsonl").read_bytes().splitlines())]
SOURCES = [record["sourceId"] for record in BUNDLE if record["type"] == "source"]
APPROVED = [source_id for source_id in SOURCES if source_id != ids.BOARD]
LINKED_AT = datetime.fromisoformat("2026-05-01T12:00:00Z")

# Exports do not contain: creation time, public username, member count.
CHATS = {
    ids.DOCKSIDE_NUMBER: StoredChat(LINKED_AT, "harborlights_dockside", 27),
    ids.BEACON_NUMBER: StoredChat(LINKED_AT, "harborlights_beacon", 1204),
}


def records(report: Report | None = None) -> Iterator[Record]:
    """Yield all records, parents first. report: collects what the importers skipped."""
    yield from BUNDLE
    chats = {str(ids.identity(f"telegram:channel{n}")): chat for n, chat in CHATS.items()}
    existing = Existing(_sources(), chats)
    yield from _dated(_imported(existing, report or Report()))


def _imported(existing: Existing, report: Report) -> Iterator[Record]:
    def run(name: str, path: Path | list[Path], source_id: str, **options: Any) -> Iterator[Record]:
        row = catalog.BY_NAME[name]
        target = Target(str(ids.ORGANIZATION_ID), source_id, existing, older=True)
        return row.load()(path, target=target, report=report, **options)

    yield from run("folder", DATA / "docs", ids.MANUAL, source_files=True)
    yield from run("telegram", DATA / "telegram/dockside.json", ids.DOCKSIDE)
    yield from run("telegram", DATA / "telegram/beacon.json", ids.BEACON)
    pages = sorted((DATA / "x").glob("*.json"))
    yield from run("x", pages, ids.MENTIONS, account=ids.X_ACCOUNT)


def _dated(imported: Iterable[Record]) -> Iterator[Record]:
    """Set the dates of chats and drop sources, which the bundle contains.

    Importers date both by the modification time of the files, which is when they were installed.
    """
    for record in imported:
        if record["type"] == "telegram.chat":
            record["data"]["updatedAt"] = EXPORTED_AT
        if record["type"] != "source":
            yield record


def _sources() -> dict[str, Record]:
    """Return the sources of the bundle by id, in the form of stored sources that importers get."""
    absent = dict.fromkeys(("href", "staleAfterSeconds", "account"))
    return {
        record["sourceId"]: {
            **absent,
            **record["data"],
            "updatedAt": datetime.fromisoformat(record["data"]["updatedAt"]),
        }
        for record in BUNDLE
        if record["type"] == "source"
    }
