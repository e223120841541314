"""A large organization among small ones. SQL creates them, because loads take minutes.

Derived data is what a load would derive. Plans and bounds are in other modules.
"""

from dataclasses import dataclass
from typing import Any

import psycopg

from tests.support import factories as make
from tests.support.deployment import Deployment

OTHERS = [make.uuid(f"other {number}") for number in range(19)]
CHATS = 20
COMMON, RARE, ABSENT = "harbor", "quokka", "zyxwvutq"
SHARED = ["docs:main", "notes:main", "assets:main", "x:main"]
TELEGRAM = [f"telegram:{number}" for number in range(1, CHATS + 1)]
ACCOUNT = "acme"


@dataclass(frozen=True)
class Size:
    """How many records one organization has."""

    messages: int
    knowledge: int
    assets: int
    mentions: int
    people: int

    def of_others(self) -> "Size":
        """The size of the small organizations beside a large one."""
        return Size(
            self.messages // 500, self.knowledge // 50, self.assets // 100, self.mentions // 100,
            self.people // 100,
        )  # fmt: skip

    def __str__(self) -> str:
        return f"{self.messages} messages"


LARGE = Size(1_000_000, 5_000, 20_000, 10_000, 50_000)
# With these numbers the planner chooses as it does for a large organization.
SMALL = Size(100_000, 1_000, 4_000, 2_000, 10_000)


def chat(organization_id: str, number: int) -> str:
    return make.uuid(f"{organization_id} {number}")


def folder(organization_id: str, number: int) -> str:
    return make.uuid(f"folder {organization_id} {number}")


TABLES = (
    "telegram_messages", "telegram_search", "people", "people_counts", "knowledge",
    "knowledge_chunks", "knowledge_search", "assets", "x_mentions",
)  # fmt: skip
# To check a million references takes longer than everything else, and they are right.
UNCHECKED = (
    "ALTER TABLE telegram_messages DROP CONSTRAINT telegram_messages_organization_id_chat_id_fkey",
    "ALTER TABLE telegram_search DROP CONSTRAINT telegram_search_organization_id_chat_id_id_fkey",
)
# Indexes are made at the end, which is faster. These are their names and definitions, without keys.
INDEXES = """
SELECT i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid)
FROM pg_index AS i
WHERE i.indrelid = ANY(%s::text[]::regclass[]) AND NOT i.indisunique
"""
BULK = (
    """
    INSERT INTO telegram_messages (
        organization_id, chat_id, id, sender_id, sender_name, kind, text, sent_at
    )
    SELECT
        %(organization_id)s, (%(chats)s::uuid[])[g %% 20 + 1], g / 20 + 1, 'user' || g %% 45000,
        'Person', 'text',
        CASE WHEN g %% 2 = 0 THEN 'harbor ' ELSE 'at sea ' END || g
            || CASE WHEN g %% 20000 = 19999 THEN ' quokka' ELSE '' END,
        '2024-01-01'::timestamptz + g * interval '1 minute'
    FROM generate_series(0, %(messages)s - 1) AS g
    """,
    """
    INSERT INTO telegram_search (organization_id, chat_id, id, sender_id, sent_at, text_lower)
    SELECT organization_id, chat_id, id, sender_id, sent_at, fold_text(text)
    FROM telegram_messages
    WHERE organization_id = %(organization_id)s AND id > %(messages)s / 20 - 10000
    """,
    """
    UPDATE telegram_chats SET tracked_message_count = %(messages)s / 20
    WHERE organization_id = %(organization_id)s
    """,
    # Nine of ten people write in Telegram, each in two chats.
    """
    INSERT INTO people (
        organization_id, source_id, platform, person_id, display_name, username,
        activity_count, first_active_at, last_active_at, newer_source_ids
    )
    SELECT
        %(organization_id)s, p.source_ids[n], p.platform, p.id, 'Person ' || p.id, 'name' || p.id,
        n, '2024-01-01', '2025-01-01'::timestamptz + (p.number * 10 - n) * interval '1 minute',
        p.source_ids[:n - 1]
    FROM (
        SELECT
            g AS number, CASE WHEN g %% 10 = 0 THEN 'x' ELSE 'telegram' END AS platform,
            'user' || g AS id,
            CASE WHEN g %% 10 = 0 THEN '{x:main}'
                ELSE ARRAY['telegram:' || (g %% 20 + 1), 'telegram:' || ((g + 7) %% 20 + 1)]
            END AS source_ids
        FROM generate_series(1, %(people)s) AS g
    ) AS p
    CROSS JOIN generate_series(1, 2) AS n
    WHERE n <= cardinality(p.source_ids)
    """,
    """
    INSERT INTO people_counts (organization_id, source_id, number, newer_source_ids, people_count)
    SELECT
        organization_id, source_id, row_number() OVER (PARTITION BY source_id), newer_source_ids,
        count(*)
    FROM people
    WHERE organization_id = %(organization_id)s
    GROUP BY organization_id, source_id, newer_source_ids
    """,
    """
    INSERT INTO knowledge (
        organization_id, id, source_id, source, title, content_format, visibility, archived,
        source_status, source_label, created_at, updated_at, preview, content_units, content_digest
    )
    SELECT
        %(organization_id)s, 'docs:' || md5(g::text)::uuid, 'docs:main', 'docs', 'Item ' || g,
        'markdown', 'public', g %% 50 = 1, 'current', 'Docs', '2024-01-01',
        '2024-01-01'::timestamptz + g * interval '1 minute', '', 500, ''
    FROM generate_series(1, %(knowledge)s) AS g
    """,
    """
    INSERT INTO knowledge_chunks (
        organization_id, knowledge_id, first_unit, unit_count, content, overlap
    )
    SELECT %(organization_id)s, 'docs:' || md5(g::text)::uuid, 0, 500, t.content, ''
    FROM generate_series(1, %(knowledge)s) AS g
    CROSS JOIN LATERAL (
        SELECT
            CASE WHEN g %% 2 = 0 THEN 'harbor ' ELSE 'at sea ' END
                || repeat(md5(g::text) || ' ', 15)
                || CASE WHEN g %% 500 = 7 THEN ' quokka' ELSE '' END AS content
    ) AS t
    """,
    """
    INSERT INTO knowledge_search (
        organization_id, knowledge_id, first_unit, source_id, updated_at, tokens
    )
    SELECT %(organization_id)s, k.id, t.first_unit, k.source_id,
        CASE WHEN t.first_unit < 0 AND NOT k.archived THEN k.updated_at END,
        CASE t.first_unit
            WHEN -2 THEN keyed_title_words(search_key(%(organization_id)s, k.source_id), t.folded)
            ELSE keyed_text_tokens(%(organization_id)s, k.source_id, t.folded)
        END
    FROM knowledge AS k
    CROSS JOIN LATERAL (
        SELECT -1 AS first_unit, k.title_lower AS folded
        UNION ALL
        SELECT -2, c.search_text FROM knowledge_chunks AS c
        WHERE c.organization_id = %(organization_id)s AND c.knowledge_id = k.id
        UNION ALL
        SELECT c.first_unit, c.search_text FROM knowledge_chunks AS c
        WHERE c.organization_id = %(organization_id)s AND c.knowledge_id = k.id
    ) AS t
    WHERE k.organization_id = %(organization_id)s
    """,
    """
    INSERT INTO assets (
        organization_id, id, source_id, parent_id, kind, name, bytes, public, created_at, updated_at
    )
    SELECT
        %(organization_id)s,
        CASE WHEN g <= 2 THEN (%(folders)s::uuid[])[g] ELSE md5(g::text)::uuid END,
        'assets:main', CASE WHEN g <= 2 THEN NULL ELSE (%(folders)s::uuid[])[1 + g %% 2] END,
        CASE WHEN g <= 2 THEN 'folder' ELSE 'file' END, 'harbor ' || md5(g::text), 0, false,
        '2024-01-01', '2024-01-01'::timestamptz + g * interval '1 minute'
    FROM generate_series(1, %(assets)s) AS g
    """,
    """
    INSERT INTO x_mentions (
        organization_id, id, source_id, account, url, text, created_at, metrics, is_reply,
        is_repost, author_id, author_username, author_name, author_verified, media
    )
    SELECT
        %(organization_id)s, g::text, 'x:main', 'Acme', 'https://x.com/', 'harbor ' || md5(g::text),
        '2024-01-01'::timestamptz + g * interval '1 minute', '{}', false, false,
        'user' || g %% 5000, 'name', 'Name', false, '[]'
    FROM generate_series(1, %(mentions)s) AS g
    """,
)


def fill(deployment: Deployment, size: Size) -> None:
    """All organizations, their indexes and statistics. size: of the large one."""
    sizes = {make.ACME: size, **dict.fromkeys(OTHERS, size.of_others())}
    deployment.load(record for organization_id in sizes for record in _parents(organization_id))
    with psycopg.connect(deployment.admin_url, autocommit=True) as connection:
        for table in TABLES:
            # A running autovacuum would block VACUUM at the end.
            _run(connection, f"ALTER TABLE {table} SET (autovacuum_enabled = off)")
        for statement in UNCHECKED:
            _run(connection, statement)
        indexes = connection.execute(INDEXES, [list(TABLES)]).fetchall()
        for name, _ in indexes:
            _run(connection, f"DROP INDEX {name}")
        for organization_id, organization_size in sizes.items():
            chats = [chat(organization_id, number) for number in range(CHATS)]
            folders = [folder(organization_id, number) for number in (1, 2)]
            values = {"organization_id": organization_id, "chats": chats, "folders": folders}
            for statement in BULK:
                _run(connection, statement, values | vars(organization_size))
        for name, definition in indexes:
            _run(connection, definition)
            if name.endswith("_tokens"):
                # They take as long as the index, and help no plan whose tokens a subquery computes.
                _run(connection, f"ALTER INDEX {name} ALTER COLUMN 1 SET STATISTICS 0")
        _run(connection, "VACUUM (ANALYZE)")


def _run(
    connection: psycopg.Connection[Any], statement: str, parameters: dict[str, Any] | None = None
) -> None:
    connection.execute(statement.encode(), parameters)


def _parents(organization_id: str) -> list[dict[str, Any]]:
    ids = {"organization_id": organization_id}
    kinds = {source_id: source_id.partition(":")[0] for source_id in (*SHARED, *TELEGRAM)}
    return [
        make.organization(**ids),
        *make.staff(**ids),
        *(
            make.source(kind, source_id, **ids, **({"account": ACCOUNT} if kind == "x" else {}))
            for source_id, kind in kinds.items()
        ),
        *(
            make.chat(chat(organization_id, number), source_id=TELEGRAM[number], **ids)
            for number in range(CHATS)
        ),
    ]


NEIGHBORS = 3_000
# Each neighbor has one source, chat, message and person.
NEIGHBOR_ROWS = """
CREATE TEMPORARY TABLE neighbors AS
    SELECT gen_random_uuid() AS organization_id, gen_random_uuid() AS chat_id, number
    FROM generate_series(1, %(neighbors)s) AS number;
INSERT INTO organizations
    SELECT organization_id, 'Neighbor', 'neighbor-' || number, now(), now(), 'standard', 0, false
    FROM neighbors;
INSERT INTO sources (organization_id, id, kind, label, description, status, updated_at)
    SELECT organization_id, 'telegram:main', 'telegram', '', '', 'current', now() FROM neighbors;
INSERT INTO telegram_chats (
    organization_id, id, source_id, type, title, member_count, linked_at, updated_at
)
    SELECT organization_id, chat_id, 'telegram:main', 'group', '', 1, now(), now()
    FROM neighbors;
INSERT INTO telegram_messages (
    organization_id, chat_id, id, sender_id, sender_name, kind, text, sent_at
)
    SELECT organization_id, chat_id, 1, 'user1', 'Ada', 'text', 'hello', now() FROM neighbors;
INSERT INTO telegram_search (organization_id, chat_id, id, sender_id, sent_at, text_lower)
    SELECT organization_id, chat_id, 1, 'user1', now(), 'hello' FROM neighbors;
INSERT INTO people (
    organization_id, source_id, platform, person_id, display_name, activity_count,
    first_active_at, last_active_at
)
    SELECT organization_id, 'telegram:main', 'telegram', 'user1', 'Ada', 1, now(), now()
    FROM neighbors;
"""


def add_neighbors(url: str) -> None:
    """Add so many organizations that a statement which reads all of them is visibly slow.

    VACUUM ANALYZE lets the planner know of them.
    """
    with psycopg.connect(url, autocommit=True) as connection:
        psycopg.ClientCursor(connection).execute(NEIGHBOR_ROWS, {"neighbors": NEIGHBORS})
        connection.execute("VACUUM (ANALYZE)")
