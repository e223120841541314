"""orgctx that remembers no caller, so that each request takes four round trips."""

from __future__ import annotations

from orgctx.app import create_app

app = create_app()
app.extensions["orgctx"].gate.caller_cache = None
