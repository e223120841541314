-- Turns the staged messages that erased people wrote, and those that forward them, into tombstones.
-- Parameters: digests bytea[]: the digests of the erased people, see person_digest.
-- Rows: none.
UPDATE staged_telegram_messages
SET deleted = true
WHERE NOT deleted
    AND (
        person_digest(organization_id, 'telegram', sender_id) = ANY(%(digests)s::bytea[])
        OR EXISTS (
            SELECT FROM regexp_matches(detail, '^Forwarded from .*\((\w+)\)$', 'gn') AS m (parts)
            WHERE person_digest(organization_id, 'telegram', m.parts[1]) = ANY(%(digests)s::bytea[])
        )
    );
