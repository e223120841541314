"""Convert checked records to rows of staging tables; see `sql/load/create_staging.sql`."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any

import orjson

from orgctx.bundle.content import utf16_length
from orgctx.resources.telegram.schemas import File
from orgctx.resources.token import schemas as token
from orgctx.resources.x import schemas as x
from orgctx.schemas.excerpt import preview
from orgctx.schemas.payload import Payload


def columns(*names: str) -> Callable[[dict[str, Any]], tuple[Any, ...]]:
    """Return a function that builds a row from these fields of a record."""
    return lambda values: tuple(values[name] for name in names)


def knowledge_row(v: dict[str, Any]) -> tuple[Any, ...]:
    content = v["content"]
    return (
        v["id"], v["source"], v["title"], v["content_format"], v["visibility"], v["archived"],
        v["source_status"], v["source_label"], v["source_href"], v["created_at"], v["updated_at"],
        preview(content), utf16_length(content), sha256(content.encode()).digest(),
    )  # fmt: skip


def asset_row(v: dict[str, Any]) -> tuple[Any, ...]:
    uploader = v["uploaded_by"] or {}
    return (
        v["id"], v["parent_id"], v["kind"], v["name"], v["mime"], v["bytes"], v["public"],
        v["public_url"], uploader.get("id"), uploader.get("display_name"),
        v["created_at"], v["updated_at"],
    )  # fmt: skip


def message_row(v: dict[str, Any]) -> tuple[Any, ...]:
    sender = v["sender"]
    return (
        v["chat_id"], v["id"], sender["id"], sender["name"], sender["username"], v["kind"],
        v["text"], v["detail"], _nullable(File, v["file"]), v["reply_to_message_id"],
        v["sent_at"], v["edited_at"],
    )  # fmt: skip


def mention_row(v: dict[str, Any]) -> tuple[Any, ...]:
    author = v["author"]
    return (
        v["id"], v["account"], v["url"], v["text"], v["created_at"],
        _json_text(x.XMetrics.one(v["metrics"])), v["is_reply"], v["is_repost"],
        author["id"], author["username"], author["name"], author["verified"],
        _json_text([x.XMedia.one(medium) for medium in v["media"]]),
        _nullable(x.XQuoted, v["quoted"]),
    )  # fmt: skip


def token_row(v: dict[str, Any]) -> tuple[Any, ...]:
    return (
        _nullable(token.Token, v["token"]), _nullable(token.TokenIndex, v["index"]),
        _nullable(token.TokenHolders, v["holders"]), _nullable(token.TokenFees, v["latest_fees"]),
        v["latest_trade_at"], _json_text(token.TokenSources.one(v["sources"])),
    )  # fmt: skip


def _json_text(value: Any) -> str | None:
    """Serialize a JSON column, with times as in responses."""
    return None if value is None else orjson.dumps(value, option=orjson.OPT_UTC_Z).decode()


def _nullable(payload: type[Payload], value: dict[str, Any] | None) -> str | None:
    return None if value is None else _json_text(payload.one(value))
