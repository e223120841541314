"""An organization with staff, sources and records, and a terminal without settings."""

from pathlib import Path

import pytest

from tests.cli.terminal import Terminal
from tests.conftest import copy_of, template_with
from tests.support import factories as f


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    return Terminal(tmp_path)


OTHER = f.uuid("other")
RECORDS = [
    *f.everything(),
    f.organization(OTHER, slug="other", displayName="Other"),
    f.member(f.uuid("stranger"), organization_id=OTHER),
]
# Acme with everything, unapproved, and the empty organization Other with an owner.
unapproved_template = template_with(lambda deployment: deployment.load(RECORDS))
acme = copy_of("unapproved_template", "function")
