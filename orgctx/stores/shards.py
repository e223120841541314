"""Run statements of an organization in a database that Citus distributes.

Statements of a call whose rows have equal columns are sent together to the server that has the
organization's rows, and are prepared there (sql/cli/citus/create_run_on_shard.sql). Contains no
query text.
"""

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

# Comment lines, and the indentation of other lines.
COMMENT_OR_MARGIN = re.compile(r"^\s*(?:--.*\n)?", re.MULTILINE)
Ask = Callable[[dict[str, Any]], Bound]


class Shards(NamedTuple):
    """Runs the statements of one connection on shards.

    ask_shard, ask_coordinator: bind the parameters of the statements of sql/stores/citus/.
    """

    connection: Connection
    ask_shard: Ask
    ask_coordinator: Ask

    def run(
        self,
        organization_id: UUID | None,
        statements: Sequence[Bound],
        deadline: Deadline,
        before: Sequence[Bound] = (),
    ) -> list[Result]:
        """Run statements on the shard, and those without the organization on the coordinator.

        before: statements that configure the transaction.
        """
        groups: dict[tuple[bool, tuple[Column, ...]], list[int]] = {}
        for number, (text, values) in enumerate(statements):
            is_tenant = organization_id is not None and organization_id in values
            key = is_tenant, self.connection.columns(text, deadline)
            groups.setdefault(key, []).append(number)
        requests = [
            self._bind(
                organization_id if is_tenant else None,
                columns,
                [statements[number] for number in numbers],
            )
            for (is_tenant, columns), numbers in groups.items()
        ]
        results = self.connection.run(requests, deadline, before)
        by_number: dict[int, Result] = {}
        for result, numbers in zip(results, groups.values(), strict=True):
            by_number |= zip(numbers, _parts(result, len(numbers)), strict=True)
        return [by_number[number] for number in range(len(statements))]

    def _bind(
        self, organization_id: UUID | None, columns: tuple[Column, ...], statements: list[Bound]
    ) -> Bound:
        parameters = [self.connection.texts(values) for _, values in statements]
        ask = self.ask_shard if organization_id else self.ask_coordinator
        text, values = ask(
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
    """Return a statement as a subquery, without comments because it is sent with each request."""
    return COMMENT_OR_MARGIN.sub("", text.decode()).rstrip().removesuffix(";")


def _parts(result: PGresult, count: int) -> Iterator[Result]:
    """Split a result into those of `count` statements, by the number in the last column."""
    if count == 1:
        yield result
        return
    last = result.nfields - 1
    numbers = [int(result.get_value(row, last) or 0) for row in range(result.ntuples)]
    for number in range(1, count + 1):
        yield Part(result, bisect_left(numbers, number), bisect_right(numbers, number))
