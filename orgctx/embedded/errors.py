"""The error that the embedded servers raise."""


class EmbeddedError(Exception):
    """A server could not start. The message is one line and says what to do."""
