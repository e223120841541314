"""Measure loads and imports: python -m bench.imports, with options for the number of records.

Each set of records is written to a file and loaded twice with the command line into its own
PostgreSQL, which has the durability settings that it ships with: messages and documents as
bundles, a folder of Markdown and a Telegram export through their importers. The output is a
Markdown table.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from resource import struct_rusage
from tempfile import TemporaryDirectory
from time import perf_counter

import orjson

from bench import telegram_export
from bench.dataset import Size, of_sizes
from bench.prepare import environment
from bench.report import table
from orgctx.bundle.loader import load_records
from orgctx.cli.database.migrations import migrate
from orgctx.embedded import servers

EMPTY = Size(0, 0, 0, 0, 0, 0, 0)
HEADER = ["run", "records", "MB", "s", "records a second", "MB a second", "CPU, s", "peak, MiB"]
COMMANDS = {
    "messages": ["load"],
    "documents": ["load"],
    "markdown": ["import", "folder", "--organization", "bench-1", "--source", "docs:pages"],
    "telegram": ["import", "telegram", "--organization", "bench-1", "--source", "telegram:export"],
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--messages", type=int, default=300_000)
    parser.add_argument("--documents", type=int, default=3_000)
    parser.add_argument("--markdown", type=int, default=3_000, help="pages of the folder")
    parser.add_argument("--telegram", type=int, default=300_000, help="messages of the export")
    counts = vars(parser.parse_args())
    print("\n".join(table(HEADER, (row for name in COMMANDS for row in _rows(name, counts[name])))))
    return 0


def _rows(name: str, count: int) -> Iterator[list[str]]:
    with TemporaryDirectory() as folder, servers(Path(folder, "servers")) as running:
        migrate(running.database_url, running.database_url)
        load_records(running.database_url, of_sizes([EMPTY]))
        file = Path(folder, "records.json")
        _write(file, name, count)
        files = file.iterdir() if file.is_dir() else [file]
        megabytes = sum(each.stat().st_size for each in files) / 1e6
        variables = environment(running.database_url, running.redis_url)
        for run in ("first", "unchanged"):
            seconds, usage = _run([*COMMANDS[name], str(file)], variables)
            yield [
                f"{name}, {run}", f"{count:,}", f"{megabytes:,.0f}", f"{seconds:,.1f}",
                f"{count / seconds:,.0f}", f"{megabytes / seconds:,.1f}",
                f"{usage.ru_utime + usage.ru_stime:,.1f}", f"{usage.ru_maxrss / 1024:,.0f}",
            ]  # fmt: skip


def _write(file: Path, name: str, count: int) -> None:
    size = replace(EMPTY, messages=count, chats=1, people=5_000)
    if name in ("documents", "markdown"):
        size = replace(EMPTY, knowledge=count, longest=100_000)
    if name == "markdown":
        file.mkdir()
        pages = (record["data"] for record in of_sizes([size]) if record["type"] == "knowledge")
        for number, page in enumerate(pages):
            content = f"---\ntitle: {page['title']!r}\n---\n\n{page['content']}\n"
            (file / f"{number}.md").write_text(content, encoding="utf-8")
        return
    with file.open("w", encoding="utf-8") as text:
        if name == "telegram":
            telegram_export.write(text, count)
            return
        for record in of_sizes([size]):
            text.write(orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE).decode())


def _run(arguments: list[str], variables: dict[str, str]) -> tuple[float, struct_rusage]:
    """Run an `orgctx` command. Returns its seconds and what its process used."""
    began_at = perf_counter()
    command = [sys.executable, "-m", "orgctx.cli", *arguments]
    process = subprocess.Popen(command, env=variables, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, arguments
    return perf_counter() - began_at, usage


if __name__ == "__main__":
    sys.exit(main())
