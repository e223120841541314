"""Convert one post of the X API v2 to a mention in the load format. No I/O."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from orgctx.importers.x.media import media_of
from orgctx.importers.x.text import InvalidPost, checked_text, either, plain_text, whole_text
from orgctx.schemas.formats import INSTANT, instant_text

# Fields by their names in X's OpenAPI document since and before August 2026. Since then,
# references and history are returned without being requested.
FIELDS = (
    "ask for expansions=author_id,attachments.media_keys,referenced_posts and "
    "post.fields=attachments,created_at,entities,note_post,public_metrics, "
    "user.fields=username,verified, media.fields=preview_image_url,type,url,variants "
    "(before August 2026: expansions=author_id,attachments.media_keys,referenced_tweets.id,"
    "referenced_tweets.id.author_id, "
    "tweet.fields=attachments,created_at,entities,note_tweet,public_metrics,referenced_tweets)"
)
# The names of a field since and before August 2026.
REFERENCES = ("referenced_posts", "referenced_tweets")
POSTS = ("posts", "tweets")
HISTORIES = ("edit_history_post_ids", "edit_history_tweet_ids")
REPOSTS = ("repost_count", "retweet_count")
REPOST_TYPES = {"retweeted", "reposted"}
MAX_COUNT = 2**53 - 1
LONGEST_NAME = 512
NAME = re.compile(r"[A-Za-z0-9_]{1,50}", re.ASCII)
ID = re.compile(r"[0-9]{1,30}", re.ASCII)
# How the text of a repost begins, before the reposted text.
REPOST = re.compile(r"RT @[A-Za-z0-9_]{1,50}: ", re.ASCII)


class Includes:
    """The expansions of a page, by id."""

    def __init__(self, includes: Any) -> None:
        members = includes if isinstance(includes, dict) else {}
        self.users = _index(members.get("users"), "id")
        self.posts = _index(either(members, POSTS), "id")
        self.media = _index(members.get("media"), "media_key")


OnCut = Callable[[str], object]


def mention(
    post: Any, includes: Includes, account: str, on_cut: OnCut = lambda _: None
) -> tuple[dict[str, Any], list[str]]:
    """Return the `data` of an x.mention, and descriptions of what its page does not include.

    on_cut: called with a description of each name that is cut or replaced. Raises InvalidPost.
    """
    if not isinstance(post, dict):
        raise InvalidPost("a post must be an object")
    missing: list[str] = []
    id_ = _id(post)
    text = _text(post, includes, missing)
    author = _author(post, includes, on_cut)
    types = {type_ for type_, _ in _references(post)}
    data = {
        "account": account,
        "id": id_,
        "url": _url(author, id_),
        "text": text,
        "createdAt": _created_at(post),
        "metrics": _metrics(post.get("public_metrics")),
        "isReply": "replied_to" in types or post.get("in_reply_to_user_id") is not None,
        "isRepost": bool(types & REPOST_TYPES),
        "author": author,
        "media": media_of(post, includes.media, missing),
        "quoted": _quoted(post, includes, missing, on_cut),
    }
    return data, missing


def _index(values: Any, key: str) -> dict[str, dict[str, Any]]:
    items = values if isinstance(values, list) else []
    return {
        value[key]: value
        for value in items
        if isinstance(value, dict) and isinstance(value.get(key), str)
    }


def _id(post: dict[str, Any]) -> str:
    value = post.get("id")
    if not isinstance(value, str) or not ID.fullmatch(value):
        raise InvalidPost("id must be a string of digits")
    return value


def _author(post: dict[str, Any], includes: Includes, on_cut: OnCut) -> dict[str, Any]:
    id_ = post.get("author_id")
    if not isinstance(id_, str) or not ID.fullmatch(id_):
        raise InvalidPost(f"author_id is missing; {FIELDS}")
    user = includes.users.get(id_)
    if user is None:
        raise InvalidPost(f"the author is missing in includes.users; {FIELDS}")
    username, name = user.get("username"), user.get("name")
    if not isinstance(username, str) or not NAME.fullmatch(username):
        raise InvalidPost("username of the author must be letters, digits and _")
    display_name = plain_text(name) if isinstance(name, str) else ""
    if not display_name.strip():
        on_cut("author without a name, stored with the username")
        display_name = username
    if len(display_name) > LONGEST_NAME:
        on_cut(f"name of an author cut to {LONGEST_NAME} characters")
    return {
        "id": id_,
        "username": username,
        "name": display_name[:LONGEST_NAME],
        "verified": user.get("verified") is True,
    }


def _url(author: dict[str, Any], id_: str) -> str:
    return f"https://x.com/{author['username']}/status/{id_}"


def _text(post: dict[str, Any], includes: Includes, missing: list[str]) -> str:
    """Return the text of a post; that of a repost is cut, unless the page includes the original."""
    originals = [id_ for type_, id_ in _references(post) if type_ in REPOST_TYPES]
    prefix = REPOST.match(str(post.get("text"))) if originals else None
    for original in filter(None, map(includes.posts.get, originals)):
        try:
            return checked_text((prefix[0] if prefix else "") + whole_text(original, missing))
        except InvalidPost:
            continue
    return whole_text(post, missing)


def _created_at(post: dict[str, Any]) -> str:
    value = post.get("created_at")
    if value is None:
        raise InvalidPost(f"created_at is missing; {FIELDS}")
    time = instant(value) if isinstance(value, str) else None
    if time is None:
        raise InvalidPost("created_at must be a time such as 2026-01-31T08:00:00.000Z")
    return instant_text(time)


def instant(text: str) -> datetime | None:
    """Parse a time; None if the text is not a time."""
    try:
        is_time = len(text) < 50 and INSTANT.fullmatch(text)
        return datetime.fromisoformat(text.upper()).astimezone(UTC) if is_time else None
    except (ValueError, OverflowError):
        return None


def _metrics(values: Any) -> dict[str, int]:
    """Return the metrics; a missing one is 0."""
    counts = values if isinstance(values, dict) else {}
    return {
        "likes": _count(counts.get("like_count")),
        "reposts": _count(either(counts, REPOSTS)),
        "replies": _count(counts.get("reply_count")),
        "quotes": _count(counts.get("quote_count")),
        "views": _count(counts.get("impression_count")),
    }


def _count(value: Any) -> int:
    if value is None:
        return 0
    if type(value) is not int or not 0 <= value <= MAX_COUNT:
        raise InvalidPost("public_metrics must be non-negative integers")
    return value


def _references(post: dict[str, Any]) -> list[tuple[str, str]]:
    values = either(post, REFERENCES)
    return [
        (value["type"], value["id"])
        for value in (values if isinstance(values, list) else [])
        if isinstance(value, dict)
        and isinstance(value.get("type"), str)
        and isinstance(value.get("id"), str)
    ]


def _quoted(
    post: dict[str, Any], includes: Includes, missing: list[str], on_cut: OnCut
) -> dict[str, Any] | None:
    """Return the quoted post, or None. Adds to `missing` if the page does not include it."""
    for type_, id_ in _references(post):
        if type_ != "quoted":
            continue
        try:
            quoted = includes.posts[id_]
            author = _author(quoted, includes, on_cut)
            text = whole_text(quoted, missing)
            return {"author": author, "text": text, "url": _url(author, _id(quoted))}
        except (KeyError, InvalidPost):
            missing.append("quoted post that the page does not include")
    return None
