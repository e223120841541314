"""Links that install a configuration in an editor. They contain its variable, never a key."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import Any
from urllib.parse import quote, urlencode

SERVER = "orgctx"


def cursor(document: dict[str, Any]) -> str:
    """Return a link for Cursor, which reads a server in base64."""
    config = b64encode(_compact(document["mcpServers"][SERVER]).encode()).decode()
    query = urlencode({"name": SERVER, "config": config})
    return f"cursor://anysphere.cursor-deeplink/mcp/install?{query}"


def vscode(document: dict[str, Any]) -> str:
    """Return a link for VS Code, which reads a server with its name and inputs."""
    server = {"name": SERVER, **document["servers"][SERVER], "inputs": document["inputs"]}
    return f"vscode:mcp/install?{quote(_compact(server), safe='')}"


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
