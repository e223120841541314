"""Every stored text has a maximum, so that no response exceeds its own."""

import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from marshmallow import Schema

from orgctx.bundle.loader import MAX_FOLDER_DEPTH, MAX_SOURCES
from orgctx.bundle.reading import BundleError
from orgctx.bundle.records import TYPES
from orgctx.operations.source_payload import ContextSource
from orgctx.resources.catalog import OPERATIONS
from orgctx.resources.knowledge.segment import MAX_CONTENT_UNITS
from orgctx.resources.telegram.schemas import MAX_TEXT_BYTES
from orgctx.resources.x import MAX_TEXT
from orgctx.schemas.fields import LONGEST_CHARACTER, MAX_NAME, MAX_URL, List, Nested, Text
from orgctx.schemas.formats import Link, Uri, Url
from orgctx.schemas.payload import MAX_ANSWER_BYTES, fields_of
from orgctx.stores.pool import Pool
from tests.support import factories as make
from tests.support.deployment import Deployment

# Bytes of the envelope, besides the data.
OVERHEAD = 64 * 1024


def longest(field: Any) -> int:
    """The most bytes that a value takes as JSON; a text or list must have a maximum."""
    if isinstance(field, List):
        assert field.maximum is not None, f"{field.name} has no maximum"
        return int(field.maximum * (longest(field.inner) + 1) + 2)
    if isinstance(field, Nested):
        return longest_object(type(field.schema))
    if isinstance(field, Text):
        assert field.maximum is not None, f"{field.name} has no maximum"
        character = 4 if isinstance(field, Link | Url | Uri) else LONGEST_CHARACTER
        return int(field.max_bytes or field.maximum * character) + 2
    return 64


def longest_object(schema: type[Schema]) -> int:
    return sum(len(name) + 4 + longest(field) for name, field in fields_of(schema).items()) + 2


@pytest.mark.parametrize("name", TYPES)
def test_stored_text_has_a_maximum(name: str) -> None:
    assert longest_object(TYPES[name].schema) > 0


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_response_fits_its_maximum(operation: Any) -> None:
    if lists_sources(operation):
        return  # test_largest_organization_is_answered
    items = page_size(operation) if operation.is_list else 1
    assert items * longest_object(operation.payload) + OVERHEAD <= MAX_ANSWER_BYTES


def lists_sources(operation: Any) -> bool:
    return operation.payload is ContextSource or "sources" in {
        name for name, field in fields_of(operation.payload).items() if isinstance(field, List)
    }


def page_size(operation: Any) -> int:
    arguments = fields_of(operation.arguments)
    if "limit" in arguments:
        # A page that a caller asks to be larger may be too long; then it is 400.
        return int(arguments["limit"].load_default)
    service = vars(sys.modules[operation.service.__module__])
    largest: int = max(size for name, size in service.items() if name.endswith("PAGE_SIZE"))
    return largest


LENGTHS = [
    (make.folder, "name", "a" * MAX_NAME, True),
    (make.folder, "name", "a" * (MAX_NAME + 1), False),
    (make.message, "text", "a" * MAX_TEXT_BYTES, True),
    (make.message, "text", "a" * (MAX_TEXT_BYTES + 1), False),
    (make.message, "text", "\x01" * (MAX_TEXT_BYTES // 6), True),
    (make.message, "text", "\x01" * (MAX_TEXT_BYTES // 6 + 1), False),
    (make.mention, "text", "🚢" * MAX_TEXT, True),
    (make.mention, "text", "a" * (MAX_TEXT + 1), False),
    (make.mention, "text", "\x01" * MAX_TEXT, False),
    (make.source, "label", "ß" * MAX_NAME, True),
    (make.source, "label", "ß" * (MAX_NAME + 1), False),
    (make.source, "description", "d" * 1_000, True),
    (make.source, "description", "d" * 1_001, False),
    (make.knowledge, "content", "🚢" * (MAX_CONTENT_UNITS // 2 + 1), False),
]


@pytest.fixture(scope="module")
def loaded(module_deployment: Deployment) -> Deployment:
    module_deployment.load(make.everything())
    return module_deployment


def test_text_is_refused_above_its_maximum(loaded: Deployment) -> None:
    loaded.load(record(**{field: text}) for record, field, text, fits in LENGTHS if fits)
    large = [(record(**{field: text}), field) for record, field, text, fits in LENGTHS if not fits]
    with pytest.raises(BundleError) as caught:
        loaded.load(record for record, _ in large)
    for (_, field), message in zip(large, caught.value.errors, strict=True):
        assert f"data.{field} must " in message


def error(loaded: Deployment, *records: dict[str, Any]) -> str:
    """The last error of a load."""
    with pytest.raises(BundleError) as caught:
        loaded.load(list(records))
    return caught.value.errors[-1]


LINKS: list[tuple[Any, str]] = [
    (lambda link: make.source(href=link), "href"),
    (lambda link: make.knowledge(sourceHref=link), "sourceHref"),
    (lambda link: make.asset(public=True, publicUrl=link), "publicUrl"),
    (lambda link: make.mention(url=link), "url"),
    (
        lambda link: make.mention(media=[{"type": "photo", "url": link, "previewUrl": link}]),
        "media.0.url",
    ),
]
UNSAFE = [
    "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "JAVASCRIPT:x", "vbscript:x",
    "//evil.example", " https://a.example", "https://a b", "https://a\nb", "ftp://a.example",
    "https://" + "a" * MAX_URL, "",
]  # fmt: skip


@pytest.mark.parametrize(("record", "field"), LINKS, ids=[field for _, field in LINKS])
def test_unsafe_link_is_refused(loaded: Deployment, record: Any, field: str) -> None:
    with pytest.raises(BundleError) as caught:
        loaded.load([record(link) for link in UNSAFE])
    assert len(caught.value.errors) == len(UNSAFE)
    assert all(f"data.{field} must be an http" in error for error in caught.value.errors)


def test_link_with_a_broken_escape_is_refused(loaded: Deployment) -> None:
    links = ("/api/v1/assets/%", "https://a.example/%zz", "mailto:a%2")
    with pytest.raises(BundleError) as caught:
        loaded.load(record(link) for link in links for record, _ in LINKS[:2])
    fields = [field for _ in links for _, field in LINKS[:2]]
    for field, message in zip(fields, caught.value.errors, strict=True):
        assert f"data.{field} must be an http" in message
        assert "encode a % that begins no escape such as %20 as %25" in message


def test_safe_links_are_loaded(loaded: Deployment) -> None:
    for link in (
        "mailto:a@b.example", "/api/v1/assets/%C3%a9", "/api/v1/assets", "https://é.example/?q=ü",
    ):  # fmt: skip
        loaded.load([make.source(href=link), make.knowledge(sourceHref=link)])


def nested(count: int, name: str = "deep") -> list[dict[str, Any]]:
    """A chain of nested folders."""
    return [
        make.folder(f"{name}{n}", parentId=make.uuid(f"{name}{n - 1}") if n else None)
        for n in range(count)
    ]


def test_folder_depth_has_a_maximum(loaded: Deployment) -> None:
    loaded.load(nested(MAX_FOLDER_DEPTH))
    assert f"folders can be nested at most {MAX_FOLDER_DEPTH} levels deep" in error(
        loaded, *nested(1_200, "deeper")
    )
    one_more = make.asset("below", parentId=make.uuid(f"deep{MAX_FOLDER_DEPTH - 1}"))
    assert "deep" in error(loaded, one_more)
    assert "deep" in error(loaded, make.folder("deep0", parentId=make.uuid("Brand")))
    loaded.load([make.folder("deep1", parentId=make.uuid("Brand"))])
    # Deleting a folder deletes its contents.
    loaded.load([make.delete("asset", make.uuid("Brand")), make.folder()])


def test_folder_cycle_is_refused(loaded: Deployment) -> None:
    loaded.load(nested(3, "round"))
    back = make.folder("round0", parentId=make.uuid("round2"))
    assert "creates a cycle" in error(loaded, back)
    first = make.folder("new0", parentId=make.uuid("new2"))
    assert "creates a cycle" in error(loaded, *nested(3, "new"), first)
    itself = make.folder("own", parentId=make.uuid("own"))
    assert "data.parentId must not be the asset itself" in error(loaded, itself)


def test_largest_organization_is_answered(own_acme: Deployment, monkeypatch: Any) -> None:
    """Answers that list all sources fit, and one whose caller is rejected reads no source."""

    def source(number: int, **texts: str) -> dict[str, Any]:
        link = f"https://a.example/{'l' * 2_000}"
        return make.source("docs", f"docs:{number:04}{'i' * 140}", href=link, **texts)

    ((stored,),) = own_acme.execute("SELECT count(*) FROM sources")
    count = MAX_SOURCES - stored
    own_acme.load([source(n, label="\x01" * 290, description="\x01" * 400) for n in range(count)])
    own_acme.approve(make.ACME, make.OWNER)
    longest = {"label": "\x01" * 512, "description": "\x01" * 1_000}
    for last, text in (
        (source(count), f"an organization has at most {MAX_SOURCES} sources"),
        (source(9, **longest), "texts of all sources"),
    ):
        with pytest.raises(BundleError, match=text):
            own_acme.load([*(source(n, **longest) for n in range(9)), last])
    with own_acme.client(own_acme.issue_key(make.ACME, make.OWNER), limit_key=6) as client:
        run: list[str] = []
        query_all = Pool.query_all

        def note(pool: Pool, statements: Any, *arguments: Any) -> Any:
            run.extend(name for name, _ in statements)
            return query_all(pool, statements, *arguments)

        monkeypatch.setattr(Pool, "query_all", note)
        for path in ("context", "sources", "search"):
            assert client.get(f"/api/v1/{path}").status_code == 200
        run.clear()
        statuses = [
            client.get(f"/api/v1/{path}").status_code for path in ("none", "people", "x", "x")
        ]
        assert statuses == [404, 200, 404, 429]
        # Requests that are rejected at the same time do not find the cache empty.
        with ThreadPoolExecutor(8) as threads:
            responses = threads.map(client.get, ["/api/v1/x"] * 40)
            assert {response.status_code for response in responses} == {429}
        assert "gate/read_caller" not in run
