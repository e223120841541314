"""Arguments of the list of sources; its payload is shared, see source_payload."""

from orgctx.arguments import Arguments


class ListSources(Arguments):
    """None."""
