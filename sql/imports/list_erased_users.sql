-- Lists which users of X were erased.
-- Parameters: organization_id uuid, user_ids text[].
-- Rows: (user_id text).
-- Index: erased_people_pkey.
SELECT u.user_id
FROM unnest(%(user_ids)s::text[]) AS u (user_id)
JOIN erased_people AS e
    ON e.organization_id = %(organization_id)s
    AND e.digest = person_digest(%(organization_id)s::uuid, 'x', u.user_id);
