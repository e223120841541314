"""Parse the responses of the X API that contain posts or events; all of them become a Page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from orgctx.importers.x.errors import error_of, message_of, quoted
from orgctx.importers.x.post import FIELDS, ID, POSTS, REFERENCES
from orgctx.importers.x.text import either

# Events of compliance streams about posts and about people.
POST_EVENTS = ("delete", "drop", "undrop", "withheld", "tweet_edit", "post_edit")
USER_EVENTS = (
    "user_delete", "user_suspend", "user_protect", "user_undelete", "user_unsuspend",
    "user_unprotect", "user_withheld", "user_profile_modification", "scrub_geo",
)  # fmt: skip
# Members that only responses of v1.1 have.
V1_MEMBERS = ("statuses", "id_str")


class InvalidPage(Exception):
    """A value that is not a page; the message says what it is and what to do."""


@dataclass(frozen=True, slots=True)
class Event:
    """A change of a post or a person: delete, user_suspend and so on."""

    kind: str
    id: str
    occurred_at: str | None


@dataclass(frozen=True, slots=True)
class Page:
    """One response."""

    posts: list[Any] = field(default_factory=list)
    includes: Any = None
    events: list[Event] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)  # messages about what the API did not return
    retrieved_at: str | None = None  # when it was collected, if the collector states it


def page(value: Any) -> Page:
    """Read a page of posts, one post, a line of a stream, a flattened post, or an event.

    Raises InvalidPage.
    """
    if not isinstance(value, dict):
        raise InvalidPage("a page must be an object with data, includes and meta")
    if error := error_of(value):
        raise InvalidPage(f"this is an error response of X, without posts: {error}")
    if any(name in value for name in V1_MEMBERS):
        raise InvalidPage(f"this is a response of X API v1.1; collect again with v2 and {FIELDS}")
    if "action" in value and "id" in value:
        return Page(events=[_batch_event(value)])
    if "text" in value and "id" in value:
        return _flattened(value)
    data, retrieved_at = value.get("data"), _retrieved_at(value)
    errors = [quoted(message_of(error)) for error in _list(value.get("errors"))]
    if isinstance(data, list):
        return Page(data, value.get("includes"), [], errors, retrieved_at)
    if isinstance(data, dict):
        return _single(data, value, errors, retrieved_at)
    meta = value.get("meta")
    if data is None and isinstance(meta, dict) and meta.get("result_count", 0) == 0:
        return Page(errors=errors, retrieved_at=retrieved_at)
    raise InvalidPage("a page must be an object with data, includes and meta")


def _single(
    data: dict[str, Any], value: dict[str, Any], errors: list[str], retrieved_at: str | None
) -> Page:
    """Read a post or event in `data`, as in lookups and streams."""
    # A post may contain `withheld`, which is also the name of an event.
    if "text" in data and "id" in data:
        return Page([data], value.get("includes"), [], errors, retrieved_at)
    for kind in (*POST_EVENTS, *USER_EVENTS):
        if isinstance(data.get(kind), dict):
            return Page(events=[_event(kind, data[kind])])
    if isinstance(payload := data.get("payload"), dict) and "event_type" in data:
        if data["event_type"] == "post.delete":
            return Page(events=[_event("delete", payload)])
        return Page([payload], data.get("includes"), [], errors, retrieved_at)
    return Page([data], value.get("includes"), [], errors, retrieved_at)


def _event(kind: str, members: dict[str, Any]) -> Event:
    names = ("user", "post") if kind in USER_EVENTS else ("tweet", "post")
    subject = next((members[name] for name in names if name in members), None)
    subject_id = (subject if isinstance(subject, dict) else members).get("id")
    return Event(kind, _id(subject_id or members.get("post_id")), _text(members.get("event_at")))


def _batch_event(value: dict[str, Any]) -> Event:
    """Read a line of a batch compliance job; each action except scrub_geo removes a post."""
    kind = "scrub_geo" if value["action"] == "scrub_geo" else "delete"
    return Event(kind, _id(value["id"]), _text(value.get("redacted_at")))


def _flattened(post: dict[str, Any]) -> Page:
    """Read a post that contains its author, media and references, as twarc flattens them."""
    references = [item for item in _list(either(post, REFERENCES)) if isinstance(item, dict)]
    users, media = [], []
    for member in (post, *references):
        if isinstance(author := member.get("author"), dict):
            users.append(author)
        if isinstance(attachments := member.get("attachments"), dict):
            media += _list(attachments.get("media"))
    includes = {"users": users, POSTS[0]: references, "media": media}
    return Page([post], includes, retrieved_at=_retrieved_at(post))


def _retrieved_at(value: dict[str, Any]) -> str | None:
    """Return when twarc collected the response."""
    collector = value.get("__twarc")
    return _text(collector.get("retrieved_at")) if isinstance(collector, dict) else None


def _id(value: Any) -> str:
    if not isinstance(value, str) or not ID.fullmatch(value):
        raise InvalidPage("an event must name the post or user by id, a string of digits")
    return value


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
