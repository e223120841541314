"""Ids of the demo organization. They are fixed, so that loading it again changes nothing."""

from uuid import UUID, uuid5

ORGANIZATION_ID = UUID("4a7b0e5c-1f2d-4c3b-9a68-5d0c7e9b1871")
SLUG = "harbor-lights"


def identity(name: str) -> UUID:
    """Derive the id of a record from a unique name."""
    return uuid5(ORGANIZATION_ID, name)


OWNER_ID = identity("member:ines")
# The member who approves sources and issues keys for the demo. Keys of others are not changed.
DEMO_ADMIN_ID = identity("member:demo")

MANUAL = "docs:manual"
MENTIONS = "x:mentions"
DOCKSIDE = "telegram:dockside"
BEACON = "telegram:beacon"
# Is not approved.
BOARD = "docs:board"

X_ACCOUNT = "harborlightscoop"
# Ids of the two chats in Telegram.
DOCKSIDE_NUMBER = 1_871_190_300
BEACON_NUMBER = 1_871_190_301
