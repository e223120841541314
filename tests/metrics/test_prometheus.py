"""Prometheus scrapes a running service, and each killed process fires one alert."""

import json
import os
import re
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from urllib.parse import quote
from urllib.request import urlopen

import pytest
import yaml
from psycopg.conninfo import conninfo_to_dict
from redis import Redis

from orgctx.embedded import servers as embedded_servers
from tests.metrics.test_scrape import served
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.processes import ROOT, descendants, free_port, need, run
from tests.support.proxies import proxied
from tests.support.proxy import Proxy, database_address
from tests.support.redis_servers import Node
from tests.support.waiting import until

pytestmark = [pytest.mark.system, pytest.mark.timeout(900)]

ALERTS, CONFIGURATION = ROOT / "deploy/alerts.yml", ROOT / "deploy/prometheus.yml"
EXPORTER = "prometheus-blackbox-exporter"
# On a busy machine, one scrape may fail, so an alert needs two. Then wait for a second alert.
SCRAPE_SECONDS, FOR_SECONDS, SECOND_ALERT_SECONDS = 3, 5, 10


def test_promtool_accepts_rules_and_configuration(tmp_path: Path) -> None:
    need("promtool")
    for kind, path in (("rules", ALERTS), ("config", CONFIGURATION)):
        run("promtool", "check", kind, path)


def test_alerts_fire_and_resolve(tmp_path: Path) -> None:
    need("promtool")
    for path in (ALERTS, Path(__file__).with_name("alerts.test.yml")):
        (tmp_path / path.name).write_text(path.read_text())
    run("promtool", "test", "rules", "alerts.test.yml", cwd=tmp_path)


@contextmanager
def running(command: list[str], log: Path, **variables: str) -> Iterator[None]:
    environment = {**os.environ, **variables}
    with log.open("wb") as file, subprocess.Popen(command, stderr=file, env=environment) as process:
        try:
            yield
        finally:
            process.terminate()


@contextmanager
def blackbox(directory: Path) -> Iterator[int]:
    port, path = free_port(), directory / "blackbox.yml"
    path.write_text("modules: {http_2xx: {prober: http}}\n")
    command = [EXPORTER, f"--config.file={path}", f"--web.listen-address=127.0.0.1:{port}"]
    with running(command, directory / "blackbox.log"):
        yield port


@contextmanager
def prometheus(directory: Path, **addresses: object) -> Iterator[int]:
    """Run Prometheus with the configuration of `deploy/` and shorter intervals.

    addresses: targets by job; jobs without a target are removed.
    """
    rules = yaml.safe_load(ALERTS.read_text())
    for rule in rules["groups"][0]["rules"]:
        if rule.get("for") in ("1m", "5m"):
            rule["for"] = f"{FOR_SECONDS}s"
    (directory / "alerts.yml").write_text(yaml.safe_dump(rules))
    config = yaml.safe_load(CONFIGURATION.read_text())
    config["global"] = {"evaluation_interval": "1s"}
    config["scrape_configs"] = [
        job for job in config["scrape_configs"] if job["job_name"] in addresses
    ]
    for job in config["scrape_configs"]:
        job["scrape_interval"] = job["scrape_timeout"] = f"{SCRAPE_SECONDS}s"
        job["static_configs"][0]["targets"] = [str(addresses[job["job_name"]])]
        for rule in job.get("relabel_configs", ()):
            if "replacement" in rule:
                rule["replacement"] = str(addresses["blackbox"])
    (directory / "prometheus.yml").write_text(yaml.safe_dump(config))
    port = free_port()
    command = [
        "prometheus", f"--config.file={directory}/prometheus.yml",
        f"--storage.tsdb.path={directory}/data", f"--web.listen-address=127.0.0.1:{port}",
    ]  # fmt: skip
    with running(command, directory / "prometheus.log"):
        yield port


def ask(port: int, path: str) -> Any:
    """The data of a response of Prometheus's API; empty until Prometheus runs."""
    try:
        with urlopen(f"http://127.0.0.1:{port}/api/v1/{path}", timeout=10) as answer:
            return json.load(answer)["data"]
    except OSError:
        return {}


def firing(port: int) -> set[str]:
    """The alerts that fire, by their name and the check that they name, if any."""
    alerts = [
        alert for alert in ask(port, "alerts").get("alerts", ()) if alert["state"] == "firing"
    ]
    labels = [alert["labels"] for alert in alerts]
    return {" ".join((one["alertname"], one.get("check", ""))).strip() for one in labels}


def await_value(port: int, query: str, wanted: str) -> None:
    def is_reached() -> bool:
        result = ask(port, f"query?query={quote(query)}").get("result", ())
        return [row["value"][1] for row in result] == [wanted]

    until(is_reached, f"{query} is not {wanted}")


def await_one_alert(
    port: int, name: str, kill: Callable[[], Any], *then: Callable[[], Any]
) -> None:
    """Wait until this alert fires. No second alert may fire, whatever `then` does."""
    before = firing(port)
    kill()

    def is_fired() -> bool:
        alerts = firing(port) - before
        assert alerts <= {name}
        return name in alerts

    until(is_fired, f"no {name}")
    for act in then:
        act()
    end = monotonic() + SECOND_ALERT_SECONDS
    while monotonic() < end:
        assert firing(port) - before <= {name}
        sleep(0.5)


def test_killed_master_fires_one_alert(own_acme: Deployment, tmp_path: Path) -> None:
    need("prometheus")
    key = own_acme.issue_key(make.ACME, make.OWNER)
    port = free_port()
    with prometheus(tmp_path, orgctx=f"127.0.0.1:{port}") as server:
        with served(own_acme, port) as (service, _):
            for _ in range(20):
                assert service.get("/api/v1/context", key).status == 200
            await_value(server, 'sum(orgctx_requests_total{operation="get_context"})', "20")
            os.kill(service.workers().pop(), signal.SIGKILL)
            assert firing(server) == set()
            await_one_alert(server, "OrgctxDown", service.process.kill)
        with served(own_acme, port):
            until(lambda: not firing(server))


def test_killed_proxy_redis_and_postgresql_fire_one_alert_each(tmp_path: Path) -> None:
    need("prometheus", "nginx", EXPORTER)
    tmp_path.chmod(0o755)
    with embedded_servers(tmp_path / "servers", durable=False) as stores:
        deployment = Deployment(stores.database_url, stores.redis_url)
        deployment.cli("migrate").done()
        deployment.load_acme()
        key = deployment.issue_key(make.ACME, make.OWNER)
        with Redis.from_url(stores.redis_url) as client:
            redis = int(client.info("server")["process_id"])
        [[started]] = deployment.execute("SELECT pg_read_file('postmaster.pid')")
        with (
            served(deployment, trusted_proxy_hops=1) as (service, port),
            blackbox(tmp_path) as prober,
            proxied(
                "nginx.conf", tmp_path, {"127.0.0.1:8000": f"127.0.0.1:{service.port}"}
            ) as proxy,
            prometheus(tmp_path, **{
                "orgctx": f"127.0.0.1:{port}",
                "orgctx-public": f"http://127.0.0.1:{proxy.port}/healthz",
                "blackbox": f"127.0.0.1:{prober}",
            }) as server,
        ):  # fmt: skip
            await_value(server, "min(orgctx_ready)", "1")
            await_value(server, "probe_success", "1")

            def kill_proxy() -> None:
                for pid in [proxy.process.pid, *descendants(proxy.process.pid)]:
                    os.kill(pid, signal.SIGKILL)

            def use_it() -> None:
                """Send requests that fail because of the same store."""
                for _ in range(20):
                    assert service.get("/api/v1/context", key).status == 503

            revoke = "REVOKE EXECUTE ON FUNCTION find_caller FROM orgctx_reader"
            unready = "OrgctxNotReady database"
            await_one_alert(server, unready, lambda: deployment.execute(revoke), use_it)
            deployment.execute("GRANT EXECUTE ON FUNCTION find_caller TO orgctx_reader")
            await_value(server, "min(orgctx_ready)", "1")
            await_one_alert(server, "OrgctxUnreachable", kill_proxy)
            await_one_alert(server, "OrgctxNotReady redis", lambda: os.kill(redis, signal.SIGKILL))
            postmaster = int(started.split()[0])
            await_one_alert(server, unready, lambda: os.kill(postmaster, signal.SIGKILL), use_it)


FILES = (ROOT / "deploy/alerts.yml", ROOT / "deploy/grafana/orgctx.json")
METRIC = re.compile(r"\b(?:node|pg|redis)_[a-z_]+")


@contextmanager
def exported(name: str, *arguments: str, **variables: str) -> Iterator[str]:
    """Run an exporter. Yields what it exports."""
    need(name)
    port = free_port()
    command = [name, f"--web.listen-address=127.0.0.1:{port}", *arguments]
    with running(command, Path(os.devnull), **variables):
        until(lambda: urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10).read())
        yield urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10).read().decode()


def test_exporters_have_the_metrics_of_the_alerts(deployment: Deployment, tmp_path: Path) -> None:
    given = conninfo_to_dict(deployment.database_url)
    node = Node(tmp_path / "valkey", {})
    with ExitStack() as stack:
        stack.callback(node.die)
        node.start()
        proxy = stack.enter_context(Proxy(database_address(deployment.database_url)))
        source = (
            f"host=127.0.0.1 port={proxy.port} user={given['user']} dbname={given['dbname']}"
            f" password={given.get('password', '')} sslmode=disable"
        )
        texts = [
            stack.enter_context(one)
            for one in (
                exported("prometheus-node-exporter"),
                exported("prometheus-postgres-exporter", DATA_SOURCE_NAME=source),
                exported("prometheus-redis-exporter", f"--redis.addr={node.url}"),
            )
        ]
    known = {line.partition("{")[0].split()[0] for text in texts for line in text.splitlines()}
    wanted = {name for path in FILES for name in METRIC.findall(path.read_text())}
    assert len(wanted) > 4
    assert wanted <= known, wanted - known
