"""`python -m tests.page.screenshots FOLDER` takes a picture of every view of the demo.

It runs the demo in light and dark mode and on a phone. pngquant (Debian's) makes the pictures
small enough for a repository.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.mcp.served import free_port
from tests.page.browser import PHONE, Visit, chromium
from tests.page.walk import examples

DRESSES = {
    "light": {"viewport": {"width": 1180, "height": 860}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1180, "height": 860}, "color_scheme": "dark"},
    "phone": {"viewport": PHONE, "color_scheme": "light"},
}
KEY = re.compile(r"octx_\w{40}")
COLOURS = "64"


def main() -> None:
    """Take all pictures, in place of those that are there."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.png"):
        old.unlink()
    with demo() as (base_url, key), chromium() as browser:
        for dress, options in DRESSES.items():
            visit = Visit(browser, base_url, **options)
            visit.open()
            visit.page.screenshot(path=folder / f"start-{dress}.png")
            visit.enter(key)
            for address in list(dict.fromkeys(examples(visit))):
                if name := name_of(address):
                    visit.open(address)
                    prepare(visit, name)
                    visit.page.screenshot(path=folder / f"{name}-{dress}.png")
            visit.close()
    pictures = sorted(folder.glob("*.png"))
    subprocess.run(["pngquant", "--ext", ".png", "--force", COLOURS, *pictures], check=True)
    print(f"{len(pictures)} pictures, {sum(one.stat().st_size for one in pictures)} bytes")


def name_of(address: str) -> str:
    """`#/explore/people/telegram%3A1` as `people-one`; nothing for what was taken already."""
    parts = address.removeprefix("#/").split("/")
    if parts in ([""], ["explore"]):
        return ""
    return f"{parts[1]}-one" if len(parts) > 2 else parts[-1]


def prepare(visit: Visit, name: str) -> None:
    """Interact with the view before taking its picture."""
    page = visit.page
    if name == "search":
        page.get_by_label("Search all sources").fill("lamp")
        page.wait_for_selector("mark")
    if name == "reference":
        page.locator(".opblock-summary-control").nth(2).click()
        page.wait_for_selector(".opblock-body .parameters")
    if name.startswith("assets"):
        page.locator('.twist[aria-expanded="false"]').nth(3).click()
    if name == "token":
        page.locator(".strip summary").click()
    visit.settle()
    page.evaluate("document.activeElement.blur()")


@contextmanager
def demo() -> Iterator[tuple[str, str]]:
    """`orgctx demo` in a folder of its own: (base URL, key)."""
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
            key = next(found[0] for line in process.stdout if (found := KEY.search(line)))
            yield f"http://127.0.0.1:{port}", key
        finally:
            process.terminate()
            process.communicate(timeout=30)


if __name__ == "__main__":
    main()
