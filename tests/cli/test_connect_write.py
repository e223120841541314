"""orgctx connect --write merges into the client's file without loss."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from orgctx import key_format
from orgctx.cli.connect.write import Unmergeable, merge
from orgctx.clients import CLIENTS, configuration
from tests.cli.terminal import Terminal

URL = "https://context.example.com"
CLIENTS_WITH_FILE = {name: client for name, client in CLIENTS.items() if client.target}
JSON_CLIENTS = [name for name, client in CLIENTS_WITH_FILE.items() if client.format == "json"]


def files_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


@pytest.mark.parametrize("client", CLIENTS_WITH_FILE)
def test_write_creates_a_private_file(terminal: Terminal, client: str) -> None:
    options = ("connect", client, "--base-url", URL, "--write")
    first = terminal.run(*options)
    (path,) = files_in(terminal.folder)
    assert path.read_text("utf-8") == configuration(client, URL)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert str(path) in first.stderr
    assert CLIENTS[client].place not in first.stderr
    assert CLIENTS[client].then[1:] in first.stderr
    assert not first.stdout
    assert "Nothing to change" in terminal.run(*options).stderr
    assert terminal.run(*options, "--json").json()["file"] == str(path)


def test_write_rejects_a_client_without_a_file(terminal: Terminal) -> None:
    result = terminal.run("connect", "curl", "--write", exit_code=1)
    assert "orgctx connect curl" in result.stderr
    assert not files_in(terminal.folder)


@pytest.mark.parametrize("client", JSON_CLIENTS)
def test_write_keeps_other_json_members_and_layout(tmp_path: Path, client: str) -> None:
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
    assert files_in(tmp_path) == [path]


def test_write_keeps_toml_comments(terminal: Terminal) -> None:
    old = '# mine\nmodel = "o"  # dear\n\n[mcp_servers.other]\nurl = "http://x"  # stays\n'
    path = terminal.write("home/.codex/config.toml", old, 0o600)
    terminal.run("connect", "codex", "--base-url", URL, "--write")
    new = path.read_text("utf-8")
    assert new.startswith(old)
    assert configuration("codex", URL).strip() in new
    terminal.run("connect", "codex", "--base-url", "http://other:1", "--write")
    assert path.read_text("utf-8") == new.replace(URL, "http://other:1")


def test_write_updates_the_existing_entry(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    old = {"command": "npx", "args": ["mcp-remote"], "disabled": True, "url": "http://old"}
    path.write_text(json.dumps({"mcpServers": {"orgctx": old}}))
    merge(path, configuration("claude", URL), "json")
    server = json.loads(path.read_text())["mcpServers"]["orgctx"]
    assert server["disabled"] is True
    assert server["url"] == f"{URL}/api/mcp"
    assert not {"command", "args"} & server.keys()


@pytest.mark.parametrize("client", ["zed", "claude-desktop", "cursor"])
def test_write_keeps_a_pasted_key(tmp_path: Path, client: str) -> None:
    path, key = tmp_path / "settings.json", key_format.generate()
    text = configuration(client, "http://old:1")
    for place in ("PASTE_THE_API_KEY", "${env:ORGCTX_API_KEY}"):
        text = text.replace(place, key)
    path.write_text(text)
    assert merge(path, configuration(client, URL), "json") == (True, True)
    new = path.read_text()
    path.unlink()
    assert new == text.replace("http://old:1", URL)


def test_write_warns_if_a_pasted_key_gets_a_new_address(terminal: Terminal) -> None:
    command = ("connect", "cursor", "--write", "--base-url")
    terminal.run(*command, "http://old:1")
    (path,) = files_in(terminal.folder)
    assert "Warning" not in terminal.run(*command, URL).stderr
    path.write_text(path.read_text().replace("${env:ORGCTX_API_KEY}", key := key_format.generate()))
    warning = terminal.run(*command, "http://new:1").stderr
    assert "Warning: the file contains a pasted key" in warning
    assert key not in warning
    assert key in path.read_text()
    assert "Warning" not in terminal.run(*command, "http://new:1").stderr
    path.unlink()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{\n  // mine\n  "a": 1\n}\n', "comments"),
        ('{"a": 1,}', "comments"),
        ("[]", "not contain a JSON object"),
        ('{"context_servers": []}', "context_servers that is not an object"),
        ('{"context_servers": {"orgctx": "x"}}', "context_servers.orgctx"),
        ('{"a": 1, "a": 2}', "repeated member"),
        ('{"a": NaN}', "NaN"),
        ("[" * 100_000, "not valid JSON"),
        ('{"a": 1e999}', "1e999"),
        ('{"a": 1e-9999999999999999999}', "rounded"),
        ('{"a": 1.00000000000000000001}', "1.0000"),
        (f'{{"a": {"9" * 5000}}}', "more than 1000 digits"),
        ('{"a": "\\ud800"}', "surrogate"),
    ],
    ids=range(13),
)
def test_write_rejects_json_that_it_would_change(
    terminal: Terminal, text: str, reason: str
) -> None:
    path = terminal.write("home/.config/zed/settings.json", text)
    result = terminal.run("connect", "zed", "--base-url", URL, "--write", exit_code=1)
    assert reason in result.stderr
    assert configuration("zed", URL).strip() in result.stderr
    assert path.read_text("utf-8") == text
    assert files_in(terminal.folder) == [path]


@pytest.mark.parametrize(
    ("client", "content"),
    [
        ("codex", b"a = ["),
        ("codex", b"mcp_servers = 1\n"),
        ("codex", b"[mcp_servers]\norgctx = 'x'\n"),
        ("codex", b"mcp_servers = {}\n"),
        ("cursor", '{"a": "ü"}'.encode("latin-1")),
    ],
)
def test_write_rejects_toml_and_encodings_that_it_cannot_keep(
    tmp_path: Path, client: str, content: bytes
) -> None:
    path = tmp_path / "settings"
    path.write_bytes(content)
    with pytest.raises(Unmergeable):
        merge(path, configuration(client, URL), CLIENTS[client].format)
    assert path.read_bytes() == content


def test_write_follows_symbolic_links(terminal: Terminal) -> None:
    real = terminal.write("dotfiles/zed.json", "{}")
    link = terminal.home / ".config/zed/settings.json"
    link.parent.mkdir(parents=True)
    link.symlink_to(real)
    terminal.run("connect", "zed", "--base-url", URL, "--write")
    assert link.is_symlink()
    assert "orgctx" in real.read_text()
    link.unlink()
    link.symlink_to(link)
    result = terminal.run("connect", "zed", "--base-url", URL, "--write", exit_code=1)
    assert "Too many levels of symbolic links" in result.stderr


def test_write_keeps_line_endings(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    path.write_bytes(b'{\r\n  "a": "b\\r\\n"\r\n}\r\n')
    merge(path, configuration("cursor", URL), "json")
    new = path.read_bytes()
    assert new.count(b"\r\n") == new.count(b"\n") > 5
    assert json.loads(new)["a"] == "b\r\n"


def test_write_adds_the_input_of_vscode_once(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    path.write_text('{"inputs": [{"id": "mine"}], "servers": {}}')
    merge(path, configuration("vscode", URL), "json")
    merge(path, configuration("vscode", "http://other:1"), "json")
    inputs = json.loads(path.read_text())["inputs"]
    assert [item["id"] for item in inputs] == ["mine", "orgctx-api-key"]


def test_write_keeps_the_file_if_the_disk_is_full(tmp_path: Path) -> None:
    path = tmp_path / ".mcp.json"
    path.write_text(old := '{"mcpServers": {"mine": {}}}')
    command = (sys.executable, "-B", "-m", "orgctx.cli", "connect", "claude", "--write")
    result = subprocess.run(
        ("sh", "-c", 'ulimit -f 0; exec "$@"', "sh", *command),
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 1
    assert "Free some disk space" in result.stderr
    assert path.read_text() == old
    assert files_in(tmp_path) == [path]
