-- Turns the staged mentions of erased people into tombstones, and removes their quoted posts from
-- the mentions of others.
-- Parameters: digests bytea[]: the digests of the erased people, see person_digest.
-- Rows: none.
UPDATE staged_x_mentions
SET
    deleted = person_digest(organization_id, 'x', author_id) = ANY(%(digests)s::bytea[]),
    quoted = CASE
        WHEN person_digest(organization_id, 'x', quoted #>> '{author,id}') = ANY(%(digests)s::bytea[])
        THEN NULL
        ELSE quoted
    END
WHERE NOT deleted;
