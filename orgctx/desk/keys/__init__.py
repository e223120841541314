"""Keys: list, issue, change, rotate and revoke them, and see how they are used."""

from orgctx.desk.keys import forms
from orgctx.desk.keys.pages import routes

__all__ = ["forms", "routes"]
