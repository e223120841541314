-- Copies the privileges of the desk's role on each distributed table to its shards, because Citus copies
-- no privileges on columns. Runs in a transaction of its own: other connections change the shards.
-- Parameters: none.
-- Rows: none.
DO $$
DECLARE
    item record;
    failed text;
BEGIN
    FOR item IN
        SELECT c.oid AS name, string_agg(format('GRANT %s ON %%1$s TO orgctx_desk', g.privilege), '; ')
            AS grants
        FROM pg_class AS c
        JOIN pg_dist_partition AS p ON p.logicalrelid = c.oid
        CROSS JOIN LATERAL (
            SELECT a.privilege_type AS privilege
            FROM aclexplode(c.relacl) AS a
            WHERE a.grantee = 'orgctx_desk'::regrole
            UNION ALL
            SELECT format('%s (%s)', a.privilege_type, string_agg(quote_ident(t.attname), ', '))
            FROM pg_attribute AS t
            CROSS JOIN aclexplode(t.attacl) AS a
            WHERE t.attrelid = c.oid AND a.grantee = 'orgctx_desk'::regrole
            GROUP BY a.privilege_type
        ) AS g
        GROUP BY c.oid
    LOOP
        SELECT min(result) INTO failed
        FROM run_command_on_placements(
            item.name,
            'DO $grant$ BEGIN REVOKE ALL ON %1$s FROM orgctx_desk; ' || item.grants || '; END $grant$'
        )
        WHERE NOT success;
        IF failed IS NOT NULL THEN
            RAISE EXCEPTION 'the privileges of orgctx_desk on % were not set: %', item.name, failed;
        END IF;
    END LOOP;
END
$$;
