"""The real Prometheus scrapes a served deployment, and its alerts fire for what was killed."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from urllib.parse import quote
from urllib.request import urlopen

import pytest
import yaml

from tests.mcp.served import ROOT, free_port
from tests.metrics.test_scrape import served
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.programs import need
from tests.support.proxy import REFUSE, Proxy, redis_address, redis_through

pytestmark = pytest.mark.system

ALERTS = ROOT / "deploy/alerts.yml"
PATIENCE_SECONDS = 60


def test_the_rules_are_good() -> None:
    need("promtool")
    done = subprocess.run(["promtool", "check", "rules", ALERTS], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@contextmanager
def prometheus(directory: Path, target: int) -> Iterator[int]:
    """It scrapes every second; alerts fire as soon as their condition holds."""
    rules = yaml.safe_load(ALERTS.read_text())
    for rule in rules["groups"][0]["rules"]:
        rule["for"] = "0s"
    (directory / "alerts.yml").write_text(yaml.safe_dump(rules))
    job = {"job_name": "orgctx", "static_configs": [{"targets": [f"127.0.0.1:{target}"]}]}
    every = {"scrape_interval": "1s", "evaluation_interval": "1s"}
    config = {"global": every, "rule_files": ["alerts.yml"], "scrape_configs": [job]}
    (directory / "prometheus.yml").write_text(yaml.safe_dump(config))
    port = free_port()
    command = [
        "prometheus", f"--config.file={directory}/prometheus.yml",
        f"--storage.tsdb.path={directory}/data", f"--web.listen-address=127.0.0.1:{port}",
    ]  # fmt: skip
    with (directory / "log").open("wb") as log, subprocess.Popen(command, stderr=log) as process:
        try:
            yield port
        finally:
            process.terminate()


def ask(port: int, path: str) -> Any:
    with urlopen(f"http://127.0.0.1:{port}/api/v1/{path}", timeout=10) as answer:
        return json.load(answer)["data"]


def await_alert(port: int, name: str) -> None:
    end = monotonic() + PATIENCE_SECONDS
    found: Any = None
    while monotonic() < end:
        try:
            found = {one["labels"]["alertname"] for one in ask(port, "alerts")["alerts"]}
        except OSError:
            found = None
        if found and name in found:
            return
        sleep(0.5)
    raise AssertionError(f"no {name}, but {found}")


def test_what_is_killed_shows_in_one_alert(deployment: Deployment, tmp_path: Path) -> None:
    need("prometheus")
    deployment.load(make.everything())
    deployment.approve(make.ACME, make.OWNER)
    key = deployment.issue_key(make.ACME, make.OWNER)
    with Proxy(redis_address(deployment.redis_url)) as proxy:
        through = Deployment(deployment.database_url, redis_through(proxy, deployment.redis_url))
        with served(through) as (running, port), prometheus(tmp_path, port) as asked:
            for _ in range(20):
                assert running.get("/api/v1/context", key).status == 200
            end = monotonic() + PATIENCE_SECONDS
            query = quote('sum(orgctx_requests_total{operation="get_context"})')
            while True:
                try:
                    result = ask(asked, f"query?query={query}")["result"]
                except OSError:
                    result = []
                if result and result[0]["value"][1] == "20":
                    break
                assert monotonic() < end, result
                sleep(0.5)
            deployment.execute("REVOKE EXECUTE ON FUNCTION find_key FROM orgctx_reader")
            await_alert(asked, "OrgctxDatabaseUnready")
            deployment.execute("GRANT EXECUTE ON FUNCTION find_key TO orgctx_reader")
            proxy.set(REFUSE)
            await_alert(asked, "OrgctxRedisUnready")
            running.process.kill()
            await_alert(asked, "OrgctxDown")
