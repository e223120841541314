"""Keys: list, issue, change, narrow, rotate and revoke them, and see how they are used."""

from orgctx.desk.keys import changing, issuing, listing, one
from orgctx.desk.keys.routes import routes

__all__ = ["changing", "issuing", "listing", "one", "routes"]
