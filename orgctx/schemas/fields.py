"""Fields for the types of JSON: strings, numbers, booleans, objects and arrays.

Fields convert nothing silently. Each describes accepted values in `rule`, so that every message is
"<name> must be <rule>". `parse` takes a JSON value; `from_text` converts the text of a parameter to
one, `from_model` what language models send instead of one.
"""

import math
import re
from collections.abc import Callable
from typing import Any

import orjson
from marshmallow import ValidationError, fields, validate

from orgctx.schemas.text import did_you_mean

NOT_GIVEN: Any = object()


class Strict(fields.Field[Any]):
    """Base class of all fields.

    Args:
        nullable: accept JSON null.
        optional: the member may be absent from an answer.
        default: value of an absent argument.
        path: name of the parameter in the REST path; None for a query parameter.
        doc: description in the contract.
        example: value shown in the contract.
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

    def error(self, hint: str = "") -> ValidationError:
        """Return the error for a value that breaks the rule."""
        return ValidationError(f"must be {self.rule}{hint}")

    def from_text(self, text: str) -> Any:
        """Convert the text of a path or query parameter to a JSON value. Raises ValidationError."""
        return text

    def from_model(self, value: Any) -> Any:
        """Convert what a model sends for a JSON value to it; return other values unchanged."""
        return value

    def parse(self, value: Any) -> Any:
        """Convert a JSON value to a Python value. Raises ValidationError."""
        if value is None:
            if self.allow_none:
                return None
            raise ValidationError(self.error_messages["null"])
        try:
            return self._parse(value)
        except ValidationError as error:
            if not self.nullable or isinstance(error.messages, dict):
                raise
            raise ValidationError([f"{text}; it may be null" for text in error.messages]) from None

    def _parse(self, value: Any) -> Any:
        return value


# Longest stored texts in code points; providers' own limits are lower.
MAX_NAME, MAX_DESCRIPTION, MAX_NOTE, MAX_URL = 512, 1_000, 4_096, 2_048
# Bytes of the longest character in JSON, such as \u0001.
LONGEST_CHARACTER = 6
INTEGER = re.compile(r"[0-9]{1,20}", re.ASCII)


class Text(Strict, fields.String):
    """A string of `minimum` to `maximum` code points without NUL.

    Args:
        max_bytes: maximum length as JSON in UTF-8, without the quotes.
        pattern: regular expression that the whole string must match.
        rule: description of accepted values, if the length does not suffice.
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
            raise self.error()
        if "\0" in value:
            raise ValidationError("must not contain the NUL character")
        length = len(value)
        if length < self.minimum or (self.maximum is not None and length > self.maximum):
            raise self.error(f", not {length}" if self.pattern is None and self.maximum else "")
        if self.pattern and not self.pattern.fullmatch(value):
            raise self.error()
        if self.max_bytes is not None and length * LONGEST_CHARACTER > self.max_bytes:
            self._check_bytes(value)
        return value

    def _check_bytes(self, value: str) -> None:
        size = len(orjson.dumps(value)) - 2
        if size > self.max_bytes:  # type: ignore[operator]
            raise ValidationError(f"must take at most {self.max_bytes} bytes as JSON, not {size}")


def _text_rule(minimum: int, maximum: int | None) -> str:
    if maximum is None:
        return "a string" if not minimum else "a string that is not empty"
    return f"a string of {'at most ' if not minimum else f'{minimum} to '}{maximum} characters"


class Enum(Strict, fields.String):
    """One of a few strings."""

    def __init__(self, *choices: str, **keywords: Any) -> None:
        self.choices = choices
        self.rule = f"one of {', '.join(choices)}"
        super().__init__(validate=validate.OneOf(choices), **keywords)

    def _parse(self, value: Any) -> str:
        if value in self.choices:
            return str(value)
        raise self.error(did_you_mean(value, self.choices))


class Integer(Strict, fields.Integer):
    """An integer within bounds."""

    def __init__(self, minimum: int | None = None, maximum: int | None = None, **keywords: Any):
        self.minimum, self.maximum = minimum, maximum
        self.rule = _integer_rule(minimum, maximum)
        has_bounds = minimum is not None or maximum is not None
        checks = [validate.Range(min=minimum, max=maximum)] if has_bounds else []
        super().__init__(strict=True, validate=checks, **keywords)

    def from_text(self, text: str) -> int:
        digits = text.lstrip("0") or text[-1:]
        if not INTEGER.fullmatch(digits):
            raise self.error()
        return int(digits)

    def from_model(self, value: Any) -> Any:
        is_decimal = isinstance(value, str) and INTEGER.fullmatch(value)
        is_integral = isinstance(value, float) and value.is_integer()
        return int(value) if is_decimal or is_integral else value

    def _parse(self, value: Any) -> int:
        if type(value) is not int:
            raise self.error()
        if (self.minimum is not None and value < self.minimum) or (
            self.maximum is not None and value > self.maximum
        ):
            raise self.error()
        return value


class IntegerEnum(Integer):
    """One of a few integers."""

    def __init__(self, *choices: int, **keywords: Any) -> None:
        super().__init__(min(choices), max(choices), **keywords)
        self.choices = choices
        self.rule = f"one of {', '.join(map(str, choices))}"
        self.validators = [validate.OneOf(choices)]

    def _parse(self, value: Any) -> int:
        if type(value) is not int or value not in self.choices:
            raise self.error()
        return value


def _integer_rule(minimum: int | None, maximum: int | None) -> str:
    if minimum is None:
        return "an integer"
    if maximum is None:
        return f"an integer of at least {minimum}"
    return f"an integer from {minimum} to {maximum}"


class Number(Strict, fields.Float):
    """A finite number."""

    rule = "a number"

    def _parse(self, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not _finite(value):
            raise self.error()
        return float(value)


def _finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


class Boolean(Strict, fields.Boolean):
    """true or false."""

    rule = "true or false"

    def from_text(self, text: str) -> bool:
        if text not in ("true", "false"):
            raise self.error()
        return text == "true"

    def from_model(self, value: Any) -> Any:
        return value == "true" if value in ("true", "false") else value

    def _parse(self, value: Any) -> bool:
        if not isinstance(value, bool):
            raise self.error()
        return value


class Nested(Strict, fields.Nested):
    """An object of another schema."""

    rule = "an object"

    def __init__(self, nested: Any, **keywords: Any) -> None:
        super().__init__(nested=nested, **keywords)

    def _parse(self, value: Any) -> Any:
        return type(self.schema).parse(value)  # type: ignore[attr-defined]


class List(Strict, fields.List[Any]):
    """An array of one kind of value. unique: declared in the JSON Schema, not checked."""

    def __init__(
        self, item: Strict, *, maximum: int | None = None, unique: bool = False, **keywords: Any
    ) -> None:
        self.maximum, self.unique = maximum, unique
        self.rule = "an array" if maximum is None else f"an array of at most {maximum}"
        checks = [validate.Length(max=maximum)] if maximum is not None else []
        super().__init__(cls_or_instance=item, validate=checks, **keywords)

    def _parse(self, value: Any) -> list[Any]:
        if not isinstance(value, list):
            raise self.error()
        if self.maximum is not None and len(value) > self.maximum:
            raise self.error(f", not {len(value)}")
        item: Any = self.inner
        parsed, errors = [], {}
        for place, each in enumerate(value):
            try:
                parsed.append(item.parse(each))
            except ValidationError as error:
                errors[place] = error.messages
        if errors:
            raise ValidationError(errors)
        return parsed
