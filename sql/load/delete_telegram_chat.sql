-- Deletes a chat, its messages and their senders' records.
-- Parameters: organization_id uuid, id.
-- Rows: (deleted bigint, source_ids text[] or null: the sources of the deleted records).
WITH gone AS (
    DELETE FROM telegram_chats
    WHERE organization_id = %(organization_id)s AND id = %(id)s
    RETURNING source_id
),
silent AS (
    DELETE FROM people AS p
    USING gone AS g
    WHERE p.organization_id = %(organization_id)s AND p.source_id = g.source_id
    RETURNING p.organization_id, p.platform, p.person_id
),
people_noted AS (
    INSERT INTO touched_people (organization_id, platform, person_id)
    SELECT organization_id, platform, person_id FROM silent
    ON CONFLICT DO NOTHING
)
SELECT count(*) AS deleted, array_agg(DISTINCT source_id) AS source_ids FROM gone;
