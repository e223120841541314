-- Copies the privileges of the desk's role on each distributed table to its shards, because Citus copies
-- no privileges on columns. An INSERT may set every column of a shard, because the coordinator adds the
-- defaults. For a write of a reference table, Citus locks it and the tables that it references on a
-- worker, which needs a privilege on the worker's whole tables; what can be written depends on the
-- shards. Runs in a transaction of its own: other connections change the shards.
DO $$
DECLARE
    item record;
    failed text;
    command constant text := $command$
        DO $grant$ BEGIN
            PERFORM set_config('citus.enable_ddl_propagation', 'off', true);
            REVOKE ALL ON %1$s FROM orgctx_desk;
            %2$s
        END $grant$
    $command$;
BEGIN
    FOR item IN
        WITH privileges AS (
            SELECT c.oid, a.privilege_type AS privilege, '' AS columns
            FROM pg_class AS c
            CROSS JOIN aclexplode(c.relacl) AS a
            WHERE a.grantee = 'orgctx_desk'::regrole
            UNION
            SELECT
                t.attrelid, a.privilege_type,
                CASE WHEN a.privilege_type = 'INSERT' THEN ''
                    ELSE format('(%s)', string_agg(quote_ident(t.attname), ', ')) END
            FROM pg_attribute AS t
            CROSS JOIN aclexplode(t.attacl) AS a
            WHERE a.grantee = 'orgctx_desk'::regrole
            GROUP BY t.attrelid, a.privilege_type
        ), needed AS (
            SELECT oid, privilege, columns, true AS is_of_shards FROM privileges
            UNION ALL
            SELECT DISTINCT k.confrelid, 'UPDATE', '', false
            FROM pg_constraint AS k
            JOIN privileges AS p ON p.oid = k.conrelid
            WHERE k.contype = 'f'
        )
        SELECT
            n.oid::regclass AS name,
            coalesce(
                string_agg(format('GRANT %s %s ON %%1$s TO orgctx_desk;', n.privilege, n.columns), ' ')
                FILTER (WHERE n.is_of_shards), ''
            ) AS of_shards,
            string_agg(format('GRANT %s ON %%1$s TO orgctx_desk;', n.privilege), ' ') AS of_workers
        FROM needed AS n
        JOIN pg_dist_partition AS p ON p.logicalrelid = n.oid
        GROUP BY n.oid
    LOOP
        SELECT min(r.result) INTO failed
        FROM (
            SELECT success, result
            FROM run_command_on_placements(item.name, format(command, '%1$s', item.of_shards))
            UNION ALL
            SELECT success, result
            FROM run_command_on_workers(
                format(command, item.name, format(item.of_workers, item.name))
            )
        ) AS r
        WHERE NOT r.success;
        IF failed IS NOT NULL THEN
            RAISE EXCEPTION 'the privileges of orgctx_desk on % were not set: %', item.name, failed;
        END IF;
    END LOOP;
END
$$;
