"""Arguments and payloads of the overview."""

from orgctx.operations.exposure import SCOPES
from orgctx.operations.source_payload import ContextSource
from orgctx.schemas.arguments import Arguments
from orgctx.schemas.fields import MAX_NAME, Choice, Flag, Many, Object, Text, Whole
from orgctx.schemas.formats import Instant, Uuid
from orgctx.schemas.payload import Payload


class GetContext(Arguments):
    """None."""


class ContextOrganization(Payload):
    """The organization; all but its id only while its profile source is exposed."""

    id = Uuid()
    display_name = Text(MAX_NAME, optional=True)
    slug = Text(200, optional=True)
    created_at = Instant(optional=True)
    updated_at = Instant(optional=True)


class ConnectionState(Payload):
    """Whether something is connected, and how fresh it is."""

    connected = Flag()
    status = Choice("available", "current", "stale", "unavailable", "synthetic", "error")
    updated_at = Instant(nullable=True)


class KnowledgeConnection(Payload):
    """The knowledge library."""

    available = Flag(doc="Whether any of its sources has data.")
    docs = Object(ConnectionState, nullable=True, doc="null where no docs source is approved.")


class AssetsConnection(Payload):
    """Files and folders."""

    available = Flag(doc="Whether any of its sources has data.")
    item_count = Whole(0, doc="Files and folders.")
    updated_at = Instant(nullable=True)


class TelegramConnection(ConnectionState):
    """Linked Telegram chats."""

    chat_count = Whole(0)


class XConnection(ConnectionState):
    """The connected X account."""

    username = Text(MAX_NAME, nullable=True)


class TokenConnection(ConnectionState):
    """The linked token."""

    address = Text(100, nullable=True)
    symbol = Text(MAX_NAME, nullable=True)


class Connections(Payload):
    """One block for each area with an approved source that the key may read."""

    knowledge = Object(KnowledgeConnection, optional=True)
    assets = Object(AssetsConnection, optional=True)
    telegram = Object(TelegramConnection, optional=True)
    x = Object(XConnection, optional=True)
    token = Object(TokenConnection, optional=True)


class Context(Payload):
    """What this key may read of its organization."""

    organization = Object(ContextOrganization)
    granted_scopes = Many(Choice(*SCOPES), unique=True)
    sources = Many(Object(ContextSource))
    connections = Object(Connections)
