"""An attack in each text field of each record type does nothing."""

from collections.abc import Iterator
from hashlib import sha256

import pytest
from marshmallow import ValidationError

from orgctx.bundle.records import TYPES
from orgctx.schemas.fields import Text
from orgctx.schemas.formats import Uri, Url
from tests.page.browser import Open
from tests.page.walk import walk
from tests.support import factories as make
from tests.support import organizations as orgs
from tests.support.deployment import Deployment
from tests.support.factories import Record
from tests.support.marked import changed
from tests.support.service import Running, serve

pytestmark = pytest.mark.system

# A field gets the first that it accepts: markup, Markdown, or an end of an attribute.
ATTACKS = (
    "{mark}\"'><img src=//evil.example/a onerror=alert(1)><script>alert(1)</script>"
    "<svg onload=alert(1)><style>body{{display:none}}</style><base href=//evil.example>"
    "<meta http-equiv=refresh content=0;url=//evil.example><form action=//evil.example>\n\n"
    "[a](javascript:alert(1)) ![b](https://evil.example/b.png) <javascript:alert(1)> "
    "[c](data:text/html,<script>alert(1)</script>) ${{alert(1)}} {{{{constructor}}}}",
    "{mark}\"'><img src=x onerror=alert(1)>",
    "https://evil.example/{mark}?'\"><img/src=x onerror=alert(1)>",
    "https://evil.example/{mark}",
    "javascript:alert('{mark}')",
    "{mark}",
)
INNOCENT = """() => ({
    scripts: [...document.scripts].filter(one => !one.src.startsWith(location.origin)).length,
    pictures: [...document.images].filter(one => !/\\/icon-\\w+\\.svg$/.test(one.src)).length,
    styles: document.querySelectorAll("style, base, iframe, object, meta[http-equiv]").length,
    forms: document.querySelectorAll("form[action]").length,
    handlers: [...document.querySelectorAll("*")].filter(one =>
        one.getAttributeNames().some(name => name.startsWith("on"))).length,
    links: [...document.links].filter(one => new URL(one.href).origin !== location.origin
        || !/^https?:$/.test(new URL(one.href).protocol)).length,
})"""


def attacked(record: Record, marks: dict[str, str]) -> Record:
    """Put an attack into each text of a record. marks: gets which text each replaces."""
    return changed(record, lambda field, value: _attack(field, value, marks))


def _attack(field: Text, value: str, marks: dict[str, str]) -> str:
    """The worst attack that the field accepts. Equal texts get equal ones, so references hold."""
    mark = f"attack{sha256(value.encode()).hexdigest()[:12]}"
    for attack in ATTACKS:
        text = attack.format(mark=mark)
        try:
            field.parse(text)
        except ValidationError:
            continue
        # The page shows the address if somebody wants to go there.
        if not isinstance(field, Url | Uri):
            marks[mark] = f"{field.name} {value[:60]}"
        return text
    return value


@pytest.fixture(scope="module")
def marks() -> dict[str, str]:
    """The meaning of each mark."""
    return {}


@pytest.fixture(scope="module")
def attacked_organization(
    module_deployment: Deployment, marks: dict[str, str]
) -> Iterator[Running]:
    """AMBER with attacks in all records except members, whom no answer names."""
    records = list(orgs.records(orgs.AMBER))
    assert {record["type"] for record in records} == set(TYPES)
    unseen: dict[str, str] = {}
    module_deployment.load(
        attacked(record, unseen if record["type"] == "member" else marks) for record in records
    )
    module_deployment.approve(orgs.AMBER.id, make.OWNER)
    with serve(module_deployment, module_deployment.issue_key(orgs.AMBER.id, make.OWNER)) as served:
        yield served


def test_untrusted_text_is_shown_and_inert(
    visit: Open, attacked_organization: Running, marks: dict[str, str]
) -> None:
    seen = visit(attacked_organization)
    seen.page.on("dialog", lambda dialog: seen.errors.append(f"dialog {dialog.message}"))
    seen.open()
    seen.enter(attacked_organization.key)
    shown = ""
    for address in walk(seen):
        shown += seen.page.inner_text("body")
        counts = seen.page.evaluate(INNOCENT)
        assert not any(counts.values()), (address, counts)
        assert not seen.errors, address
    assert seen.hosts() == {f"127.0.0.1:{attacked_organization.port}"}
    assert len(marks) > 30
    assert not [where for mark, where in marks.items() if mark not in shown]


def test_untrusted_link_shows_its_address_first(
    explore: Open, attacked_organization: Running
) -> None:
    """The first click opens nothing; it shows where the link leads."""
    seen = explore(attacked_organization, "#/explore/mentions")
    dialog = seen.page.get_by_role("dialog")
    seen.page.get_by_role("button", name="Open the post").first.click()
    link = dialog.get_by_role("link", name="Open in a new tab")
    assert link.get_attribute("rel") == "noopener noreferrer nofollow"
    assert (link.get_attribute("href") or "") in dialog.inner_text()
    seen.page.keyboard.press("Escape")
    dialog.wait_for(state="hidden")
