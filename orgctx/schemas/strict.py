"""The base class of all fields, which convert nothing silently.

Each field describes accepted values in `rule`, so that every message is "<name> must be <rule>".
`parse` takes a JSON value; `from_text` converts the text of a parameter to one.
"""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError, fields

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
