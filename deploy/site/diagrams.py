"""Puts each mermaid diagram of a page into it as a drawing, so that readers run no script.

`make diagrams` draws those of `docs/`; a page whose diagram was changed since fails the build.
"""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path
from typing import Any

from mkdocs.exceptions import PluginError

FENCE = re.compile(r"^```mermaid\n(.*?)^```$", re.MULTILINE | re.DOTALL)
DRAWINGS = Path(__file__).parent / "drawings"


def on_page_markdown(markdown: str, **_: Any) -> str:
    return FENCE.sub(lambda found: _drawn(found[1]), markdown)


def drawing(source: str) -> Path:
    """Where the drawing of a diagram is."""
    return DRAWINGS / f"{sha256(source.encode()).hexdigest()[:16]}.svg"


def _drawn(source: str) -> str:
    path = drawing(source)
    if not path.exists():
        raise PluginError(f"{path.name} is missing: `make diagrams` draws what has changed")
    return f'<div class="diagram">{path.read_text("utf-8").strip()}</div>'
