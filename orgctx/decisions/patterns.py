"""What passwords, hidden characters and passages for a model look like.

All quantifiers are bounded where something follows them, so that a search takes linear time.
"""

import re

# Characters that a terminal obeys or that reorder a text, and characters without a glyph. Some of
# them are not suspicious:
# - Joiners and zero-width spaces shape emoji and scripts without spaces. Next to these, only long
#   runs match. A single joiner, mark or selector matches only within a word of ASCII.
# - Address books copy names and phone numbers with marks around them that keep their order.
# - The flag of a region contains tags.
CONTROLS = "\x01-\x08\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069"
_SCRIPTS = "\u0590-\u1dff\u2e80-\ufefe\uff00-\uff9f"
_SPACES = (
    "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u2060-\u2065\u206a-\u206f\u3164\uffa0\ufeff"
    "\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
)
_JOINERS, MARKS = "\u200c\u200d", "\u061c\u200e\u200f"
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
HIDDEN_CHARACTERS = re.compile(
    "\U0001f3f4[\U000e0020-\U000e007f]{1,6}"
    r"|\u202a[-+0-9().\u00a0 ]{1,40}\u202c|\u2068[\w .'-]{1,64}\u2069|\A\ufeff"
    f"|(?P<hidden>[{CONTROLS}]+|[\U000e0000-\U000e007f]+"
    # An emoji may be followed by its selector twice.
    f"|(?!\ufe0f\ufe0f(?![{_SELECTORS}]))[{_SELECTORS}]{{2,}}|[{MARKS}]{{2,}}"
    f"|[{_SPACES}{_JOINERS}]{{3,}}|(?<=[!-~])[{_JOINERS}{MARKS}\ufe00-\ufe0f](?=[!-~])"
    f"|(?<![{_SCRIPTS}{_SPACES}{_JOINERS}])"
    f"(?:[{_SPACES}]{{1,2}}|[{_JOINERS}]{{2}})(?![{_SCRIPTS}{_SPACES}{_JOINERS}]))"
)

# Passages in English that address a model, such as "ignore all previous instructions".
_WORDS = r"(?:\w{1,20}\s{1,5}){0,3}"
OVERRIDES = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\s{1,5}"
    + _WORDS
    + r"(?:all|any|every|your|system|initial|original|previous|prior|above|earlier)\s{1,5}"
    + _WORDS
    + r"(?:instruction|prompt|rule|guideline|direction)s?\b"
    r"|\b(?:ignore|disregard|forget)\s{1,5}(?:all\s{1,5})?(?:previous|prior|earlier)"
    r"\s{1,5}commands?\b"
    r"|\b(?:ignore|disregard|forget)\s{1,5}(?:(?:the|these)\s{1,5})?(?:instructions?|prompts?)\b"
    r"|\b(?:ignore|forget)\s{1,5}everything\s{1,5}(?:above|before|you)\b",
    re.IGNORECASE,
)
ROLES = re.compile(
    r"\byou\s{1,5}are\s{1,5}now\s{1,5}(?:a|an|the|in)\b|\bdo\s{1,5}anything\s{1,5}now\b"
    r"|\bfrom\s{1,5}(?:now|this\s{1,5}point)\s{1,5}on,?\s{1,5}you\b(?!\s{1,5}can\b)"
    r"|\b(?:you\s{1,5}(?:are\s{1,5}going\s{1,5}to|will|must)|i\s{1,5}want\s{1,5}you\s{1,5}to)"
    r"\s{1,5}(?:act|pretend|impersonate|role-?play|play\s{1,5}the\s{1,5}role)\b"
    r"|\b(?:ai|llm|language\s{1,5}model)s?\s{1,5}(?:agents?|assistants?|models?)?\s{0,5}(?:must|should)\b"
    # The beginning of a turn of a chat.
    r"|<\|im_start\|>\s{0,3}(?:system|user|assistant)|<\|start_header_id\|>|<start_of_turn>"
    r"|<\|?system\|?>|\[INST\]|<<SYS>>",
    re.IGNORECASE,
)
ORDERS = re.compile(
    r"\b(?:reveal|show|print|repeat|output|display)\s{1,5}"
    + _WORDS
    + r"(?:your|the)\s{1,5}(?:system|initial|hidden|original)\s{1,5}(?:prompts?|instructions?)\b"
    r"|\b(?:do\s{1,5}not|don't|never)\s{1,5}(?:tell|inform|show|mention|reveal)\s{1,5}"
    + _WORDS
    + r"(?:user|human|operator)\b"
    r"|\b(?:new|updated|hidden|system|developer)\s{1,5}(?:instructions?|prompt|message)\s{0,5}:"
    # An ordinary tool has no name of a function.
    r"|\b(?:call|invoke|use)\s{1,5}the\s{1,5}[`\"']?(?=\w{1,40}[_-])[\w-]{1,60}[`\"']?\s{1,5}tool\b",
    re.IGNORECASE,
)
INSTRUCTIONS = (OVERRIDES, ROLES, ORDERS)

# Passwords in sentences, settings and JSON. Secrets with a form are in `bundle.secret_kinds`.
_PASSWORD = re.compile(
    r"(?:password|passwd|passphrase|passwort|kennwort|secret(?:[ _-]?key)?|senha"
    r"|contrase\u00f1a|mot\s{1,5}de\s{1,5}passe|пароль|密码|密碼|パスワード|비밀번호"
    r"|(?<![A-Za-z])(?:pwd|(?:api|access|private|account)[ _-]?key"
    r"|(?:access|auth|bot|refresh)[ _-]?token))"
    r"[\"'`*]{0,3}\s{0,3}(?:(?:\bist?\b|=>|[:\uff1a])\s{0,3}|:?=[^\S\n]{0,3})[\"'`*]{0,3}[^\S\n]{0,3}"
    # A variable, a call or a tag of YAML is not a password.
    r"(?!\$[({]{0,2}[A-Za-z_.]{2,60}[)}]{0,2}(?:[^\w]|\Z)|[A-Za-z_.]{2,40}[(\[]|![a-z]{2,12}[\s.])"
    r"(?=[^\s\"'`]{0,40}(?:[0-9@#$%^&+~|]|[!*][^\s\"'`]))(?P<value>[^\s\"'`]{6,100})",
    re.IGNORECASE,
)
_BEARER = re.compile(
    r"\bbearer\s{1,5}(?=[A-Za-z._~+/=-]{0,40}[0-9])(?P<value>[A-Za-z0-9._~+/=-]{20,})",
    re.IGNORECASE,
)
PASSWORDS = {"Password": _PASSWORD, "Token": _BEARER}
# The rest of a token after a match that ends within it.
TOKEN_END = re.compile(r"(?<=[\w.-])[\w.+/=-]*")
