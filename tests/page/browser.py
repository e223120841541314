"""Chromium with packages of npm, and a record of each visit: requests and what went wrong."""

import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from fcntl import LOCK_EX, flock
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, Request, sync_playwright

FOLDER = Path(__file__).parent
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
WATCH = """addEventListener("securitypolicyviolation", (event) => console.error(
    "VIOLATION", event.violatedDirective, event.blockedURI, event.sample))"""
PHONE = {"width": 360, "height": 740}
DESK = {"width": 1280, "height": 860}
# Options of a visit by how the page looks. After a check, it looks like the last of them.
DRESSES: dict[str, dict[str, Any]] = {
    "right to left": {"viewport": PHONE},
    "narrow": {"viewport": {"width": 320, "height": 640}, "has_touch": True},
    "phone": {"viewport": PHONE, "has_touch": True},
    "dark": {"color_scheme": "dark"},
    "light": {},
}
# Where a page cannot differ otherwise from "phone" or "light", axe runs only these rules.
LAYOUT = ["scrollable-region-focusable"]
RULES = {
    "right to left": LAYOUT,
    "narrow": LAYOUT,
    "dark": ["color-contrast", "link-in-text-block"],
}
VIOLATIONS = """rules => axe.run({ resultTypes: ["violations"], ...(rules && { runOnly: rules }) })
    .then((found) => found.violations.map(({ id, nodes }) =>
        [id, nodes.map(({ html, failureSummary }) => [html, failureSummary])]))"""
UNFOLD = "() => document.querySelectorAll('details').forEach(one => { one.open = true })"
WIDER = "() => document.documentElement.scrollWidth - innerWidth + Math.abs(scrollX)"
# A page could keep what it should not in these places.
KEPT = """async () => JSON.stringify([
    { ...localStorage }, { ...sessionStorage }, document.cookie, history.state, location.href,
    await indexedDB.databases(), await caches.keys(), document.documentElement.outerHTML,
    [...document.querySelectorAll("input")].map(({ value }) => value),
])"""
# Resolves once nothing is being read; Playwright does not ask a promise again.
SETTLED = """async () => {
    do await new Promise(done =>
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 20))));
    while (!document.querySelector("main h1")
        || document.querySelector(".loading, [aria-busy=true]"));
    return true;
}"""


def install(folder: Path = FOLDER) -> Path:
    """Return the npm packages of a package-lock.json, installed if they are not there yet.

    Other processes wait.
    """
    modules = folder / "node_modules"
    with (folder / "package-lock.json").open() as lock:
        flock(lock, LOCK_EX)
        if not modules.is_dir():
            command = ["npm", "ci", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"]
            subprocess.run(command, cwd=folder, check=True)
    return modules


@contextmanager
def chromium() -> Iterator[Browser]:
    """Debian's Chromium without a window, with a profile that is empty and then deleted."""
    path = shutil.which("chromium")
    assert path, "Debian's package chromium is missing; .ci/packages.txt lists it"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, headless=True, args=[*FLAGS])
        try:
            yield browser
        finally:
            browser.close()


class Visit:
    """One open page of the service. errors: exceptions, policy violations and opened windows."""

    def __init__(self, browser: Browser, base_url: str, **options: Any) -> None:
        self.base_url = base_url
        self.errors: list[str] = []
        self.requests: list[Request] = []
        self.console: list[str] = []
        self.context = browser.new_context(**{"viewport": DESK, **options})
        self.context.add_init_script(WATCH)
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(15_000)
        self.page.on("console", lambda message: self._hear(message.type, message.text))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request))
        self.session = self.context.new_cdp_session(self.page)
        self.context.on("page", lambda page: self.errors.append(f"opened {page.url}"))

    def _hear(self, kind: str, text: str) -> None:
        self.console.append(text)
        # The page itself shows failed requests, so the browser's line about them is expected.
        if kind in ("error", "warning") and not text.startswith("Failed to load resource"):
            self.errors.append(text)

    def answers(self) -> dict[str, Any]:
        """What the API answered with 200, by path and query."""
        answers = {}
        for request in self.requests:
            response = request.response() if urlsplit(request.url).path[:5] == "/api/" else None
            if response is not None and response.status == 200:
                answers[request.url.removeprefix(self.base_url)] = response.json()
        return answers

    def open(self, address: str = "") -> None:
        """Go to a part of the page, without loading it again where it is open already."""
        if self.page.url.startswith(self.base_url):
            self.page.evaluate("hash => { location.hash = hash }", address)
        else:
            self.page.goto(f"{self.base_url}/{address}")
        self.settle()

    def enter(self, key: str) -> None:
        """Paste a key where the page asks for one."""
        self.page.get_by_label("API key").fill(key)
        self.page.get_by_role("main").get_by_role("button", name="Explore").click()
        self.settle()

    def settle(self) -> None:
        """Wait until nothing is being read."""
        self.page.wait_for_function(SETTLED)

    def dress(self, name: str) -> None:
        """Change how the open page looks, without loading it again."""
        options = DRESSES[name]
        touch = {"enabled": "has_touch" in options}
        self.session.send("Emulation.setTouchEmulationEnabled", touch)
        self.page.set_viewport_size(options.get("viewport", DESK))
        self.page.emulate_media(color_scheme=options.get("color_scheme", "light"))
        self.page.evaluate(f"document.dir = '{'rtl' if name == 'right to left' else ''}'")

    def check(self, axe: str, address: str = "", dresses: Iterable[str] = DRESSES) -> None:
        """Assert in each dress that the page violates no rule of axe and fits on the screen."""
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(axe)
        for name in dresses:
            self.dress(name)
            assert self.page.evaluate(VIOLATIONS, RULES.get(name)) == [], (address, name)
            assert self.page.evaluate(WIDER) <= 0, (address, name)

    def hosts(self) -> set[str]:
        """The hosts to which the browser sent requests."""
        return {urlsplit(request.url).netloc or request.url[:40] for request in self.requests}

    def close(self) -> None:
        self.context.close()


# The fixtures `opened`, `visit` and `explore`.
Open = Callable[..., Visit]
