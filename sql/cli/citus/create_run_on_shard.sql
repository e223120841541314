-- Creates run_on_shard, the function that runs statements on the server that stores an
-- organization's rows. Without it, Citus plans a statement that joins tables for each request, on
-- the coordinator and again on the server, and that takes longer than the statement itself. The
-- function prepares each statement once in a session, with the names of the shard's tables. See
-- stores/citus/ask_shard and stores/citus/ask_coordinator.
-- Arguments of the function:
--   organization_id: its rows are on the server that runs this; null to read reference tables, which
--     every server has, and all shards of others.
--   names, statements: text arrays of equal length. A session finds a prepared statement by its
--     name.
--   parameters: JSON, with an array of texts for each statement.
-- Rows of the function: the rows of the statements, in the order of the statements. If there are
--   several, the last column is `part`, the number of the statement, counted from 1.
-- The function disables sequential scans, so that PostgreSQL uses the indexes of small shards too.
-- A session keeps at most 200 prepared statements, because each takes about 150 kB of memory and a
-- server has many shards.
CREATE OR REPLACE FUNCTION run_on_shard(
    organization_id uuid, names text[], statements text[], parameters jsonb
) RETURNS SETOF record
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off AS $$
DECLARE
    shard constant text := CASE WHEN organization_id IS NULL THEN 'reference'
        ELSE get_shard_id_for_distribution_column('tokens', organization_id)::text END;
    number integer;
    name text;
    command text;
    statement text;
    item record;
    answer record;
    result_row record;
BEGIN
    FOR number IN 1 .. cardinality(names) LOOP
        name := concat_ws('_', names[number], shard, CASE WHEN cardinality(names) > 1 THEN number END);
        SELECT
            format('EXECUTE %I', name)
            || coalesce('(' || string_agg(quote_nullable(value), ', ' ORDER BY ordinality) || ')', '')
        INTO command
        FROM jsonb_array_elements_text(parameters -> number - 1) WITH ORDINALITY;
        BEGIN
            EXECUTE command INTO answer;
        EXCEPTION WHEN invalid_sql_statement_name THEN
            IF (SELECT count(*) FROM pg_prepared_statements WHERE from_sql) >= 200 THEN
                FOR item IN SELECT s.name FROM pg_prepared_statements AS s WHERE s.from_sql LOOP
                    EXECUTE format('DEALLOCATE %I', item.name);
                END LOOP;
            END IF;
            statement := statements[number];
            FOR item IN SELECT viewname AS name, definition FROM pg_views WHERE schemaname = 'public' LOOP
                statement := regexp_replace(
                    statement, '\m(FROM|JOIN)\s+' || item.name || '\M',
                    '\1 (' || rtrim(item.definition, ';') || ')', 'g'
                );
            END LOOP;
            FOR item IN
                SELECT p.logicalrelid AS name,
                    shard_name(
                        p.logicalrelid,
                        get_shard_id_for_distribution_column(p.logicalrelid, organization_id)
                    ) AS shard_table
                FROM pg_dist_partition AS p
                WHERE statement ~ ('\m(FROM|JOIN)\s+' || p.logicalrelid || '\M')
                    AND has_table_privilege(p.logicalrelid, 'SELECT')
                    -- Without an organization, Citus itself reads all shards of a table.
                    AND (organization_id IS NOT NULL OR p.partmethod = 'n')
            LOOP
                statement := regexp_replace(
                    statement, '\m(FROM|JOIN)\s+' || item.name || '\M', '\1 ' || item.shard_table, 'g'
                );
            END LOOP;
            IF cardinality(names) > 1 THEN
                statement := format('SELECT p.*, %s AS part FROM (%s) AS p', number, statement);
            END IF;
            -- EXECUTE ... INTO stores only one row, so the rows are aggregated.
            EXECUTE format('PREPARE %I AS SELECT array_agg(a.*) AS rows FROM (%s) AS a', name, statement);
            EXECUTE command INTO answer;
        END;
        FOREACH result_row IN ARRAY coalesce(answer.rows, '{}') LOOP
            RETURN NEXT result_row;
        END LOOP;
    END LOOP;
END
$$;
