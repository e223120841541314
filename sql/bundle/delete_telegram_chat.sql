-- Deletes a chat, its messages and the rows of its senders in people. Inserts these senders into
-- touched_people, so that their other sources are recomputed.
-- Parameters: organization_id uuid, id uuid.
-- Row: (deleted bigint, source_ids text[]: the sources of the deleted records, null if there are
--   none).
WITH deleted_rows AS (
    DELETE FROM telegram_chats
    WHERE organization_id = %(organization_id)s AND id = %(id)s
    RETURNING source_id
),
silent AS (
    DELETE FROM people AS p
    USING deleted_rows AS g
    WHERE p.organization_id = %(organization_id)s AND p.source_id = g.source_id
    RETURNING p.organization_id, p.platform, p.person_id
),
people_added AS (
    INSERT INTO touched_people (organization_id, platform, person_id)
    SELECT organization_id, platform, person_id FROM silent
    ON CONFLICT DO NOTHING
)
SELECT count(*) AS deleted, array_agg(DISTINCT source_id) AS source_ids FROM deleted_rows;
