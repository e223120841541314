"""Convert CSV and TSV files to a table."""

from __future__ import annotations

import csv
from io import StringIO

from orgctx.importers.documents.converted import ConversionError, Converted
from orgctx.importers.documents.decoding import decoded
from orgctx.importers.documents.formats import MIB
from orgctx.importers.documents.table import CUT, bounded, markdown_table

DELIMITERS = ",;\t|"
# Characters that are searched for the delimiter.
HEAD = 4096
# A cell may be as long as its file.
csv.field_size_limit(64 * MIB)


def convert(content: bytes) -> Converted:
    """Convert a file. Rows above the limit of cells are counted."""
    document = Converted()
    text = decoded(content, None, document.repaired)
    head = text[:HEAD].partition("\n")[0]
    delimiter = max(DELIMITERS, key=head.count)
    rows = csv.reader(StringIO(text), delimiter=delimiter)
    try:
        document.content = markdown_table(bounded(rows))
        document.skipped[CUT] += sum(1 for _ in rows)
    except csv.Error as error:
        raise ConversionError(str(error)) from None
    return document
