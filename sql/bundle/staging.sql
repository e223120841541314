-- name: create_staging
-- Creates the tables that hold the records of one stream until they are merged, in the order of
-- `sequence`. Those of types that not every load reads are created if the stream has such records.
-- staged_records.source_kind is the kind of source that a record needs, or null if it needs none.
-- Messages, mentions and knowledge items may be tombstones, which delete a stored record: `deleted`
-- is true, and all columns but the ids are null.
SET LOCAL client_min_messages = warning;
SET LOCAL work_mem = '64MB';
SET LOCAL statement_timeout = 0;
SET LOCAL jit = off;
-- If the process of a load dies, its transaction ends within a second and releases its locks.
SET LOCAL client_connection_check_interval = '1s';
-- With Citus, a load uses one connection to each server, so that each statement sees the changes of
-- the earlier ones. Without Citus, the setting has no effect.
SET LOCAL citus.multi_shard_modify_mode = 'sequential';
SET LOCAL citus.max_intermediate_result_size = -1;

CREATE TEMPORARY TABLE staged_records (
    sequence bigint, deleted boolean, organization_id uuid, source_id text COLLATE "C",
    source_kind text
) ON COMMIT DROP;
{tables}
-- bundle/truncate_staging empties the tables that inherit from this one, too.
CREATE TEMPORARY TABLE emptied () ON COMMIT DROP;

-- The touched_* tables hold the ids of chats, senders and people that the stream changes, and source_changes
-- those of sources. The statements bundle/derive_* recompute their derived data when the stream ends. The ids
-- of sources and people may repeat, and are bounded because a table of them needs no TOAST table.
CREATE TEMPORARY TABLE touched_people (
    organization_id uuid, platform varchar(10), person_id varchar(200) COLLATE "C"
) ON COMMIT DROP;
-- How many records of a source the stream created, updated and deleted. Messages name their chat instead
-- of the source.
CREATE TEMPORARY TABLE source_changes (
    organization_id uuid, source_id varchar(150) COLLATE "C", chat_id uuid,
    created bigint NOT NULL DEFAULT 0, updated bigint NOT NULL DEFAULT 0,
    deleted bigint NOT NULL DEFAULT 0
) ON COMMIT DROP;

-- name: create_staged_table
-- Creates {staging}, which holds the staged records of one type in some columns of {table}. Reads their
-- types from the catalog: a statement that names the table would lock it, and a migration that waits for
-- the lock would wait for a load that waits for the migration.
DO $$
BEGIN
    EXECUTE (
        SELECT format(
            'CREATE TEMPORARY TABLE {staging} (%s) INHERITS (staged_records) ON COMMIT DROP',
            string_agg(
                concat_ws(
                    ' COLLATE ',
                    format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod)),
                    nullif(a.attcollation, 0)::regcollation
                ),
                ', ' ORDER BY n.number
            )
        )
        FROM unnest(string_to_array('{columns}', ', ')) WITH ORDINALITY AS n (name, number)
        JOIN pg_attribute AS a ON a.attrelid = to_regclass('{table}') AND a.attname = n.name
    );
END
$$;

-- name: create_knowledge_staging
-- Creates the tables of staged knowledge items, and those that their merge fills.
{tables}
CREATE TEMPORARY TABLE staged_chunks (
    sequence bigint, first_unit integer, unit_count integer, content text, overlap text
) INHERITS (emptied) ON COMMIT DROP;
CREATE TEMPORARY TABLE staged_secrets (
    sequence bigint, kind text, content_offset integer
) INHERITS (emptied) ON COMMIT DROP;
CREATE TEMPORARY TABLE changed_knowledge (
    organization_id uuid, id text COLLATE "C", sequence bigint, has_new_content boolean,
    is_new_in_source boolean
) INHERITS (emptied) ON COMMIT DROP;
CREATE TEMPORARY TABLE stored_contents (
    organization_id uuid, id text COLLATE "C", source_id text COLLATE "C", content_digest bytea,
    waiting_digest bytea
) INHERITS (emptied) ON COMMIT DROP;

-- name: create_telegram_staging
-- Creates the tables of staged chats and messages, and those that their merge fills.
{tables}
CREATE INDEX ON staged_telegram_messages (organization_id, chat_id, id, sequence DESC);
CREATE TEMPORARY TABLE touched_chats (
    organization_id uuid, chat_id uuid, UNIQUE (organization_id, chat_id)
) ON COMMIT DROP;
CREATE TEMPORARY TABLE touched_senders (
    organization_id uuid, chat_id uuid, sender_id text COLLATE "C",
    UNIQUE (organization_id, chat_id, sender_id)
) ON COMMIT DROP;

-- name: truncate_staging
-- Empties the staging tables of every record type after a merge that more records follow. Keeps
-- source_changes and the touched_* tables until the stream ends.
TRUNCATE staged_records, emptied;
