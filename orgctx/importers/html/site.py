"""Choose the pages of a built site that are documents, and use what its pages share.

A page is left out for what it or its name declares: redirects, errors, searches, indexes, prints,
lists of tags, `noindex`, a second page with one address, other versions and translations.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress
from typing import IO, NamedTuple
from urllib.parse import unquote

from marshmallow import ValidationError

from orgctx.importers.folder.files import File
from orgctx.importers.folder.history import History
from orgctx.importers.formats import Converted
from orgctx.schemas.fields import MAX_URL
from orgctx.schemas.formats import Uri

INDEX = re.compile(r"(?:^|(?<=/))index\.x?html?$")
SUFFIX = re.compile(r"\.x?html?$")
# Where programs write pages of their own: at the root, or of a language or version.
PLACE = r"(?:(?:[a-z]{2}(?:-[a-z]{2,4})?|latest|stable|main|next|v?\d[\w.]*)/){0,2}"
# Names of pages without text of their own; in a folder of this name, the page is its index. What
# pages of text are named, too, is one only where programs write them.
GENERATED = re.compile(
    r"(?:(?:.*/)?(?:40[34]|50\d|genindex(?:-[^/]*)?|(?:py-)?modindex|print_page)"
    rf"|{PLACE}(?:search|print))(?:/index)?\.x?html?"
)
LISTS = re.compile(
    rf"(?:{PLACE}(?:(?:blog|posts)/)?(?:(?:tags|categories|authors)(?:/[^/]+)?"
    r"|(?:tag|category|author)/[^/]+|archives?(?:/\d{4}(?:/\d\d)?)?|page/\d+)"
    rf"|{PLACE}docs/{PLACE}(?:tags(?:/[^/]+)?|category/[^/]+)"  # of Docusaurus
    r"|(?:.*/)?page/\d+(?=/))(?:/index)?\.x?html?"
)
# The host and the path of any address, also of one that is none.
ADDRESS = re.compile(r"(?:[a-z][\w+.-]*:)?(?://([^/?#]*))?([^?#]*)", re.IGNORECASE)
SEPARATOR = re.compile(r"\s(?:[|·•–—:-]|::|»)\s")
# Names of versions that are not released, and of the released one.
UNRELEASED = ("next", "dev", "devel", "main", "master", "nightly", "edge", "unreleased", "current")
RELEASED = ("latest", "stable")
NUMBER = re.compile(r"\d{1,9}")
MIN_SHARED = 3  # pages; what fewer share says nothing


class Page(NamedTuple):
    """A page whose text is in a file, from a position on."""

    file: File
    document: Converted
    position: int
    length: int

    @property
    def path(self) -> str:
        """The path without `index.html` and a suffix, as addresses have it."""
        return SUFFIX.sub("", INDEX.sub("", self.file.path)).rstrip("/")


class Site:
    """The web pages of a folder. Their texts are on disk until all pages are known."""

    def __init__(self, texts: IO[bytes], history: History, *, all_versions: bool) -> None:
        self._texts, self._history, self._all_versions = texts, history, all_versions
        self._pages: list[Page] = []

    def add(self, file: File, document: Converted) -> None:
        content = document.content.encode()
        position = self._texts.seek(0, 2)
        self._texts.write(content)
        document.content = ""
        self._pages.append(Page(file, document, position, len(content)))

    def documents(self) -> Iterator[tuple[File, Converted, str]]:
        """Yield each page with why it is left out; nothing if it is a document."""
        self._pages.sort(key=lambda page: page.file.path)
        reasons = self._reasons()
        kept = [page for page in self._pages if page.file.path not in reasons]
        titles = Counter(page.document.title for page in kept)
        shared = _common_part(list(titles.elements()))
        built = _build_minute([page.document.updated for page in kept])
        for page in self._pages:
            document, path = page.document, page.file.path
            if not document.updated or document.updated // 60 == built:
                document.updated = self._edited(page)
            title = document.title.removesuffix(shared).removeprefix(shared).strip()
            document.title = title if titles[document.title] < MIN_SHARED else ""
            document.href = _link(document.facts.address)
            self._texts.seek(page.position)
            document.content = self._texts.read(page.length).decode()
            yield page.file, document, reasons.get(path, "")

    def _reasons(self) -> dict[str, str]:
        """Return why pages are left out, by path."""
        is_site = any(
            INDEX.fullmatch(page.file.path) or page.document.facts.is_generated
            for page in self._pages
        )
        own = ((page.file.path, _by_page(page, is_site=is_site)) for page in self._pages)
        reasons = {path: reason for path, reason in own if reason}
        pages = [page for page in self._pages if page.file.path not in reasons]
        noindex = [page.file.path for page in pages if page.document.facts.is_noindex]
        if len(noindex) < len(pages):
            reasons |= dict.fromkeys(noindex, "page that says noindex")
        if not self._all_versions:
            for leave_out in (_other_versions, _translations):
                pages = [page for page in pages if page.file.path not in reasons]
                reasons |= leave_out(pages)
        pages = [page for page in pages if page.file.path not in reasons]
        return reasons | _copies(pages)

    def _edited(self, page: Page) -> float | None:
        """Return when the file was committed that the edit link of a page names."""
        _, path = _split(page.document.facts.edit_link)
        parts = path.split("/")[1:]
        for start in range(len(parts)):
            if dates := self._history.dates.get("/".join(parts[start:])):
                return dates[1].timestamp()
        return None


def _by_page(page: Page, *, is_site: bool) -> str:
    """Return why a page is left out, as it or its path says."""
    facts, path = page.document.facts, page.file.path
    if facts.is_redirect:
        return "redirect"
    if is_site and GENERATED.fullmatch(path):
        return "error, search, index or print page"
    if facts.is_generated and LISTS.fullmatch(path) and not facts.edit_link:
        return "list of tags, authors or an archive"
    return ""


def _other_versions(pages: list[Page]) -> dict[str, str]:
    """Return the pages of other versions than one, for each component."""
    paths: defaultdict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for page in pages:
        facts = page.document.facts
        if facts.version:
            paths[facts.component][facts.version].append(page.file.path)
    reasons: dict[str, str] = {}
    for versions in paths.values():
        current = max(versions, key=_rank)
        for name in versions.keys() - {current}:
            reasons |= dict.fromkeys(versions[name], "page of another version")
    return reasons


def _rank(version: str) -> tuple[bool, bool, list[int]]:
    """Rank a version: released ones first, then the newest."""
    name = version.lower()
    return name not in UNRELEASED, name in RELEASED, [int(each) for each in NUMBER.findall(name)]


def _translations(pages: list[Page]) -> dict[str, str]:
    """Return the pages in a folder named like their language, whose counterpart is outside it."""
    paths = {page.path for page in pages}
    reasons = {}
    for page in pages:
        language = page.document.facts.language
        folder, _, rest = page.path.partition("/")
        if folder and folder.lower() in (language, language[:2]) and rest in paths:
            reasons[page.file.path] = "translation of another page"
    return reasons


def _copies(pages: list[Page]) -> dict[str, str]:
    """Return the pages whose canonical address another page has, too."""
    same: defaultdict[str, list[Page]] = defaultdict(list)
    for page in pages:
        if address := page.document.facts.address:
            same[_plain(address)].append(page)
    reasons: dict[str, str] = {}
    for address, group in same.items():
        if len(group) == 1 or 2 * len(group) > max(len(pages), MIN_SHARED):
            continue
        first = max(group, key=lambda page: f"/{address}".endswith(f"/{page.path}"))
        paths = (page.file.path for page in group if page is not first)
        reasons |= dict.fromkeys(paths, "second page of one canonical address")
    return reasons


def _plain(address: str) -> str:
    host, path = _split(address)
    return f"{host}/{SUFFIX.sub('', INDEX.sub('', path)).strip('/')}".rstrip("/")


def _split(address: str) -> tuple[str, str]:
    """Return the host and the path of an address."""
    match = ADDRESS.match(address)
    return (match[1] or "", unquote(match[2])) if match else ("", "")


def _common_part(titles: list[str]) -> str:
    """Return the longest part, with a separator, that most titles begin or end with."""
    parts = Counter(
        part
        for title in titles
        for match in SEPARATOR.finditer(title)
        for part in (title[: match.end()], title[match.start() :])
    )
    most = max(len(titles) / 2, MIN_SHARED - 1)
    return max((part for part, count in parts.items() if count > most), key=len, default="")


def _build_minute(times: list[float | None]) -> float | None:
    """Return the minute that most pages state, in which the site was built; None if none is."""
    minutes = Counter(time // 60 for time in times if time)
    minute, count = minutes.most_common(1)[0] if minutes else (None, 0)
    return minute if count >= MIN_SHARED and 2 * count > len(times) else None


def _link(address: str) -> str | None:
    """Return an address that readers can follow, or None."""
    with suppress(ValidationError, ValueError):
        if address.startswith(("https://", "http://")) and len(address) <= MAX_URL:
            return str(Uri().parse(address))
    return None
