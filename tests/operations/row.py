"""Describe an operation for tests, independently of the code."""

import json
import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode

Arguments = dict[str, Any]

PARAMETER = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, kw_only=True)
class Row:
    """An operation as docs/contract.md describes it, and example requests."""

    name: str
    path: str  # below /api/v1
    scopes: tuple[str, ...]
    crawl: tuple[Arguments, ...]  # requests for the data in tests.support.organizations
    # Maps a path parameter to the argument of the tool, if their names differ.
    in_path: dict[str, str] = field(default_factory=dict)
    # The tool is listed only if a source of one of these kinds is approved; empty: always listed.
    kinds: tuple[str, ...] = ()
    origin: str = "database"
    conflicts: bool = False  # whether it can return 409
    # Valid requests, the first without options. `factories.everything` and both organizations of
    # tests/contract/data.py have what they read.
    asks: tuple[Arguments, ...] = ({},)
    missing: Arguments | None = None  # a request for a record that does not exist
    # Maps each SQL statement whose rows are serialized unchanged to the first column of a record.
    records: dict[str, str] = field(default_factory=dict)

    @property
    def path_arguments(self) -> list[str]:
        """The names of the arguments in the path, in order."""
        return [self.in_path.get(name, name) for name in PARAMETER.findall(self.path)]

    def request(self, arguments: Arguments) -> str:
        """Return the REST request for arguments of the tool: a path below /api/v1 and its query."""
        query = {
            name: value if isinstance(value, str) else json.dumps(value)
            for name, value in arguments.items()
        }

        def segment(parameter: re.Match[str]) -> str:
            argument = self.in_path.get(parameter[1], parameter[1])
            return quote(query.pop(argument), safe=":")

        path = PARAMETER.sub(segment, self.path)
        return f"{path}?{urlencode(query)}" if query else path
