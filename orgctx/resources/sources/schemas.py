"""Arguments of the list of sources; its payload is in orgctx/operations/source_payload.py."""

from orgctx.schemas.arguments import Arguments


class ListSources(Arguments):
    """None."""
