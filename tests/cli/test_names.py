"""Names, labels and hints where commands take ids."""

from tests.cli.conftest import WHO
from tests.support import factories as f
from tests.support.deployment import Deployment

RIGHTS = ("--access", "both", "--scope", "context:read", "--expires-in-days", "7")
ACME = ("--organization", "acme")


def issue(deployment: Deployment, name: str) -> dict[str, str]:
    key: dict[str, str] = deployment.cli(
        "keys", "issue", *WHO, *RIGHTS, "--name", name, "--json"
    ).json()
    return key


def revoke(deployment: Deployment, key: str, *options: str) -> str:
    """Return the id of the revoked key, or the error message."""
    result = deployment.cli("keys", "revoke", key, "--by", f.OWNER, *options, "--json")
    return str(result.json()["id"]) if result.exit_code == 0 else result.stderr


def test_key_is_named_by_name_hint_or_id(acme: Deployment) -> None:
    laptop, phone, tablet = (issue(acme, name) for name in ("laptop", "phone", "tablet"))
    assert revoke(acme, "Laptop", *ACME) == laptop["id"]
    assert revoke(acme, phone["hint"], *ACME) == phone["id"]
    assert revoke(acme, tablet["id"]) == tablet["id"]
    # The only key with the name, although it is revoked. Then another gets the name.
    assert revoke(acme, "laptop", *ACME) == laptop["id"]
    again = issue(acme, "laptop")
    assert revoke(acme, "laptop", *ACME) == again["id"]


def test_ambiguous_name_lists_the_candidates(acme: Deployment) -> None:
    first = issue(acme, "laptop")
    issue(acme, "laptop")
    message = revoke(acme, "laptop", *ACME)
    assert "Several keys of organization 'acme' match 'laptop'." in message
    assert f"{first['id']} ({first['hint']}, active)" in message
    assert acme.execute("SELECT count(*) FROM api_keys WHERE revoked_at IS NOT NULL") == [(0,)]


def test_name_that_looks_like_another_is_rejected(acme: Deployment) -> None:
    for name in (" Lin", "Lin ", "  ", f.OWNER, f.OWNER.upper(), "octx_Ab1c", "a\u202eb"):
        for command in (
            ("keys", "issue", *WHO, *RIGHTS, f"--name={name}"),
            ("members", "add", *WHO, "--role", "member", name),
            ("organizations", "create", "new", "--owner", "Ada", f"--name={name}"),
        ):
            result = acme.cli(*command)
            assert result.exit_code == 2, name
            assert "printable characters" in result.stderr
    assert acme.execute("SELECT FROM api_keys") == []


def test_unknown_and_foreign_keys_are_not_found(acme: Deployment) -> None:
    key = issue(acme, "laptop")
    assert "no key named 'labtop'; did you mean 'laptop'?" in revoke(acme, "labtop", *ACME)
    assert "no key named ''" in revoke(acme, "", *ACME)
    assert "Unknown key" in revoke(acme, key["id"], "--organization", "other")
    assert "pass --organization too" in revoke(acme, "laptop")
    for options in (ACME, ()):
        message = revoke(acme, key["key"], *options)
        assert "not the key itself" in message
        assert key["key"][9:] not in message


def test_organization_is_named_by_id_or_slug(acme: Deployment) -> None:
    for name, error in (
        ("acme", ""),
        (f.ACME.upper(), ""),
        ("acne", "Unknown organization 'acne'; did you mean 'acme'?"),
    ):
        listed = acme.cli("members", "list", "--organization", name)
        assert error in listed.stderr
        assert bool(listed.stdout) == (listed.exit_code == 0) == (not error)
