"""Convert one post of the X API v2 to a mention in the load format. No I/O."""

import re
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from typing import Any

import orjson
from marshmallow import ValidationError

from orgctx.resources.x import MAX_TEXT, MAX_TEXT_BYTES, MAXIMUM
from orgctx.schemas.fields import MAX_NAME, MAX_URL
from orgctx.schemas.formats import Uri, instant_text, parsed_instant

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
NOTES = ("note_post", "note_tweet")
METRICS = {
    "likes": ("like_count",) * 2, "reposts": ("repost_count", "retweet_count"),
    "replies": ("reply_count",) * 2, "quotes": ("quote_count",) * 2,
    "views": ("impression_count",) * 2,
}  # fmt: skip
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
ENDS_CUT = re.compile(r"…(\s*https?://t\.co/[A-Za-z0-9]+)?\s*$", re.ASCII)
CUT = "text that ends with … and is probably cut; the page does not include all of it"
NOT_EXPANDED = "t.co address that the page does not expand"
TOO_LONG = "post whose t.co addresses are kept, because it would be too long"
URI = Uri()
OnCut = Callable[[str], object]


class InvalidPost(Exception):
    """A required field of a post is missing or invalid."""


class Includes:
    """The expansions of a page, by id."""

    def __init__(self, includes: Any) -> None:
        members = as_dict(includes)
        self.users = _index(members.get("users"), "id")
        self.posts = _index(either(members, POSTS), "id")
        self.media = _index(members.get("media"), "media_key")


def _index(values: Any, key: str) -> dict[str, dict[str, Any]]:
    return {
        value[key]: value
        for value in as_list(values)
        if isinstance(value, dict) and isinstance(value.get(key), str)
    }


def as_list(value: Any) -> list[Any]:
    """Return an array, or an empty one instead of another value."""
    return value if isinstance(value, list) else []


def as_dict(value: Any) -> dict[str, Any]:
    """Return an object, or an empty one instead of another value."""
    return value if isinstance(value, dict) else {}


def either(members: dict[str, Any], names: tuple[str, str]) -> Any:
    """Return the value of the first of two names that is present and not null, or None."""
    value = members.get(names[0])
    return members.get(names[1]) if value is None else value


def _references(post: dict[str, Any]) -> list[tuple[str, str]]:
    return [
        (value["type"], value["id"])
        for value in as_list(either(post, REFERENCES))
        if isinstance(value, dict)
        and isinstance(value.get("type"), str)
        and isinstance(value.get("id"), str)
    ]


def reposted_authors(post: dict[str, Any], includes: Includes) -> set[str]:
    """Return the ids of the authors of what a post reposts, as far as its page tells."""
    reposted = [id_ for type_, id_ in _references(post) if type_ in REPOST_TYPES]
    prefix = REPOST.match(str(post.get("text"))) if reposted else None
    name = prefix["name"].lower() if prefix else None
    named = (
        id_ for id_, user in includes.users.items() if name == str(user.get("username")).lower()
    )
    originals = (includes.posts[id_].get("author_id") for id_ in reposted if id_ in includes.posts)
    return {*map(str, originals), *named}


def mention(
    post: Any,
    includes: Includes,
    account: str,
    on_cut: OnCut,
    erased: AbstractSet[str] = frozenset(),
) -> tuple[dict[str, Any], list[str]]:
    """Return the `data` of an x.mention, and descriptions of what its page does not include.

    on_cut: called with a description of each name that is cut or replaced. erased: users
    whose posts are not quoted. Raises InvalidPost.
    """
    if not isinstance(post, dict):
        raise InvalidPost("a post must be an object")
    missing: list[str] = []
    references = _references(post)
    id_ = _id(post)
    reposted = [id_ for type_, id_ in references if type_ in REPOST_TYPES]
    text = _text(post, reposted, includes, missing)
    author = _author(post, includes, on_cut)
    if post.get("created_at") is None:
        raise InvalidPost(f"created_at is missing; {FIELDS}")
    if (created_at := parsed_instant(post["created_at"])) is None:
        raise InvalidPost("created_at must be a time such as 2026-01-31T08:00:00.000Z")
    is_reply = any(type_ == "replied_to" for type_, _ in references)
    data = {
        "account": account,
        "id": id_,
        "url": _url(author, id_),
        "text": text,
        "createdAt": instant_text(created_at),
        "metrics": _metrics(as_dict(post.get("public_metrics"))),
        "isReply": is_reply or post.get("in_reply_to_user_id") is not None,
        "isRepost": bool(reposted),
        "author": author,
        "media": _media(post, includes, missing),
        "quoted": None,
    }
    for type_, quoted_id in references:
        if type_ != "quoted" or data["quoted"]:
            continue
        try:
            quoted = includes.posts[quoted_id]
            if reposted_authors(quoted, includes) & erased:
                continue
            quoted_author = _author(quoted, includes, on_cut)
            quoted_text = _whole_text(quoted, missing)
            url = _url(quoted_author, _id(quoted))
            data["quoted"] = {"author": quoted_author, "text": quoted_text, "url": url}
        except (KeyError, InvalidPost):
            missing.append("quoted post that the page does not include")
    return data, missing


def _id(post: dict[str, Any]) -> str:
    value = post.get("id")
    if not isinstance(value, str) or not ID.fullmatch(value):
        raise InvalidPost("id must be a string of digits")
    return value


def _url(author: dict[str, Any], id_: str) -> str:
    return f"https://x.com/{author['username']}/status/{id_}"


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
    display_name = _plain_text(name) if isinstance(name, str) else ""
    if not display_name.strip():
        on_cut("author without a name, stored with the username")
        display_name = username
    if len(display_name) > MAX_NAME:
        on_cut(f"name of an author cut to {MAX_NAME} characters")
    is_verified = user.get("verified") is True
    display_name = display_name[:MAX_NAME]
    return {"id": id_, "username": username, "name": display_name, "verified": is_verified}


def _metrics(counts: dict[str, Any]) -> dict[str, int]:
    values = {name: either(counts, members) for name, members in METRICS.items()}
    metrics = {name: 0 if value is None else value for name, value in values.items()}
    if not all(type(value) is int and 0 <= value <= MAXIMUM for value in metrics.values()):
        raise InvalidPost("public_metrics must be non-negative integers")
    return metrics


def _media(post: dict[str, Any], includes: Includes, missing: list[str]) -> list[dict[str, Any]]:
    """Return the media of a post, and add descriptions of what is left out to `missing`."""
    attachments = as_dict(post.get("attachments"))
    media = []
    for key in as_list(attachments.get("media_keys")):
        medium: dict[str, Any] = includes.media.get(key, {}) if isinstance(key, str) else {}
        type_, preview = MEDIA_TYPES.get(str(medium.get("type"))), medium.get("preview_image_url")
        url = medium.get("url") if type_ == "photo" else _video(medium) or preview
        if type_ and _is_uri(url):
            preview = preview if _is_uri(preview) else url
            media.append({"type": type_, "url": url, "previewUrl": preview})
        else:
            missing.append("medium whose type or URL the page does not include")
    missing += [f"medium after the first {MOST_MEDIA} of a post"] * (len(media) - MOST_MEDIA)
    missing += ["poll of a post"] * bool(attachments.get("poll_ids"))
    missing += ["article of a post"] * bool(post.get("article"))
    return media[:MOST_MEDIA]


def _video(medium: dict[str, Any]) -> str | None:
    """Return the URL of the MP4 with the highest bit rate."""
    videos = [
        (rate if type(rate := variant.get("bit_rate")) is int else -1, variant["url"])
        for variant in map(as_dict, as_list(medium.get("variants")))
        if variant.get("content_type") == "video/mp4" and isinstance(variant.get("url"), str)
    ]
    return max(videos, key=lambda pair: pair[0])[1] if videos else None


def _is_uri(value: Any) -> bool:
    """Return whether the load format takes a URL: http or https, in ASCII."""
    try:
        return bool(URI.parse(value))
    except ValidationError:
        return False


def _text(post: dict[str, Any], reposted: list[str], includes: Includes, missing: list[str]) -> str:
    """Return the text of a post; that of a repost is cut, unless the page includes the original."""
    prefix = REPOST.match(str(post.get("text"))) if reposted else None
    for original in filter(None, map(includes.posts.get, reposted)):
        try:
            return _checked((prefix[0] if prefix else "") + _whole_text(original, missing))
        except InvalidPost:
            continue
    return _whole_text(post, missing)


def _whole_text(post: dict[str, Any], missing: list[str]) -> str:
    """Return the text of a post with the addresses behind t.co.

    If it is long, `text` is truncated and its note has all of it. Adds to `missing` descriptions of
    what the page lacks.
    """
    note = as_dict(either(post, NOTES))
    note = note if isinstance(note.get("text"), str) else {}
    text = note.get("text") or post.get("text")
    if not isinstance(text, str):
        raise InvalidPost("text must be a string; collect posts with GET /2/users/{id}/mentions")
    text = _checked(_plain_text(text))
    missing += [CUT] * (not note and ENDS_CUT.search(text) is not None)
    addresses = {
        url["url"]: address
        for part in (post, note)
        for url in map(as_dict, as_list(as_dict(part.get("entities")).get("urls")))
        if isinstance(url.get("url"), str)
        # Some posts have only the address after all redirects.
        and isinstance(address := either(url, ("expanded_url", "unwound_url")), str)
        and len(address) <= MAX_URL
        and ADDRESS.fullmatch(address)
    }
    # Each t.co address exists once. Positions in entities are not used, because HTML entities and
    # characters outside the Basic Multilingual Plane are counted in several ways.
    missing += [NOT_EXPANDED for url in SHORT_ADDRESS.findall(text) if url not in addresses]
    try:
        return _checked(SHORT_ADDRESS.sub(lambda match: addresses.get(match[0], match[0]), text))
    except InvalidPost:
        missing.append(TOO_LONG)
        return text


def _plain_text(text: str) -> str:
    text = text.replace("\0", "").replace("&lt;", "<").replace("&gt;", ">")
    return text.replace("&amp;", "&")


def _checked(text: str) -> str:
    if len(text) > MAX_TEXT or len(orjson.dumps(text)) - 2 > MAX_TEXT_BYTES:
        raise InvalidPost(f"text must have at most {MAX_TEXT:,} characters")
    return text
