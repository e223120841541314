-- name: list_migrations
-- Lists the migrations that were applied to this database.
-- Rows: (migration_id text, checksum text: the SHA-256 of its file).
SELECT migration_id, checksum
FROM migrations;

-- name: read_distribution
-- Reads whether Citus can distribute this database over several servers.
-- Row: (is_distributed boolean).
SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL AS is_distributed;

-- name: isolate_transaction
-- Makes all statements of a transaction see the same snapshot. Must be the first statement of each
-- transaction, because behind a pooler, settings of the connection do not last.
SET TRANSACTION ISOLATION LEVEL REPEATABLE READ;

-- name: limit_search
-- Limits the time of each later statement of the transaction, which searches texts.
-- Parameters: statement_timeout text with its unit.
SELECT set_config('statement_timeout', %(statement_timeout)s, true);

-- name: lock_organization
-- Blocks loads of one organization until the transaction ends, as bundle/lock_organizations does,
-- so that data which is derived meanwhile includes all records of the organization.
-- Parameters: organization_id uuid.
INSERT INTO organization_locks (organization_id) VALUES (%(organization_id)s)
ON CONFLICT (organization_id) DO UPDATE SET organization_id = excluded.organization_id;

-- name: lock_sources
-- Locks sources of one organization until the transaction ends, always in the same order.
-- Parameters: organization_id uuid, ids text[], or null for all of its sources.
-- Rows: (id text), those that exist, by id.
-- Index: sources_pkey.
SELECT id
FROM sources
WHERE organization_id = %(organization_id)s
    AND (%(ids)s::text[] IS NULL OR id = ANY(%(ids)s))
ORDER BY id
FOR NO KEY UPDATE;

-- name: set_versions
-- Sets a new version of the data of organizations, which every transaction that changes what keys read
-- must do: without it, cached callers and read replicas show the former data. It is the last lock that a
-- transaction takes, so that decisions that open nothing do not wait for loads.
-- Parameters: organization_ids uuid[]; version uuid: one that was never used.
-- Index: organizations_pkey.
UPDATE organizations SET version = %(version)s WHERE organization_id = ANY(%(organization_ids)s);
