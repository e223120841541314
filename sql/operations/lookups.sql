-- name: find_matches
-- Finds the first match of a term at or after an offset in the content of each of some knowledge
-- items.
-- Parameters: organization_id uuid, source_ids text[], knowledge_ids text[], q text; segment_start
--   and first_chunk integer: as in read_knowledge; least_units integer: shorter contents are left
--   out; chunk_limit bigint: how many chunks of each item are examined.
-- Rows: (id text, match_offset integer: in UTF-16 code units), unordered; no row for an item without
--   a match.
-- Index: knowledge_pkey, a range of knowledge_chunks_pkey.
WITH term AS MATERIALIZED (
    SELECT fold_text(%(q)s::text) AS text, convert_to(fold_text(%(q)s::text), 'UTF8') AS bytes
)
SELECT k.id, found.match_offset
FROM unnest(%(knowledge_ids)s::text[]) AS wanted (id)
-- OFFSET 0: no content of a suppressed item is read, because the time of the answer would tell its words.
CROSS JOIN LATERAL (
    SELECT * FROM readable_knowledge AS k
    WHERE k.organization_id = %(organization_id)s
        AND k.id = wanted.id
        AND k.source_id = ANY(%(source_ids)s::text[])
        AND k.content_units >= %(least_units)s
    OFFSET 0
) AS k
CROSS JOIN LATERAL (
    SELECT c.first_unit + utf16_length(left(c.content, place.at - 1)) AS match_offset
    FROM (
        SELECT n.* FROM knowledge_chunks AS n
        WHERE n.organization_id = %(organization_id)s
            AND n.knowledge_id = k.id
            AND n.first_unit >= %(first_chunk)s
            AND n.first_unit + n.unit_count > %(segment_start)s
        ORDER BY n.first_unit
        LIMIT %(chunk_limit)s
    ) AS c
    CROSS JOIN LATERAL (
        SELECT match_position(
            c.content || c.overlap, c.search_text, (SELECT text FROM term),
            CASE
                WHEN c.first_unit >= %(segment_start)s THEN 1
                ELSE 1 + character_count(c.content, %(segment_start)s - c.first_unit)
            END
        ) AS at
        OFFSET 0
    ) AS place
    WHERE position((SELECT bytes FROM term) IN convert_to(c.search_text, 'UTF8')) > 0
        -- A match that begins in the overlap belongs to the next chunk.
        AND place.at BETWEEN 1 AND length(c.content)
    ORDER BY c.first_unit
    LIMIT 1
) AS found;

-- name: find_named
-- Finds the people of some sources by their exact name, ignoring case.
-- Parameters: organization_id uuid, source_ids text[]; person_name text: a username without @;
--   display_name text: the name as a display name, or null for usernames alone.
-- Rows: (person_id text), at most six, ordered.
-- Index: people_tokens.
SELECT p.person_id
FROM (
    SELECT * FROM people AS p
    WHERE p.organization_id = %(organization_id)s
        AND p.source_id = ANY(%(source_ids)s::text[])
        AND keyed_text_tokens(
            p.organization_id, p.source_id, p.display_name_lower || E'\n' || coalesce(p.username_lower, '')
        ) @@ ANY(
            keyed_term_tokens(%(organization_id)s, %(source_ids)s::text[], fold_text(%(person_name)s::text))
        )
    OFFSET 0
) AS p
WHERE p.username_lower = fold_text(%(person_name)s::text)
    OR p.display_name_lower = fold_text(%(display_name)s::text)
GROUP BY p.person_id
ORDER BY p.person_id
LIMIT 6;

-- name: list_places_of_assets
-- Reads the places of some files and folders: the folders that contain each, up to the root or the
-- first one that the key may not read.
-- Parameters: organization_id uuid, source_ids text[], asset_ids uuid[].
-- Rows: (id uuid, source_id text, kind text, bytes bigint, public_url text or null, is_cut boolean:
--   whether the key may not read the folder that contains the first one, folders text[]: names, the
--   outermost first).
-- Index: assets_pkey.
WITH RECURSIVE places AS (
    SELECT
        a.id, a.source_id, a.kind, a.bytes, a.public_url, a.parent_id AS folder_id,
        '{}'::text[] AS folders
    FROM assets AS a
    WHERE a.organization_id = %(organization_id)s
        AND a.id = ANY(%(asset_ids)s::uuid[])
        AND a.source_id = ANY(%(source_ids)s::text[])
    UNION ALL
    SELECT
        p.id, p.source_id, p.kind, p.bytes, p.public_url, f.parent_id, f.name || p.folders
    FROM places AS p
    JOIN assets AS f
        ON f.organization_id = %(organization_id)s
        AND f.id = p.folder_id
        AND f.source_id = ANY(%(source_ids)s::text[])
)
SELECT DISTINCT ON (p.id)
    p.id, p.source_id, p.kind, p.bytes, p.public_url, p.folder_id IS NOT NULL AS is_cut, p.folders
FROM places AS p
ORDER BY p.id, cardinality(p.folders) DESC;

-- name: read_descriptions
-- Reads the descriptions of sources.
-- Parameters: organization_id uuid, source_ids text[].
-- Rows: (id text, description text), unordered, without sources whose description is empty.
-- Index: sources_pkey.
SELECT s.id, s.description
FROM sources AS s
WHERE s.organization_id = %(organization_id)s
    AND s.id = ANY(%(source_ids)s::text[])
    AND s.description <> '';
