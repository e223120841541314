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
    r'(?P<at>\S+ \S+) (?P<who>\w+)(?: \[(?P<tags>[^\]]+)\])?'
    r'(?: \^(?P<reply>\w+)| "(?P<quote>\w+))?(?: RT (?P<repost>\w+)| \| (?P<text>.*))'
)  # fmt: skip
PAGE_SIZE = 20
LONG_TEXT = 90
EPOCH_MS = 1_288_834_974_657
ACCOUNT_ID = "1903000001"

# The cooperative's posts that others reply to, quote and repost.
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


class Vocabulary(NamedTuple):
    """Field names that changed in August 2026."""

    repost_count: str
    referenced: str
    note: str
    posts: str
    reposted: str


BEFORE = Vocabulary("retweet_count", "referenced_tweets", "note_tweet", "tweets", "retweeted")
SINCE = Vocabulary("repost_count", "referenced_posts", "note_post", "posts", "reposted")


def pages() -> list[Object]:
    """Three responses of the API, newest first."""
    lines = SCRIPT.read_text("utf-8").splitlines()
    parts = [lines[start : start + PAGE_SIZE] for start in range(0, len(lines), PAGE_SIZE)]
    return [_page(number, part) for number, part in enumerate(parts)]


def _page(number: int, lines: list[str]) -> Object:
    matches = [match for line in lines if (match := LINE.fullmatch(line))]
    if len(matches) != len(lines):
        raise ValueError(f"page {number} of the script has a line that cannot be read")
    words = BEFORE if number == 2 else SINCE
    mentions, media = [], []
    for index, match in enumerate(matches):
        mention, attached = _mention(number * PAGE_SIZE + index, match, words)
        mentions.append(mention)
        media += attached
    names = sorted({match["who"] for match in matches})
    users = [_user(name) for name in names]
    mine = {"id": ACCOUNT_ID, "username": X_ACCOUNT, "name": "Harbor Lights Cooperative"}
    used = {ref for match in matches for ref in match.group("reply", "quote", "repost") if ref}
    posts = [_own_post(name) for name in POSTS if name in used]
    meta = {
        "result_count": len(mentions),
        "newest_id": mentions[0]["id"],
        "oldest_id": mentions[-1]["id"],
    }
    return {
        "data": mentions,
        "includes": {
            "users": [*users, {**mine, "verified": False}],
            words.posts: posts,
            "media": media,
        },
        "meta": meta if number == 2 else {**meta, "next_token": f"lantern{number + 2}"},
    }


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def _post_id(at: datetime, extra: int) -> str:
    """An id as X assigns them: a time in milliseconds, then 22 further bits."""
    return str(((int(at.timestamp() * 1000) - EPOCH_MS) << 22) + extra)


def _user_id(name: str) -> str:
    return str(7_000_000_000 + sum(ord(letter) * 31**i for i, letter in enumerate(name)) % 10**9)


def _user(name: str) -> Object:
    display = NAMES.get(name) or name.replace("_", " ").title()
    return {
        "id": _user_id(name),
        "username": name,
        "name": display,
        "verified": name in VERIFIED,
    }


def _own_post(name: str) -> Object:
    at, text = POSTS[name]
    time = _time(at)
    return {
        "id": _post_id(time, 0),
        "text": text,
        "author_id": ACCOUNT_ID,
        "created_at": f"{time:%Y-%m-%dT%H:%M:%S}.000Z",
    }


def _mention(number: int, match: re.Match[str], words: Vocabulary) -> tuple[Object, list[Object]]:
    at = _time(match["at"])
    text = match["text"] or f"RT @{X_ACCOUNT}: {POSTS[match['repost']][1]}"
    mention = {
        "id": _post_id(at, number + 1),
        "text": text,
        "author_id": _user_id(match["who"]),
        "created_at": f"{at:%Y-%m-%dT%H:%M:%S}.000Z",
        "public_metrics": _metrics(number, words, is_repost=bool(match["repost"])),
    }
    if len(text) > LONG_TEXT and not match["repost"]:
        mention["text"] = text[: LONG_TEXT - 1] + "…"
        mention[words.note] = {"text": text}
    types = {"reply": "replied_to", "quote": "quoted", "repost": words.reposted}
    for part, type_ in types.items():
        if match[part]:
            mention[words.referenced] = [{"type": type_, "id": _own_post(match[part])["id"]}]
    if match["reply"]:
        mention["in_reply_to_user_id"] = ACCOUNT_ID
    kinds = [tag for tag in (match["tags"] or "").split() if tag != "verified"]
    media = [_medium(kind, number, place) for place, kind in enumerate(kinds)]
    if media:
        mention["attachments"] = {"media_keys": [medium["media_key"] for medium in media]}
    return mention, media


def _metrics(number: int, words: Vocabulary, *, is_repost: bool) -> Object:
    likes = 0 if is_repost else number * 37 % 91 + 3
    return {
        words.repost_count: 12 if is_repost else number * 5 % 13,
        "reply_count": number % 4,
        "like_count": likes,
        "quote_count": number % 3,
        "bookmark_count": number % 5,
        "impression_count": likes * 41 + number,
    }


def _medium(kind: str, number: int, place: int) -> Object:
    base = f"https://media.harborlights.example/{number}-{place}"
    if kind == "photo":
        key = {"media_key": f"3_{number}{place}", "type": "photo", "url": f"{base}.jpg"}
        return key | {"width": 1600, "height": 1067}
    rates = (256_000, 2_176_000) if kind == "video" else (0,)
    variants: list[Object] = [
        {"bit_rate": rate, "content_type": "video/mp4", "url": f"{base}-{rate}.mp4"}
        for rate in rates
    ]
    if kind == "video":
        variants.append({"content_type": "application/x-mpegURL", "url": f"{base}.m3u8"})
    return {
        "media_key": f"{7 if kind == 'video' else 16}_{number}{place}",
        "type": "video" if kind == "video" else "animated_gif",
        "preview_image_url": f"{base}.jpg",
        "variants": variants,
    }
