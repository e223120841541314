-- name: lock_migrations
-- Blocks every other migration of this database until the transaction ends. PostgreSQL releases an
-- advisory lock when the connection closes, even if the process was killed.
SELECT
    set_config('statement_timeout', '0', true),
    set_config('lock_timeout', '0', true),
    -- Otherwise Citus rejects a grant after an index that it builds on all shards at once.
    set_config('citus.multi_shard_modify_mode', 'sequential', true),
    pg_advisory_xact_lock(hashtextextended('orgctx.migrations', 0));

-- name: create_migrations
-- Creates the list of applied migrations, which the service may read. checksum: the SHA-256 of the file.
CREATE TABLE IF NOT EXISTS migrations (
    migration_id text PRIMARY KEY,
    checksum text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT ON migrations TO orgctx_reader;

-- name: record_migration
-- Adds a migration to the list.
-- Parameters: migration_id text, checksum text.
INSERT INTO migrations (migration_id, checksum) VALUES (%(migration_id)s, %(checksum)s);

-- name: read_server
-- Reads the properties of a server that `orgctx migrate` and `orgctx doctor` check first.
-- Parameters: client_time float: seconds of the Unix epoch; sample bytea: a text in UTF-8.
-- Row: (version integer such as 180001, encoding text, login text, clock_ahead_seconds float: how
-- far the server's clock is ahead of the client's, lowered text or null: the sample in lower case, in the
-- locale of the database, which may have no fold_text yet; null in another encoding than UTF-8).
SELECT
    current_setting('server_version_num')::integer AS version,
    getdatabaseencoding() AS encoding,
    current_user::text AS login,
    extract(epoch FROM clock_timestamp())::float - %(client_time)s::float AS clock_ahead_seconds,
    -- With a constant encoding, the planner would convert it before it looks at the condition.
    CASE getdatabaseencoding() WHEN 'UTF8' THEN
        lower(convert_from(%(sample)s::bytea, getdatabaseencoding()) COLLATE "default")
    END AS lowered;

-- name: create_roles
-- Creates the role of the service and that of the desk. Roles belong to all databases of a server, so
-- the migration of another database may create them at the same time.
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['orgctx_reader', 'orgctx_desk'] LOOP
        BEGIN
            IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN
                EXECUTE format('CREATE ROLE %I NOLOGIN', name);
            END IF;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN
            NULL;
        END;
    END LOOP;
END
$$;

-- name: store_setting
-- Stores a value in the setting orgctx.<name> until the transaction ends. A DO block reads it there, because it
-- takes no parameters.
-- Parameters: name text, value text.
SELECT set_config('orgctx.' || %(name)s, %(value)s, true);

-- name: grant_role
-- Lets a role SET ROLE to another one, unless it already can. Checks SET ROLE and not membership: since
-- PostgreSQL 16, the creator of a role is a member but may not SET ROLE to it.
-- Parameters: the settings orgctx.role and orgctx.member, see cli/store_setting.
DO $$
DECLARE
    role text := current_setting('orgctx.role');
    member text := current_setting('orgctx.member');
    version integer := current_setting('server_version_num');
BEGIN
    IF NOT pg_has_role(member, role, CASE WHEN version < 160000 THEN 'MEMBER' ELSE 'SET' END) THEN
        EXECUTE format('GRANT %I TO %I', role, member);
    END IF;
EXCEPTION WHEN unique_violation THEN
    NULL;  -- Another transaction granted it at the same time.
END
$$;

-- name: list_foreign_tables
-- Lists the tables that this login does not own, and so cannot migrate.
-- Rows: (name text), by name.
SELECT c.oid::regclass::text AS name
FROM pg_class AS c
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
    AND NOT pg_has_role(c.relowner, 'USAGE')
ORDER BY name;

-- name: revoke_temporary
-- Revokes the privilege TEMPORARY from PUBLIC and grants it to the admin login, whose loads create
-- temporary tables. By default, every login may create them, including the service's. Only the
-- database's owner can change that. With another admin login, the statement changes nothing, and
-- `orgctx doctor` reports the privilege.
DO $$
BEGIN
    IF has_database_privilege('public', current_database(), 'TEMPORARY')
        AND pg_has_role(
            (SELECT datdba FROM pg_database WHERE datname = current_database()), 'USAGE'
        )
    THEN
        EXECUTE format('GRANT TEMPORARY ON DATABASE %I TO CURRENT_USER', current_database());
        EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
    END IF;
END
$$;
