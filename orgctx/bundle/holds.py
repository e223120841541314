"""Hold documents until a member releases them, and end the holds whose reason is gone."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from hashlib import sha256
from shlex import quote
from typing import Any, NamedTuple
from uuid import UUID

import psycopg
from psycopg.rows import tuple_row

from orgctx.bundle.counts import Summary
from orgctx.bundle.secret_kinds import certain_secrets
from orgctx.schemas.text import counted, utf16_length
from orgctx.stores.db import sql

# The prefixes of ids of items that can be held. Others are the profile and the token.
PREFIXES = ("docs:", "note:", "assets:")
# What commands call the reasons.
REASONS = {
    "new": "new in a source that holds new documents, or with the text of one",
    "secret": "with a secret",
    "same text": "with the text of a suppressed document",
}
LINE_ENDS = re.compile(r"(?<![ \t\r])[ \t\r]+(?=\n)")
# Shorter texts are equal by chance.
SHORTEST_TEXT = 40


class HoldChange(NamedTuple):
    """A hold that began or ended. reason: `new`, `secret` or `same text`."""

    organization_id: UUID
    knowledge_id: str
    source_id: str
    reason: str
    is_held: bool


def text_digest(id_: str, content: str) -> bytes | None:
    """Return the digest by which copies of a document are recognized; None if it is short."""
    text = content.rstrip(" \t\r\n")
    if any(ending in text for ending in ("\r", " \n", "\t\n")):
        text = LINE_ENDS.sub("", text)
    if len(text) < SHORTEST_TEXT or not id_.startswith(PREFIXES):
        return None
    return sha256(text.encode()).digest()


def held_lines(summary: Summary, organization: str | None = None) -> Iterator[str]:
    """Yield what a command says about the documents that it held, and what cannot be held.

    organization: the name that the command was given; by default, ids.
    """
    for (id_, source_id), count in sorted(summary.secrets.items()):
        name = quote(organization or str(id_))
        yield (
            f"{counted(count, 'record has', 'records have')} a secret that cannot be held. Correct "
            "them where they come from. To see them: `orgctx sources show --organization "
            f"{name} {quote(source_id)}`."
        )
    for id_ in sorted({organization_id for organization_id, _, _ in summary.held}):
        held = [reasons for place, reasons in summary.held.items() if place[0] == id_]
        # A document may have two reasons.
        counts = Counter(reason for reasons in held for reason in reasons)
        why = ", ".join(f"{counts[key]:,} {text}" for key, text in REASONS.items() if counts[key])
        yield (
            f"Held {counted(len(held), 'document')}: {why}. No key reads them until an owner "
            "releases them. To see them: `orgctx knowledge list --organization "
            f"{quote(organization or str(id_))} --held`."
        )


def find_secret(values: dict[str, Any]) -> tuple[str, int | None] | None:
    """Return the first secret of a certain kind in a document: its kind, and where it is.

    The place is an offset in the content in UTF-16 code units, or None in the title.
    """
    if not values["id"].startswith(PREFIXES):
        return None
    for text in (values["title"], values["content"]):
        for secret in certain_secrets(text):
            is_title = text is values["title"]
            return secret.name, None if is_title else utf16_length(text[: secret.start])
    return None


def has_secret(values: Iterable[object]) -> bool:
    """Return whether a text among the columns of a record has a secret of a certain kind."""
    texts = "\n".join(value for value in values if isinstance(value, str))
    return next(certain_secrets(texts), None) is not None


def hold_loaded(
    connection: psycopg.Connection[Any], organization_ids: Collection[UUID]
) -> list[HoldChange]:
    """Hold what a load has merged. The search tokens of changed texts are stored afterwards."""
    loaded = _run(connection, "bundle/hold_knowledge", organization_ids)
    return loaded + hold_copies(connection, organization_ids, [each[:2] for each in loaded])


def hold_copies(
    connection: psycopg.Connection[Any],
    organization_ids: Collection[UUID],
    changed: Iterable[tuple[UUID, str]],
) -> list[HoldChange]:
    """Hold the copies of suppressed texts, and adapt the search tokens.

    The caller holds the locks of the organizations.

    Args:
        changed: organizations and ids of other items that were hidden or became readable.
    """
    changes = _run(connection, "bundle/hold_copies", organization_ids)
    ids: dict[UUID, set[str]] = defaultdict(set)
    for organization_id, id_ in (*changed, *(each[:2] for each in changes)):
        ids[organization_id].add(id_)
    for organization_id, changed_ids in ids.items():
        parameters = {"organization_id": organization_id, "ids": sorted(changed_ids)}
        connection.execute(sql("bundle/rekey_knowledge"), parameters)
    return changes


def _run(
    connection: psycopg.Connection[Any], name: str, organization_ids: Collection[UUID]
) -> list[HoldChange]:
    with connection.cursor(row_factory=tuple_row) as cursor:
        rows = cursor.execute(sql(name), {"organization_ids": [*organization_ids]})
        return [HoldChange(*row) for row in rows]
