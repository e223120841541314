"""Measure conversions of documents: python -m bench.conversions [--documents N].

The documents are converted by the pool of sandboxes, and by a new sandbox for each. The output is
a Markdown table; the last column compares with a new sandbox for each.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from bench.report import table
from orgctx.importers.folder.reading import CONVERSION, MEMORY
from orgctx.importers.formats import by_suffix
from orgctx.importers.sandbox import FILE_SECONDS, Sandbox, result
from tests.importers.office import paragraph, pdf, slides, word

HEADER = ["sandboxes", "documents", "s", "documents a second", "ratio"]
LIMITS: dict[str, Any] = {"seconds": FILE_SECONDS, "memory": MEMORY}
SUFFIXES = (".docx", ".html", ".pdf", ".pptx")
MODULES = tuple(by_suffix()[suffix].module for suffix in SUFFIXES)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--documents", type=int, default=100)
    count = parser.parse_args().documents
    with TemporaryDirectory() as folder:
        paths = _write(Path(folder), count)
        seconds = {"one for each document": _seconds(_one_each, paths)}
        seconds["pool"] = _seconds(_pool, paths)
    slowest = max(seconds.values())
    rows = (
        [name, f"{count:,}", f"{taken:.1f}", f"{count / taken:.1f}", f"{slowest / taken:.1f}"]
        for name, taken in seconds.items()
    )
    print("\n".join(table(HEADER, rows)))
    return 0


def _write(folder: Path, count: int) -> Sequence[Path]:
    paragraphs = "".join(paragraph(f"Words of paragraph {number}") for number in range(50))
    contents = {
        ".docx": word(paragraphs),
        ".html": b"<title>Page</title>" + b"<p>Words</p>" * 200,
        ".pdf": pdf("Words", "More words"),
        ".pptx": slides(),
    }
    paths = [folder / f"{n}{SUFFIXES[n % len(SUFFIXES)]}" for n in range(count)]
    for path in paths:
        path.write_bytes(contents[path.suffix])
    return paths


def _request(path: Path) -> dict[str, Any]:
    place = {"folder": str(path.parent), "path": path.name}
    return {**place, "function": by_suffix()[path.suffix].function, "is_text": False}


def _one_each(paths: Sequence[Path]) -> None:
    for path in paths:
        _pool([path])


def _pool(paths: Sequence[Path]) -> None:
    with Sandbox(CONVERSION, **LIMITS, preloaded=MODULES) as pool:
        for reply in pool.map([_request(path)] for path in paths):
            result(reply)


def _seconds(convert: Callable[[Sequence[Path]], None], paths: Sequence[Path]) -> float:
    began_at = perf_counter()
    convert(paths)
    return perf_counter() - began_at


if __name__ == "__main__":
    sys.exit(main())
