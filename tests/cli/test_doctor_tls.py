"""orgctx doctor with a PostgreSQL that supports TLS, at an address that could be remote."""

import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest

from tests.cli.certificate import self_signed
from tests.cli.test_doctor import message_of, statuses
from tests.support.deployment import Deployment
from tests.support.processes import free_port
from tests.support.programs import POSTGRESQL, need, unprivileged
from tests.support.waiting import until

pytestmark = pytest.mark.system

INITDB_OPTIONS = ("-A", "trust", "-E", "UTF8", "-U", "postgres", "--no-sync")


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    """The URL of a new database, without sslmode."""
    need("openssl", "unshare", str(POSTGRESQL / "postgres"))
    data, port = tmp_path / "data", free_port()
    settings = {
        "ssl": "on", "listen_addresses": "127.0.0.1", "port": port, "fsync": "off",
        "unix_socket_directories": "",
    }  # fmt: skip
    initdb: list[str | Path] = [POSTGRESQL / "initdb", "-D", data, *INITDB_OPTIONS]
    subprocess.run([*unprivileged(), *initdb], check=True, capture_output=True)
    # The default paths of ssl_cert_file and ssl_key_file.
    self_signed(data / "server.crt", data / "server.key")
    options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
    url = f"postgresql://postgres@0.0.0.0:{port}/postgres"
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(
            [*unprivileged(), POSTGRESQL / "postgres", "-D", data, *options], stderr=log
        )

    def is_ready() -> bool:
        psycopg.connect(url).close()
        return True

    try:
        until(is_ready, "PostgreSQL did not start")
        yield url
    finally:
        process.terminate()
        process.wait(60)


def test_doctor_warns_of_a_connection_without_tls(url: str, deployment: Deployment) -> None:
    """libpq uses TLS by default if the server supports it."""
    urls = {"ORGCTX_DATABASE_URL": url, "ORGCTX_ADMIN_DATABASE_URL": url}
    assert deployment.cli("migrate", **urls).exit_code == 0
    own = Deployment(url, deployment.redis_url).with_service_login()
    for mode, status in (("", "ok"), ("?sslmode=require", "ok"), ("?sslmode=disable", "warning")):
        service = own.database_url + mode.replace("?", " ")
        result = replace(own, database_url=service, admin_database_url=url + mode).cli("doctor")
        assert result.exit_code == 0, result.stdout
        both = [statuses(result)[name] for name in ("database", "admin database")]
        assert both == [status] * 2, (mode, result.stdout)
        assert ("is not encrypted" in result.stdout) == (status == "warning")


def test_doctor_names_an_untrusted_certificate(
    url: str, deployment: Deployment, tmp_path: Path
) -> None:
    other = tmp_path / "other.crt"
    self_signed(other, tmp_path / "other.key")
    own = replace(deployment, database_url=url, admin_database_url="")
    for options, message in (
        (f"?sslmode=verify-ca&sslrootcert={other}", "certificate verify failed"),
        (f"?sslmode=verify-ca&sslrootcert={tmp_path}/absent.crt", "does not exist"),
        (
            f"?sslmode=verify-full&sslrootcert={tmp_path}/data/server.crt",
            "not match host name",
        ),
    ):
        result = replace(own, database_url=url + options).cli("doctor")
        assert message in message_of(result, "database", "failed")
