-- Deletes a chat, its messages and their senders' records.
-- Parameters: organization_id uuid, id.
-- Rows: (deleted bigint).
WITH gone AS (
    DELETE FROM telegram_chats
    WHERE organization_id = %(organization_id)s AND id = %(id)s
    RETURNING organization_id, source_id
),
silent AS (
    DELETE FROM people AS p
    USING gone AS g
    WHERE p.organization_id = g.organization_id AND p.source_id = g.source_id
    RETURNING p.organization_id, p.platform, p.person_id
),
people_noted AS (
    INSERT INTO touched_people (organization_id, platform, person_id)
    SELECT organization_id, platform, person_id FROM silent
    ON CONFLICT DO NOTHING
),
noted AS (
    INSERT INTO touched_sources (organization_id, source_id)
    SELECT organization_id, source_id FROM gone
    ON CONFLICT DO NOTHING
)
SELECT count(*) AS deleted FROM gone;
