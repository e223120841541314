"""Arguments of the list of sources; its payload is in shapes/source_payload."""

from orgctx.schemas.arguments import Arguments


class ListSources(Arguments):
    """None."""
