-- Lists audit records, oldest first.
-- Parameters: organization_id uuid, or null for all; since and until (exclusive) timestamptz, or
-- null; member text: the id of who decided, or part of the present name, ignoring case, or null;
-- command text: its words, or null; object text: only records that change an object with this id, or
-- with this text in its name, or null; after and before bigint: only records after and before
-- these sequences, or null; row_limit bigint: how many of the newest records, or null for all.
-- Rows: (sequence bigint, at timestamptz, organization_id uuid, decided_by uuid or null, name text or
-- null: the name of that member, login text, command text, before jsonb, after jsonb, authentication
-- text: how the author was authenticated).
-- Index: audit_pkey, audit_by_sequence.
SELECT sequence, at, organization_id, decided_by, name, login, command, before, after, authentication
FROM (
    SELECT a.*, m.display_name AS name
    FROM audit AS a
    LEFT JOIN members AS m
        ON m.organization_id = a.organization_id AND m.user_id = a.decided_by
    WHERE (%(organization_id)s::uuid IS NULL OR a.organization_id = %(organization_id)s)
        AND (%(since)s::timestamptz IS NULL OR a.at >= %(since)s)
        AND (%(until)s::timestamptz IS NULL OR a.at < %(until)s)
        AND (%(after)s::bigint IS NULL OR a.sequence > %(after)s)
        AND (%(before)s::bigint IS NULL OR a.sequence < %(before)s)
        AND (
            %(member)s::text IS NULL
            OR a.decided_by::text = lower(%(member)s)
            OR position(fold_text(%(member)s::text) IN fold_text(m.display_name)) > 0
        )
        AND (%(command)s::text IS NULL OR a.command = %(command)s)
        AND (
            %(object)s::text IS NULL
            OR a.before ? %(object)s
            OR a.after ? %(object)s
            OR EXISTS (
                SELECT
                FROM jsonb_each(a.before || a.after) AS o
                WHERE jsonb_typeof(o.value) = 'object'
                    AND position(fold_text(%(object)s::text) IN fold_text(concat_ws(
                        E'\n', o.value ->> 'label', o.value ->> 'name', o.value ->> 'display_name'
                    ))) > 0
            )
        )
    ORDER BY a.sequence DESC
    LIMIT %(row_limit)s
) AS newest
ORDER BY sequence;
