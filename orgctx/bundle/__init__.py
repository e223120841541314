"""Load bundles: store a stream of records (JSON Lines) in the database, all of it or nothing."""

from orgctx.bundle.counting import count_records
from orgctx.bundle.loader import Summary, load_files, load_records
from orgctx.bundle.packed import PackedError
from orgctx.bundle.reading import BundleError
from orgctx.bundle.review import Change

__all__ = [
    "BundleError", "Change", "PackedError", "Summary", "count_records", "load_files",
    "load_records",
]  # fmt: skip
