"""Loading bundles: JSON Lines of records into the database, all of a stream or nothing."""

from orgctx.bundle.loader import Summary, load_files, load_records
from orgctx.bundle.reading import BundleError

__all__ = ["BundleError", "Summary", "load_files", "load_records"]
