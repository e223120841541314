"""How the generators of sites include files: one table of syntaxes."""

import re
from typing import Any, NamedTuple

from orgctx.importers.formats import MARKDOWN
from orgctx.importers.markdown.comments import CODE, FLAGS


class Syntax(NamedTuple):
    """How the pages of a generator include files."""

    # A text without which the pattern does not match.
    marker: str
    # Groups: `file`, or `files` with one in each line; a colon and selected lines or a section may
    # follow each. `escape` shows the syntax itself.
    pattern: Any
    # What begins a section of the included file or, with the group `end`, ends it.
    section: re.Pattern[str]
    # Whether files are relative to a folder that only the configuration knows.
    is_anywhere: bool = False
    # Whether one number selects one line, instead of all lines from there.
    is_one_line: bool = False
    # What stands between the first and the last line of a range in the group `lines`.
    to: str = ":"
    # Whether pages do not show the lines that begin and end sections.
    hides_sections: bool = False
    # Whether files are pages named without suffix, inserted only if they are published themselves.
    is_page: bool = False
    template: str = "{text}"
    # Suffixes of the pages that have it.
    suffixes: tuple[str, ...] = MARKDOWN


SNIPPET = r"-{1,20}8<-{1,20}"
SECTION = re.compile(
    rf"(?P<escape>;?){SNIPPET}[ \t]++\[[ \t]*+(?:start|(?P<end>end))[ \t]*+:[ \t]*+"
    r"(?P<name>[\w-]{1,100})[ \t]*+\]",
    re.IGNORECASE,
)
ANCHOR = re.compile(r"(?P<escape>)ANCHOR(?P<end>_END)?:[ \t]*+(?P<name>[\w-]{1,100})")
SNIPPETS = (
    rf"^(?:[^\n;]*+(?P<escape>;);*+{SNIPPET}[^\n]*+"
    rf"|(?P<indent>[ \t]*+){SNIPPET}[ \t]++(?P<quote>[\"'])(?P<file>[^\"'\n]{{1,1000}})(?P=quote)"
    rf"|[ \t]*+{SNIPPET}[ \t]*+\r?\n(?P<files>(?:(?![ \t]*+{SNIPPET})[^\n]*\n)*)[ \t]*+{SNIPPET})"
    r"[ \t]*+\r?$"
)
# A title has no file; a program that readers can run is code.
MDBOOK = (
    r"(?P<escape>\\?)\{\{[ \t]{0,20}#(?:title[ \t][^{}\n]{1,1000}"
    r"|(?:include|rustdoc_include|(?P<code>playground|playpen))[ \t]++"
    r"(?P<file>[^\s{}]{1,1000}+)(?P<words>[^{}\n]{0,1000}))\}\}"
)
RUN = "```rust{words}\n{text}\n```\n"
REGION = re.compile(r"(?P<escape>)#(?P<end>end)?region\b[ \t]*+(?P<name>[\w-]{0,100})")
TAG = re.compile(r"(?P<escape>)(?:tag|(?P<end>end))::(?P<name>[\w-]{1,100})\[\]")
# Obsidian and Dendron embed parts of notes by heading, and media.
HEADING = re.compile(r" {0,3}(#{1,6})[ \t]++(.*)")
MEDIA = (
    "(?i:avif|bmp|gif|jpe?g|png|svg|webp|flac|m4a|mp3|ogg|wav|webm|3gp|mkv|mp4|mov|ogv|pdf|canvas"
    "|base|excalidraw)"
)
# Options of a directive of Sphinx, and a value of AsciiDoc's attributes.
OPTIONS = (
    r"(?:\n(?P=indent)[ \t]*+:(?:lines:[ \t]*(?P<lines>[\d, -]+)"
    r"|(?P<unknown>start|end|py)[^\n]*|[^\n]*))*"
)
MYST = (
    r"\n(?P<indent>[ \t]*+)(?P<mark>`{{3,}}+|:{{3,}}+)\{{{kind}\}}[ \t]++(?P<file>[^\s]{{1,500}}+)"
    r"[ \t]*+{options}\s*?\n(?P=indent)(?P=mark)[ \t]*$|{code}"
)
VALUE = r"=\"?+(?P<{}>(?<=\")[^\"\]\n]*|[^\",\]\n]*)"
# Shortcodes of Hugo, by whether the file is code.
SHORTCODES = {
    r"include(?:s|file|-file|-md)?|read-?file|import|snippet": "{text}",
    r"codenew|code_sample|code-?file": "```\n{text}\n```",
}
HUGO = (
    r"(?P<escape>)\{{\{{[<%]\s*+(?:{name})\s++(?:[^{{}}\n]{{0,200}}?\b(?:file|path|filename|src|name)=)?"
    r"(?P<quote>[\"`]?+)(?P<file>(?<=[\"`])[^\"`\n]{{1,500}}|[^\s\"`{{}}]{{1,500}})(?P=quote)"
    r"(?:\s[^{{}}\n]{{0,500}})?[%>]\}}\}}"
)
OTHER_SHORTCODE = re.compile(
    CODE + rf"|\{{\{{[<%]\s*+(?!(?:{'|'.join(SHORTCODES)})\s)(?P<name>\w[\w./-]{{0,99}})", FLAGS
)

ROWS = (
    Syntax("8<-", SNIPPETS, SECTION, is_anywhere=True, hides_sections=True),
    Syntax("{{#", MDBOOK, ANCHOR, is_one_line=True),
    Syntax(
        "{!",
        r"(?P<escape>\\?)\{!>?[ \t]*+(?P<quote>[\"']?)"
        r"(?P<file>[^\"'\n!]{1,500}+)(?P=quote)[ \t]*+!\}",
        SECTION,
        is_anywhere=True,
    ),
    Syntax(
        "include-markdown",
        r"(?P<escape>\\?)\{%-?[ \t]*include-markdown[ \t]++(?P<quote>[\"'])"
        r"(?P<file>[^\"'\n]{1,500})(?P=quote)(?P<unknown>[^%\n]*(?:start|end)=)?[^%\n]*%\}",
        SECTION,
    ),
    Syntax(
        "@include:",
        CODE + r"|(?P<escape>\\?)<!--[ \t]*@include:[ \t]*(?P<file>(?:(?!-->)[^\s{}#>]){1,500}+)"
        r"(?:#(?P<region>[\w-]+))?(?:\{(?P<lines>[\d,-]*)\})?[ \t]*-->",
        REGION,
        to=",",
    ),
    Syntax(
        "<<<",
        CODE + r"|^(?P<indent>[ \t]*+)(?P<escape>\\?)<<<(?:[ \t]++|(?=[@.]))"
        r"(?P<file>[^\s{}#]{1,500}+)(?:#(?P<region>[\w-]+))?"
        r"(?:[ \t]*\{[^}\n]*\})?(?:[ \t]*\[[^\]\n]*\])?[ \t]*$",
        REGION,
        is_anywhere=True,
        template="```\n{text}\n```",
    ),
    Syntax(
        "{%",
        CODE + r"|\{%-?[ \t]*+include[ \t]++(?P<escape>)[\"']?"
        r"(?P<file>(?<=[\"'])[^\"'\n]{1,500}|[\w./-]{1,500}\.(?:md|markdown))(?![\w./])"
        r"[^%\n]*%\}",
        SECTION,
        is_anywhere=True,
    ),
    Syntax(
        "![[",
        CODE + rf"|(?P<escape>\\?)!\[\[(?![^\[\]|#\n]{{1,300}}\.(?:{MEDIA})[\\\]|#])"
        r"(?P<file>[^\[\]|#\\\n]{1,300})(?:#(?P<region>[^\[\]|\\\n]{0,300}))?(?:\\?\|[^\[\]\n]{0,300})?\]\](?!\()",
        HEADING,
        is_anywhere=True,
        is_page=True,
    ),
    *(
        Syntax(
            "include}",
            MYST.format(kind=kind, options=OPTIONS, code=CODE),
            TAG,
            is_one_line=True,
            to="-",
            template=template,
        )
        for kind, template in (("include", "\n{text}"), ("literalinclude", "\n```\n{text}\n```"))
    ),
    Syntax(
        "include::",
        r"^(?P<escape>\\?)include::(?P<file>[^\s\[\]]{1,500})\[(?=[^\]\n]*+\])(?:[^\]\n]*?\b"
        rf"(?:tags?{VALUE.format('region')}|lines{VALUE.format('lines')}))?[^\]\n]*\]",
        TAG,
        is_one_line=True,
        to="..",
        suffixes=(".adoc", ".asciidoc"),
    ),
    Syntax(
        "include::",
        r"^(?P<escape>)(?P<indent>[ \t]*+)\.\.[ \t]++(?:literal)?include::[ \t]++"
        r"(?P<file>\S{1,500}+)[ \t]*" + OPTIONS,
        TAG,
        is_one_line=True,
        to="-",
        suffixes=(".rst",),
    ),
    *(
        Syntax("{{", HUGO.format(name=name), SECTION, is_anywhere=True, template=template)
        for name, template in SHORTCODES.items()
    ),
)
SYNTAXES = tuple(row._replace(pattern=re.compile(row.pattern, FLAGS)) for row in ROWS)


def marks(syntax: Syntax, line: str) -> re.Match[str] | None:
    """Return the begin or end of a section in a line, unless it is escaped."""
    mark = syntax.section.search(line)
    return mark if mark and not mark["escape"] else None
