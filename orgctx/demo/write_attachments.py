"""Write attachments of messages as Telegram Desktop exports them, without the files."""

from __future__ import annotations

from typing import Any

Fields = dict[str, Any]

NOT_INCLUDED = "(File not included. Change data exporting settings to download.)"
MIMES = {"voice": "audio/ogg", "video": "video/mp4", "gif": "video/mp4", "audio": "audio/mpeg"}
MEDIA = {
    "voice": "voice_message", "video": "video_file", "gif": "animation", "audio": "audio_file",
}  # fmt: skip


def attachment_fields(script: str) -> Fields:
    """Return the fields of a message that describe its attachment. script: the text in brackets."""
    kind, _, rest = script.partition(" ")
    size = len(rest) * 7919 + 20_000
    if kind == "photo":
        width, _, height_px = rest.partition("x")
        return {
            "photo": NOT_INCLUDED,
            "photo_file_size": size,
            "width": int(width),
            "height": int(height_px),
        }
    if kind == "sticker":
        file = {"file": NOT_INCLUDED, "file_name": "sticker.webp", "file_size": 18_712}
        media = {"media_type": "sticker", "sticker_emoji": rest, "width": 512, "height": 512}
        return file | media
    if kind == "poll":
        return {"poll": _poll(*rest.split("|"))}
    if kind == "file":
        name, mime, size_text = rest.rsplit(" ", 2)
        document = {"file": NOT_INCLUDED, "file_name": name, "file_size": int(size_text)}
        return document | {"mime_type": mime}
    return _recording(kind, rest, size)


def _poll(question: str, *answers: str) -> Fields:
    votes = [answer.rsplit(":", 1) for answer in answers]
    return {
        "question": question,
        "closed": False,
        "total_voters": sum(int(count) for _, count in votes),
        "answers": [{"text": text, "voters": int(n), "chosen": False} for text, n in votes],
    }


def _recording(kind: str, rest: str, size: int) -> Fields:
    media: Fields = {
        "file": NOT_INCLUDED,
        "file_size": size * 10,
        "media_type": MEDIA[kind],
        "mime_type": MIMES[kind],
    }
    if kind == "audio":
        title, performer, seconds = rest.split("|")
        names = {"file_name": f"{title}.mp3", "performer": performer, "title": title}
        return media | names | {"duration_seconds": int(seconds)}
    if "x" not in rest:
        return media | {"duration_seconds": int(rest)}
    seconds, _, pixels = f"3 {rest}".rpartition(" ")
    width, _, height_px = pixels.partition("x")
    dimensions = {"width": int(width), "height": int(height_px)}
    name = {"file_name": f"{kind}_{width}.mp4"}
    return media | name | {"duration_seconds": int(seconds.split()[-1])} | dimensions
