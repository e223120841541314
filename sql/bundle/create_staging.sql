-- Creates the tables that hold the records of one stream until they are merged, in the order of
-- `sequence`. Those of types that not every load reads are created if the stream has such records.
-- staged_records.source_kind is the kind of source that a record needs, or null if it needs none.
-- Messages, mentions and knowledge items may be tombstones, which delete a stored record: `deleted`
-- is true, and all columns but the ids are null.
-- Parameters: none.
-- Rows: none.
SET LOCAL client_min_messages = warning;
SET LOCAL work_mem = '64MB';
SET LOCAL statement_timeout = 0;
SET LOCAL jit = off;
-- If the process of a load dies, its transaction ends within a second and releases its locks.
SET LOCAL client_connection_check_interval = '1s';
-- With Citus, a load uses one connection to each server, so that each statement sees the changes of
-- the earlier ones. Without Citus, the setting has no effect.
SET LOCAL citus.multi_shard_modify_mode = 'sequential';

CREATE TEMPORARY TABLE staged_records (
    sequence bigint, deleted boolean, organization_id uuid, source_id text COLLATE "C",
    source_kind text
) ON COMMIT DROP;
{tables}
-- bundle/truncate_staging empties the tables that inherit from this one, too.
CREATE TEMPORARY TABLE emptied () ON COMMIT DROP;

-- The touched_* tables hold the ids of sources, chats, senders and people that the stream changes.
-- The statements bundle/derive_* recompute their derived data when the stream ends.
CREATE TEMPORARY TABLE touched_sources (
    organization_id uuid, source_id text COLLATE "C", UNIQUE (organization_id, source_id)
) ON COMMIT DROP;
CREATE TEMPORARY TABLE touched_people (
    organization_id uuid, platform text, person_id text COLLATE "C",
    UNIQUE (organization_id, platform, person_id)
) ON COMMIT DROP;
-- How many records of a source the stream created, replaced and deleted. Messages name their chat
-- instead of the source. It is kept until the stream ends.
CREATE TEMPORARY TABLE source_changes (
    organization_id uuid, source_id text COLLATE "C", chat_id uuid,
    created bigint, updated bigint, deleted bigint
) ON COMMIT DROP;
