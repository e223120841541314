-- Removes the posts of an X user that mentions by others quote.
-- Parameters: organization_id uuid, person_id text.
-- Row: (erased_count bigint).
-- Index: x_mentions_pkey.
WITH erased AS (
    UPDATE x_mentions AS p
    SET quoted = NULL
    WHERE p.organization_id = %(organization_id)s
        AND p.quoted #>> '{author,id}' = %(person_id)s
    RETURNING 1
)
SELECT count(*) AS erased_count FROM erased;
