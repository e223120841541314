"""Tell versions and languages of one page apart by their paths.

`docs/v1/install.md` and `docs/v2/install.md` are versions of one page, `install.md` and
`install.de.md` are languages of one.
"""

import re
from collections import defaultdict
from collections.abc import Collection

# ISO 639-1 codes of languages that documentation is translated to, and names that projects use.
LANGUAGES = """
    ar az be bg bn br bs ca cn cs cy cz da de el en eo es et eu fa fi fr gl gu he hi hr hu hy id is
    it ja jp ka kk km kn ko kr lt lv mk ml mn mr ms nb ne nl nn no pa pl ps pt ro ru si sk sl sq sr
    sv sw ta te th tl tr tw ua uk ur uz vi zh
""".split()  # noqa: SIM905
LANGUAGE = re.compile(r"([A-Za-z]{2})(?:[-_](?:[A-Za-z]{2}|[A-Z][a-z]{3}|\d{3}))?")
VERSION = re.compile(
    r"(?:version-|release-|v(?=\d))?\d{1,4}(?:\.(?:\d{1,4}|x)){0,3}(?:-?(?:alpha|beta|rc)[.\d]{0,4})?"
)
YEAR_OR_NUMBER = re.compile(r"\d+")
IN_NAME = re.compile(r"(.+?)[._-]([A-Za-z]{2}(?:[-_][A-Za-z]{2,4})?|v\d[\d.]{0,9})")
# Names of versions only beside numbered ones: `dev/` alone is a folder for developers.
MOVING = (
    "latest", "next", "stable", "current", "dev", "main", "master", "nightly", "unreleased",
)  # fmt: skip
# The folders in which Docusaurus keeps versions and translations of `docs`.
DOCUSAURUS = (
    (re.compile(r"(^|/)i18n/([\w-]+)/docusaurus-plugin-content-(docs|blog|pages)/"), r"\1\3/\2/"),
    (re.compile(r"(^|/)docs/([\w-]+)/current/"), r"\1docs/\2/"),
    (re.compile(r"(^|/)versioned_docs/"), r"\1docs/"),
)


def labels(paths: Collection[str]) -> dict[str, str]:
    """Return what to add to the titles of pages that exist several times.

    Returns: such as `{"docs/v2/de/install.md": "v2, de"}`; pages without another version or
        language, and pages outside the folders of versions and languages, are missing.
    """
    plain_paths = {path: _plain_path(path) for path in paths}
    folders = {path.rpartition("/")[0] for path in plain_paths.values()}
    beside_versions = {
        parent for folder in folders for parent, name in _names(folder) if _is_version(name)
    }
    parts = {folder: _split_folder(folder, beside_versions) for folder in folders}
    pages: defaultdict[str, set[str]] = defaultdict(set)
    marked: dict[str, tuple[str, str]] = {}
    for path, plain_path in plain_paths.items():
        folder, _, name = plain_path.rpartition("/")
        page_folder, marks = parts[folder]
        page_name, name_marks = _split_name(name)
        page = f"{page_folder}/{page_name}".lower()
        label = ", ".join(marks + name_marks)
        pages[page].add(label)
        if label:
            marked[path] = page, label
    return {path: label for path, (page, label) in marked.items() if _are_variants(pages[page])}


def _are_variants(found: set[str]) -> bool:
    """Return whether pages are versions or translations: of a page, or of an English one.

    Folders such as `hr` and `it` may be departments.
    """
    is_original = any(not label or label.startswith("en") or label[-1].isdigit() for label in found)
    return len(found) > 1 and is_original


def _plain_path(path: str) -> str:
    path = path.rpartition(".")[0] or path
    if "docusaurus" in path or "versioned_docs" in path:
        for pattern, replacement in DOCUSAURUS:
            path = pattern.sub(replacement, path)
    return path


def _names(folder: str) -> list[tuple[str, str]]:
    """Return the names in the path of a folder, each with the folder above it."""
    names = folder.split("/")
    return [("/".join(names[:depth]), name) for depth, name in enumerate(names)]


def _split_folder(folder: str, beside_versions: set[str]) -> tuple[str, list[str]]:
    """Split a path into the path without versions and languages, and the list of these."""
    kept, marks = [], []
    for parent, name in _names(folder):
        is_moving = name in MOVING and parent in beside_versions
        if is_moving or _is_version(name) or _is_language(name):
            marks.append(name.removeprefix("version-").removeprefix("release-"))
        else:
            kept.append(name)
    return "/".join(kept), marks


def _split_name(name: str) -> tuple[str, list[str]]:
    match = IN_NAME.fullmatch(name)
    if match and (match[2][1].isdigit() or _is_language(match[2])):
        return match[1], [match[2]]
    return name, []


def _is_version(name: str) -> bool:
    return bool(VERSION.fullmatch(name)) and not YEAR_OR_NUMBER.fullmatch(name)


def _is_language(name: str) -> bool:
    match = LANGUAGE.fullmatch(name)
    return match is not None and match[1].lower() in LANGUAGES
