"""An organization with staff, sources and records, and a terminal without settings."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from orgctx.embedded import Servers
from tests.cli.terminal import Terminal
from tests.support import factories as f
from tests.support.deployment import Deployment, as_template, copied


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    return Terminal(tmp_path)


@pytest.fixture(scope="session")
def unapproved_template(servers: Servers, template: str) -> Iterator[str]:
    """The name of a database with Acme and Other, to copy."""
    other = f.uuid("other")
    with copied(servers, template) as deployment:
        deployment.load(
            [
                *f.everything(),
                f.organization(other, slug="other", displayName="Other"),
                f.member(f.uuid("stranger"), organization_id=other),
            ]
        )
        yield as_template(deployment)


@pytest.fixture
def acme(servers: Servers, unapproved_template: str, redis_url: str) -> Iterator[Deployment]:
    """Acme with everything, and the empty organization Other with an owner."""
    with copied(servers, unapproved_template) as deployment:
        yield deployment
