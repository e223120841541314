"""Arguments and payloads of the overview."""

from orgctx.operations.source_kinds import SCOPES
from orgctx.operations.source_payload import ContextSource
from orgctx.schemas.fields import MAX_NAME, Boolean, Enum, Integer, List, Nested, Text
from orgctx.schemas.formats import DateTime, Uuid
from orgctx.schemas.payload import Payload


class ContextOrganization(Payload):
    """The organization; members other than id appear only while its profile source is exposed."""

    id = Uuid()
    display_name = Text(MAX_NAME, optional=True)
    slug = Text(200, optional=True)
    created_at = DateTime(optional=True)
    updated_at = DateTime(optional=True)


class ConnectionState(Payload):
    """Whether something is connected, and how fresh it is."""

    connected = Boolean()
    status = Enum("available", "current", "stale", "unavailable", "synthetic", "error")
    updated_at = DateTime(nullable=True)


class KnowledgeConnection(Payload):
    """The knowledge library."""

    available = Boolean(doc="Whether any of its sources has data.")
    docs = Nested(ConnectionState, nullable=True, doc="null if no docs source is approved.")


class AssetsConnection(Payload):
    """Files and folders."""

    available = Boolean(doc="Whether any of its sources has data.")
    item_count = Integer(0, doc="Files and folders.")
    updated_at = DateTime(nullable=True)


class TelegramConnection(ConnectionState):
    """Linked Telegram chats."""

    chat_count = Integer(0)


class XConnection(ConnectionState):
    """The connected X account."""

    username = Text(MAX_NAME, nullable=True)


class TokenConnection(ConnectionState):
    """The linked token."""

    address = Text(100, nullable=True)
    symbol = Text(MAX_NAME, nullable=True)


class Connections(Payload):
    """One member for each area with an approved source that the key can read."""

    knowledge = Nested(KnowledgeConnection, optional=True)
    assets = Nested(AssetsConnection, optional=True)
    telegram = Nested(TelegramConnection, optional=True)
    x = Nested(XConnection, optional=True)
    token = Nested(TokenConnection, optional=True)


class Context(Payload):
    """What this key can read of its organization."""

    organization = Nested(ContextOrganization)
    granted_scopes = List(Enum(*SCOPES), unique=True)
    sources = List(Nested(ContextSource))
    connections = Nested(Connections)
