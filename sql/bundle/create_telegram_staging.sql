-- Creates the tables of staged chats and messages, and those that their merge fills.
-- Parameters: none.
-- Rows: none.
{tables}
CREATE INDEX ON staged_telegram_messages (organization_id, chat_id, id, sequence DESC);
CREATE TEMPORARY TABLE touched_chats (
    organization_id uuid, chat_id uuid, UNIQUE (organization_id, chat_id)
) ON COMMIT DROP;
CREATE TEMPORARY TABLE touched_senders (
    organization_id uuid, chat_id uuid, sender_id text COLLATE "C",
    UNIQUE (organization_id, chat_id, sender_id)
) ON COMMIT DROP;
CREATE TEMPORARY TABLE message_counts (
    organization_id uuid, chat_id uuid, change bigint
) INHERITS (emptied) ON COMMIT DROP;
