"""The record count of sources, which loads and commands update with the same statement."""

from __future__ import annotations

from orgctx.operations.source_kinds import KINDS
from tests.support import factories as f
from tests.support.deployment import Deployment


def record_counts(deployment: Deployment) -> dict[str, tuple[int, str | None]]:
    rows = deployment.execute("SELECT kind, record_count, chat_id::text FROM sources")
    return {kind: (count, chat) for kind, count, chat in rows}


def test_count_records_covers_each_kind(deployment: Deployment) -> None:
    deployment.load(
        [
            *f.everything(),
            f.knowledge(2, archived=True),
            f.knowledge(3),
            f.message(2),
            f.mention(2, account="ACME"),
            f.mention(3, account="elsewhere"),
        ]
    )
    assert record_counts(deployment) == dict.fromkeys(KINDS, (1, None)) | {
        "docs": (2, None),
        "assets": (2, None),
        "profile": (0, None),
        "x": (2, None),
        "telegram": (2, f.CHAT),
    }


def test_count_records_ignores_records_of_a_former_account(deployment: Deployment) -> None:
    deployment.load(f.everything())
    deployment.load([f.source("x", account="renamed"), f.source("token", account="0x" + "00" * 20)])
    assert record_counts(deployment)["x"] == (0, None)
    assert record_counts(deployment)["token"] == (0, None)


def test_count_records_subtracts_deletions(deployment: Deployment) -> None:
    deployment.load(f.everything())
    deployment.load(
        [
            f.delete("telegram.chat", f.CHAT),
            f.delete("knowledge", f.knowledge_id(1)),
            f.delete("asset", f.uuid("Brand")),
            f.delete("x.mention", "1"),
            f.delete("token", f.KIND_SOURCES["token"]),
        ]
    )
    assert set(record_counts(deployment).values()) - {(1, None)} == {(0, None)}
    assert record_counts(deployment)["notes"] == (1, None)
