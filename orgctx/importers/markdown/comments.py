"""Remove comments and hidden blocks from texts, outside of code: one row for each markup."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from operator import gt

from orgctx.importers.formats import MARKDOWN

COMMENT = "comment"
# Each alternative begins with a character, outside of groups, which makes the search fast; the text
# with a newline.
# A run of marks stays whole, by the possessive `+` and what precedes it: otherwise it takes
# quadratic time. A fence may be in an item of a list, and ends with the quote that it is in.
CODE = (
    r"\n(?P<blockquote>(?:[ \t]|[-*+][ \t]|\d{1,9}+[.)][ \t])*+>)?"
    r"(?:[ \t>]|[-*+][ \t]|\d{1,9}+[.)][ \t])*+(?P<fence>`{3,}+(?![^`\n]*+`)|~{3,}+)[^\n]*+"
    r"(?(blockquote)(?:\n[ \t]*+>[^\n]*+)*?(?:\n[ \t>]*+(?P=fence)[`~]*[ \t]*$|(?!\n[ \t]*+>))"
    r"|(?:(?:\n.*?)??\n[ \t]*+(?P=fence)[`~]*[ \t]*$|.*))"
    # Indented lines, after a blank line and a paragraph without markup.
    r"|\n(?P<indented>(?:[ \t]*+\n|(?<=\A\n))(?!\w{1,3}[.)][ \t])(?:#|[^\W\d_])[^\n`~<{%\[]*+"
    r"(?:\n(?!\w{1,3}[.)][ \t])[^\W\d_][^\n`~<{%\[]*+)*\n[ \t]*+(?=\n)"
    r"(?:(?:\n {0,3}(?=\n)){0,9}\n(?: {4}|\t)[^\n{]*+)+)"
    r"|`(?<!``)(?P<ticks>`*+)(?:[^\n]{0,2000}?[^`\n])??`(?P=ticks)(?!`)"
)
# Attributes of Quarto that hide from readers of HTML.
ELSEWHERE = r"(?:unless-format=.html|when-format=.(?!html))"
HIDING = (
    r"\{(?=[^{}\n]*\.(?:hidden|notes)(?![\w-])"
    r"|(?![^{}\n]*" + ELSEWHERE + r")[^{}\n]*\.content-hidden(?![\w-])"
    r"|(?=[^{}\n]*(?:" + ELSEWHERE + r"|when-(?:profile|meta)=))[^{}\n]*\.content-visible(?![\w-]))"
    r"[^{}\n]*+\}"
)
# Options that hide the code of a chunk of R Markdown and Quarto, after its language or above it.
UNSEEN = (
    r"(?:[^{}\n]*[\s,](?:echo|include)[ \t]*=[ \t]*F(?:ALSE)?\b"
    r"|[^{}\n]*\}[ \t]*(?:\n[ \t]*(?:#|//|--)\|[^\n]*+)*?"
    r"\n[ \t]*(?:#|//|--)\|[ \t]*(?:echo|include)[ \t]*[:=][ \t]*['\"]?(?i:f(?:alse)?|no|off)\b)"
)
SHOWN = r"(?:[^{}\n]*[\s,]echo[ \t]*=[ \t]*T|[^`]*?\n[ \t]*#\|[ \t]*echo[ \t]*[:=][ \t]*[Tt])"
# What hides the code of all chunks that do not say otherwise.
UNSHOWN = re.compile(r"opts_chunk\$set\([^()]*?\becho[ \t]*=[ \t]*F")
# A name that holds for HTML, and expressions of it.
FOR_HTML = r"[ \t]+(?:(?:builder_|format_)?html|not[ \t]+(?!(?:builder_|format_)?html\b)\w+)"
# Directives of Sphinx, in reStructuredText and MyST, whose text readers of HTML do not see.
UNSEEN_DIRECTIVE = (
    rf"(?i:only{{0}}(?!(?:[^\n]*\bor)?{FOR_HTML}(?:[ \t]+and{FOR_HTML})*[ \t]*(?:[ \t]or\b|$))"
    r"|(?:ifconfig|todo|comment|meta|test(?:setup|cleanup)){0}|raw{0}(?![^\n]*\bhtml\b))"
)
UNSEEN_CELL = (
    r"code-cell\}[^\n]*+\n[ \t]*(?:(?::[^\n]*\n[ \t]*)*?:|---\n(?:(?!---)[^\n]*\n)*?[ \t]*)"
    r"tags:(?:[^\n]|\n[ \t]*-[ \t])*?\bremove[-_](?:input|cell)\b"
)
# Declarations that hide an element, also in JSX, and elements that may have them.
UNSEEN_STYLE = (
    r"(?:display\s*:\s*['\"]?none|visibility\s*:\s*['\"]?hidden|color\s*:\s*transparent"
    r"|(?:opacity|font-size)\s*:\s*0(?![.\d]))\b"
)
HIDEABLE = "div section p span a b i em strong small font li ul ol tr td table pre details aside"
# A line break within a paragraph.
BREAK = r"\n(?![ \t]*\n)"


def _fenced(name: str, marks: str, start: str) -> str:
    """Return the pattern of a block whose first line has a brace; its marks are named."""
    return (
        rf"\n[ \t]*(?P<{name}>{marks})[ \t]*\{{{start}(?:\n(?![ \t]*+(?P={name}))|[^\n])*+"
        rf"\n[ \t]*(?P={name})[`:]*[ \t]*$"
    )


# Comments by generator: a text without which they are not searched, their start and their end.
COMMENTS = {
    "chunk": (
        "```{",
        _fenced("run", "`{3,}+", r"(?=\w)(?=" + UNSEEN + ")"),
        "",
    ),
    "unshown": ("```{", _fenced("code", "`{3,}+", rf"(?=[a-zA-Z])(?!{SHOWN})"), ""),
    "MyST": (
        "}",
        _fenced("mark", "`{3,}+|:{3,}+", f"(?:{UNSEEN_DIRECTIVE.format('}')}|{UNSEEN_CELL})"),
        "",
    ),
    "block": ("<!--", r"\n {0,3}<!--(?!\s*@include:)", r"-->(?:[ \t]*(?=\n))?|\Z"),
    "HTML": ("<!--", r"<!--(?!\s*@include:)", "-->"),
    "definition": (
        "]:",
        r"\n {0,3}\[(?:[^\[\]\n]{1,99}\]:[ \t]*(?:#|<>)[ \t]*\n?[ \t]*"
        rf"(?:\((?:[^()\n]++|\([^()\n]*+\)|{BREAK})*\)|\"(?:[^\"\n]++|{BREAK})*\"|'(?:[^'\n]++|{BREAK})*')"
        r"[ \t]*$|//\]:[^\n]*+)",
        "",
    ),
    "MDX": ("/*", r"\{\s*/\*", r"\*/\s*\}"),
    "line": ("//", r"\{\s*//(?:[^{\n]*+(?:\n[ \t]*+//[^{\n]*+)*\n\s*\}|[^{}\n]*+\})", ""),
    "tag": ("{%", r"\{%-?\s*#", r"%\}"),
    "kramdown": ("{::comment", r"\{::comment\b[^{}\n]*\}", r"\{:/(?:comment)?\}"),
    "Liquid": ("comment", r"\{%-?\s*comment\b[^%]*%\}", r"\{%-?\s*endcomment\s*-?%\}"),
    "Jinja": ("#}", r"\{#-?\s", r"#\}"),
    **{
        f"shortcode_{name}": (
            name,
            rf"\{{\{{[<%]\s*{name}\b[^<>{{}}/]*[%>]\}}\}}",
            rf"\{{\{{[<%]\s*/\s*{name}\s*[%>]\}}\}}",
        )
        for name in ("comment", "private", "draft", "hidden", "internal")
    },
    "Logseq": ("::", r"\n[ \t]*(?:- )?(?:id|collapsed|logseq\.[\w.-]+)::[ \t][^\n]*+", ""),
    "Hugo": ("*/", r"\{\{-?\s*/\*", r"\*/\s*-?\}\}"),
    **{
        tag: ("</", rf"<(?i:{tag})\b[^<>]*>", rf"</(?i:{tag})\s*>")
        for tag in ("script", "style", "template")
    },
    "Obsidian": ("%%", "%%", r"%%|\Z"),
    "wiki": ("%%", r"%%(?<![\w/]%%)", "%%"),
    **{
        f"hidden_{tag}": (
            "</",
            rf"<(?i:{tag}\b(?=[^<>]*[\s;\"'={{]{UNSEEN_STYLE}"
            r"|(?:[^<>\"']|\"[^<>\"]*+\"|'[^<>']*+')*?\shidden[\s=/>]))[^<>]*+>"
            # Its text, and elements of the same name inside it.
            rf"(?:[^<]++|<(?!/?(?i:{tag})\b)"
            rf"|<(?i:{tag})\b[^<>]*+>(?:[^<]++|<(?!/?(?i:{tag})\b))*</(?i:{tag})\s*>)*",
            rf"</(?i:{tag})\s*>",
        )
        for tag in HIDEABLE.split()
    },
    "span": ("]{", r"\[(?:[^\[\]]++|\[[^\[\]]*+\])*+\]" + HIDING, ""),
    "Quarto": (
        ":::",
        r"\n:{3,}+[ \t]*(?:" + HIDING + r"|(?:hidden|notes|content-hidden)(?![\w-]))[^\n]*+"
        # Its lines, and blocks inside it.
        r"(?:\n(?!:{3})[^\n]*+"
        r"|\n:{3,}+[ \t]*[^\s:][^\n]*+(?:\n(?!:{3})[^\n]*+)*\n:{3,}+[ \t]*$)*"
        r"(?:\n:{3,}+[ \t]*$)?",
        "",
    ),
}
MARKERS = frozenset(marker for marker, _, _ in COMMENTS.values())
FLAGS = re.MULTILINE | re.DOTALL
STARTS = {name: re.compile(start, FLAGS) for name, (_, start, _) in COMMENTS.items()}
ENDS = {name: re.compile(end) for name, (_, _, end) in COMMENTS.items()}
# A link of Obsidian, which begins without a space, unlike a test in a shell.
LINK = re.compile(
    CODE + r"|!(?=\[\[(?! )[^\[\]|\n]{1,500}(?:\|[^\[\]\n]{0,500})?\]\])"
    r"|\[\[(?P<page>(?! )[^\[\]|\n]{1,500})(?:\|(?P<words>[^\[\]\n]{0,500}))?\]\]",
    FLAGS,
)

Lines = list[str]


def is_code(match: re.Match[str]) -> bool:
    """Return whether CODE matched in a pattern that contains it."""
    return match.group("fence", "indented", "ticks") != (None, None, None)


def without_comments(
    text: str,
    suffix: str,
    skipped: Counter[str],
    *,
    is_vault: bool = False,
    hides_code: bool = False,
    left: Callable[[str], str] | None = None,
) -> str:
    """Return a text without its comments, and count them.

    Args:
        is_vault: the text is of an Obsidian vault; others have its comments beside its links.
        hides_code: chunks show their code only if they say so.
        left: returns what is left of a line of a comment; if it is given, all lines stay.
    """
    if shown := LINES.get(suffix):
        lines = text.split("\n")
        are_shown = [True, *shown(lines)]
        pairs = zip(lines, are_shown[1:], strict=True)
        found = ((left(line) if left and not is_in else line, is_in) for line, is_in in pairs)
        text = "\n".join(line for line, is_in in found if is_in or left)
        kept, count = ORG_SNIPPET.subn("", text) if suffix == ".org" else (text, 0)
        skipped[COMMENT] += sum(map(gt, are_shown, are_shown[1:]), count)
        return kept
    # A character is found faster than a marker.
    sought = MARKERS if suffix in MARKDOWN else ()
    markers = {marker for marker in sought if marker[0] in text and marker in text}
    searched = f"\n{text}" if markers else ""
    names = tuple(
        name
        for name, (marker, _, _) in (COMMENTS.items() if markers else ())
        if marker in markers
        and STARTS[name].search(searched)
        and (name != "Obsidian" or is_vault)
        and (name not in ("chunk", "unshown") or suffix in (".rmd", ".qmd"))
        and (name != "unshown" or hides_code or UNSHOWN.search(text))
        and (name != "wiki" or any(link["page"] for link in LINK.finditer(searched)))
    )
    return "".join(_kept(searched, names, skipped, left))[1:] if names else text


def _kept(
    text: str,
    names: tuple[str, ...],
    skipped: Counter[str],
    left: Callable[[str], str] | None,
) -> Iterator[str]:
    """Yield the parts between comments. A comment that never ends, and need not, is text."""
    pattern = _pattern(names)
    kept_to, position = 0, 0
    # Searched once: otherwise many starts without an end take quadratic time.
    endless: set[str] = set()
    while start := pattern.search(text, position):
        position = start.end()
        if is_code(start):
            continue
        name = start.lastgroup or ""
        end = None if name in endless else ENDS[name].search(text, position)
        if not end:
            endless.add(name)
            position = start.start() + 1
            continue
        yield text[kept_to : start.start()]
        kept_to = position = end.end()
        skipped[COMMENT] += 1
        if left:
            yield "\n".join(map(left, text[start.start() : position].split("\n")))
        elif not start.start() and not text.startswith("\n", position):
            yield "\n"  # it precedes the text
    yield text[kept_to:]


@cache
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    starts = []
    for name in names:
        pattern = COMMENTS[name][1]
        first = 2 if pattern[0] == "\\" else 1
        starts.append(f"{pattern[:first]}(?P<{name}>{pattern[first:]})")  # all but its first letter
    return re.compile("|".join((*starts, CODE)), FLAGS)


DELIMITER = re.compile(r"(-{4,}|\.{4,}|`{3,}|/{4,}|\+{4,})[ \t]*$")
SEPARATOR = re.compile("[,+]")
CONDITION = re.compile(r"(ifdef|ifndef|ifeval|endif)::([^\[]*)\[(.*)\][ \t]*$")
ATTRIBUTE = re.compile(r":(!?)([\w-]+)(!?):(?:\s|$)")
HTML = ("backend-html", "basebackend-html")
COMMENT_STYLE = re.compile(r"\[comment\b[^\]]*\]\s*$")


def _asciidoc(lines: Lines) -> Iterator[bool]:
    """Yield whether each line is shown. Conditions hold for HTML and attributes of the text.

    What `ifeval` compares is not known, so its text is left out.
    """
    block = ""
    end: str | None = None  # of what has the style of a comment, unless its first line follows
    is_styled = False
    conditions: list[bool] = []
    # False: is unset.
    attributes = {"backend": True, "basebackend": True}
    for line in lines:
        bare = line.strip()
        if is_styled:
            # Only a delimiter has no letters.
            end, is_styled = "" if any(map(str.isalnum, bare)) else bare, False
            yield False
        elif end is not None:
            end = None if bare == end else end
            yield False
        elif block[:1] != "/" and (condition := CONDITION.match(line)):
            kind, words, is_true = condition[1], condition[3], _holds(condition, attributes)
            if kind == "endif":
                conditions[-1:] = []
            elif not words or kind == "ifeval":
                conditions.append(is_true)
            yield bool(words) and kind != "ifeval" and is_true and all(conditions)
        elif not all(conditions):
            yield False
        elif (delimiter := DELIMITER.match(line)) and block in ("", delimiter[1]):
            block = "" if block else delimiter[1]
            yield delimiter[1][0] != "/"
        else:
            if not block and (attribute := ATTRIBUTE.match(line)):
                attributes[attribute[2]] = "!" not in attribute[1] + attribute[3]
            is_styled = not block and COMMENT_STYLE.match(line) is not None
            is_line = line.startswith("//") and not line.startswith("///")
            yield not (block[:1] == "/" or is_styled or (not block and is_line))


def _holds(condition: re.Match[str], attributes: dict[str, bool]) -> bool:
    kind, names, _ = condition.groups()
    known = (attributes.get(name, name.startswith(HTML)) for name in SEPARATOR.split(names))
    is_known = all(known) if "+" in names else any(known)
    return kind != "ifeval" and is_known == (kind == "ifdef")


DIRECTIVE = re.compile(r"\.\.(?:[ \t]+(?:[\w:+.-]+::|_|\[[^\]]+\]|\||__)|$)")
HIDDEN_DIRECTIVE = re.compile(r"\.\.[ \t]+" + UNSEEN_DIRECTIVE.format("::"))
LITERAL = re.compile(
    r"(?:(?!\.\. ).*::|\.\.[ \t]+(?:code|code-block|sourcecode|highlight|literalinclude|"
    r"parsed-literal|math|raw|doctest)::.*)$"
)


def _restructured(lines: Lines) -> Iterator[bool]:
    """Yield whether each line is shown: comments and hidden directives end with their indent."""
    block, depth, is_shown = False, 0, True
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        bare = line.strip()
        if not block and not bare.startswith("..") and not bare.endswith("::"):
            yield True
            continue
        indent = len(line) - len(line.lstrip())
        if block and (not bare or indent > depth):
            yield is_shown or not bare
            continue
        is_comment = bare.startswith(".. ") and not DIRECTIVE.match(bare)
        is_comment |= bare == ".." and following.strip() != ""
        is_shown = not (is_comment or HIDDEN_DIRECTIVE.match(bare))
        block, depth = not is_shown or LITERAL.match(bare) is not None, indent
        yield is_shown


HEADLINE = re.compile(r"(\*+)[ \t]++(.*)$")
NO_EXPORT = re.compile(
    r"(?:(?:TODO|DONE|NEXT|WAIT|WAITING|HOLD|STARTED|SOMEDAY|CANCELL?ED)\s+)?(?:\[#\w+\]\s+)?"
    r"COMMENT\b|(?>.*:noexport:)[\w@:]*[ \t]*$"
)
ORG_BLOCK = re.compile(r"[ \t]*#\+(begin|end)_(\w+)", re.IGNORECASE)
HIDDEN_ORG_BLOCK = re.compile(
    r"[ \t]*#\+begin_(?:comment\b|export[ \t]++(?!html\b)"
    r"|src\b.*[ \t]:exports[ \t]++(?:none|results)\b)",
    re.IGNORECASE,
)
ORG_DRAWER = re.compile(r"[ \t]*:(?:properties|logbook):[ \t]*$", re.IGNORECASE)
ORG_COMMENT = re.compile(r"[ \t]*#(?:[ \t]|$)")
# In a line, for other formats than HTML.
ORG_SNIPPET = re.compile(r"@@(?!html:)[\w-]++:.*?@@")


def _org(lines: Lines) -> Iterator[bool]:
    """Yield whether each line is shown: subtrees that are not exported end with their level."""
    hidden_level, block, is_hidden, is_drawer = 0, "", False, False
    for line in lines:
        if not block and line[:1] == "*" and (headline := HEADLINE.match(line)):
            level = len(headline[1])
            if not hidden_level or level <= hidden_level:
                hidden_level = level if NO_EXPORT.match(headline[2]) else 0
            is_drawer = False
        if is_drawer or (not block and ORG_DRAWER.match(line)):
            is_drawer = line.strip().lower() != ":end:"
            yield False
            continue
        if "#" not in line:
            yield not hidden_level and not is_hidden
            continue
        mark = ORG_BLOCK.match(line)
        kind = mark[2].lower() if mark else block
        is_hidden = is_hidden if block else HIDDEN_ORG_BLOCK.match(line) is not None
        yield not (is_hidden or hidden_level or (not block and ORG_COMMENT.match(line)))
        if mark and block in ("", kind):
            block = kind if mark[1].lower() == "begin" else ""
            is_hidden = is_hidden and bool(block)


LINES: dict[str, Callable[[Lines], Iterable[bool]]] = {
    ".adoc": _asciidoc, ".asciidoc": _asciidoc, ".rst": _restructured, ".org": _org,
}  # fmt: skip
