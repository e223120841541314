"""On a full disk, a load stores nothing and says what to do; it works once there is space."""

import json
import resource
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random

import pytest

from orgctx.embedded import servers as embedded_servers
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.processes import limited

MIB = 1024 * 1024
# Files of the server may grow to the size of a log file, which is less than the bundle needs.
LARGEST_FILE = 16 * MIB

MENTIONS = 1_200

# A deployment without space, and a function that frees space and returns the new deployment.
Full = tuple[Deployment, Callable[[], Deployment]]


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """18 MiB of URLs that do not compress and are in no index."""
    random = Random(1)
    records = [make.organization(), *make.staff(), make.source("x", account="acme")]
    for number in range(MENTIONS):
        long = [f"https://x.com/{b64encode(random.randbytes(1_500)).decode()}" for _ in range(8)]
        media = [
            {"type": "photo", "url": url, "previewUrl": preview}
            for url, preview in zip(long[::2], long[1::2], strict=True)
        ]
        records.append(make.mention(number, media=media))
    path = tmp_path / "bundle.jsonl"
    path.write_text("\n".join(map(json.dumps, records)))
    return path


@contextmanager
def filled(directory: Path) -> Iterator[Full]:
    """Limit the size of the server's files, which it reports as a full disk, until a restart."""
    with ExitStack() as again, ExitStack() as first:
        with limited(resource.RLIMIT_FSIZE, LARGEST_FILE):
            running = first.enter_context(embedded_servers(directory, durable=False))

        def lift() -> Deployment:
            first.close()
            running = again.enter_context(embedded_servers(directory, durable=False))
            return Deployment(running.database_url, running.redis_url)

        yield Deployment(running.database_url, running.redis_url), lift


@pytest.mark.thorough
def test_load_on_a_full_disk_stores_nothing(tmp_path: Path, bundle: Path) -> None:
    with filled(tmp_path / "servers") as (deployment, give_space):
        deployment.cli("migrate").done()
        failed = deployment.cli("load", bundle)
        assert failed.exit_code == 1
        assert failed.stdout == ""
        (line,) = failed.stderr.splitlines()
        assert "The database server is out of disk space (could not" in line
        assert "nothing was changed. Free some space there" in line
        for table in ("organizations", "sources", "x_mentions", "people"):
            assert deployment.execute(f"SELECT count(*) FROM {table}") == [(0,)]
        deployment = give_space()
        counts = deployment.cli("load", bundle, "--json").json()
        assert counts["x.mention"]["created"] == MENTIONS
        assert deployment.execute("SELECT count(*) FROM x_mentions") == [(MENTIONS,)]
