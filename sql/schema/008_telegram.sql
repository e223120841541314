-- Linked chats and their messages.

CREATE TABLE telegram_chats (
    organization_id uuid NOT NULL,
    id uuid NOT NULL,
    source_id text COLLATE "C" NOT NULL,
    type text NOT NULL CHECK (type IN ('group', 'supergroup', 'channel')),
    title text NOT NULL,
    username text,
    member_count bigint NOT NULL CHECK (member_count >= 0),
    linked_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    -- Derived by every load.
    tracked_message_count bigint NOT NULL DEFAULT 0,
    last_message_at timestamptz,
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, source_id) REFERENCES sources ON DELETE CASCADE
);

CREATE UNIQUE INDEX telegram_chats_one_of_a_source ON telegram_chats (organization_id, source_id);

CREATE TABLE telegram_messages (
    organization_id uuid NOT NULL,
    chat_id uuid NOT NULL,
    id integer NOT NULL CHECK (id >= 1),
    sender_id text COLLATE "C",
    sender_name text NOT NULL,
    sender_username text,
    kind text NOT NULL,
    text text,
    detail text,
    file jsonb,
    reply_to_message_id bigint,
    sent_at timestamptz NOT NULL,
    edited_at timestamptz,
    PRIMARY KEY (organization_id, chat_id, id),
    FOREIGN KEY (organization_id, chat_id) REFERENCES telegram_chats ON DELETE CASCADE
);

CREATE INDEX telegram_messages_by_sender ON telegram_messages
    (organization_id, chat_id, sender_id, sent_at DESC, id DESC) WHERE sender_id IS NOT NULL;
-- Finds and counts the messages of a chat that were sent in a span of time.
CREATE INDEX telegram_messages_by_time ON telegram_messages (organization_id, chat_id, sent_at, id);

-- The newest 10,000 messages of each chat, which are those that searches examine. Every load
-- updates this table.
CREATE TABLE telegram_search (
    organization_id uuid NOT NULL,
    chat_id uuid NOT NULL,
    id integer NOT NULL,
    sender_id text COLLATE "C",
    sent_at timestamptz NOT NULL,
    text_lower text,
    file_name_lower text,
    PRIMARY KEY (organization_id, chat_id, id),
    FOREIGN KEY (organization_id, chat_id, id) REFERENCES telegram_messages ON DELETE CASCADE
);

CREATE INDEX telegram_search_by_chat ON telegram_search (organization_id, chat_id, sent_at DESC);
CREATE INDEX telegram_search_tokens ON telegram_search USING gin (
    keyed_text_tokens(
        organization_id, chat_id::text,
        coalesce(text_lower, '') || E'\n' || coalesce(file_name_lower, '')
    )
) WITH (gin_pending_list_limit = 256);
ALTER INDEX telegram_search_tokens ALTER COLUMN 1 SET STATISTICS 0;

GRANT SELECT ON telegram_chats, telegram_messages, telegram_search TO orgctx_reader;
