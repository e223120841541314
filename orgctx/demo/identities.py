"""The demo organization's ids. They never change, so that loading it again changes nothing."""

from __future__ import annotations

from uuid import UUID, uuid5

ORGANIZATION_ID = UUID("4a7b0e5c-1f2d-4c3b-9a68-5d0c7e9b1871")
SLUG = "harbor-lights"


def identity(name: str) -> UUID:
    """The id of a record of the organization, from a unique name."""
    return uuid5(ORGANIZATION_ID, name)


OWNER_ID = identity("member:ines")
# Approves for the demo and issues its keys, so that the demo never touches other members' keys.
DEMO_ADMIN_ID = identity("member:demo")

MANUAL = "docs:manual"
BOARD = "docs:board"  # deliberately never approved
NOTES = "notes:crew"
FILES = "assets:shared-drive"
PROFILE = "profile:main"
TOKEN = "token:lantern"  # noqa: S105
MENTIONS = "x:mentions"
DOCKSIDE = "telegram:dockside"
BEACON = "telegram:beacon"

APPROVED = (MANUAL, NOTES, FILES, PROFILE, TOKEN, MENTIONS, DOCKSIDE, BEACON)

X_ACCOUNT = "harborlightscoop"
# Telegram's numbers of the two chats.
DOCKSIDE_NUMBER = 1_871_190_300
BEACON_NUMBER = 1_871_190_301
TOKEN_ADDRESS = "0x11687" + "c0ffee" * 5 + "1a3b7"
