"""`orgctx doctor`: each check returns a description if it passes.

It raises CommandError if the service cannot work, and CheckWarning if an operator should improve
something.
"""


class CheckWarning(Exception):
    """The service works, but something should be improved. The message says what."""
