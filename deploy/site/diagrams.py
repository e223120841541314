"""Replace the mermaid diagrams of a page with drawings, so that readers run no script.

`make diagrams` draws the diagrams of `docs/`. A changed diagram without a new drawing fails the
build.
"""

import re
from hashlib import sha256
from pathlib import Path
from typing import Any

from mkdocs.exceptions import PluginError

FENCE = re.compile(r"^```mermaid\n(.*?)^```$", re.MULTILINE | re.DOTALL)
DRAWINGS = Path(__file__).parent / "drawings"


def on_page_markdown(markdown: str, **_: Any) -> str:
    return FENCE.sub(lambda match: _embed(match[1]), markdown)


def drawing_path(source: str) -> Path:
    """Return the path of a diagram's drawing."""
    return DRAWINGS / f"{sha256(source.encode()).hexdigest()[:16]}.svg"


def _embed(source: str) -> str:
    path = drawing_path(source)
    if not path.exists():
        raise PluginError(f"The drawing {path.name} is missing. Run `make diagrams`.")
    return f'<div class="diagram">{path.read_text("utf-8").strip()}</div>'
