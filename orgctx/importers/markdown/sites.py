"""What the configuration of site generators and note programs excludes: one table of rules.

Configuration that cannot be read raises ImportRejected, because it may exclude any page.
"""

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from errno import ENAMETOOLONG, ENOENT, ENOTDIR
from fnmatch import fnmatchcase
from functools import partial
from itertools import pairwise, takewhile
from pathlib import Path
from posixpath import normpath
from stat import S_ISREG
from typing import Any, NamedTuple
from urllib.parse import unquote

import orjson

from orgctx.importers.folder import ignore
from orgctx.importers.folder.files import opened
from orgctx.importers.markdown.front_matter import (
    LOADER,
    BrokenFrontMatter,
    plain_members,
    read_toml,
    read_yaml,
)
from orgctx.importers.report import ImportRejected
from orgctx.importers.sandbox import TookTooLong, time_limit

MAX_CONFIG_BYTES = 64 * 1024
MOST_INHERITED = 5
MOST_REGEXES = 100
LONGEST_REGEX = 1_000

MKDOCS = ("mkdocs.yml", "mkdocs.yaml")
JEKYLL = ("_config.yml", "_config.yaml", "_config.toml")  # and Hexo
HUGO = ("hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json")
# Hugo's names that other programs use too: they count beside one of Hugo's folders.
SHARED = ("config.yaml", "config.yml", "config.json")
HUGO_FOLDERS = ("archetypes", "layouts", "themes")
HUGO_ZOLA = (*HUGO, "config.toml", *SHARED)
# Files of `config/_default` and its neighbors with all members, and with the one that they name.
WHOLE, PARTS = ("hugo", "config"), ("module", "cascade")
SUFFIXES = (".toml", ".yaml", ".yml", ".json")
# Configuration of Docusaurus, Eleventy, Astro, Quartz, Nuxt, Gatsby, Sphinx, Pelican, VitePress and
# VuePress.
PROGRAM = re.compile(
    r"(?:(?:docusaurus|eleventy|astro|quartz|nuxt)\.config|gatsby-(?:config|node))\.[cm]?[jt]s"
    r"|\.eleventy\.c?js|[^/]+\.11tydata\.[cm]?js|(?:conf|pelicanconf)\.py"
    r"|\.(?:vite|vue)press/config\..+"
)
PROGRAM_FOLDERS = (".vitepress", ".vuepress")

TEMPLATE = "a template"
SUMMARY, TOC = "SUMMARY.md", "_toc.yml"
PAGES = (".md", ".qmd", ".rmd", ".ipynb", ".rst")
# Members of a table of contents that name files, or tables inside it.
CONTENTS = (
    "file", "root", "glob", "pattern", "href", "part", "parts", "chapters", "sections", "entries",
    "subtrees", "children", "appendices", "references", "html",
)  # fmt: skip
LINK, TITLE = re.compile(r"\]\([ \t]*<?([^)>\n]+)"), re.compile(r"\s\"[^\"]*\"?\s*$")
EDN = re.compile(r';[^\n]*|"(?:[^"\\]|\\.)*+"?|[\[\](){}]|[^\s,;"\[\](){}]+', re.DOTALL)

# The setting of Logseq, and of its older versions, that publishes all pages.
PUBLIC = {(f":{name}all-pages-public?", "true") for name in ("publishing/", "")}

Matches = Callable[[str], bool]


@dataclass(slots=True)
class Site:
    """The rules of the site in one folder. Paths are relative to that folder."""

    root: Path
    is_hugo: bool = False
    # Published folders whose names begin with `_`.
    shown: set[str] = field(default_factory=set)
    # Configuration that is a program, so that its rules are unknown.
    programs: list[str] = field(default_factory=list)
    exclusions: list[tuple[str, Matches]] = field(default_factory=list)
    # Members that files have unless their front matter says otherwise.
    defaults: list[tuple[Matches, dict[str, Any]]] = field(default_factory=list)

    def reason(self, path: str) -> str | None:
        return next((reason for reason, matches in self.exclusions if matches(path)), None)

    def members(self, path: str) -> dict[str, Any]:
        return {
            name: value
            for matches, members in self.defaults
            if matches(path)
            for name, value in members.items()
        }


def read_site(root: Path) -> Site | None:
    """Return the rules of the site in a folder, or None if there are none.

    Raises ImportRejected if a configuration cannot be read, because what it excludes is unknown.
    """
    names = _names(root)
    site = Site(root, any((root / name).is_file() for name in names & CONFIGURATIONS.keys()))
    site.is_hugo = bool(names.intersection(HUGO)) or (
        "archetypes" in names and (root / "archetypes").is_dir()
    )
    try:
        with time_limit():
            for file, name, config in _configurations(root, names):
                for rule in CONFIGURATIONS[file]:
                    for parent, value in _at(config, rule.key):
                        rule.add(site, name, value, _base(rule, parent, config))
    except TookTooLong as error:
        raise ImportRejected("the configuration of the site", str(error)) from None
    folders = names.intersection(PROGRAM_FOLDERS)
    inner = {f"{folder}/{name}" for folder in folders for name in _names(root / folder)}
    site.programs = [name for name in (*sorted(names), *sorted(inner)) if PROGRAM.fullmatch(name)]
    return site if site != Site(root) else None


def _names(folder: Path) -> set[str]:
    try:
        return set(os.listdir(folder))
    except OSError:
        return set()


def _configurations(root: Path, names: set[str]) -> Iterator[tuple[str, str, Any]]:
    """Yield each configuration: the name in the table, its path, and its members or text."""
    for name in sorted(CONFIGURATIONS, key=lambda name: (name[0] == ".", name)):
        if name.partition("/")[0] not in names:
            continue
        if name not in SHARED or any((root / folder).is_dir() for folder in HUGO_FOLDERS):
            yield name, name, _read(root / name)
    if "config" in names and (root / "config/_default").is_dir():
        for path in sorted((root / "config").glob("*/*")):
            if path.stem in (*WHOLE, *PARTS) and path.suffix in SUFFIXES:
                config = members(path)
                config = config if path.stem in WHOLE else {path.stem: config}
                yield HUGO[0], path.relative_to(root).as_posix(), config


def _read(path: Path) -> Any:
    if path.name in MKDOCS:
        return _inherited(path)
    if path.name == "templates.json":  # Obsidian ignores a broken one.
        return plain_json(path)
    return members(path) if path.suffix in SUFFIXES else text(path)


def text(path: Path) -> str:
    """Return the text of a file, or an empty text if it is missing or a symbolic link."""
    try:
        if not S_ISREG(path.lstat().st_mode):
            return ""
        with opened(path.parent, path.name) as file:
            content = file.read(MAX_CONFIG_BYTES + 1)
    except OSError as error:
        # Too long: beside a file whose name is nearly too long.
        if error.errno in (ENOENT, ENOTDIR, ENAMETOOLONG):
            return ""
        raise ImportRejected(path.name, f"cannot be read: {error.strerror}") from None
    if len(content) > MAX_CONFIG_BYTES:
        raise ImportRejected(path.name, f"exceeds {MAX_CONFIG_BYTES >> 10} KiB")
    return content.decode(errors="replace").lstrip("\N{ZERO WIDTH NO-BREAK SPACE}")


def members(path: Path) -> dict[str, Any]:
    """Return the members of a TOML, JSON or else YAML file; empty if it is missing."""
    content = text(path)
    try:
        if path.suffix == ".json":
            return _mapping(orjson.loads(content or "{}"))
        is_toml = path.suffix == ".toml"
        return _mapping(read_toml(content) if is_toml else read_yaml(content, _Lenient))
    except BrokenFrontMatter as error:
        reason = str(error).replace("its front matter", "it")
    except RecursionError:
        reason = "it is nested too deeply"
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        reason = f"it is not valid: {error}"
    raise ImportRejected(path.name, f"may exclude files, but {reason}")


def plain_json(path: Path) -> dict[str, Any]:
    """Return the members of a data file of Eleventy; empty if it is not an object."""
    try:
        return plain_members(_mapping(orjson.loads(text(path) or "{}")))
    except orjson.JSONDecodeError:
        return {}


class _Lenient(LOADER):  # type: ignore[misc]
    """Reads tagged values as null; MkDocs uses tags that name Python functions."""


_Lenient.add_multi_constructor("", lambda loader, suffix, node: None)  # noqa: ARG005


def _inherited(path: Path) -> dict[str, Any]:
    """Return the members of a file of MkDocs and of the files that it inherits from."""
    merged: dict[str, Any] = {}
    for _ in range(MOST_INHERITED):
        inherited = members(path)
        merged = inherited | merged
        parent = inherited.get("INHERIT")
        if not isinstance(parent, str):
            return merged
        folder = path.parent.resolve()
        top = next((f for f in (folder, *folder.parents) if (f / ".git").exists()), folder)
        path = path.parent / parent
        if not path.resolve().is_relative_to(top):
            reason = f"is inherited, but outside of {top.name}, so what it excludes is unknown"
            raise ImportRejected(parent, reason)
    raise ImportRejected(path.name, f"is inherited through more than {MOST_INHERITED - 1} files")


def _at(value: Any, key: str, parent: Any = None) -> Iterator[tuple[Any, Any]]:
    """Yield the values at a key such as `plugins.*.exclude`, each with the mapping that has it."""
    step, _, rest = key.partition(".")
    if not step:
        yield parent, value
    elif step == "*":
        for item in value if isinstance(value, list) else [value]:
            yield from _at(item, rest, parent)
    elif isinstance(value, dict):
        mapping = plain_members(value)
        yield from _at(mapping.get(step), rest, mapping)


def _base(rule: "Rule", parent: Any, config: Any) -> str:
    """Return the folder to which the paths of a value are relative; empty for the site itself."""
    stated = (v for mapping in (parent, config) for _, v in _at(mapping, rule.base_key))
    return _folder(next(filter(None, stated), None), rule.base) if rule.base_key else rule.base


def _folder(value: Any, default: str) -> str:
    path = normpath(value if isinstance(value, str) and value else default).strip("/")
    return "" if path == "." else path


def _mapping(value: Any) -> dict[Any, Any]:
    return value if isinstance(value, dict) else {}


def _texts(value: Any) -> list[str]:
    """Return the texts of a list, or the lines of a text."""
    lines = value.splitlines() if isinstance(value, str) else value
    return [line for line in lines if isinstance(line, str)] if isinstance(lines, list) else []


def _below(folder: str, matches: Matches) -> Matches:
    """Match files below a folder by their path relative to it."""
    base = f"{folder}/" if folder else ""
    return lambda path: path.startswith(base) and matches(path.removeprefix(base))


def _within(name: str) -> Matches:
    """Match a file, or the files of a folder."""
    path = name.strip("/")
    return lambda other: other == path or other.startswith(f"{path}/" if path else "")


def _patterns_match(name: str, lines: list[str]) -> Matches:
    return ignore.Patterns(ignore.parse(lines, name)).excludes


# The kinds of rules. Each adds to a site what a value means.


def _patterns(site: Site, name: str, value: Any, base: str) -> None:
    if lines := _texts(value):
        site.exclusions.append((f"excluded by {name}", _below(base, _patterns_match(name, lines))))


def _globs(site: Site, name: str, value: Any, base: str) -> None:
    """Exclude globs whose `*` matches `/` too."""
    globs = _texts(value)
    if len(globs) > ignore.MOST_PATTERNS:
        raise ImportRejected(name, f"excludes more than {ignore.MOST_PATTERNS:,} patterns")
    excludes = _below(base, lambda path: any(fnmatchcase(path, glob) for glob in globs))
    site.exclusions.append((f"excluded by {name}", excludes))


def _regexes(site: Site, name: str, value: Any, base: str, *, is_absolute: bool) -> None:
    """Exclude regular expressions. Hugo searches them in the absolute path.

    In MkDocs, an empty text is an expression too, which matches everything.
    """
    patterns = [""] if value == "" and not is_absolute else _texts(value)
    if len(patterns) > MOST_REGEXES:
        raise ImportRejected(name, f"has more than {MOST_REGEXES} regular expressions")
    expressions = []
    for pattern in patterns:
        try:
            if len(pattern) > LONGEST_REGEX:
                raise ValueError(f"exceeds {LONGEST_REGEX:,} characters")
            expressions.append(ignore.compiled(pattern))
        except ValueError as error:
            raise ImportRejected(
                name,
                f"excludes files with the expression {pattern[:60]!r}, which {error}. Import a "
                "copy of the folder without that expression, and exclude the files with --exclude",
            ) from None

    def excludes(path: str) -> bool:
        return any(e.search(f"/{path}") if is_absolute else e.match(path) for e in expressions)

    site.exclusions.append((f"excluded by {name}", _below(base, excludes)))


def _paths(site: Site, name: str, value: Any, _: str) -> None:
    site.exclusions += [(f"excluded by {name}", _within(path)) for path in _texts(value)]


def _templates(site: Site, _: str, value: Any, base: str) -> None:
    """Exclude the folder of templates that is stated, or the usual one."""
    if folder := _folder(value, base):
        site.exclusions.append((TEMPLATE, _within(folder)))


def _parts(site: Site, name: str, value: Any, base: str) -> None:
    """Exclude files that only pages include, if the key is stated."""
    if value:
        site.exclusions.append((TEMPLATE, _patterns_match(name, [base])))


def _shown(site: Site, _name: str, value: Any, _: str) -> None:
    """Publish folders whose names begin with `_`."""
    folders = (path.strip("/").rpartition("/")[2] for path in _texts(value))
    site.shown |= {folder for folder in folders if folder.startswith("_")}


def _output(site: Site, _name: str, value: Any, _: str) -> None:
    collections = _mapping(value).items()
    site.shown |= {f"_{name}" for name, options in collections if _mapping(options).get("output")}


def _scoped(site: Site, _name: str, value: Any, _: str) -> None:
    """Set members below a path, in a collection or both."""
    entry = _mapping(value)
    scope = _mapping(entry.get("scope"))
    is_below = _within(str(scope.get("path") or "").partition("*")[0])
    collection = scope.get("type")

    def matches(path: str) -> bool:
        names = [part for part in path.split("/")[:-1] if part.startswith("_")]
        is_page = collection == "pages" and not names
        return is_below(path) and (not collection or is_page or f"_{collection}" in names)

    site.defaults.append((matches, plain_members(_mapping(entry.get("values")))))


def _cascade(site: Site, name: str, value: Any, base: str) -> None:
    """Set members of the files that match a target; one without a path is not a page."""
    cascade = plain_members(_mapping(value))
    target = cascade.get("target")
    path = target.get("path") if isinstance(target, dict) else "**"
    if isinstance(path, str):
        site.defaults.append((_below(base, _patterns_match(name, [path])), cascade))


def _listed(site: Site, name: str, value: Any, base: str, suffixes: tuple[str, ...]) -> None:
    """Exclude the sources of pages that no pattern or file of a list matches."""
    paths = [line.removeprefix("./") for line in _pages(value)]
    lines = [path if "*" in path.partition("/")[0] else f"/{path}" for path in paths]
    lines = [f"!/{x[2:].removeprefix('/')}" if x.startswith("/!") else x for x in lines]
    starts = () if any(line[0] != "!" for line in lines) else ("**",)
    files = (f"{line}.*" for line in lines if "." not in line.rpartition("/")[2])
    shows = _patterns_match(name, [*starts, *lines, *files])
    hides = _below(base, lambda path: path.lower().endswith(suffixes) and not shows(path))
    if lines:
        site.exclusions.append((f"not listed in {name}", hides))


def _pages(value: Any) -> Iterator[str]:
    """Yield the files and patterns of a table of contents, and of the tables inside it."""
    if isinstance(value, str) and value.strip("!/ "):
        yield value.strip()
    items = value if isinstance(value, list) else []
    for inner in (*items, *(v for name, v in _mapping(value).items() if name in CONTENTS)):
        yield from _pages(inner)


def _bookdown(site: Site, name: str, value: Any, base: str) -> None:
    if files := [*_pages(value.get("rmd_files"))]:
        files += ["*/**"] if value.get("rmd_subdir") else []
        _listed(site, name, files, base, (".rmd",))


def _in_toc(site: Site, _: str, value: Any, base: str) -> None:
    if value:
        _listed(site, TOC, members(site.root / TOC), base, PAGES)


def _linked(site: Site, _name: str, value: Any, base: str) -> None:
    if isinstance(value, str) and not value.startswith("# Table of contents"):
        return  # not of GitBook, or of mdBook
    stated = [path for _, path in _at(value, "structure.summary") if isinstance(path, str)]
    first, *commented = text(site.root / base / next(iter(stated), SUMMARY)).split("<!--")
    shown = first + "".join(part.partition("-->")[2] for part in commented)
    # A title may follow the file.
    targets = (TITLE.sub("", link[1]).partition("#")[0].strip() for link in LINK.finditer(shown))
    pages = {normpath(unquote(target)) for target in targets if target}
    if first or commented:
        site.exclusions.append((f"not in {SUMMARY}", _below(base, lambda path: path not in pages)))


def _logseq(site: Site, name: str, value: Any, _: str) -> None:
    """Exclude the files of a graph itself and `:hidden`; publish all pages or those that say so."""
    if not value and not (site.root / "logseq" / "bak").is_dir():
        return
    site.exclusions.append(("a file of Logseq itself", _within("logseq")))
    tokens = [token[0] for token in EDN.finditer(value) if token[0][0] != ";"]
    start = tokens.index(":hidden") + 2 if ":hidden" in tokens else len(tokens)
    hidden = (token for token in takewhile("]".__ne__, tokens[start:]) if token.startswith('"'))
    _paths(site, name, [path for token in hidden if (path := token.strip('"').lstrip("/"))], "")
    if value and not {*pairwise(tokens)} & PUBLIC:
        site.defaults.append((lambda _: True, {"public": False}))


def _dendron(site: Site, name: str, value: Any, _: str) -> None:
    """Exclude private vaults and unpublished hierarchies; without vaults, the workspace is one."""
    stated = _mapping(value.get("workspace")).get("vaults") or value.get("vaults")
    vaults = {
        _folder(vault.get("fsPath"), "."): vault
        for vault in (stated if isinstance(stated, list) and stated else [{}])
        if isinstance(vault, dict)
    }
    reason = f"excluded by {name}"
    private = (folder for folder, vault in vaults.items() if vault.get("visibility") == "private")
    site.exclusions += [(reason, _within(folder)) for folder in private]
    publishing = _mapping(value.get("publishing")) or _mapping(value.get("site"))
    published = _texts(publishing.get("siteHierarchies"))
    if published and published[0] != "root":
        site.exclusions.append((reason, lambda path: _hierarchy(path) not in published))
    hierarchies = _mapping(publishing.get("hierarchy") or publishing.get("config"))
    root = _mapping(hierarchies.get("root", {"publishByDefault": True}))

    def is_unpublished(vault: str, path: str) -> bool:
        hierarchy = root | _mapping(hierarchies.get(_hierarchy(path)))
        value = hierarchy.get("publishByDefault")
        return not (value.get(vault) if isinstance(value, dict) else value)

    for folder, vault in vaults.items() if hierarchies else ():
        is_held_back = partial(is_unpublished, str(vault.get("name") or folder.rpartition("/")[2]))
        site.defaults.append((_below(folder, is_held_back), {"published": False}))


def _hierarchy(path: str) -> str:
    """Return the first part of a note's name, such as `proj` of `vault/proj.plan.md`."""
    return path.rpartition("/")[2].partition(".")[0]


class Rule(NamedTuple):
    """One key of a configuration, and what its value does."""

    files: tuple[str, ...]
    # Normalized names; `*` stands for each item of a list. Empty for the whole configuration.
    key: str
    add: Callable[[Site, str, Any, str], None]
    # The folder to which paths in the value are relative, and the key that may state another one.
    base: str = ""
    base_key: str = ""


RULES = (
    Rule((".eleventyignore",), "", _patterns),
    Rule((".obsidian/publish.json",), "excluded", _paths),
    Rule((".obsidian/templates.json",), "folder", _templates),
    Rule(JEKYLL, "", _templates, "scaffolds"),  # Hexo's
    Rule(JEKYLL, "", _templates, "_includes", "includesdir"),
    Rule(JEKYLL, "", _templates, "_layouts", "layoutsdir"),
    Rule(("antora.yml",), "name", _parts, "modules/*/partials/"),
    Rule(("antora.yml",), "name", _parts, "modules/*/examples/"),
    Rule(JEKYLL, "exclude", _patterns),
    Rule(JEKYLL, "exclude", _patterns, "source"),  # Hexo's, as `ignore`
    Rule(JEKYLL, "ignore", _patterns, "source"),
    Rule(JEKYLL, "excludepatterns", _patterns),  # Jupyter Book's
    Rule(JEKYLL, "onlybuildtocfiles", _in_toc),
    Rule(("myst.yml",), "project.exclude", _patterns),
    Rule(("myst.yml",), "project.toc", partial(_listed, suffixes=PAGES)),
    Rule(("_bookdown.yml",), "", _bookdown),
    Rule(("_quarto.yml",), "website.drafts.*", _patterns),
    Rule(("_quarto.yml",), "project.render", partial(_listed, suffixes=PAGES)),
    Rule(("_quarto.yml",), "book", partial(_listed, suffixes=PAGES)),
    Rule(("_quarto.yml",), "", _cascade),
    Rule(JEKYLL, "include", _shown),
    Rule(JEKYLL, "collections", _output),
    Rule(JEKYLL, "defaults.*", _scoped),
    Rule(("book.toml",), "", _linked, "src", "book.src"),
    Rule((".gitbook.yaml", "book.json"), "", _linked, "", "root"),
    Rule((SUMMARY,), "", _linked),  # of GitBook, which need not have another file
    Rule(HUGO_ZOLA, "", _templates, "archetypes", "archetypedir"),
    Rule(HUGO_ZOLA, "", _templates, "layouts", "layoutdir"),
    Rule(HUGO_ZOLA, "", _templates, "themes", "themesdir"),
    Rule(HUGO_ZOLA, "", _templates, "templates"),  # Zola's
    Rule(HUGO_ZOLA, "ignoredcontent", _patterns, "content"),  # Zola's
    Rule(HUGO_ZOLA, "ignorefiles", partial(_regexes, is_absolute=True)),
    Rule(HUGO_ZOLA, "module.mounts.*.excludefiles", _patterns, "content", "source"),
    Rule(HUGO_ZOLA, "cascade.*", _cascade, "content", "contentdir"),
    Rule(("dendron.yml",), "", _dendron),
    Rule(("logseq/config.edn",), "", _logseq),
    Rule(MKDOCS, "excludedocs", _patterns, "docs", "docsdir"),
    Rule(MKDOCS, "draftdocs", _patterns, "docs", "docsdir"),
    Rule(MKDOCS, "theme.customdir", _templates),
    Rule(MKDOCS, "plugins.*.exclude.glob", _globs, "docs", "docsdir"),
    Rule(
        MKDOCS, "plugins.*.exclude.regex", partial(_regexes, is_absolute=False), "docs", "docsdir"
    ),
)
CONFIGURATIONS = {
    file: [rule for rule in RULES if file in rule.files] for each in RULES for file in each.files
}
