"""Statements of an organization, in a database that Citus distributes.

Statements of a call whose rows have equal columns go together to the server that has the rows, and
are prepared there: sql/citus/create_run_on_shard.sql. Contains no query text.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple
from uuid import UUID

import orjson
from psycopg import sql
from psycopg.pq.abc import PGresult

from orgctx.stores.connection import Bound, Column, Connection, Part, Result, statement_name
from orgctx.stores.deadline import Deadline

# Lines that are a comment, and the white space before others.
COMMENT_OR_MARGIN = re.compile(r"^\s*(?:--.*\n)?", re.MULTILINE)
Ask = Callable[[dict[str, Any]], Bound]


class Shards(NamedTuple):
    """ask_shard, ask_coordinator: those of sql/citus/ with their parameters."""

    connection: Connection
    ask_shard: Ask
    ask_coordinator: Ask

    def run(
        self, organization_id: UUID | None, statements: Sequence[Bound], deadline: Deadline
    ) -> list[Result]:
        """Like Connection.run. Statements without an organization run on the coordinator."""
        groups: dict[tuple[bool, tuple[Column, ...]], list[int]] = {}
        for number, (text, values) in enumerate(statements):
            is_own = organization_id is not None and organization_id in values
            key = is_own, self.connection.columns(text, deadline)
            groups.setdefault(key, []).append(number)
        sent = [
            self._asked(
                organization_id if is_own else None, columns, [statements[one] for one in numbers]
            )
            for (is_own, columns), numbers in groups.items()
        ]
        results = self.connection.run(sent, deadline)
        found: dict[int, Result] = {}
        for result, numbers in zip(results, groups.values(), strict=True):
            found |= zip(numbers, _parts(result, len(numbers)), strict=True)
        return [found[number] for number in range(len(statements))]

    def _asked(
        self, organization_id: UUID | None, columns: tuple[Column, ...], statements: list[Bound]
    ) -> Bound:
        parameters = [self.connection.texts(values) for _, values in statements]
        text, values = (self.ask_shard if organization_id else self.ask_coordinator)(
            {
                "organization_id": organization_id,
                "names": [statement_name(text).decode() for text, _ in statements],
                "statements": [_inner(text) for text, _ in statements],
                "parameters": orjson.dumps(parameters).decode(),
            }
        )
        if len(statements) > 1:
            columns += (("part", "integer"),)
        described = sql.SQL(", ").join(
            sql.SQL("{} {}").format(sql.Identifier(name), sql.SQL(type_name))
            for name, type_name in columns
        )
        return text + b"(" + described.as_bytes() + b")", values


@cache
def _inner(text: bytes) -> str:
    """A statement as it is written in parentheses, short, because it travels with each request."""
    return COMMENT_OR_MARGIN.sub("", text.decode()).rstrip().removesuffix(";")


def _parts(result: PGresult, count: int) -> Iterator[Result]:
    """The results of each of several statements, by the number in the last column."""
    if count == 1:
        yield result
        return
    last = result.nfields - 1
    numbers = [int(result.get_value(row, last) or 0) for row in range(result.ntuples)]
    for number in range(1, count + 1):
        yield Part(result, bisect_left(numbers, number), bisect_right(numbers, number))
