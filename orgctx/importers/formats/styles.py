"""Tell which parts of a web page its styles hide: inline ones, and those of the page itself."""

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import chain

from bs4 import BeautifulSoup, Tag
from bs4.element import PageElement, PreformattedString

ZERO = r"[+-]?(?:0+(?:\.0*)?|\.0+|\d?\.?\d{1,9}e-\d{1,3})(?:[a-z]+|%)?"
FAR = r"-\d{3,}(?:\.\d+)?(?:[a-z]+|%)?|\d{4,}(?:\.\d+)?(?:px|pt)?"
TRANSPARENT = (
    r"transparent|(?:rgba?|hsla?)\([^)]*[,/]\s*+0*+(?:\.0*+)?%?\s*+\)|#[0-9a-f]{3}0|#[0-9a-f]{6}00"
)
PLACED = ("position", r"absolute|fixed|relative")
CLIPPED = ("overflow", r"hidden|clip|scroll|auto")
# Ways to hide: all of these properties have such values.
WAYS = (
    (("display", "none"),),
    (("visibility", "hidden|collapse"),),
    (("content-visibility", "hidden"),),
    (("mso-hide", "all"),),
    (("opacity", rf"{ZERO}|-.+|0?\.0\d*|\d(?:\.\d*)?%"),),
    (("filter", rf".*opacity\(\s*(?:{ZERO})\s*\).*"),),
    (("font-size", rf"{ZERO}|(?:0?\.\d+|1(?:\.0*)?)(?:px|pt)"),),
    (("text-indent", FAR),),
    (("text-indent", r"\d{3,}%"), ("white-space", "nowrap|pre"), CLIPPED),
    (("width", "[01]px"), ("height", "[01]px"), CLIPPED),
    *(((side, FAR), PLACED) for side in ("left", "top", "right", "bottom")),
    *(((f"margin-{side}", rf"-\d{{4,}}.*|{FAR}"),) for side in ("left", "top")),
    (("clip", r"rect\(\s*([01])(?:px)?(?:[\s,]+\1(?:px)?){3}\s*\)"),),
    (("clip-path", r"inset\(\s*(?:[5-9]\d|100)%.*|circle\(\s*0\D.*|polygon\([\s,0.px%]*\)"),),
    (("transform", rf".*(?:scale[xy]?\(\s*{ZERO}\D.*|translate[xy]?\(\s*-\d{{4,}}.*)"),),
    (("scale", ZERO),),
    *(((size, ZERO), CLIPPED) for size in ("height", "max-height", "width", "max-width")),
)  # fmt: skip
COLORS = ("color", "-webkit-text-fill-color")
NEVER_SHOWN = ("template", "datalist", "noembed", "noframes")
# Properties that elements inherit, and the values with which they show their text again.
SHOWING = {
    "visibility": re.compile("visible"),
    "font-size": re.compile(
        r"[\d.]{1,9}(?:px|pt|pc|rem|[cm]m|in|v[wh])|(?:x{1,3}-)?(?:small|large)|medium"
    ),
    **dict.fromkeys(COLORS, re.compile("(?!inherit|currentcolor).")),
}
# The size in `font`, after a weight in digits.
SIZE = re.compile(r"(?:^|\s)(?!\d{3}\s)([\d.]+(?:[a-z]+|%)?)(?=[\s/])")
HIDING = tuple(
    tuple((name, re.compile(rf"\A(?:{pattern})\Z", re.DOTALL)) for name, pattern in way)
    for way in (*WAYS, *(((color, TRANSPARENT),) for color in COLORS))
)
BACKGROUNDS = ("background", "background-color", "background-image")
PROPERTIES = {*(name for way in HIDING for name, _ in way), *BACKGROUNDS}
COLOR = re.compile(
    r"#([0-9a-f]{6}|[0-9a-f]{3})\b|\b(white|black)\b|rgb\((\d+)[\s,]+(\d+)[\s,]+(\d+)\)"
)
NAMED = {"white": "ffffff", "black": "000000"}
CLIP = ("background-clip", "-webkit-background-clip")  # shows a picture through the text
DECLARATION = re.compile(r"(?<![\w-])([\w-]+)\s*:\s*([^;{}]+)")
COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.DOTALL)
# Blocks that hold only for some media, such as print or wide screens, and other blocks of rules.
CONDITIONAL = re.compile(
    r"@(?!layer|supports\b(?![\s(]*+not\b))"
    r"(?!media\s*+(?:(?:only\s++)?(?:screen|all)\s*+(?:and\s*+)?)?"
    r"(?:\(\s*+min-width\s*+:\s*+(?:[12]?\d{1,2}px|1?\d(?:\.\d+)?r?em)\s*+\)\s*+)?\{)"
    r"[\w-]+[^{};]*+(?:;|\{(?:[^{}]|\{[^{}]*+\})*+\})?"
)
RULE = re.compile(r"(?<![^{};])([^{};]+)\{([^{}]*)\}")
# The last part of a selector, and a name in it by which its elements are found.
LAST = re.compile(r"(?<![^\s>+~])[^\s>+~]+\Z")
TYPE = re.compile(r"(?<![^\s>+~])[\w-]")
NAME = re.compile(r"([#.])([\w-]+)|^([\w-]+)")
# Media of style sheets for readers.
SCREEN = (None, "", "all", "screen")
MOST_RULES = 20_000

# Specificity and order, the selector, and its declarations.
_Rule = tuple[tuple[int, int, int, int], str, dict[str, str]]
Rules = dict[str, list[_Rule]]


def hidden_parts(soup: BeautifulSoup, rules: Rules) -> Iterator[PageElement]:
    """Yield the outermost elements that no reader sees, and the texts that a style hides.

    Elements may show again what a parent hides by SHOWING.
    """
    # The properties that hide an element; None for all that is inside of a hidden one.
    causes: dict[int, set[str] | None] = {}
    # A page may hide itself until a script has run.
    for tag in soup.find_all(lambda tag: tag.name not in ("html", "body")):
        inherited = causes.get(id(tag.parent), set())
        causes[id(tag)] = None
        if inherited is None:
            continue
        style = _style(tag, rules)
        own = _causes(tag, style)
        if own - SHOWING.keys():
            yield tag
            continue
        kept = {name for name in inherited if not SHOWING[name].match(style.get(name, ""))}
        causes[id(tag)] = own | kept
        if own | kept:
            texts = tag.find_all(string=True, recursive=False)
            yield from (text for text in texts if not isinstance(text, PreformattedString))


def faint_parts(soup: BeautifulSoup, rules: Rules) -> Iterator[Tag]:
    """Yield the elements whose color is that of their background, as far as the page says it."""
    # Without style sheets elsewhere, the background is white.
    behind = {id(soup): "" if soup.find("link", rel="stylesheet") else "ffffff"}
    for tag in soup.find_all(True):
        style = _style(tag, rules)
        behind[id(tag)] = _background(tag, style) or behind[id(tag.parent)]
        color = _color(style.get("color", str(tag.get("color") or "")))
        if color and color == behind[id(tag)] and tag.get_text(strip=True):
            yield tag


def _background(tag: Tag, style: dict[str, str]) -> str:
    """Return the color of an element's background, `?` if it is unknown, or nothing."""
    values = (*map(style.get, BACKGROUNDS), tag.get("bgcolor"), tag.get("background"))
    stated = " ".join(str(value) for value in values if value)
    bare = stated.replace("none", "").replace("transparent", "").strip()
    is_picture = "(" in COLOR.sub("", bare)
    return (not is_picture and _color(bare)) or "?" * bool(bare)


def _color(text: str) -> str:
    """Return a color as six hexadecimal digits, or nothing if it is another text."""
    if not (match := COLOR.search(text.lower())):
        return ""
    digits, name, *parts = match.groups()
    digits = digits or NAMED.get(name) or "".join(f"{int(part):02x}" for part in parts)
    return digits if len(digits) == 6 else "".join(digit * 2 for digit in digits)


def _causes(tag: Tag, style: dict[str, str]) -> set[str]:
    """Return the first property of each way that hides an element; empty ones of attributes."""
    if tag.name in NEVER_SHOWN or tag.has_attr("hidden") or tag.has_attr("popover"):
        return {""}
    if str(tag.get("aria-hidden")).lower() == "true":
        return {""}
    if any(style.get(name) == "text" for name in CLIP):
        style = {name: value for name, value in style.items() if name not in COLORS}
    return {
        way[0][0]
        for way in HIDING
        if all(pattern.match(style.get(name, "")) for name, pattern in way)
    }


def _style(tag: Tag, rules: Rules) -> dict[str, str]:
    names = [f".{name}" for name in tag.get_attribute_list("class") if name]
    names += [f"#{tag['id']}"] if tag.get("id") else []
    keys = (*names, tag.name, "*") if rules else ()
    matching = [rule for key in keys for rule in rules.get(key, ()) if _matches(tag, rule[1])]
    inline = _declarations(str(tag.get("style") or ""))
    style: dict[str, str] = {}
    important: dict[str, str] = {}
    declared = (rule[2] for rule in sorted(matching, key=lambda rule: rule[0]))
    for declarations in chain(declared, [inline]):
        for name, value in declarations.items():
            bare = value.removesuffix("!important")
            (style if bare == value else important)[name] = bare.rstrip()
    return style | important


def _matches(tag: Tag, selector: str) -> bool:
    try:
        return bool(tag.css.match(selector))
    except Exception:  # noqa: BLE001 - of the library of selectors
        return False


def rules_of(soup: BeautifulSoup) -> Rules:
    """Return the rules of a page that may hide elements, by a name that their elements have."""
    rules: Rules = defaultdict(list)
    text = "\n".join(
        style.get_text() for style in soup.find_all("style", media=lambda value: value in SCREEN)
    )
    css = CONDITIONAL.sub("", COMMENT.sub("", text))
    for order, rule in zip(range(MOST_RULES), RULE.finditer(css), strict=False):
        if not (declarations := _declarations(rule[2])):
            continue
        for selector in rule[1].split(","):
            selector = selector.strip()
            last = LAST.search(selector)
            if last is None or "::" in selector:
                continue
            names = NAME.findall(last[0])
            key = next((mark + name or tag for mark, name, tag in names), "*")
            ids, classes = selector.count("#"), sum(map(selector.count, ".:["))
            types = len(TYPE.findall(selector))
            rules[key].append(((ids, classes, types, order), selector, declarations))
    return rules


def _declarations(text: str) -> dict[str, str]:
    """Return the declarations of a style that may hide an element."""
    text = ESCAPE.sub(_character, COMMENT.sub("", text))
    pairs = ((m[1].lower(), " ".join(m[2].lower().split())) for m in DECLARATION.finditer(text))
    declarations = {}
    for name, value in pairs:
        value = value.replace(" !important", "!important").replace("! important", "!important")
        if name == "font" and (size := SIZE.search(value)):
            name, value = "font-size", size[1] + "!important" * value.endswith("!important")
        if name in PROPERTIES or name in CLIP:
            declarations[name] = value
    return declarations


def _character(escape: re.Match[str]) -> str:
    code = int(escape[1], 16) if escape[1] else 0
    return chr(code) if 0 < code < 0x110000 else escape[2] or ""
