-- The search tokens of documents and notes. Each begins with a key of its source, so a search reads the
-- entries of the sources that it may read, and no others (docs/decisions/0024-keyed-tokens.md).

-- A load that began later would lock tables that this and the next migration wait for, and then wait for
-- the tables that they lock. Loads and decisions that lock an organization now begin after them.
LOCK TABLE organization_locks IN SHARE MODE;

-- Returns the key of a source. Two sources may have the same key; searches also compare the ids.
CREATE FUNCTION search_key(organization_id uuid, source_id text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN left(encode(sha256(convert_to(organization_id::text || source_id, 'UTF8')), 'base64'), 4);

-- Returns search tokens with a key before each. `skipped` is the number of characters to leave out first:
-- 0, or the length of an earlier key.
CREATE FUNCTION keyed_search_tokens(key text, tokens tsvector, skipped integer) RETURNS tsvector
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN array_to_tsvector(
    ARRAY(SELECT key || substr(t.token, skipped + 1) FROM unnest(tsvector_to_array(tokens)) AS t (token))
);

-- Returns the search tokens of a text of a source, like text_search_tokens.
CREATE FUNCTION keyed_text_tokens(organization_id uuid, source_id text, folded text) RETURNS tsvector
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
RETURN (
    SELECT
        CASE
            WHEN length(folded) > 50000 THEN array_to_tsvector(ARRAY['too long'])
            ELSE (
                SELECT
                    array_to_tsvector(
                        array_agg(k.key || p.first || coalesce(p.second, '') || coalesce(p.third, ''))
                    )
                FROM (SELECT string_to_array(folded, NULL) AS characters OFFSET 0) AS t
                CROSS JOIN unnest(t.characters, t.characters[2:], t.characters[3:])
                    AS p (first, second, third)
            )
        END
    FROM (SELECT search_key(organization_id, source_id) AS key OFFSET 0) AS k
);

-- Returns a query for each source that matches the keyed tokens of the texts that may contain a term, like
-- term_search_tokens, and one for texts that are too long, whose token has no key. A term of up to three
-- characters matches only texts that contain it. PL/pgSQL, because an SQL function starts more slowly.
CREATE FUNCTION keyed_term_tokens(organization_id uuid, source_ids text[], folded text) RETURNS tsquery[]
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    -- With many sources, each token is looked up often.
    step integer := CASE WHEN cardinality(source_ids) > 4 THEN 2 ELSE 1 END;
    ending text := '''' || CASE WHEN length(folded) < 3 THEN ':*' ELSE '' END;
    tokens text[] := ARRAY[right(folded, 3)];
    queries tsquery[];
    key text;
BEGIN
    FOR place IN 1..least(length(folded) - 3, 12) BY step LOOP
        tokens := tokens || substr(folded, place, 3);
    END LOOP;
    -- A folded text contains no line break.
    tokens := string_to_array(
        replace(replace(array_to_string(tokens, E'\n'), '\', '\\'), '''', ''''''), E'\n'
    );
    FOR number IN 1..cardinality(source_ids) LOOP
        key := '''' || search_key(organization_id, source_ids[number]);
        queries[number] := (key || array_to_string(tokens, ''' & ' || key) || ending)::tsquery;
    END LOOP;
    RETURN queries || '''too long'''::tsquery;
END
$$;

-- Returns its argument. The cost and the subquery, which prevents inlining, make the planner use the index,
-- because it does not know how long it takes to read the tokens of a row.
CREATE FUNCTION indexed_tokens(tokens tsvector) RETURNS tsvector
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000000
RETURN (SELECT tokens);

CREATE TABLE knowledge_search (
    organization_id uuid NOT NULL,
    knowledge_id text COLLATE "C" NOT NULL,
    -- The chunk, or -1 for the title.
    first_unit integer NOT NULL,
    -- The source whose key the tokens have. It is empty while the item is suppressed.
    source_id text COLLATE "C" NOT NULL,
    tokens tsvector NOT NULL,
    PRIMARY KEY (organization_id, knowledge_id, first_unit)
);
ALTER TABLE knowledge_search ALTER COLUMN tokens SET STATISTICS 0;
-- Tokens hardly compress.
ALTER TABLE knowledge_search ALTER COLUMN tokens SET STORAGE EXTERNAL;

-- In a Citus cluster, the rows are beside those of the item.
DO $$
BEGIN
    IF to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL THEN
        EXECUTE $citus$
            SELECT
                create_distributed_table('knowledge_search', 'organization_id', colocate_with => 'knowledge'),
                create_distributed_function('search_key(uuid, text)'),
                create_distributed_function('keyed_search_tokens(text, tsvector, integer)'),
                create_distributed_function('keyed_term_tokens(uuid, text[], text)'),
                create_distributed_function('keyed_text_tokens(uuid, text, text)'),
                create_distributed_function('indexed_tokens(tsvector)')
            FROM pg_dist_partition
            WHERE logicalrelid = 'knowledge'::regclass AND partmethod = 'h'
        $citus$;
    END IF;
END
$$;

ALTER TABLE knowledge_search
    ADD FOREIGN KEY (organization_id, knowledge_id) REFERENCES knowledge ON DELETE CASCADE;

-- Loads wait until this ends; the service reads on.
INSERT INTO knowledge_search (organization_id, knowledge_id, first_unit, source_id, tokens)
SELECT
    t.organization_id, t.knowledge_id, t.first_unit, t.source_id,
    keyed_search_tokens(search_key(t.organization_id, t.source_id), t.tokens, 0)
FROM (
    SELECT
        k.organization_id, k.id AS knowledge_id, c.first_unit, c.tokens,
        CASE WHEN s.knowledge_id IS NULL THEN k.source_id ELSE '' END AS source_id
    FROM knowledge AS k
    JOIN (
        SELECT
            organization_id, id, -1 AS first_unit,
            coalesce(text_search_tokens(title_lower), '') AS tokens
        FROM knowledge
        UNION ALL
        SELECT organization_id, knowledge_id, first_unit, search_tokens
        FROM knowledge_chunks
    ) AS c
        ON c.organization_id = k.organization_id AND c.id = k.id
    LEFT JOIN knowledge_suppressions AS s
        ON s.organization_id = k.organization_id AND s.knowledge_id = k.id
) AS t;

CREATE INDEX knowledge_search_tokens ON knowledge_search
    USING gin (indexed_tokens(tokens)) WITH (gin_pending_list_limit = 16384);
ALTER INDEX knowledge_search_tokens ALTER COLUMN 1 SET STATISTICS 0;

-- The next migration drops the indexes that these replace.
CREATE INDEX telegram_search_tokens ON telegram_search USING gin (
    keyed_text_tokens(
        organization_id, chat_id::text,
        coalesce(text_lower, '') || E'\n' || coalesce(file_name_lower, '')
    )
) WITH (gin_pending_list_limit = 256);
ALTER INDEX telegram_search_tokens ALTER COLUMN 1 SET STATISTICS 0;
CREATE INDEX people_tokens ON people USING gin (
    keyed_text_tokens(
        organization_id, source_id, display_name_lower || E'\n' || coalesce(username_lower, '')
    )
) WITH (gin_pending_list_limit = 256);
ALTER INDEX people_tokens ALTER COLUMN 1 SET STATISTICS 0;
CREATE INDEX assets_tokens ON assets
    USING gin (keyed_text_tokens(organization_id, source_id, name_folded))
    WITH (gin_pending_list_limit = 256);
ALTER INDEX assets_tokens ALTER COLUMN 1 SET STATISTICS 0;
-- Only mentions of the account of the source are readable.
CREATE INDEX x_mentions_tokens ON x_mentions
    USING gin (keyed_text_tokens(organization_id, source_id || ' ' || lower(account), text_lower))
    WITH (gin_pending_list_limit = 256);
ALTER INDEX x_mentions_tokens ALTER COLUMN 1 SET STATISTICS 0;

GRANT SELECT ON knowledge_search TO orgctx_reader;
