"""Write rows of cells as a Markdown table, and convert CSV and TSV files."""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO

from orgctx.importers.decoding import decoded
from orgctx.importers.formats import MIB, ConversionError, Converted

MOST_CELLS = 1_000_000
DELIMITERS = ",;\t|"
# Characters that are searched for the delimiter.
HEAD = 4096
# A bar, and backslashes before it, which would escape the escape.
BAR = re.compile(r"(?<!\\)(\\*)\|")
# A cell may be as long as its file.
csv.field_size_limit(64 * MIB)


def delimited(content: bytes) -> Converted:
    """Convert a file. A table above the limit of cells is cut, and counted."""
    document = Converted()
    text = decoded(content, None, document.repaired)
    head = text[:HEAD].partition("\n")[0]
    rows = csv.reader(StringIO(text), delimiter=max(DELIMITERS, key=head.count))
    try:
        document.content = markdown_table(bounded(rows, document.skipped))
    except csv.Error as error:
        raise ConversionError(str(error)) from None
    return document


def bounded(rows: Iterable[Sequence[str]], skipped: Counter[str]) -> Iterator[Sequence[str]]:
    """Yield rows until they have MOST_CELLS cells."""
    count = 0
    for row in rows:
        if count >= MOST_CELLS:
            skipped["end of a table that has too many cells"] += 1
            return
        yield row
        count += max(len(row), 1)


def markdown_table(rows: Iterable[Sequence[str]]) -> str:
    """Return a table whose first row is the header, without empty rows and columns."""
    lines = [[BAR.sub(r"\1\1\|", " ".join(cell.split())) for cell in row] for row in rows]
    lines = [line for line in lines if any(line)]
    width = max(map(len, lines), default=0)
    columns = [n for n in range(width) if any(n < len(line) and line[n] for line in lines)]
    lines = [[line[n] if n < len(line) else "" for n in columns] for line in lines]
    if lines:
        lines.insert(1, ["---"] * len(columns))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
