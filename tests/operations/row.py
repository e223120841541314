"""What tests need to know of an operation, from the contract and not from the code."""

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
    """The operation as the contract describes it, and requests for it."""

    name: str
    path: str  # below /api/v1
    scopes: tuple[str, ...]
    answer: JsonSchema  # of a 200
    crawl: tuple[Arguments, ...]  # requests for the data in tests.support.organizations
    # The argument of each path parameter that has another name.
    in_path: dict[str, str] = field(default_factory=dict)
    # The tool needs an approved source of one of these kinds; empty for an overview.
    kinds: tuple[str, ...] = ()
    origin: str = "database"
    conflicts: bool = False  # can answer 409
    # Valid requests for the data of `factories.everything`, the first without options.
    asks: tuple[Arguments, ...] = ({},)
    missing: Arguments | None = None  # a request for a record that does not exist
    # Parts of the answer by their names in docs/contract.md.
    resources: dict[str, JsonSchema] = field(default_factory=dict)
    # Statements whose rows the payload takes unchanged, and the first column of a record.
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
