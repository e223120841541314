"""`orgctx doctor`: each check returns a description if it passes.

It raises CommandError if the service cannot work or may write, CheckWarning if an operator should
improve something, and NotChecked if it cannot tell.
"""


class CheckWarning(Exception):
    """The service works, but something should be improved. The message says what."""


class NotChecked(Exception):
    """This machine cannot check this. The message says why."""
