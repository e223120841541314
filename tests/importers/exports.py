"""Synthetic exports, as Telegram Desktop and the X API write them."""

from typing import Any

ABSENT = "(File not included. Change data exporting settings to download.)"


def message(number: int = 1, **members: Any) -> dict[str, Any]:
    """A message. Its number, or the id among the members, decides when it was sent."""
    if isinstance(id_ := members.get("id"), int) and abs(id_) < 2**31:
        number = id_
    defaults = {
        "id": number,
        "type": "message",
        "date": "2026-01-31T09:00:00",
        "date_unixtime": str(1_769_846_400 + number),
        "from": "Ada",
        "from_id": "user7",
        "text": f"Message {number}",
        "text_entities": [],
    }
    return defaults | members


def chat(*messages: Any, **members: Any) -> dict[str, Any]:
    head = {"name": "Acme chat", "type": "private_supergroup", "id": 4242}
    return head | members | {"messages": list(messages)}


def account(chats: list[Any], left: list[Any]) -> dict[str, Any]:
    return {
        "about": "Here is the data you requested.",
        "contacts": {"about": "", "list": [{"first_name": "Eve", "phone_number": "+1"}]},
        "chats": {"about": "", "list": chats},
        "left_chats": {"about": "", "list": left},
    }


def post(number: int = 1, **members: Any) -> dict[str, Any]:
    defaults = {
        "id": str(number),
        "text": f"Post {number} &amp; @acme",
        "author_id": "7",
        "created_at": "2026-01-31T08:00:00.000Z",
        "public_metrics": {"like_count": 3, "repost_count": 1, "impression_count": 9},
    }
    return defaults | members


def page(*posts: Any, **members: Any) -> dict[str, Any]:
    users = [{"id": "7", "username": "bob", "name": "Bob &lt;3", "verified": True}]
    return {"data": list(posts), "includes": {"users": users}, "meta": {}} | members
