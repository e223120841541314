"""What tests need to know of an operation, in words of the contract and not of the code."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode

from tests.contract.json_schemas import JsonSchema

Arguments = dict[str, Any]

PARAMETER = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, kw_only=True)
class Row:
    """A second opinion on an operation, and requests to make of it.

    path: below /api/v1. in_path: the argument of each parameter of the path
    whose name differs.
    kinds: without an approved source of one of them there is no such tool;
    none of an overview. answer: JSON Schema of a 200, and resources: its parts by
    their names in docs/contract.md. asks: arguments of good requests to
    `factories.everything`, the first one without options. missing: of what does
    not exist. crawl: of what several organizations have, in
    tests.support.organizations. records: statements whose rows the payload
    takes as they are, and the first column of a record.
    """

    name: str
    path: str
    scopes: tuple[str, ...]
    answer: JsonSchema
    crawl: tuple[Arguments, ...]
    in_path: dict[str, str] = field(default_factory=dict)
    kinds: tuple[str, ...] = ()
    origin: str = "database"
    conflicts: bool = False
    asks: tuple[Arguments, ...] = ({},)
    missing: Arguments | None = None
    resources: dict[str, JsonSchema] = field(default_factory=dict)
    records: dict[str, str] = field(default_factory=dict)

    @property
    def pagination(self) -> JsonSchema:
        """The members of its pagination; none where it has none."""
        schema: JsonSchema = self.answer["properties"].get("pagination", {})
        members: dict[str, JsonSchema] = schema.get("properties", {})
        return members

    @property
    def path_arguments(self) -> list[str]:
        """The arguments in its path, in order."""
        return [self.in_path.get(name, name) for name in PARAMETER.findall(self.path)]

    def request(self, arguments: Arguments) -> str:
        """The same request by REST: a path below /api/v1 with its query."""
        query = {
            name: value if isinstance(value, str) else json.dumps(value)
            for name, value in arguments.items()
        }

        def segment(parameter: re.Match[str]) -> str:
            argument = self.in_path.get(parameter[1], parameter[1])
            return quote(query.pop(argument), safe=":")

        path = PARAMETER.sub(segment, self.path)
        return f"{path}?{urlencode(query)}" if query else path
