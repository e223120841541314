"""What `orgctx doctor` examines: each check returns what is well, or raises. CommandError: the
service cannot work. Warned: it works, but something should be better."""


class Warned(Exception):
    """The service works, but something should be better."""
