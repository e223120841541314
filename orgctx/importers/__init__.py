"""Converters from real exports and folders to bundle records. None of them knows the database.

Each is a generator of records, parents first, that writes what it left out into a Report.
"""

from orgctx.importers.existing import Existing, StoredChat, StoredItem, StoredMessages
from orgctx.importers.report import ImportRefused, Report

__all__ = ["Existing", "ImportRefused", "Report", "StoredChat", "StoredItem", "StoredMessages"]
