"""The checks of `orgctx doctor`. Each returns a description if all is well. It raises CommandError
if the service cannot work, and Warned if it works but something should be improved."""


class Warned(Exception):
    """The service works, but something should be improved."""
