"""What the files of a folder become: documents or team notes."""

from dataclasses import dataclass
from datetime import datetime

from orgctx.importers.folder.conversion import Converted
from orgctx.importers.records import Record, Target, not_later
from orgctx.schemas.fields import MAX_NAME
from orgctx.schemas.formats import instant_text


@dataclass(frozen=True, slots=True)
class ItemKind:
    """A kind of source, and the members that its records share."""

    kind: str
    prefix: str
    source: str
    visibility: str
    description: str

    def id(self, target: Target, path: str) -> str:
        return f"{self.prefix}:{target.path_id(path)}"

    def record(
        self,
        target: Target,
        path: str,
        label: str,
        document: Converted,
        times: tuple[datetime, datetime],
    ) -> Record:
        """Build the record of a document.

        Args:
            path: determines the id.
            label: of the source.
            times: when it was created and updated.
        """
        created_at, updated_at = map(not_later, times)
        visibility = document.visibility or self.visibility
        data = {
            "id": self.id(target, path),
            "source": self.source,
            "title": document.title[:MAX_NAME],
            "content": document.content,
            "contentFormat": document.content_format,
            "visibility": "team" if document.is_draft else visibility,
            "archived": document.is_archived,
            "sourceStatus": "draft" if document.is_draft else "current",
            "sourceLabel": label,
            "sourceHref": document.href,
            "createdAt": instant_text(created_at),
            "updatedAt": instant_text(updated_at),
        }
        return target.record("knowledge", data)


ITEM_KINDS = {
    "docs": ItemKind("docs", "docs", "docs", "public", "Documents from a folder."),
    "notes": ItemKind("notes", "note", "team", "team", "Team notes from a folder."),
}
