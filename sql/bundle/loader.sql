-- name: lock_organizations
-- Locks the organizations of all staged records until the transaction ends, so that each
-- organization has one load at a time. A load that changes a slug also locks the nil UUID, so that
-- two loads cannot store the same slug.
INSERT INTO organization_locks (organization_id)
SELECT organization_id FROM staged_records
UNION
SELECT '00000000-0000-0000-0000-000000000000'
FROM staged_organizations AS s
WHERE NOT EXISTS (
    SELECT FROM organizations AS o WHERE o.organization_id = s.organization_id AND o.slug = s.slug
)
ORDER BY organization_id
ON CONFLICT (organization_id) DO UPDATE SET organization_id = excluded.organization_id;

-- name: list_erased_people
-- Lists the digests of all erased people of some organizations.
-- Parameters: organization_ids uuid[]: all organizations of the stream.
-- Rows: (digest bytea).
-- Index: erased_people_pkey.
SELECT digest FROM erased_people WHERE organization_id = ANY(%(organization_ids)s);

-- name: list_approved_changes
-- Lists the approved sources whose records the stream changes. Runs before the sources are counted
-- again.
-- Parameters: organization_ids uuid[]: all organizations of the stream.
-- Rows: (id text, record_count bigint: before the stream; created, updated, deleted bigint), by id.
-- Index: sources_pkey, telegram_chats_pkey.
SELECT
    s.id, s.record_count, sum(c.created)::bigint AS created, sum(c.updated)::bigint AS updated,
    sum(c.deleted)::bigint AS deleted
FROM source_changes AS c
LEFT JOIN telegram_chats AS t
    ON t.organization_id = ANY(%(organization_ids)s)
    AND t.organization_id = c.organization_id AND t.id = c.chat_id
JOIN sources AS s
    ON s.organization_id = ANY(%(organization_ids)s)
    AND s.organization_id = c.organization_id
    AND s.id = coalesce(c.source_id, t.source_id)
WHERE s.included AND s.external
GROUP BY s.organization_id, s.id, s.record_count
ORDER BY s.id;

-- name: list_placed_assets
-- Lists the parent that each staged folder or file will have when the stream is stored: the one in
-- its last record. The arrays are parameters of bundle/find_folder_errors, which also reads stored
-- folders.
-- Parameters: organization_ids uuid[]: some or all organizations of the stream.
-- Row: (sequences, owner_ids, ids, parent_ids text: arrays of equal length in PostgreSQL's text
--   form, or null if no record is staged). owner_ids are organizations.
SELECT
    array_agg(sequence)::text AS sequences, array_agg(organization_id)::text AS owner_ids,
    array_agg(id)::text AS ids, array_agg(parent_id)::text AS parent_ids
FROM (
    SELECT DISTINCT ON (organization_id, id) sequence, organization_id, id, parent_id
    FROM staged_assets
    WHERE organization_id = ANY(%(organization_ids)s)
    ORDER BY organization_id, id, sequence DESC
) AS placed;

-- name: sign_out_promoted
-- Ends the sessions and links of members who may decide after the stream, and not before: they are from
-- before a demotion. The demotion itself could miss a sign-in that it waits for.
-- Parameters: organization_ids uuid[]: all organizations of the stream.
-- Index: members_pkey.
WITH promoted AS MATERIALIZED (
    SELECT organization_id, user_id FROM staged_members WHERE role IN ('owner', 'admin')
),
signed_out AS (
    UPDATE members AS m
    SET signed_out_at = statement_timestamp()
    FROM promoted AS p
    WHERE m.organization_id = ANY(%(organization_ids)s)
        AND m.organization_id = p.organization_id AND m.user_id = p.user_id
        AND m.role NOT IN ('owner', 'admin')
    RETURNING 1
)
SELECT count(*) FROM signed_out;  -- Citus rejects an UPDATE here

-- name: limit_times
-- Replaces times of staged sources that are in the future, because such a source would never become stale.
UPDATE staged_sources SET updated_at = statement_timestamp() WHERE updated_at > statement_timestamp();

-- name: fill_touched
-- Inserts into source_changes the sources of the staged records, and the profiles of staged organizations.
-- Runs before the merge, whose statements add the sources of the records that the stream replaces.
-- Parameters: organization_ids uuid[]: all organizations of the stream.
INSERT INTO source_changes (organization_id, source_id)
SELECT organization_id, source_id FROM staged_records WHERE source_id IS NOT NULL
UNION
SELECT t.organization_id, t.id
FROM sources AS t JOIN staged_organizations USING (organization_id)
WHERE t.organization_id = ANY(%(organization_ids)s) AND t.kind = 'profile';

-- name: list_changed_sources
-- Lists the sources in source_changes, whose record counts must be recomputed, by organization.
-- Rows: (organization_id uuid, source_ids text[]).
SELECT organization_id, array_agg(DISTINCT source_id) AS source_ids
FROM source_changes
WHERE source_id IS NOT NULL
GROUP BY organization_id;

-- name: mark_loaded
-- Marks sources as changed by the load of this transaction.
-- Parameters: organization_id uuid, ids text[].
-- Index: sources_pkey.
UPDATE sources
SET loaded_at = statement_timestamp()
WHERE organization_id = %(organization_id)s AND id = ANY(%(ids)s);

-- name: clean_pending_list
-- Moves the entries of the pending list into the GIN index of documents. Until then, every search scans
-- the pending list.
SELECT gin_clean_pending_list('knowledge_search_tokens');
