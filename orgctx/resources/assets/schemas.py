"""Arguments and payloads of assets."""

from orgctx.schemas import arguments
from orgctx.schemas.arguments import Arguments
from orgctx.schemas.fields import MAX_NAME, Boolean, Enum, Integer, Nested, Text
from orgctx.schemas.formats import DateTime, Url, Uuid
from orgctx.schemas.payload import Payload


class ListAssets(Arguments):
    folder_id = Uuid(default=None, doc="The id of a folder; omit it for the root.")
    page = arguments.page()


class ReadAsset(Arguments):
    id = Uuid(path="id", doc="An id from the list.")


class Uploader(Payload):
    """Who uploaded a file."""

    id = Uuid()
    display_name = Text(MAX_NAME, nullable=True)


class Asset(Payload):
    """A folder or a file, without its contents."""

    id = Uuid()
    parent_id = Uuid(nullable=True, doc="The folder that contains it; null in the root.")
    kind = Enum("folder", "file")
    name = Text(MAX_NAME)
    mime = Text(MAX_NAME, nullable=True)
    bytes = Integer(0, 2**63 - 1)
    public = Boolean()
    public_url = Url(nullable=True, doc="Set only for files that were made public.")
    uploaded_by = Nested(Uploader, nullable=True)
    created_at = DateTime()
    updated_at = DateTime()
