"""Arguments of the list of sources; its payload is in shapes/source_payload."""

from orgctx.shapes.arguments import Arguments


class ListSources(Arguments):
    """None."""
