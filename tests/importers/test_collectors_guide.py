"""The records and the program of the guide load."""

import json
import subprocess
import sys
from pathlib import Path

from tests.docs.pages import ROOT, blocks
from tests.support import factories as make
from tests.support.deployment import Deployment

GUIDE = blocks(ROOT / "docs/collectors.md")


def block(language: str) -> str:
    """The first code block in a language."""
    return next(block.text for block in GUIDE if block.language == language)


def test_export_of_slack_loads(acme: Deployment, tmp_path: Path) -> None:
    user = {"id": "U1", "name": "ada", "profile": {"real_name": "Ada"}}
    first = {"user": "U1", "text": "Ship it, <@U1>?", "ts": "1764300000.000100"}
    edited = {"edited": {"ts": "1764300009.000000"}, "thread_ts": first["ts"]}
    files = {
        "users.json": [user],
        "channels.json": [{"id": "C1", "name": "crew", "members": ["U1"]}],
        "crew/2025-11-28.json": [
            {"user": "U1", "text": "Yes", "ts": "1764300000.000200", **edited},
            {"subtype": "channel_join", "text": "", "ts": "1764300001.000100"},
            first,
        ],
    }
    for path, content in files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(json.dumps(content), "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", block("python"), make.ACME, str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
    )
    acme.cli("load", "-", stdin=done.stdout).done()
    rows = acme.execute(
        "SELECT id, text, reply_to_message_id, sender_name, edited_at IS NOT NULL "
        "FROM telegram_messages ORDER BY id"
    )
    assert rows == [
        (1764300000, "Ship it, @Ada?", None, "Ada", False),
        (1764300001, "Yes", 1764300000, "Ada", True),
    ]


def test_examples_of_the_guide_load(acme: Deployment) -> None:
    result = acme.cli("load", "-", "--json", stdin=block("json"))
    assert {name: counts["created"] for name, counts in result.json().items()} == {
        "source": 1,
        "telegram.chat": 1,
        "telegram.message": 1,
    }
