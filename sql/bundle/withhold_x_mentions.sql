-- Turns the staged mentions of erased people, and reposts of theirs, into tombstones, and removes
-- their quoted posts from the mentions of others.
-- Parameters: digests bytea[]: the digests of the erased people, see person_digest.
-- Rows: none.
UPDATE staged_x_mentions
SET
    deleted = ARRAY[
        person_digest(organization_id, 'x', author_id),
        CASE WHEN is_repost THEN
            person_digest(organization_id, 'x', '@' || lower(substring(text FROM '^RT @(\w{1,50}): ')))
        END
    ] && %(digests)s::bytea[],
    quoted = CASE
        WHEN person_digest(organization_id, 'x', quoted #>> '{author,id}') = ANY(%(digests)s::bytea[])
        THEN NULL
        ELSE quoted
    END
WHERE NOT deleted;
