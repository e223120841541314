-- Lists that read no more than their page, people who are counted without being read, and
-- searches that find any literal through an index, whatever its length and its characters.

-- Lists count and leaf through these alone, and read the records of their page.
DROP INDEX knowledge_by_time, assets_by_folder;
CREATE INDEX knowledge_by_time ON knowledge (organization_id, updated_at DESC, id)
    INCLUDE (source_id, archived, kind, visibility);
CREATE INDEX assets_by_folder ON assets (
    organization_id,
    coalesce(parent_id, '00000000-0000-0000-0000-000000000000'),
    kind DESC, name_lower COLLATE "C", id
) INCLUDE (source_id, parent_id);
CREATE INDEX x_mentions_by_account ON x_mentions
    (organization_id, source_id, lower(account), created_at DESC, id) INCLUDE (account);

-- The other sources in which the person was active later, or as late and with a lesser id: of the
-- rows of any set of sources, those that name none of the set are one for each person. Derived
-- by every load, in order.
ALTER TABLE people
    ADD COLUMN newer_source_ids text[] COLLATE "C" NOT NULL DEFAULT '{}';

UPDATE people AS p
SET newer_source_ids = d.source_ids
FROM (
    SELECT
        o.organization_id, o.source_id, o.person_id,
        array_agg(n.source_id ORDER BY n.source_id) AS source_ids
    FROM people AS o
    JOIN people AS n
        ON n.organization_id = o.organization_id
        AND n.platform = o.platform
        AND n.person_id = o.person_id
        AND (n.last_active_at, o.source_id) > (o.last_active_at, n.source_id)
    GROUP BY o.organization_id, o.source_id, o.person_id
) AS d
WHERE p.organization_id = d.organization_id
    AND p.source_id = d.source_id
    AND p.person_id = d.person_id;

-- How many people there are of each kind that sets of sources tell apart. Derived by every load.
CREATE TABLE people_counts (
    organization_id uuid NOT NULL,
    source_id text COLLATE "C" NOT NULL,
    number integer NOT NULL,
    newer_source_ids text[] COLLATE "C" NOT NULL,
    people_count bigint NOT NULL,
    PRIMARY KEY (organization_id, source_id, number),
    FOREIGN KEY (organization_id, source_id) REFERENCES sources ON DELETE CASCADE
);

INSERT INTO people_counts (organization_id, source_id, number, newer_source_ids, people_count)
SELECT
    organization_id, source_id, row_number() OVER (PARTITION BY organization_id, source_id),
    newer_source_ids, count(*)
FROM people
GROUP BY organization_id, source_id, newer_source_ids;

GRANT SELECT ON people_counts TO orgctx_reader;

-- A text as the set of its three-character pieces, the last ones shorter. A text contains a term
-- of up to three characters if one of its pieces begins with it. One too long for a tsvector is
-- marked instead, so that every term makes it a candidate.
CREATE FUNCTION text_pieces(lowered text) RETURNS tsvector
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
RETURN CASE
    WHEN length(lowered) > 50000 THEN array_to_tsvector(ARRAY['too long'])
    ELSE (
        SELECT array_to_tsvector(array_agg(p.first || coalesce(p.second, '') || coalesce(p.third, '')))
        FROM (SELECT string_to_array(lowered, NULL) AS characters OFFSET 0) AS t
        CROSS JOIN unnest(t.characters, t.characters[2:], t.characters[3:])
            AS p (first, second, third)
    )
END;

-- What the pieces of a text match if the text may contain a term; surely it does, up to three
-- characters. Of a longer term the first twelve pieces are asked for, and the last one.
CREATE FUNCTION term_pieces(lowered text) RETURNS tsquery
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (
    SELECT
        (
            '(' || string_agg(
                '''' || replace(replace(p.piece, '\', '\\'), '''', '''''') || '''' || p.prefix, ' & '
            ) || ') | ''too long'''
        )::tsquery
    FROM (
        SELECT substr(lowered, place, 3), ''
        FROM generate_series(1, least(length(lowered) - 2, 12)) AS place
        UNION
        SELECT right(lowered, 3), CASE WHEN length(lowered) < 3 THEN ':*' ELSE '' END
    ) AS p (piece, prefix)
);

DROP INDEX knowledge_titles, knowledge_chunks_search, assets_search, telegram_search_terms,
    x_mentions_search;

-- A search reads what waits to be sorted into an index from end to end, so that is kept short.
CREATE INDEX knowledge_titles ON knowledge
    USING gin (organization_id, text_pieces(title_lower)) WITH (gin_pending_list_limit = 256);
CREATE INDEX knowledge_chunks_search ON knowledge_chunks
    USING gin (organization_id, text_pieces(search_text)) WITH (gin_pending_list_limit = 256);
CREATE INDEX assets_search ON assets
    USING gin (organization_id, text_pieces(name_lower)) WITH (gin_pending_list_limit = 256);
CREATE INDEX telegram_search_terms ON telegram_search USING gin (
    organization_id,
    text_pieces(coalesce(text_lower, '') || E'\n' || coalesce(file_name_lower, ''))
) WITH (gin_pending_list_limit = 256);
CREATE INDEX x_mentions_search ON x_mentions
    USING gin (organization_id, text_pieces(text_lower)) WITH (gin_pending_list_limit = 256);
CREATE INDEX people_search ON people USING gin (
    organization_id, text_pieces(display_name_lower || E'\n' || coalesce(username_lower, ''))
) WITH (gin_pending_list_limit = 256);

-- Their statistics would cost ANALYZE minutes and tell the planner nothing.
ALTER INDEX knowledge_titles ALTER COLUMN 2 SET STATISTICS 0;
ALTER INDEX knowledge_chunks_search ALTER COLUMN 2 SET STATISTICS 0;
ALTER INDEX assets_search ALTER COLUMN 2 SET STATISTICS 0;
ALTER INDEX telegram_search_terms ALTER COLUMN 2 SET STATISTICS 0;
ALTER INDEX x_mentions_search ALTER COLUMN 2 SET STATISTICS 0;
ALTER INDEX people_search ALTER COLUMN 2 SET STATISTICS 0;
