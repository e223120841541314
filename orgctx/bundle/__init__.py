"""Load bundles: store JSON Lines of records in the database, all of a stream or nothing."""

from orgctx.bundle.loader import Summary, load_files, load_records
from orgctx.bundle.reading import BundleError

__all__ = ["BundleError", "Summary", "load_files", "load_records"]
