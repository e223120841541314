"""Convert exports and folders to bundle records. No importer uses the database.

Each is a generator of records, parents first, that reports left-out input to a Report.
"""

from orgctx.importers.existing import Existing, StoredChat, StoredItem, StoredMessages
from orgctx.importers.report import ImportRefused, Report

__all__ = ["Existing", "ImportRefused", "Report", "StoredChat", "StoredItem", "StoredMessages"]
