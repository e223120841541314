"""Convert the attachments of a post to the media of a mention. No I/O."""

from __future__ import annotations

from typing import Any, TypeGuard

from marshmallow import ValidationError

from orgctx.schemas.formats import Uri

MEDIA_TYPES = {"photo": "photo", "video": "video", "animated_gif": "gif"}
MOST_MEDIA = 4
URI = Uri()


def media_of(
    post: dict[str, Any], included: dict[str, dict[str, Any]], missing: list[str]
) -> list[dict[str, str]]:
    """Return the media of a post, and add descriptions of what is left out to `missing`.

    included: the media of the page by key.
    """
    value = post.get("attachments")
    attachments = value if isinstance(value, dict) else {}
    keys = attachments.get("media_keys")
    media = []
    for key in keys if isinstance(keys, list) else []:
        medium = _medium(included.get(key, {}) if isinstance(key, str) else {})
        if medium:
            media.append(medium)
        else:
            missing.append("medium whose type or URL the page does not include")
    missing += [f"medium after the first {MOST_MEDIA} of a post"] * (len(media) - MOST_MEDIA)
    missing += ["poll of a post"] * bool(attachments.get("poll_ids"))
    missing += ["article of a post"] * bool(post.get("article"))
    return media[:MOST_MEDIA]


def _medium(medium: dict[str, Any]) -> dict[str, str] | None:
    preview: Any = medium.get("preview_image_url")
    kind = medium.get("type")
    type_ = MEDIA_TYPES.get(kind) if isinstance(kind, str) else None
    best = None if type_ == "photo" else _best(medium.get("variants")) or preview
    url: Any = medium.get("url") if type_ == "photo" else best
    if not type_ or not _is_uri(url):
        return None
    return {"type": type_, "url": url, "previewUrl": preview if _is_uri(preview) else url}


def _is_uri(value: Any) -> TypeGuard[str]:
    """Return whether the load format takes a URL: http or https, in ASCII."""
    try:
        return bool(URI.parse(value))
    except ValidationError:
        return False


def _best(variants: Any) -> str | None:
    """Return the URL of the MP4 with the highest bit rate."""
    videos = [
        (rate if type(rate := variant.get("bit_rate")) is int else -1, variant["url"])
        for variant in (variants if isinstance(variants, list) else [])
        if isinstance(variant, dict)
        and variant.get("content_type") == "video/mp4"
        and isinstance(variant.get("url"), str)
    ]
    return max(videos, key=lambda pair: pair[0])[1] if videos else None
