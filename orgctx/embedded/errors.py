"""The one error of the embedded servers."""


class EmbeddedError(Exception):
    """A server could not start. The message is one line and says what to do."""
