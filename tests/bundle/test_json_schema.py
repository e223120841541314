"""The published JSON Schema accepts each type of record, and rejects what is not one."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from orgctx.bundle.json_schema import bundle_schema
from orgctx.bundle.records import TYPES
from tests.support import factories as make

SCHEMA = Draft202012Validator(bundle_schema())
RECORDS = [
    *make.everything(),
    make.message(2, file=make.file(fileName="a.pdf", sticker="static")),
    make.message(3, file=make.file(width=3)),
    make.mention(2, quoted={"author": make.author(), "text": "t", "url": "https://x.com/a"}),
    make.source(href="/api/v1/assets", staleAfterSeconds=None, account=None),
]
DELETIONS = [
    make.delete(
        record["type"],
        # Only a source has its id outside of its data; an organization and a token have none.
        record["data"].get("id") or record.get("sourceId") or record["organizationId"],
        **({"chatId": make.CHAT} if record["type"] == "telegram.message" else {}),
    )
    for record in {record["type"]: record for record in make.everything()}.values()
]


def test_schema_accepts_every_record_type() -> None:
    Draft202012Validator.check_schema(bundle_schema())
    assert {record["data"]["type"] for record in DELETIONS} == set(TYPES)
    assert [record for record in [*RECORDS, *DELETIONS] if not SCHEMA.is_valid(record)] == []


@pytest.mark.parametrize(
    "change",
    [
        {"another": 1},
        {"type": "telegram.chat"},
        {"organizationId": None},
        {"sourceId": ""},
        {"data": make.message(1)["data"] | {"another": 1}},
        {"data": make.message(1)["data"] | {"id": 0}},
        {"data": make.message(1)["data"] | {"kind": "other kind"}},
        {"data": {"id": 1}},
    ],
)
def test_schema_rejects_what_is_no_record(change: dict[str, Any]) -> None:
    assert SCHEMA.is_valid(make.message(1))
    assert not SCHEMA.is_valid(make.message(1) | change)
