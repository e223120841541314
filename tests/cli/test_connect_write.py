"""orgctx connect --write: the client's file keeps what it holds."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from orgctx import keys
from orgctx.cli.connect.write import Unmergeable, merge
from orgctx.clients import CLIENTS, configuration
from tests.cli.terminal import Terminal

URL = "https://context.example.com"
WRITTEN = {name: client for name, client in CLIENTS.items() if client.target}
OTHERS = {name: client for name, client in CLIENTS.items() if not client.target}
JSON_CLIENTS = [name for name, client in WRITTEN.items() if client.format == "json"]


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    return Terminal(tmp_path)


def file_of(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


@pytest.mark.parametrize("client", WRITTEN)
def test_a_new_file(terminal: Terminal, client: str) -> None:
    options = ("connect", client, "--base-url", URL, "--write")
    first = terminal.run(*options)
    (path,) = file_of(terminal.folder)
    assert path.read_text("utf-8") == configuration(client, URL)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert str(path) in first.stderr
    assert not first.stdout
    assert "Nothing to change" in terminal.run(*options).stderr
    assert terminal.run(*options, "--json").json()["file"] == str(path)


def test_who_has_no_file(terminal: Terminal) -> None:
    for client in list(OTHERS)[:1]:
        result = terminal.run("connect", client, "--write", exit_code=1)
        assert f"orgctx connect {client}" in result.stderr
    assert not file_of(terminal.folder)


@pytest.mark.parametrize("client", JSON_CLIENTS)
def test_json_keeps_what_is_there(tmp_path: Path, client: str) -> None:
    text = configuration(client, URL)
    (root,) = (name for name in json.loads(text) if name != "inputs")
    other = {"command": "x", "args": ["ü", 1.5, None], "env": {"A": "1"}}
    old = {"zeta": [1], root: {"second": other, "first": {}}, "alpha": {"inputs": "x"}}
    path = tmp_path / "settings.json"
    path.write_text(json.dumps(old, indent="\t", ensure_ascii=False), "utf-8")
    path.chmod(0o640)
    assert merge(path, text, "json").is_changed
    new = json.loads(path.read_text("utf-8"))
    assert [name for name in new if name != "inputs"] == ["zeta", root, "alpha"]
    assert list(new[root]) == ["second", "first", "orgctx"]
    assert new[root].pop("orgctx") == json.loads(text)[root]["orgctx"]
    assert new.pop("inputs", None) == json.loads(text).get("inputs")
    assert new == old
    assert '\n\t"zeta"' in path.read_text("utf-8")
    assert "ü" in path.read_text("utf-8")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert not merge(path, text, "json").is_changed
    assert file_of(tmp_path) == [path]


def test_toml_keeps_comments(terminal: Terminal) -> None:
    old = '# mine\nmodel = "o"  # dear\n\n[mcp_servers.other]\nurl = "http://x"  # stays\n'
    path = terminal.write("home/.codex/config.toml", old, 0o600)
    terminal.run("connect", "codex", "--base-url", URL, "--write")
    new = path.read_text("utf-8")
    assert new.startswith(old)
    assert configuration("codex", URL).strip() in new
    terminal.run("connect", "codex", "--base-url", "http://other:1", "--write")
    assert path.read_text("utf-8") == new.replace(URL, "http://other:1")


def test_our_own_entry_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    old = {"command": "npx", "args": ["mcp-remote"], "disabled": True, "url": "http://old"}
    path.write_text(json.dumps({"mcpServers": {"orgctx": old}}))
    merge(path, configuration("claude", URL), "json")
    server = json.loads(path.read_text())["mcpServers"]["orgctx"]
    assert server["disabled"] is True
    assert server["url"] == f"{URL}/api/mcp"
    assert not {"command", "args"} & server.keys()


@pytest.mark.parametrize("client", ["zed", "claude-desktop", "cursor"])
def test_a_pasted_key_stays(tmp_path: Path, client: str) -> None:
    path, key = tmp_path / "settings.json", keys.generate()
    text = configuration(client, "http://old:1")
    for place in ("PASTE_THE_API_KEY", "${env:ORGCTX_API_KEY}"):
        text = text.replace(place, key)
    path.write_text(text)
    assert merge(path, configuration(client, URL), "json") == (True, True)
    new = path.read_text()
    path.unlink()
    assert new == text.replace("http://old:1", URL)


def test_a_pasted_key_that_goes_elsewhere_is_reported(terminal: Terminal) -> None:
    command = ("connect", "cursor", "--write", "--base-url")
    terminal.run(*command, "http://old:1")
    (path,) = file_of(terminal.folder)
    assert "Warning" not in terminal.run(*command, URL).stderr
    path.write_text(path.read_text().replace("${env:ORGCTX_API_KEY}", key := keys.generate()))
    told = terminal.run(*command, "http://new:1").stderr
    assert "Warning: the key that was pasted there stays" in told
    assert key not in told
    assert key in path.read_text()
    assert "Warning" not in terminal.run(*command, "http://new:1").stderr
    path.unlink()


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("comments", '{\n  // mine\n  "a": 1\n}\n', "comments"),
        ("a trailing comma", '{"a": 1,}', "comments"),
        ("an array", "[]", "no JSON object"),
        ("an array of servers", '{"context_servers": []}', "context_servers that is no object"),
        ("a server that is text", '{"context_servers": {"orgctx": "x"}}', "context_servers.orgctx"),
        ("a name twice", '{"a": 1, "a": 2}', "twice"),
        ("NaN", '{"a": NaN}', "NaN"),
        ("deep nesting", "[" * 100_000, "plain JSON"),
        ("a number that would be infinite", '{"a": 1e999}', "1e999"),
        ("a number beyond all bounds", '{"a": 1e-9999999999999999999}', "rounded"),
        ("a number that would be rounded", '{"a": 1.00000000000000000001}', "1.0000"),
        ("a number of many digits", f'{{"a": {"9" * 5000}}}', "too long"),
        ("half a character", '{"a": "\\ud800"}', "Unicode"),
    ],
)
def test_what_cannot_be_merged_is_refused(
    terminal: Terminal, name: str, text: str, reason: str
) -> None:
    path = terminal.write("home/.config/zed/settings.json", text)
    result = terminal.run("connect", "zed", "--base-url", URL, "--write", exit_code=1)
    assert reason in result.stderr, name
    assert configuration("zed", URL).strip() in result.stderr
    assert path.read_text("utf-8") == text
    assert file_of(terminal.folder) == [path]


@pytest.mark.parametrize(
    "text", ["a = [", "mcp_servers = 1\n", "[mcp_servers]\norgctx = 'x'\n", "mcp_servers = {}\n"]
)
def test_toml_that_cannot_be_merged_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "config.toml"
    path.write_text(text)
    with pytest.raises(Unmergeable):
        merge(path, configuration("codex", URL), "toml")
    assert path.read_text() == text


def test_other_encodings_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    path.write_bytes('{"a": "ü"}'.encode("latin-1"))
    with pytest.raises(Unmergeable, match="UTF-8"):
        merge(path, configuration("cursor", URL), "json")


def test_a_link_stays_a_link(terminal: Terminal) -> None:
    real = terminal.write("dotfiles/zed.json", "{}")
    link = terminal.home / ".config/zed/settings.json"
    link.parent.mkdir(parents=True)
    link.symlink_to(real)
    terminal.run("connect", "zed", "--base-url", URL, "--write")
    assert link.is_symlink()
    assert "orgctx" in real.read_text()


def test_a_link_to_itself_is_no_fault_of_orgctx(terminal: Terminal) -> None:
    link = terminal.home / ".config/zed/settings.json"
    link.parent.mkdir(parents=True)
    link.symlink_to(link)
    result = terminal.run("connect", "zed", "--base-url", URL, "--write", exit_code=1)
    assert "Too many levels of symbolic links" in result.stderr


def test_lines_end_as_they_did(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    path.write_bytes(b'{\r\n  "a": "b\\r\\n"\r\n}\r\n')
    merge(path, configuration("cursor", URL), "json")
    new = path.read_bytes()
    assert new.count(b"\r\n") == new.count(b"\n") > 5
    assert json.loads(new)["a"] == "b\r\n"


def test_vscode_asks_once(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    path.write_text('{"inputs": [{"id": "mine"}], "servers": {}}')
    merge(path, configuration("vscode", URL), "json")
    merge(path, configuration("vscode", "http://other:1"), "json")
    asked = json.loads(path.read_text())["inputs"]
    assert [one["id"] for one in asked] == ["mine", "orgctx-api-key"]


def test_a_full_disk_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / ".mcp.json"
    path.write_text(old := '{"mcpServers": {"mine": {}}}')
    command = (sys.executable, "-B", "-m", "orgctx.cli", "connect", "claude", "--write")
    done = subprocess.run(
        ("sh", "-c", 'ulimit -f 0; exec "$@"', "sh", *command),
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "free some space" in done.stderr
    assert path.read_text() == old
    assert file_of(tmp_path) == [path]


def test_a_file_that_may_not_be_written(terminal: Terminal) -> None:
    terminal.write(".cursor", "a file where the folder should be")
    result = terminal.run("connect", "cursor", "--write", exit_code=1)
    assert ".cursor" in result.stderr
    assert "Traceback" not in result.stderr
