"""Visits of the page, and the two organizations that the browser shows."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.page.browser import Open, Visit
from tests.support import factories as make
from tests.support import organizations as orgs
from tests.support.deployment import Deployment
from tests.support.service import Running, serve


@pytest.fixture
def visit(opened: Open) -> Open:
    """`visit(served, **options)` prepares a visit; `explore` opens an address, too."""

    def begin(served: Running, **options: Any) -> Visit:
        return opened(served.base_url, **options)

    return begin


@pytest.fixture
def explore(visit: Open) -> Open:
    """`explore(served, address, **options)` opens an address and pastes the key."""

    def begin(served: Running, address: str = "", **options: Any) -> Visit:
        seen = visit(served, **options)
        seen.open(address)
        seen.enter(served.key)
        return seen

    return begin


@pytest.fixture(scope="module")
def harbor(module_deployment: Deployment) -> Iterator[Running]:
    """The preview organization, served, with a key that may read all that is approved."""
    from orgctx.demo import identities, organization

    module_deployment.load(organization.records())
    by = identities.DEMO_ADMIN_ID
    module_deployment.approve(identities.ORGANIZATION_ID, by, *organization.APPROVED)
    key = module_deployment.issue_key(identities.ORGANIZATION_ID, by)
    with serve(module_deployment, key) as served:
        yield served


@pytest.fixture(scope="module")
def amber(tenants: Deployment) -> Iterator[Running]:
    """AMBER beside the others, some of whose records have the same ids."""
    key = tenants.issue_key(orgs.AMBER.id, make.OWNER)
    with serve(tenants, key) as served:
        yield served
