-- Finds the erasure of a user of X.
-- Parameters: organization_id uuid, user_id text.
-- Rows: (erased_at timestamptz), or none.
-- Index: erased_people_pkey.
SELECT erased_at
FROM erased_people
WHERE organization_id = %(organization_id)s
    AND digest = person_digest(%(organization_id)s::uuid, 'x', %(user_id)s);
