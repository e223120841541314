"""The two organizations that the browser shows."""

from collections.abc import Iterator

import pytest

from tests.mcp.served import Served, serve
from tests.support import factories as make
from tests.support import organizations as orgs
from tests.support.deployment import Deployment


@pytest.fixture(scope="module")
def harbor(module_deployment: Deployment) -> Iterator[Served]:
    """The preview organization, served, with a key that may read all that is approved."""
    from orgctx.demo import identities, organization

    module_deployment.load(organization.records())
    by = identities.DEMO_ADMIN_ID
    module_deployment.approve(identities.ORGANIZATION_ID, by, *identities.APPROVED)
    key = module_deployment.issue_key(identities.ORGANIZATION_ID, by)
    with serve(module_deployment, key) as served:
        yield served


@pytest.fixture(scope="module")
def amber(tenants: Deployment) -> Iterator[Served]:
    """AMBER beside the others, some of whose records have the same ids."""
    key = tenants.issue_key(orgs.AMBER.id, make.OWNER)
    with serve(tenants, key) as served:
        yield served
