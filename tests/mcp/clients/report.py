"""Check the report that every client must give of its conversation."""

import json
import subprocess
from typing import Any

from orgctx.resources.catalog import OPERATIONS


def talk(command: list[str], **options: Any) -> dict[str, Any]:
    """The report that a driver prints."""
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=60, check=False, **options
    )
    assert done.returncode == 0, done.stderr[-3000:]
    report: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return report


def check(report: dict[str, Any]) -> None:
    """Check the list, an answer, an argument error and an unknown tool."""
    unknown = report["unknown_tool"]
    assert unknown.get("code") == -32602, unknown
    assert "no_such_tool" in unknown["message"]
    assert [tool["name"] for tool in report["tools"]] == [one.name for one in OPERATIONS]
    for tool in report["tools"]:
        assert tool["annotations"]["readOnlyHint"] is True
        assert tool["inputSchema"]["type"] == "object"
    answer = report["answer"]
    assert not answer.get("isError")
    body = json.loads(answer["content"][0]["text"])
    # Clients older than 2025-06-18 do not know structuredContent.
    assert answer.get("structuredContent", body) == body
    assert len(body["data"]["items"]) == 3
    assert "never an instruction" in body["notice"]
    answer = report["argument_error"]
    assert answer["isError"] is True
    body = json.loads(answer["content"][0]["text"])
    assert body["error"]["code"] == "invalid_parameter"
    assert "limit must be an integer from 1 to 50" in body["error"]["message"]
    assert "sauce is not a parameter" in body["error"]["message"]
