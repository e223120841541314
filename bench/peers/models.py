"""The response and query models of the idiomatic FastAPI peer."""

from datetime import datetime
from typing import Annotated, Generic, Literal, TypeVar
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt
from pydantic.alias_generators import to_camel

Data = TypeVar("Data")
Status = Literal["current", "stale", "unavailable", "synthetic"]


class Model(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid")


class Freshness(Model):
    source: Literal["database", "collector", "provider", "local_preview"]
    updated_at: datetime | None
    status: Status
    note: str | None = None


class Meta(Model):
    organization_id: UUID
    freshness: Freshness


class MessagePagination(Model):
    limit: Annotated[int, Field(ge=1, le=100)]
    has_more: bool
    next_before: int | None
    search_limited: bool


class PeoplePagination(Model):
    page: Annotated[int, Field(ge=1)]
    page_size: Annotated[int, Field(ge=1)]
    total: NonNegativeInt
    total_pages: NonNegativeInt
    has_next_page: bool
    search_limited: bool


class Envelope(Model, Generic[Data]):
    data: Data
    meta: Meta


class Sender(Model):
    id: str | None
    name: str
    username: str | None


class File(Model):
    width: NonNegativeInt | None
    height: NonNegativeInt | None
    duration: NonNegativeInt | None
    mime_type: str | None
    file_name: str | None
    file_size: NonNegativeInt | None
    sticker: Literal["static", "animated", "video"] | None


class Message(Model):
    id: Annotated[int, Field(ge=1)]
    sender: Sender
    kind: Literal[
        "text", "photo", "video", "animation", "sticker",
        "document", "voice", "audio", "poll", "other",
    ]  # fmt: skip
    text: str | None
    detail: str | None
    file: File | None
    reply_to_message_id: int | None
    sent_at: datetime
    edited_at: datetime | None


class MessageList(Envelope[list[Message]]):
    pagination: MessagePagination


class Uploader(Model):
    id: UUID
    display_name: str | None


class Asset(Model):
    id: UUID
    parent_id: UUID | None
    kind: Literal["folder", "file"]
    name: str
    mime: str | None
    bytes: NonNegativeInt
    public: bool
    public_url: str | None
    uploaded_by: Uploader | None
    created_at: datetime
    updated_at: datetime


class ContextSource(Model):
    id: str
    label: str
    kind: Literal["docs", "notes", "assets", "profile", "token", "x", "telegram"]
    included: bool
    external: bool
    status: Literal["current", "stale", "unavailable", "synthetic", "not_connected"]
    updated_at: datetime | None
    description: str
    href: str
    count: NonNegativeInt | None = None


class ConnectionState(Model):
    connected: bool
    status: Literal["available", "current", "stale", "unavailable", "synthetic", "error"]
    updated_at: datetime | None


class KnowledgeConnection(Model):
    available: bool
    docs: ConnectionState | None


class AssetsConnection(Model):
    available: bool
    item_count: NonNegativeInt
    updated_at: datetime | None


class TelegramConnection(ConnectionState):
    chat_count: NonNegativeInt


class XConnection(ConnectionState):
    username: str | None


class TokenConnection(ConnectionState):
    address: str | None
    symbol: str | None


class Connections(Model):
    knowledge: KnowledgeConnection | None = None
    assets: AssetsConnection | None = None
    telegram: TelegramConnection | None = None
    x: XConnection | None = None
    token: TokenConnection | None = None


class ContextOrganization(Model):
    id: UUID
    display_name: str | None = None
    slug: str | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None


class Context(Model):
    organization: ContextOrganization
    granted_scopes: list[str]
    sources: list[ContextSource]
    connections: Connections


class ContentRange(Model):
    offset: NonNegativeInt
    length: NonNegativeInt
    total: NonNegativeInt
    next_offset: NonNegativeInt | None


class KnowledgeItem(Model):
    id: str
    title: str
    kind: Literal["source", "note"]
    source: Literal["docs", "assets", "chain", "profile", "team", "answer"]
    preview: str
    visibility: Literal["public", "team"]
    archived: bool
    source_status: Literal["current", "draft", "removed", "unavailable", "reference"]
    source_label: str
    source_href: str | None
    created_at: datetime
    updated_at: datetime
    content: str
    content_format: Literal["markdown", "plain_text"]
    content_range: ContentRange


class PersonSource(Model):
    source_id: str
    label: str
    activity_count: int
    last_active_at: datetime


class Person(Model):
    key: str
    platform: Literal["telegram", "x"]
    id: str
    display_name: str
    username: str | None
    profile_url: str | None
    verified: bool | None
    first_active_at: datetime
    last_active_at: datetime
    activity_count: int
    sources: list[PersonSource]


class PeopleList(Envelope[list[Person]]):
    pagination: PeoplePagination


class SearchItem(Model):
    id: str
    kind: Literal["document", "note", "message", "post", "person", "asset", "profile", "token"]
    title: str
    preview: str
    source_label: str
    source_id: str
    href: str | None
    updated_at: datetime | None


class ContextSearchResult(Model):
    items: list[SearchItem]
    sources: list[ContextSource]
    has_more: bool
