"""Take the screenshots of the docs from the demo: `python -m tests.page.screenshots FOLDER`.

pngquant (Debian's) makes them small enough for a repository.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.page.browser import Visit, chromium
from tests.support.processes import free_port

VIEWPORT: Any = {"width": 1180, "height": 860}
KEY = re.compile(r"octx_\w{40}")
COLORS = "64"
LINK = re.compile(r"http://localhost:\d+/sign-in#\S+")


def main() -> None:
    """Replace all screenshots of a folder."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.png"):
        old.unlink()
    with demo() as (base_url, key, link), chromium() as browser:
        for scheme in ("light", "dark"):
            visit = Visit(browser, base_url, viewport=VIEWPORT, color_scheme=scheme)
            visit.open()
            visit.enter(key)
            visit.settle()
            visit.page.evaluate("document.activeElement.blur()")
            visit.page.screenshot(path=folder / f"overview-{scheme}.png")
            visit.close()
        take_desk(Visit(browser, link, viewport=VIEWPORT, color_scheme="light"), link, folder)
    pictures = sorted(folder.glob("*.png"))
    subprocess.run(["pngquant", "--ext", ".png", "--force", COLORS, *pictures], check=True)
    print(f"{len(pictures)} screenshots, {sum(file.stat().st_size for file in pictures)} bytes")


def take_desk(visit: Visit, link: str, folder: Path) -> None:
    """Sign in to the desk, and take pictures of its list of sources and of a key."""
    page = visit.page
    page.goto(link)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_selector("h1:has-text('Sources')")
    page.screenshot(path=folder / "desk-sources-light.png")
    page.get_by_role("link", name="Keys", exact=True).click()
    page.get_by_role("link", name="demo").first.click()
    page.wait_for_selector("h2:has-text('What it reads now')")
    page.screenshot(path=folder / "desk-key-light.png")
    visit.close()


@contextmanager
def demo() -> Iterator[tuple[str, str, str]]:
    """Run `orgctx demo` in a temporary folder. Yields its base URL, key, and link to the desk."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "orgctx.cli", "demo", "--port", str(port)]
        process = subprocess.Popen(
            [*command, "--data-dir", folder],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        try:
            assert process.stdout is not None
            key = next(match[0] for line in process.stdout if (match := KEY.search(line)))
            link = next(match[0] for line in process.stdout if (match := LINK.search(line)))
            yield f"http://127.0.0.1:{port}", key, link
        finally:
            process.terminate()
            process.communicate(timeout=30)


if __name__ == "__main__":
    main()
