"""The bundle (MCPB) that installs the service in Claude Desktop.

It holds a manifest and a program that passes messages on to the service. Claude Desktop asks for
the key, stores it in the system's key chain, and runs the program with its own Node.
"""

import json
from importlib.resources import files
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from orgctx import __version__

PROGRAM = "server/bridge.mjs"
# Every bundle of a version and address has the same bytes.
MADE_AT = (1980, 1, 1, 0, 0, 0)


def build(base_url: str) -> bytes:
    """Return the bundle, a ZIP file. base_url: matches BASE_URL of orgctx.clients."""
    file = BytesIO()
    program = files(__package__).joinpath("bridge.mjs").read_text("utf-8")
    with ZipFile(file, "w") as archive:
        for name, text in (("manifest.json", _manifest(base_url)), (PROGRAM, program)):
            archive.writestr(ZipInfo(name, MADE_AT), text, ZIP_DEFLATED)
    return file.getvalue()


def _manifest(base_url: str) -> str:
    manifest = {
        "manifest_version": "0.3",
        "name": "orgctx",
        "display_name": "orgctx",
        # A semantic version.
        "version": __version__.replace(".dev", "-dev."),
        "description": f"Read-only access to what your organization approved at {base_url}",
        "author": {"name": "The operator of the service", "url": base_url},
        "license": "MIT",
        "server": {
            "type": "node",
            "entry_point": PROGRAM,
            "mcp_config": {
                "command": "node",
                "args": [f"${{__dirname}}/{PROGRAM}"],
                "env": {
                    "ORGCTX_URL": f"{base_url}/api/mcp",
                    "ORGCTX_API_KEY": "${user_config.api_key}",
                },
            },
        },
        "tools_generated": True,
        "compatibility": {"runtimes": {"node": ">=18.0.0"}},
        "user_config": {
            "api_key": {
                "type": "string",
                "title": "API key",
                "description": "A key of the service (octx_…) from an owner or admin.",
                "sensitive": True,
                "required": True,
            }
        },
    }
    return json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
