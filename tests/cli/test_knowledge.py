"""orgctx knowledge: what it prints and rejects."""

from tests.cli.conftest import WHO
from tests.support import factories as f
from tests.support.deployment import Deployment

ONE, TWO = f.knowledge_id(1), f.knowledge_id(2)


def suppressed_ids(deployment: Deployment) -> set[str]:
    return {id_ for (id_,) in deployment.execute("SELECT knowledge_id FROM knowledge_suppressions")}


def test_suppress_and_restore_print_the_ids(acme: Deployment) -> None:
    acme.load([f.knowledge(2)])
    result = acme.cli("knowledge", "suppress", *WHO, ONE, TWO, ONE, "--json").json()
    assert result == {"suppressed": sorted([ONE, TWO])}
    assert acme.cli("knowledge", "restore", *WHO, TWO).stdout == f"restored {TWO}\n"
    assert suppressed_ids(acme) == {ONE}


def test_suppress_validates_ids_and_ignores_case(acme: Deployment) -> None:
    result = acme.cli("knowledge", "suppress", *WHO, "docs:7")
    assert result.exit_code == 2
    assert "must be docs:, note:, assets: or profile: and a UUID" in result.stderr
    assert "`orgctx knowledge list` prints ids." in result.stderr
    assert acme.cli("knowledge", "suppress", *WHO, f"docs:{f.uuid(1).upper()}").exit_code == 0
    assert suppressed_ids(acme) == {ONE}
