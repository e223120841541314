"""Convert one post of the X API v2 to a mention in the load format. No I/O."""

import re
from contextlib import suppress
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

import orjson
from marshmallow import ValidationError

from orgctx.resources.x import MAX_TEXT, MAX_TEXT_BYTES, MAXIMUM
from orgctx.schemas.fields import MAX_NAME
from orgctx.schemas.formats import Uri, instant_text, parsed_instant

FIELDS = (
    "ask for expansions=author_id,attachments.media_keys,referenced_posts and "
    "post.fields=attachments,created_at,entities,note_post,public_metrics, "
    "user.fields=username,verified, media.fields=preview_image_url,type,url,variants"
)
METRICS = {
    "likes": "like_count",
    "reposts": "repost_count",
    "replies": "reply_count",
    "quotes": "quote_count",
    "views": "impression_count",
}
REPOST_TYPES = {"retweeted", "reposted"}
MEDIA_TYPES = {"photo": "photo", "video": "video", "animated_gif": "gif"}
MOST_MEDIA = 4
NAME = re.compile(r"[A-Za-z0-9_]{1,50}", re.ASCII)
ID = re.compile(r"[0-9]{1,30}", re.ASCII)
# How the text of a repost begins, before the reposted text.
REPOST = re.compile(r"RT @(?P<name>[A-Za-z0-9_]{1,50}): ", re.ASCII)
# An address that is safe to open: http or https, without control characters.
ADDRESS = re.compile(r"https?://[^\s\x00-\x20\x7f]+")
SHORT_ADDRESS = re.compile(r"https?://t\.co/[A-Za-z0-9]+", re.ASCII)
NO_MEDIUM = "medium whose type or URL the page does not include"
NO_QUOTED = "quoted post that the page does not include"
URI = Uri()


class InvalidInput(Exception):
    """A value is no page, or a required field of a post is missing or invalid."""


@dataclass(frozen=True, slots=True)
class Page:
    """One response, with its expansions by id."""

    posts: list[dict[str, Any]]
    users: dict[str, dict[str, Any]]
    included: dict[str, dict[str, Any]]  # posts
    media: dict[str, dict[str, Any]]
    lacks: list[str] = field(default_factory=list)  # collects what its posts name and it lacks


def as_list(value: Any) -> list[Any]:
    """Return an array, or an empty one instead of another value."""
    return value if isinstance(value, list) else []


def as_dict(value: Any) -> dict[str, Any]:
    """Return an object, or an empty one instead of another value."""
    return value if isinstance(value, dict) else {}


def mention(post: dict[str, Any], page: Page, account: str, erased: set[str]) -> dict[str, Any]:
    """Return the `data` of an x.mention. erased: users whose posts are not quoted.

    Raises InvalidInput.
    """
    if (created_at := parsed_instant(post.get("created_at"))) is None:
        raise InvalidInput(f"created_at must be a time; {FIELDS}")
    author, id_ = _author(post, page), _id(post)
    return {
        "account": account,
        "id": id_,
        "url": _url(author, id_),
        "text": _text(post, page),
        "createdAt": instant_text(created_at),
        "metrics": _metrics(as_dict(post.get("public_metrics"))),
        "isReply": bool(post.get("in_reply_to_user_id") or _referenced(post, {"replied_to"})),
        "isRepost": bool(_referenced(post, REPOST_TYPES)),
        "author": author,
        "media": _media(post, page),
        "quoted": _quoted(post, page, erased),
    }


def reposted_authors(post: dict[str, Any], page: Page) -> set[str]:
    """Return the ids of the authors of what a post reposts, as far as its page tells."""
    reposted = _referenced(post, REPOST_TYPES)
    if not reposted:
        return set()
    prefix = REPOST.match(str(post.get("text")))
    username = prefix["name"].lower() if prefix else None
    named = {
        id_ for id_, user in page.users.items() if str(user.get("username")).lower() == username
    }
    originals = (page.included[id_].get("author_id") for id_ in reposted if id_ in page.included)
    return named.union(map(str, originals))


def _referenced(post: dict[str, Any], types: set[str]) -> list[str]:
    """Return the ids of the posts to which a post refers in one of these ways."""
    references = map(as_dict, as_list(post.get("referenced_posts")))
    ids = (each.get("id") for each in references if str(each.get("type")) in types)
    return [id_ for id_ in ids if isinstance(id_, str)]


def _id(post: dict[str, Any]) -> str:
    value = post.get("id")
    if not isinstance(value, str) or not ID.fullmatch(value):
        raise InvalidInput("id must be a string of digits")
    return value


def _url(author: dict[str, Any], id_: str) -> str:
    return f"https://x.com/{author['username']}/status/{id_}"


def _author(post: dict[str, Any], page: Page) -> dict[str, Any]:
    id_ = str(post.get("author_id"))
    user = page.users.get(id_)
    if user is None or not ID.fullmatch(id_):
        raise InvalidInput(f"author_id and includes.users must have the author; {FIELDS}")
    username, name = user.get("username"), _unescaped(str(user.get("name") or ""))[:MAX_NAME]
    if not isinstance(username, str) or not NAME.fullmatch(username):
        raise InvalidInput("username of the author must be letters, digits and _")
    return {
        "id": id_,
        "username": username,
        "name": name if name.strip() else username,
        "verified": user.get("verified") is True,
    }


def _metrics(counts: dict[str, Any]) -> dict[str, int]:
    metrics = {name: counts.get(member) or 0 for name, member in METRICS.items()}
    if not all(type(value) is int and 0 <= value <= MAXIMUM for value in metrics.values()):
        raise InvalidInput("public_metrics must be non-negative integers")
    return metrics


def _media(post: dict[str, Any], page: Page) -> list[dict[str, Any]]:
    media = []
    for key in as_list(as_dict(post.get("attachments")).get("media_keys")):
        medium = page.media.get(str(key), {})
        type_, preview = MEDIA_TYPES.get(str(medium.get("type"))), medium.get("preview_image_url")
        url = medium.get("url") if type_ == "photo" else _video(medium) or preview
        if type_ and _is_uri(url):
            preview = preview if _is_uri(preview) else url
            media.append({"type": type_, "url": url, "previewUrl": preview})
        else:
            page.lacks.append(NO_MEDIUM)
    return media[:MOST_MEDIA]


def _video(medium: dict[str, Any]) -> str | None:
    """Return the URL of the MP4 with the highest bit rate."""
    videos = (
        variant
        for variant in map(as_dict, as_list(medium.get("variants")))
        if variant.get("content_type") == "video/mp4" and type(variant.get("bit_rate")) is int
    )
    return max(videos, key=itemgetter("bit_rate"), default={}).get("url")


def _is_uri(value: Any) -> bool:
    """Return whether the load format takes a URL: http or https, in ASCII."""
    try:
        return bool(URI.parse(value))
    except ValidationError:
        return False


def _quoted(post: dict[str, Any], page: Page, erased: set[str]) -> dict[str, Any] | None:
    """Return the first quoted post that the page includes and that reposts no erased person."""
    for id_ in _referenced(post, {"quoted"}):
        quoted = page.included.get(id_, {})
        if reposted_authors(quoted, page) & erased:
            continue
        try:
            author, text = _author(quoted, page), _whole_text(quoted)
            return {"author": author, "text": text, "url": _url(author, _id(quoted))}
        except InvalidInput:
            page.lacks.append(NO_QUOTED)
    return None


def _text(post: dict[str, Any], page: Page) -> str:
    """Return the text of a post; that of a repost is cut, unless the page includes the original."""
    reposted = _referenced(post, REPOST_TYPES)
    prefix = REPOST.match(str(post.get("text"))) if reposted else None
    for original in filter(None, map(page.included.get, reposted)):
        with suppress(InvalidInput):
            return _checked((prefix[0] if prefix else "") + _whole_text(original))
    return _whole_text(post)


def _whole_text(post: dict[str, Any]) -> str:
    """Return the text of a post with the addresses behind t.co; that of its note if it is long."""
    note = as_dict(post.get("note_post"))
    text = note.get("text") or post.get("text")
    if not isinstance(text, str):
        raise InvalidInput("text must be a string; collect posts with GET /2/users/{id}/mentions")
    text = _checked(_unescaped(text))
    addresses = {
        str(url.get("url")): address
        for part in (post, note)
        for url in map(as_dict, as_list(as_dict(part.get("entities")).get("urls")))
        if ADDRESS.fullmatch(address := str(url.get("expanded_url") or url.get("unwound_url")))
    }
    # Each t.co address exists once. Positions in entities are not used, because HTML entities and
    # characters outside the Basic Multilingual Plane are counted in several ways.
    expanded = SHORT_ADDRESS.sub(lambda match: addresses.get(match[0], match[0]), text)
    return expanded if _fits(expanded) else text


def _unescaped(text: str) -> str:
    text = text.replace("\0", "").replace("&lt;", "<").replace("&gt;", ">")
    return text.replace("&amp;", "&")


def _checked(text: str) -> str:
    if not _fits(text):
        raise InvalidInput(f"text must have at most {MAX_TEXT:,} characters")
    return text


def _fits(text: str) -> bool:
    return len(text) <= MAX_TEXT and len(orjson.dumps(text)) - 2 <= MAX_TEXT_BYTES
