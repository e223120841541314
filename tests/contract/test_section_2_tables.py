"""Each row of the tables in docs/contract.md agrees with the JSON Schema that checks answers."""

import pytest

from tests.contract import json_schemas
from tests.contract.tables import ENUMERATION, NAMED_MEMBER, Row, rows
from tests.operations import PAGINATED, ROWS

RESOURCES: dict[str, json_schemas.JsonSchema] = {"Freshness": json_schemas.FRESHNESS}
for operation in ROWS.values():
    RESOURCES |= operation.resources
TYPES: dict[str, json_schemas.JsonSchema] = {
    "string": json_schemas.STRING,
    "string or null": json_schemas.nullable(json_schemas.STRING),
    "string uuid": json_schemas.UUID,
    "string uuid or null": json_schemas.nullable(json_schemas.UUID),
    "boolean": json_schemas.BOOLEAN,
    "integer >=0": json_schemas.COUNT,
    "integer >=1": json_schemas.POSITIVE,
    "integer or null": json_schemas.nullable(json_schemas.INTEGER),
    "date-time": json_schemas.DATE_TIME,
    "date-time or null": json_schemas.nullable(json_schemas.DATE_TIME),
    "array of Scope, unique items": json_schemas.array(json_schemas.SCOPE, uniqueItems=True),
    "array of ContextSource": json_schemas.array(json_schemas.CONTEXT_SOURCE),
}
# Members whose JSON Schema is narrower than the type in the table.
NARROWER = (
    ("ContextSource", "kind"),
    ("KnowledgeSummary", "id"),
    ("KnowledgeSummary", "source"),
    ("KnowledgeSummary", "preview"),
)


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row.table}.{row.member}")
def test_table_row_matches_json_schema(row: Row) -> None:
    if row.table == "Envelope":
        for name, operation in ROWS.items():
            is_expected = row.member != "pagination" or name in PAGINATED
            assert (row.member in operation.answer["required"]) == is_expected
        return
    assert row.table in RESOURCES, f"tests/operations: no Row has the resource {row.table}"
    resource = RESOURCES[row.table]
    member = resource["properties"][row.member]
    assert (row.member in resource["required"]) == row.is_required
    assert resource["additionalProperties"] is False
    if ENUMERATION.fullmatch(row.notes):
        assert member == json_schemas.one_of(row.notes)
    elif row.type in TYPES and (row.table, row.member) not in NARROWER:
        assert member == TYPES[row.type]
    elif "object" in row.type and row.table != "Context":
        check_object(row, member)


def check_object(row: Row, member: json_schemas.JsonSchema) -> None:
    """Check the members that the notes name, with their types in parentheses."""
    is_nullable = row.type.startswith("null or")
    assert ("anyOf" in member) == is_nullable
    inner = member["anyOf"][0] if is_nullable else member
    named = NAMED_MEMBER.findall(row.notes)
    if row.table == "TokenSummary" and row.member == "sources":
        assert set(inner["required"]) == {"transfers", "fees"}
        inner = inner["properties"]["fees"]
    assert set(named) <= set(inner["properties"])
    assert inner["additionalProperties"] is False


def test_tables_are_complete() -> None:
    by_table: dict[str, set[str]] = {}
    for row in rows():
        by_table.setdefault(row.table, set()).add(row.member)
    for name, schema in RESOURCES.items():
        assert by_table[name] == set(schema["properties"]) - json_schemas.ADDED.get(name, set()), (
            name
        )
