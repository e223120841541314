"""An organization with staff, sources and records, and who decides in commands."""

from __future__ import annotations

import pytest

from tests.support import factories as f
from tests.support.deployment import Deployment

WHO = ("--organization", "acme", "--by", f.OWNER)


@pytest.fixture
def acme(deployment: Deployment) -> Deployment:
    """Acme with everything, and the empty organization Other with an owner."""
    other = f.uuid("other")
    deployment.load(
        [
            *f.everything(),
            f.organization(other, slug="other", displayName="Other"),
            f.member(f.uuid("stranger"), organization_id=other),
        ]
    )
    return deployment
