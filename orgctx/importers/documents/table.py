"""Write rows of cells as a Markdown table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

MOST_CELLS = 1_000_000
# The reason under which rows above the limit are reported as skipped.
CUT = "row of a table that has too many cells"


def bounded(rows: Iterable[Sequence[str]]) -> Iterator[Sequence[str]]:
    """Yield rows until they have MOST_CELLS cells, and leave the others in the iterator."""
    count = 0
    for row in rows:
        yield row
        count += max(len(row), 1)
        if count >= MOST_CELLS:
            return


def markdown_table(rows: Iterable[Sequence[str]]) -> str:
    """Return a table whose first row is the header, without empty rows and columns."""
    lines = [[_cell(cell) for cell in row] for row in rows]
    lines = [line for line in lines if any(line)]
    width = max(map(len, lines), default=0)
    columns = [n for n in range(width) if any(n < len(line) and line[n] for line in lines)]
    lines = [[line[n] if n < len(line) else "" for n in columns] for line in lines]
    if lines:
        lines.insert(1, ["---"] * len(columns))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("\\", "\\\\").replace("|", "\\|")
