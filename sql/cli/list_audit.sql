-- Lists audit records, oldest first.
-- Parameters: organization_id uuid, or null for all; since timestamptz: the earliest time,
-- or null; after bigint: only records after this sequence, or null; row_limit bigint: how many of the newest records, or null for all.
-- Rows: (sequence bigint, at timestamptz, organization_id uuid, decided_by uuid or null, name text or null: the name
-- of that member, login text, command text, before jsonb, after jsonb).
-- Index: audit_pkey, audit_by_sequence.
SELECT sequence, at, organization_id, decided_by, name, login, command, before, after
FROM (
    SELECT a.*, m.display_name AS name
    FROM audit AS a
    LEFT JOIN members AS m
        ON m.organization_id = a.organization_id AND m.user_id = a.decided_by
    WHERE (%(organization_id)s::uuid IS NULL OR a.organization_id = %(organization_id)s)
        AND (%(since)s::timestamptz IS NULL OR a.at >= %(since)s)
        AND (%(after)s::bigint IS NULL OR a.sequence > %(after)s)
    ORDER BY a.sequence DESC
    LIMIT %(row_limit)s
) AS newest
ORDER BY sequence;
