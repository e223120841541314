"""The error that the embedded servers raise."""


class EmbeddedError(Exception):
    """A server could not start. The message is one line that says what to do."""
