-- Distributes every table whose primary key begins with organization_id, and the rows in it. Skips
-- tables that are already distributed. Some tables are read before the organization is known: by
-- statements in gate/, or by a function that the service calls. They become reference tables, which
-- have a copy on every server. Keys and the audit stay on the coordinator, so that keys can be
-- issued and revoked while a worker is down. Foreign keys are dropped first and added again at the
-- end.
-- Parameters: the setting orgctx.gate: the statements in gate/, joined; see cli/store_setting.
SET LOCAL client_min_messages = warning;
SET LOCAL statement_timeout = 0;
SET LOCAL citus.multi_shard_modify_mode = 'sequential';

DO $$
DECLARE
    item record;
    command text;
    commands text[] := '{}';
    -- Names, because Citus replaces a table when it changes its kind.
    remaining text[] := ARRAY(
        SELECT c.oid::regclass::text
        FROM pg_class AS c
        JOIN pg_index AS i ON i.indrelid = c.oid AND i.indisprimary
        JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
        WHERE c.relnamespace = 'public'::regnamespace
            AND c.relkind = 'r'
            AND a.attname = 'organization_id'
            AND c.relname NOT IN ('api_keys', 'audit')
            -- Citus itself keeps new tables that refer to reference tables as local ones.
            AND NOT EXISTS (
                SELECT FROM pg_dist_partition AS p
                WHERE p.logicalrelid = c.oid AND (p.partmethod, p.repmodel) <> ('n', 's')
            )
    );
BEGIN
    FOR item IN
        SELECT k.conrelid::regclass::text AS name, k.conname, pg_get_constraintdef(k.oid) AS definition
        FROM pg_constraint AS k
        WHERE k.contype = 'f' AND k.conrelid::regclass::text = ANY(remaining)
    LOOP
        EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', item.name, item.conname);
        command := format('ALTER TABLE %s ADD CONSTRAINT %I %s', item.name, item.conname, item.definition);
        commands := commands || command;
    END LOOP;
    FOR item IN
        SELECT
            c.oid::regclass::text AS name,
            current_setting('orgctx.gate') ~ ('\m' || c.relname || '\M') OR EXISTS (
                SELECT FROM pg_proc AS f
                WHERE f.pronamespace = c.relnamespace
                    AND f.prosecdef
                    AND f.prosrc ~ ('\m' || c.relname || '\M')
            ) AS is_reference
        FROM pg_class AS c
        WHERE c.relnamespace = 'public'::regnamespace AND c.relname = ANY(remaining)
        ORDER BY is_reference DESC, name
    LOOP
        IF item.is_reference THEN
            PERFORM create_reference_table(item.name);
        ELSE
            PERFORM create_distributed_table(item.name, 'organization_id');
        END IF;
    END LOOP;
    FOREACH command IN ARRAY commands LOOP
        EXECUTE command;
    END LOOP;
    -- Functions that read reference tables for the gate read the server's own copies, so that they
    -- are not planned at each call.
    FOR item IN
        SELECT f.oid, p.logicalrelid AS name,
            shard_name(p.logicalrelid, get_shard_id_for_distribution_column(p.logicalrelid)) AS shard_table
        FROM pg_proc AS f
        JOIN pg_dist_partition AS p
            ON p.partmethod = 'n' AND f.prosrc ~ ('\m(FROM|JOIN)\s+' || p.logicalrelid || '(_\d+)?\M')
        WHERE f.pronamespace = 'public'::regnamespace AND f.prosecdef
    LOOP
        EXECUTE regexp_replace(
            pg_get_functiondef(item.oid),
            '\m(FROM|JOIN)\s+' || item.name || '(_\d+)?\M', '\1 ' || item.shard_table, 'g'
        );
    END LOOP;
    -- The functions that statements call on the servers that store the rows.
    FOR item IN
        SELECT f.oid::regprocedure AS name
        FROM pg_proc AS f
        WHERE f.pronamespace = 'public'::regnamespace
            AND NOT f.prosecdef
            AND f.prorettype <> 'trigger'::regtype
            AND NOT EXISTS (
                SELECT FROM pg_depend AS d WHERE d.objid = f.oid AND d.deptype = 'e'
            )
    LOOP
        PERFORM create_distributed_function(item.name);
    END LOOP;
END
$$;

-- The coordinator queries the other servers as its session's role, without its session's settings.
ALTER ROLE orgctx_reader LOGIN;
ALTER ROLE orgctx_reader SET jit = off;
ALTER ROLE orgctx_reader SET max_parallel_workers_per_gather = 0;
ALTER ROLE orgctx_reader SET default_transaction_read_only = on;
ALTER ROLE orgctx_desk LOGIN;
ALTER ROLE orgctx_desk SET jit = off;
