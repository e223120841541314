"""A load never changes the kind of a source that is stored."""

from __future__ import annotations

import pytest

from orgctx.bundle import BundleError
from tests.support import factories as make
from tests.support.deployment import Deployment


@pytest.mark.parametrize("kinds", [("notes",), ("notes", "docs"), ("notes", "docs", "notes")])
def test_load_compares_kinds_with_the_stored_source(
    own_acme: Deployment, kinds: tuple[str, ...]
) -> None:
    """Many sources, because a sort may keep a few in the right order by chance."""
    source_ids = [f"docs:{number}" for number in range(200)]
    own_acme.load(make.source("docs", source_id) for source_id in source_ids)
    records = [make.source(kind, source_id) for source_id in source_ids for kind in kinds]
    with pytest.raises(BundleError) as caught:
        own_acme.load(records)
    rejected = [number for number, one in enumerate(records, 1) if one["data"]["kind"] == "notes"]
    message = "data.kind cannot change: this source is of kind docs"
    assert list(caught.value.errors) == [f"record:{number}: {message}" for number in rejected[:20]]
    assert own_acme.execute("SELECT count(*) FROM sources WHERE kind = 'notes'") == [(1,)]
