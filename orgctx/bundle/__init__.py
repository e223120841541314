"""Load bundles: store a stream of records (JSON Lines) in the database, all of it or nothing."""

from orgctx.bundle.counts import count_records
from orgctx.bundle.loader import Change, Summary, load_files, load_records
from orgctx.bundle.packed import PackedError
from orgctx.bundle.reading import BundleError

__all__ = [
    "BundleError", "Change", "PackedError", "Summary", "count_records", "load_files",
    "load_records",
]  # fmt: skip
