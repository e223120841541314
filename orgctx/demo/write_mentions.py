"""Write mentions as the X API v2 returns them, from a readable script.

A line of `scripts/mentions.txt` is `DATE TIME username | text`. After the username, `[photo]`
attaches media, `[verified]` marks the author as verified, `^name` replies to a post of the
cooperative, `"name` quotes one and `RT name` reposts it. The oldest page uses the field names
from before August 2026.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from orgctx.demo.identities import X_ACCOUNT

Object = dict[str, Any]

SCRIPT = Path(__file__).parent / "scripts" / "mentions.txt"
LINE = re.compile(
    r'(?P<time>\S+ \S+) (?P<username>\w+)(?: \[(?P<tags>[^\]]+)\])?'
    r'(?: \^(?P<reply>\w+)| "(?P<quote>\w+))?(?: RT (?P<repost>\w+)| \| (?P<text>.*))'
)  # fmt: skip
PAGE_SIZE = 20
LONG_TEXT = 90
EPOCH_MS = 1_288_834_974_657
ACCOUNT_ID = "1903000001"

# Posts of the cooperative that others reply to, quote and repost.
POSTS = {
    "ask": ("2026-11-18 12:00", "Ask us anything about the causeway."),
    "release": ("2026-11-15 22:31", "tidebook 2.4.0 is out: the walk back counts as well."),
    "storm": ("2026-11-12 07:00", "All lights steady, everybody well, one shutter travelled."),
    "horn": ("2026-10-03 12:00", "Noon was horn test. A fourth blast is the seal."),
    "keepers": ("2026-10-17 10:00", "Two keepers wanted for Wednesdays. Some stairs."),
    "lamp": ("2026-09-12 17:30", "Class 4b lights the lamp at dusk."),
    "drones": ("2026-07-21 11:55", "No drones, please: the terns take them for hawks."),
    "greek": ("2026-07-18 18:00", "Η ιστοσελίδα μιλά πια ελληνικά."),
    "door": ("2026-05-30 17:00", "The door is painted. Green."),
}
NAMES = {
    "nightowl_petra": "Petra 🦉", "misaki_in_fog": "美咲 (霧)", "elli_nautis": "Έλλη",
    "kyiv_sailor": "Моряк з Києва", "petit_phare": "Petit Phare", "fjordlars": "Lars på fjorden",
    "oldkeeper_w": "W. Thorne, keeper (ret.)", "dataharbour_io": "dataharbour",
}  # fmt: skip
VERIFIED = ("open_tides", "dataharbour_io")


class FieldNames(NamedTuple):
    """Field names that changed in August 2026."""

    repost_count: str
    referenced: str
    note: str
    posts: str
    reposted: str


OLD_NAMES = FieldNames("retweet_count", "referenced_tweets", "note_tweet", "tweets", "retweeted")
NEW_NAMES = FieldNames("repost_count", "referenced_posts", "note_post", "posts", "reposted")


def pages() -> list[Object]:
    """Return three responses of the API, newest first."""
    lines = SCRIPT.read_text("utf-8").splitlines()
    parts = [lines[start : start + PAGE_SIZE] for start in range(0, len(lines), PAGE_SIZE)]
    return [_page(number, part) for number, part in enumerate(parts)]


def _page(number: int, lines: list[str]) -> Object:
    matches = [match for line in lines if (match := LINE.fullmatch(line))]
    if len(matches) != len(lines):
        raise ValueError(f"page {number} of mentions.txt has an invalid line")
    fields = OLD_NAMES if number == 2 else NEW_NAMES
    mentions, media = [], []
    for index, match in enumerate(matches):
        mention, attachments = _mention(number * PAGE_SIZE + index, match, fields)
        mentions.append(mention)
        media += attachments
    usernames = sorted({match["username"] for match in matches})
    users = [_user(username) for username in usernames]
    account = {"id": ACCOUNT_ID, "username": X_ACCOUNT, "name": "Harbor Lights Cooperative"}
    names = {name for match in matches for name in match.group("reply", "quote", "repost")}
    posts = [_referenced_post(name) for name in POSTS if name in names]
    meta = {
        "result_count": len(mentions),
        "newest_id": mentions[0]["id"],
        "oldest_id": mentions[-1]["id"],
    }
    return {
        "data": mentions,
        "includes": {
            "users": [*users, {**account, "verified": False}],
            fields.posts: posts,
            "media": media,
        },
        "meta": meta if number == 2 else {**meta, "next_token": f"lantern{number + 2}"},
    }


def _parse_time(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def _post_id(created_at: datetime, extra: int) -> str:
    """Return an id in the format of X: a time in milliseconds, then 22 further bits."""
    return str(((int(created_at.timestamp() * 1000) - EPOCH_MS) << 22) + extra)


def _user_id(username: str) -> str:
    code = sum(ord(letter) * 31**index for index, letter in enumerate(username))
    return str(7_000_000_000 + code % 10**9)


def _user(username: str) -> Object:
    return {
        "id": _user_id(username),
        "username": username,
        "name": NAMES.get(username) or username.replace("_", " ").title(),
        "verified": username in VERIFIED,
    }


def _referenced_post(name: str) -> Object:
    time, text = POSTS[name]
    created_at = _parse_time(time)
    return {
        "id": _post_id(created_at, 0),
        "text": text,
        "author_id": ACCOUNT_ID,
        "created_at": f"{created_at:%Y-%m-%dT%H:%M:%S}.000Z",
    }


def _mention(number: int, match: re.Match[str], fields: FieldNames) -> tuple[Object, list[Object]]:
    created_at = _parse_time(match["time"])
    text = match["text"] or f"RT @{X_ACCOUNT}: {POSTS[match['repost']][1]}"
    mention = {
        "id": _post_id(created_at, number + 1),
        "text": text,
        "author_id": _user_id(match["username"]),
        "created_at": f"{created_at:%Y-%m-%dT%H:%M:%S}.000Z",
        "public_metrics": _metrics(number, fields, is_repost=bool(match["repost"])),
    }
    if len(text) > LONG_TEXT and not match["repost"]:
        mention["text"] = text[: LONG_TEXT - 1] + "…"
        mention[fields.note] = {"text": text}
    types = {"reply": "replied_to", "quote": "quoted", "repost": fields.reposted}
    for group, type_ in types.items():
        if match[group]:
            post = _referenced_post(match[group])
            mention[fields.referenced] = [{"type": type_, "id": post["id"]}]
    if match["reply"]:
        mention["in_reply_to_user_id"] = ACCOUNT_ID
    kinds = [tag for tag in (match["tags"] or "").split() if tag != "verified"]
    media = [_medium(kind, number, index) for index, kind in enumerate(kinds)]
    if media:
        mention["attachments"] = {"media_keys": [medium["media_key"] for medium in media]}
    return mention, media


def _metrics(number: int, fields: FieldNames, *, is_repost: bool) -> Object:
    likes = 0 if is_repost else number * 37 % 91 + 3
    return {
        fields.repost_count: 12 if is_repost else number * 5 % 13,
        "reply_count": number % 4,
        "like_count": likes,
        "quote_count": number % 3,
        "bookmark_count": number % 5,
        "impression_count": likes * 41 + number,
    }


def _medium(kind: str, number: int, index: int) -> Object:
    base = f"https://media.harborlights.example/{number}-{index}"
    if kind == "photo":
        key = {"media_key": f"3_{number}{index}", "type": "photo", "url": f"{base}.jpg"}
        return key | {"width": 1600, "height": 1067}
    rates = (256_000, 2_176_000) if kind == "video" else (0,)
    variants: list[Object] = [
        {"bit_rate": rate, "content_type": "video/mp4", "url": f"{base}-{rate}.mp4"}
        for rate in rates
    ]
    if kind == "video":
        variants.append({"content_type": "application/x-mpegURL", "url": f"{base}.m3u8"})
    return {
        "media_key": f"{7 if kind == 'video' else 16}_{number}{index}",
        "type": "video" if kind == "video" else "animated_gif",
        "preview_image_url": f"{base}.jpg",
        "variants": variants,
    }
