"""Add so many organizations that a statement which reads all of them is visibly slow."""

import psycopg

NEIGHBORS = 3_000
# Each neighbor has one source, chat, message and person.
ROWS = """
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
INSERT INTO telegram_search (organization_id, chat_id, id, sent_at, text_lower)
    SELECT organization_id, chat_id, 1, now(), 'hello' FROM neighbors;
INSERT INTO people (
    organization_id, source_id, platform, person_id, display_name, activity_count,
    first_active_at, last_active_at
)
    SELECT organization_id, 'telegram:main', 'telegram', 'user1', 'Ada', 1, now(), now()
    FROM neighbors;
"""


def add_neighbors(url: str) -> None:
    """Insert the neighbors, and run VACUUM ANALYZE so that the planner knows of them."""
    with psycopg.connect(url, autocommit=True) as connection:
        psycopg.ClientCursor(connection).execute(ROWS, {"neighbors": NEIGHBORS})
        connection.execute("VACUUM (ANALYZE)")
