"""Explain a statement, prepared as in the service. The tests decide which plans are right."""

import re
from collections.abc import Container, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg

from orgctx.stores.db import READER_ROLE, numbered, sql
from tests.support.deployment import Deployment


@dataclass(frozen=True)
class Plan:
    """What EXPLAIN ANALYZE reports."""

    nodes: list[dict[str, Any]]
    rows: int  # of the result
    buffers: int  # pages that were read, in memory or from disk

    @property
    def indexes(self) -> set[str]:
        return {node["Index Name"] for node in self._executed if "Index Name" in node}

    @property
    def scanned(self) -> set[str]:
        """The tables that the plan reads from end to end."""
        return {node["Relation Name"] for node in self._executed if node["Node Type"] == "Seq Scan"}

    def removed(self, but_of: Container[str] = ()) -> int:
        """The most rows that one node of the plan read and discarded, but for those of CTEs."""
        worst: int = max(
            node.get("Rows Removed by Filter", 0) * node["Actual Loops"]
            for node in self.nodes
            if node.get("CTE Name") not in but_of
        )
        return worst

    @property
    def _executed(self) -> list[dict[str, Any]]:
        return [node for node in self.nodes if node["Actual Loops"]]


@contextmanager
def explaining(deployment: Deployment) -> Iterator[psycopg.Connection]:
    """Yield a connection for `explain`; each new one takes as long as ten statements."""
    with psycopg.connect(
        deployment.database_url, autocommit=True, cursor_factory=psycopg.ClientCursor
    ) as connection:
        setting = {"role": READER_ROLE, "statement_timeout": "60s", "check_interval": "100ms"}
        setting |= {"backend_pid": str(connection.info.backend_pid), "statement_name": ""}
        connection.execute(sql("stores/configure_connection"), setting)
        yield connection


def explain(
    connection: psycopg.Connection, name: str, values: dict[str, Any], around: str = "{}"
) -> Plan:
    """Run `sql/<name>.sql` with a generic plan. around: a statement that contains it as `{}`."""
    statement, names = numbered(re.sub("--.*", "", sql(name)))
    text = statement.decode().strip().removesuffix(";")
    connection.execute(f"PREPARE explained AS {around.format(text)}")  # type: ignore[arg-type]
    execute = f"EXECUTE explained({', '.join(['%s'] * len(names))})"
    query = f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {execute}"
    # The first run also reads the catalog.
    for _ in range(2):
        cursor = connection.execute(query, [values[key] for key in names])  # type: ignore[arg-type]
        (explained,) = (cursor.fetchone() or ([],))[0]
    connection.execute("DEALLOCATE explained")
    top = explained["Plan"]
    buffers = top["Shared Hit Blocks"] + top["Shared Read Blocks"]
    return Plan(list(_nodes(top)), round(top["Actual Rows"]), buffers)


def _nodes(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for child in node.get("Plans", []):
        yield from _nodes(child)
