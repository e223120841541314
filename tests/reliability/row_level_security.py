"""Measure how row-level security slows searches: `python -m tests.reliability.row_level_security`.

Runs the shipped statements with and without a policy on every table, in a separate database.
The decision is docs/decisions/0006-row-level-security.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import psycopg

from orgctx.cli.database import migrations
from orgctx.embedded import servers
from orgctx.resources.search.service import RECENT, SINCE_SETTING
from orgctx.resources.telegram.service import RECENT as RECENT_OF_CHAT
from orgctx.stores.db import READER_ROLE, sql
from tests.support import factories as make
from tests.support.deployment import Deployment

ORGANIZATIONS, MESSAGES, DOCUMENTS = 10, 10_000, 1_000
# The measured organization has this many chats, the others have one.
MEASURED, CHATS = 5, 10
RUNS = 11
TABLES = (
    "organizations", "sources", "knowledge", "knowledge_chunks", "knowledge_suppressions", "assets",
    "telegram_chats", "telegram_messages", "telegram_search", "x_mentions", "tokens", "people",
    "people_counts",
)  # fmt: skip
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
SEARCH_INDEXES = ("telegram_search_terms", "knowledge_chunks_search", "knowledge_titles")
SOURCES = [f"telegram:{chat}" for chat in range(CHATS)]
# This many of 10,000 messages and of 1,000 documents contain the term.
TERMS = {
    "absent": "qqqzzz",
    "rare (1)": "needle",
    "some (1 %)": "harbour",
    "common (50 %)": "anchor",
}


def records() -> Iterator[dict[str, Any]]:
    for number in range(1, ORGANIZATIONS + 1):
        one = f"{number:08}-0000-4000-8000-000000000000"
        yield make.organization(one, slug=f"org-{number}")
        yield from make.staff(one)
        yield make.source("docs", organization_id=one)
        for chat in range(CHATS if number == MEASURED else 1):
            ids = {"organization_id": one, "source_id": SOURCES[chat]}
            yield make.source("telegram", **ids)
            yield make.chat(make.uuid(chat), **ids)
            for n in range(1, MESSAGES + 1):
                text = _text(n + chat * MESSAGES)
                sent_at = (BEGIN + timedelta(minutes=n)).isoformat()
                yield make.message(n, chatId=make.uuid(chat), text=text, sentAt=sent_at, **ids)
        for n in range(DOCUMENTS):
            text = " ".join(_text(n * 10 + line) for line in range(20))
            times = {"updatedAt": (BEGIN + timedelta(hours=n)).isoformat()}
            yield make.knowledge(n, content=text, organization_id=one, **times)


def _text(n: int) -> str:
    """About 80 characters that vary with `n`, and the terms that `n` selects."""
    words = [f"{(n * 2_654_435_761 + i * 40_503) % 1_000_003:x}" for i in range(8)]
    terms = (("anchor", n % 2 == 0), ("harbour", n % 100 == 7), ("needle", n == 5003))
    return " ".join([*words, *(term for term, is_in in terms if is_in)])


def statements(term: str) -> dict[str, dict[str, Any]]:
    one = f"{MEASURED:08}-0000-4000-8000-000000000000"
    parts = {"messages": SOURCES, "documents": ["docs:handbook"], "people": SOURCES}
    return {
        **{
            f"search/find_{part}": {
                "organization_id": one, "q": term, "after": None, "before": None,
                "row_limit": 21, "recent_limit": RECENT, "source_ids": source_ids,
                "since_setting": SINCE_SETTING,
            }
            for part, source_ids in parts.items()
        },
        "telegram/search_telegram_messages": {
            "organization_id": one, "chat_id": make.uuid(0), "source_ids": SOURCES,
            "before": 2**31 - 1, "row_limit": 51, "recent_limit": RECENT_OF_CHAT, "q": term,
        },
        "knowledge/list_knowledge": {
            "organization_id": one, "source_ids": ["docs:handbook"], "q": term,
            "kind": "all", "visibility": "all", "archived": False, "page_size": 20,
            "page_offset": 0,
        },
    }  # fmt: skip


def measure(url: str) -> dict[tuple[str, str], float]:
    """Statement and term → median milliseconds, the setting of the organization included."""
    found = {}
    with psycopg.connect(url, autocommit=True) as connection:
        _configure(connection)
        for label, term in TERMS.items():
            for name, parameters in statements(term).items():
                times = []
                for _ in range(RUNS):
                    setting = [str(parameters["organization_id"])]
                    began = perf_counter()
                    if connection.execute("SHOW orgctx.secured").fetchone() == ("on",):
                        connection.execute(
                            "SELECT set_config('orgctx.organization', %s, false)", setting
                        )
                    connection.execute(sql(name), parameters, prepare=True).fetchall()  # type: ignore[arg-type]
                    times.append((perf_counter() - began) * 1000)
                found[name, label] = median(times)
    return found


def _configure(connection: psycopg.Connection[Any]) -> None:
    """Configure a connection as the service does."""
    setting = {"role": READER_ROLE, "statement_timeout": "60s", "check_interval": "100ms"}
    setting |= {
        "backend_pid": str(connection.info.backend_pid),
        "statement_name": "",
        "isolation": "read committed",
    }
    connection.execute(sql("gate/configure_connection"), setting)  # type: ignore[arg-type]


def secure(url: str) -> None:
    """A policy on every table: rows of the organization that the connection is set to."""
    with psycopg.connect(url, autocommit=True) as connection:
        for table in TABLES:
            connection.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
            connection.execute(
                f"CREATE POLICY own ON {table} FOR SELECT TO {READER_ROLE} USING ("
                "organization_id = (SELECT current_setting('orgctx.organization')::uuid))"
            )


def _explain(url: str) -> None:
    """Which search indexes a rare term still uses."""
    with psycopg.connect(url, autocommit=True) as connection:
        _configure(connection)
        for role in ("NONE", READER_ROLE):
            connection.execute(f"SET ROLE {role}")
            for name, parameters in statements("needle").items():
                connection.execute(
                    "SELECT set_config('orgctx.organization', %s, false)",
                    [str(parameters["organization_id"])],
                )
                plan = connection.execute(f"EXPLAIN {sql(name)}", parameters).fetchall()  # type: ignore[arg-type]
                text = str(plan)
                used = [one for one in SEARCH_INDEXES if one in text]
                print(f"{'secured' if role != 'NONE' else 'plain'} {name}: {used}")


def main() -> None:
    with TemporaryDirectory() as folder, servers(Path(folder) / "s", durable=False) as running:
        url = running.database_url
        migrations.migrate(url, url)
        Deployment(url, running.redis_url).load(records())
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("VACUUM ANALYZE")
            connection.execute("ALTER DATABASE orgctx SET orgctx.secured = 'off'")
        plain = measure(url)
        secure(url)
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("ALTER DATABASE orgctx SET orgctx.secured = 'on'")
        secured = measure(url)
        _explain(url)
        for (name, label), before in plain.items():
            after = secured[name, label]
            print(f"| {name} | {label} | {before:.1f} | {after:.1f} | {after / before:.1f} |")


if __name__ == "__main__":
    main()
