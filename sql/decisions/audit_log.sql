-- name: become_desk
-- Sets the role and the timeouts of the desk for the rest of the transaction. The settings end with it,
-- because a pooler may give the next transaction another connection.
-- Parameters: role text; statement_timeout, lock_timeout and idle_timeout text with their units.
SELECT
    set_config('role', %(role)s, true),
    set_config('search_path', 'public, pg_temp', true),
    set_config('statement_timeout', %(statement_timeout)s, true),
    set_config('lock_timeout', %(lock_timeout)s, true),
    set_config('idle_in_transaction_session_timeout', %(idle_timeout)s, true);

-- name: record_decision
-- Adds a record to the audit log. One transaction at a time does so, and holds the lock until it
-- ends, so that whoever has read a sequence has also read all lower ones.
-- Parameters: organization_id uuid, decided_by uuid or null, command text, before jsonb, after jsonb,
-- authentication text: how the author was authenticated.
-- Rows: (sequence bigint), one.
WITH ordered AS MATERIALIZED (SELECT pg_advisory_xact_lock(hashtext('orgctx audit')))
INSERT INTO audit (organization_id, decided_by, command, before, after, authentication)
SELECT
    %(organization_id)s::uuid, %(decided_by)s::uuid, %(command)s::text, %(before)s::jsonb,
    %(after)s::jsonb, %(authentication)s::text
FROM ordered
RETURNING sequence;

-- name: find_last_decision
-- Finds the last decision about one of some objects of an organization.
-- Parameters: organization_id uuid, ids text[]: the ids of the objects.
-- Rows: (sequence bigint, decided_by uuid, name text or null: the name of that member, at timestamptz, command text),
-- at most one.
-- Index: audit_pkey, backwards until a record names an object.
SELECT a.sequence, a.decided_by, m.display_name AS name, a.at, a.command
FROM audit AS a
LEFT JOIN members AS m
    ON m.organization_id = a.organization_id AND m.user_id = a.decided_by
WHERE a.organization_id = %(organization_id)s
    AND a.decided_by IS NOT NULL
    AND (a.before ?| %(ids)s::text[] OR a.after ?| %(ids)s::text[])
ORDER BY a.sequence DESC
LIMIT 1;

-- name: list_audit
-- Lists audit records, oldest first.
-- Parameters: organization_id uuid, or null for all; since timestamptz, or null; member uuid: who
-- decided, or null; command text: its words, or null; object text: only records that change an object
-- with this id, or with this text in its name, or null; after and before bigint: only records after
-- and before these sequences, or null; row_limit bigint: how many of the newest records, or null.
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
        AND (%(after)s::bigint IS NULL OR a.sequence > %(after)s)
        AND (%(before)s::bigint IS NULL OR a.sequence < %(before)s)
        AND (%(member)s::uuid IS NULL OR a.decided_by = %(member)s)
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

-- name: list_audit_commands
-- Lists the commands of which an organization has audit records.
-- Parameters: organization_id uuid.
-- Rows: (command text), by name.
-- Index: audit_pkey.
SELECT DISTINCT command
FROM audit
WHERE organization_id = %(organization_id)s
ORDER BY command;
