"""Debian's exporters have the metrics that the alerts and the dashboard use."""

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest
from psycopg.conninfo import conninfo_to_dict

from tests.support.deployment import Deployment
from tests.support.processes import ROOT, free_port
from tests.support.programs import need
from tests.support.proxy import Proxy, database_address
from tests.support.redis_servers import Node
from tests.support.waiting import until

pytestmark = pytest.mark.system

FILES = (ROOT / "deploy/alerts.yml", ROOT / "deploy/grafana/orgctx.json")
METRIC = re.compile(r"\b(?:node|pg|redis)_[a-z_]+")


@contextmanager
def exported(name: str, *arguments: str, **variables: str) -> Iterator[str]:
    """Run an exporter. Yields what it exports."""
    need(name)
    port = free_port()
    command = [name, f"--web.listen-address=127.0.0.1:{port}", *arguments]
    environment = {**os.environ, **variables}
    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as process:
        try:
            until(lambda: urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10).read())
            yield urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10).read().decode()
        finally:
            process.terminate()


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
