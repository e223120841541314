"""Fixtures of property tests: a loaded API for each module."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

import psycopg
import pytest
from flask import Flask

from orgctx.schemas.text import CJK
from tests.contract.conftest import Api
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.factories import Record


@pytest.fixture(scope="module")
def module_app(module_deployment: Deployment) -> Iterator[Flask]:
    with module_deployment.app() as app:
        yield app


@pytest.fixture(scope="module")
def module_api(module_deployment: Deployment, module_app: Flask) -> Api:
    """The API on the module's own data. Unlike in contract tests, no schema is checked."""
    return Api(module_deployment, module_app.test_client())


@pytest.fixture(scope="module")
def admin(module_deployment: Deployment) -> Iterator[psycopg.Connection[Any]]:
    """A connection that may write; it makes changes faster than a command would."""
    with psycopg.connect(module_deployment.admin_url, autocommit=True) as connection:
        yield connection


@pytest.fixture(scope="module")
def lower(admin: psycopg.Connection[Any]) -> Callable[[str], str]:
    """PostgreSQL's lower(), because it decides which texts are equal if case is ignored."""

    @cache
    def lower(text: str) -> str:
        row = admin.execute("SELECT lower(%s)", [text]).fetchone()
        assert row
        return str(row[0])

    return lower


# Unicode's White_Space.
SPACES = "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008"
SPACES += "\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
SPACE_RUN = re.compile(f"[{SPACES}]+")


def is_cjk(character: str) -> bool:
    return bool(re.fullmatch(f"[{CJK}]", character))


@cache  # because a test examines the same long texts again and again
def letters(text: str) -> list[tuple[str, int, int]]:
    """The characters of a folded text, each with the beginning and end of what it stands for."""
    found: list[tuple[str, int, int]] = []
    for place, original in enumerate(text):
        form = unicodedata.decomposition(original).split()
        wide = form and form[0] in ("<wide>", "<narrow>")
        character = " " if original in SPACES else chr(int(form[1], 16)) if wide else original
        before, start, _ = found[-1] if found else ("", 0, 0)
        if character == before == " ":
            found[-1] = (" ", start, place + 1)
        elif (
            before
            and original in "ﾞﾟ"
            and len(both := unicodedata.normalize("NFC", before + character)) == 1
        ):
            found[-1] = (both, start, place + 1)
        else:
            found.append((character, place, place + 1))
    neighbors = zip(
        ["", *(letter for letter, *_ in found)], found, [*found[1:], ("", 0, 0)], strict=False
    )
    return [
        letter
        for before, letter, (after, *_) in neighbors
        if letter[0] != " " or not (is_cjk(before) and is_cjk(after))
    ]


@pytest.fixture(scope="module")
def fold(lower: Callable[[str], str]) -> Callable[[str], str]:
    """Fold a text as searches do."""
    return cache(lambda text: "".join(letter for letter, *_ in letters(lower(text))))


def load(api: Api, records: Iterable[Record]) -> None:
    """Load records and approve every source."""
    api.deployment.load(records)
    api.deployment.approve(make.ACME, make.OWNER)
