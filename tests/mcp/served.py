"""The endpoint of a shipped server with one worker, for clients that are separate programs."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tests.support import service
from tests.support.deployment import Deployment


@dataclass(frozen=True)
class Served:
    """A running server: its address and key."""

    port: int
    key: str

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/api/mcp"


@contextmanager
def serve(deployment: Deployment, key: str, **settings: object) -> Iterator[Served]:
    """Run it while the block runs. settings: of Config, in lower case."""
    with service.serve(deployment, workers=1, **settings) as running:
        yield Served(running.port, key)
