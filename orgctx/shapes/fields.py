"""Fields of payloads and arguments. They are strict: nothing is converted silently.

Each field describes accepted values in `rule`, so that every message is "<name> must be <rule>".
`parse` takes a JSON value; `from_text` converts the text of a query parameter to one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import orjson
from marshmallow import ValidationError, fields, validate

# Longest stored texts in code points; providers' own limits are lower.
MAX_NAME, MAX_DESCRIPTION, MAX_URL = 512, 4_096, 2_048
# No white space, and no control characters, which take six times as long in JSON.
VISIBLE = r"[^\s\x00-\x1f\x7f-\x9f]"
# Most bytes of a character in JSON: \u0001.
LONGEST_CHARACTER = 6
INTEGER = re.compile(r"[0-9]{1,20}", re.ASCII)
UUID_FORM = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", re.ASCII)
INSTANT = re.compile(
    r"\d{4}-\d\d-\d\d[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?"
    r"([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)",
    re.ASCII,
)
UNENCODED_PLUS = re.compile(r"\d{4}-\d\d-\d\d[Tt][\d:.]+ \d\d:\d\d", re.ASCII)
NOT_GIVEN: Any = object()
# Longest value to compare with the choices; comparing takes quadratic time.
LONGEST_WORD = 40


class Strict(fields.Field[Any]):
    """Base class of all fields.

    nullable: JSON null is accepted. optional: may be absent from an answer.
    default: value of an absent argument. path: its name in a REST path.
    """

    rule = "a value"

    def __init__(
        self,
        *,
        nullable: bool = False,
        optional: bool = False,
        default: Any = NOT_GIVEN,
        path: str | None = None,
        doc: str | None = None,
        example: Any = None,
        **keywords: Any,
    ) -> None:
        self.optional = optional
        self.path = path
        self.example = example
        if default is not NOT_GIVEN:
            keywords["load_default"] = default
        super().__init__(
            required=default is NOT_GIVEN and not optional,
            allow_none=nullable or default is None,
            metadata={"description": doc} if doc else {},
            **keywords,
        )
        self.nullable = nullable
        self.error_messages |= {
            "required": f"is missing; it must be {self.rule}",
            "null": f"must be {self.rule}, not null",
        }

    def fault(self, hint: str = "") -> ValidationError:
        """The error for a value that breaks the rule."""
        return ValidationError(f"must be {self.rule}{hint}")

    def from_text(self, text: str) -> Any:
        """Convert the text of a query parameter to a JSON value."""
        return text

    def parse(self, value: Any) -> Any:
        """Convert a JSON value to a Python value. Raises ValidationError."""
        if value is None:
            if self.allow_none:
                return None
            raise ValidationError(self.error_messages["null"])
        return self._parse(value)

    def _parse(self, value: Any) -> Any:
        return value

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        return self._parse(value)


class Text(Strict, fields.String):
    """A string of `minimum` to `maximum` code points without NUL. pattern: a full match.

    max_bytes: limit of its length as JSON in UTF-8, without the quotes.
    """

    def __init__(
        self,
        maximum: int | None = None,
        *,
        minimum: int = 0,
        max_bytes: int | None = None,
        pattern: str | None = None,
        rule: str | None = None,
        **keywords: Any,
    ) -> None:
        self.minimum, self.maximum, self.max_bytes = minimum, maximum, max_bytes
        self.pattern = re.compile(pattern) if pattern else None
        self.rule = rule or _text_rule(minimum, maximum)
        checks: list[Callable[..., Any]] = []
        if maximum is not None or minimum:
            checks.append(validate.Length(min=minimum or None, max=maximum))
        if pattern:
            checks.append(validate.Regexp(f"^(?:{pattern})$"))
        super().__init__(validate=checks, **keywords)

    def _parse(self, value: Any) -> str:
        if not isinstance(value, str):
            raise self.fault()
        if "\0" in value:
            raise ValidationError("must not contain the NUL character")
        length = len(value)
        if length < self.minimum or (self.maximum is not None and length > self.maximum):
            raise self.fault(f", not {length}" if self.pattern is None and self.maximum else "")
        if self.pattern and not self.pattern.fullmatch(value):
            raise self.fault()
        if self.max_bytes is not None and length * LONGEST_CHARACTER > self.max_bytes:
            self._check_bytes(value)
        return value

    def _check_bytes(self, value: str) -> None:
        taken = len(orjson.dumps(value)) - 2
        if taken > self.max_bytes:  # type: ignore[operator]
            raise ValidationError(f"must take at most {self.max_bytes} bytes as JSON, not {taken}")


def _text_rule(minimum: int, maximum: int | None) -> str:
    if maximum is None:
        return "a string" if not minimum else "a string that is not empty"
    return f"a string of {'at most ' if not minimum else f'{minimum} to '}{maximum} characters"


class Url(Text):
    """An absolute http or https URL."""

    def __init__(self, **keywords: Any) -> None:
        rule = f"an http or https URL of at most {MAX_URL} characters"
        super().__init__(MAX_URL, pattern=rf"https?://{VISIBLE}+", rule=rule, **keywords)


class Link(Text):
    """A link that is safe to follow: no other scheme, which could run or open something."""

    def __init__(self, **keywords: Any) -> None:
        super().__init__(
            MAX_URL,
            pattern=rf"(https?://|mailto:|/api/v1/){VISIBLE}+",
            rule=f"an http, https or mailto URL or a path of this API (/api/v1/…) of at most"
            f" {MAX_URL} characters",
            **keywords,
        )


class Uri(Text):
    """An absolute http or https URI, so only ASCII (RFC 3986)."""

    def __init__(self, **keywords: Any) -> None:
        characters = r"[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]"
        super().__init__(
            MAX_URL,
            pattern=rf"https?://{characters}+",
            rule=f"an http or https URI of at most {MAX_URL} ASCII characters",
            **keywords,
        )


class Identity(Text):
    """A platform's id of a person, usable as a path segment."""

    def __init__(self, **keywords: Any) -> None:
        super().__init__(
            200,
            minimum=1,
            pattern=r"[^/\x00-\x1f\x7f-\x9f]{1,200}",
            rule="a string of 1 to 200 characters without / and control characters",
            **keywords,
        )


class Choice(Strict, fields.String):
    """One of a few strings."""

    def __init__(self, *choices: str, **keywords: Any) -> None:
        self.choices = choices
        self.rule = f"one of {', '.join(choices)}"
        super().__init__(validate=validate.OneOf(choices), **keywords)

    def _parse(self, value: Any) -> str:
        if value in self.choices:
            return str(value)
        raise self.fault(did_you_mean(value, self.choices))


class Whole(Strict, fields.Integer):
    """An integer within bounds."""

    def __init__(self, minimum: int | None = None, maximum: int | None = None, **keywords: Any):
        self.minimum, self.maximum = minimum, maximum
        self.rule = _whole_rule(minimum, maximum)
        bounds = minimum is not None or maximum is not None
        checks = [validate.Range(min=minimum, max=maximum)] if bounds else []
        super().__init__(strict=True, validate=checks, **keywords)

    def from_text(self, text: str) -> int:
        digits = text.lstrip("0") or text[-1:]
        if not INTEGER.fullmatch(digits):
            raise self.fault()
        return int(digits)

    def _parse(self, value: Any) -> int:
        if type(value) is not int:
            raise self.fault()
        if (self.minimum is not None and value < self.minimum) or (
            self.maximum is not None and value > self.maximum
        ):
            raise self.fault()
        return value


class OneOf(Whole):
    """One of a few integers."""

    def __init__(self, *choices: int, **keywords: Any) -> None:
        super().__init__(min(choices), max(choices), **keywords)
        self.choices = choices
        self.rule = f"one of {', '.join(map(str, choices))}"
        self.validators = [validate.OneOf(choices)]

    def _parse(self, value: Any) -> int:
        if type(value) is not int or value not in self.choices:
            raise self.fault()
        return value


def _whole_rule(minimum: int | None, maximum: int | None) -> str:
    if minimum is None:
        return "an integer"
    if maximum is None:
        return f"an integer of at least {minimum}"
    return f"an integer from {minimum} to {maximum}"


class Real(Strict, fields.Float):
    """A finite number."""

    rule = "a number"

    def _parse(self, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not _finite(value):
            raise self.fault()
        return float(value)


def _finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


class Flag(Strict, fields.Boolean):
    """true or false."""

    rule = "true or false"

    def from_text(self, text: str) -> bool:
        if text not in ("true", "false"):
            raise self.fault()
        return text == "true"

    def _parse(self, value: Any) -> bool:
        if not isinstance(value, bool):
            raise self.fault()
        return value


class Uuid(Strict, fields.UUID):
    """A UUID in its 36-character form, in either case."""

    rule = "a UUID of 36 characters such as 123e4567-e89b-12d3-a456-426614174000"

    def _parse(self, value: Any) -> UUID:
        if not isinstance(value, str) or not UUID_FORM.fullmatch(value):
            raise self.fault()
        return UUID(value)


class Instant(Strict, fields.DateTime):
    """An RFC 3339 date-time with an offset; a datetime in UTC."""

    rule = "an RFC 3339 date-time with Z or an offset such as 2026-01-31T08:00:00Z"

    def _parse(self, value: Any) -> datetime:
        if not isinstance(value, str) or not INSTANT.fullmatch(value):
            plus = isinstance(value, str) and UNENCODED_PLUS.fullmatch(value)
            raise self.fault("; encode the + of an offset as %2B" if plus else "")
        try:
            return datetime.fromisoformat(value.upper()).astimezone(UTC)
        except (ValueError, OverflowError):
            raise self.fault() from None

    def _serialize(self, value: datetime | None, *_: Any, **__: Any) -> str | None:
        return instant_text(value) if isinstance(value, datetime) else value


def instant_text(value: datetime) -> str:
    """A time in UTC with Z, and microseconds only if present, as orjson writes it."""
    return value.astimezone(UTC).replace(tzinfo=None).isoformat() + "Z"


class Object(Strict, fields.Nested):
    """An object of another schema."""

    rule = "an object"

    def __init__(self, nested: Any, **keywords: Any) -> None:
        super().__init__(nested=nested, **keywords)

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        return self._load(value)

    def _parse(self, value: Any) -> Any:
        return type(self.schema).parse(value)  # type: ignore[attr-defined]


class Many(Strict, fields.List[Any]):
    """An array of one kind of value. unique: promised in the schema, not checked."""

    def __init__(
        self, item: Strict, *, maximum: int | None = None, unique: bool = False, **keywords: Any
    ) -> None:
        self.maximum, self.unique = maximum, unique
        self.rule = "an array" if maximum is None else f"an array of at most {maximum}"
        checks = [validate.Length(max=maximum)] if maximum is not None else []
        super().__init__(cls_or_instance=item, validate=checks, **keywords)

    def _check(self, value: Any) -> None:
        if not isinstance(value, list):
            raise self.fault()
        if self.maximum is not None and len(value) > self.maximum:
            raise self.fault(f", not {len(value)}")

    def _deserialize(self, value: Any, attr: Any, data: Any, **_: Any) -> Any:
        self._check(value)
        return fields.List._deserialize(self, value, attr, data)

    def _parse(self, value: Any) -> list[Any]:
        self._check(value)
        return [self.inner.parse(item) for item in value]  # type: ignore[attr-defined]


def did_you_mean(value: object, choices: tuple[str, ...] | list[str]) -> str:
    """`; did you mean 'note'?`, or nothing if no choice is similar or the value is no word."""
    from difflib import get_close_matches

    if not isinstance(value, str) or len(value) > LONGEST_WORD:
        return ""
    near = get_close_matches(value.lower(), choices, 1)
    return f"; did you mean '{near[0]}'?" if near else ""
