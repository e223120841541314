-- Stores that a person was erased, so that loads keep this person out. A repost names its author by a
-- username of X, whose digest is that of `@` and the username.
-- Parameters: organization_id uuid, platform text, person_id text, usernames text[]: in lower case.
-- Rows: none.
INSERT INTO erased_people (organization_id, digest)
SELECT
    %(organization_id)s::uuid,
    person_digest(%(organization_id)s::uuid, %(platform)s, name)
FROM (
    SELECT %(person_id)s AS name
    UNION
    SELECT '@' || unnest(%(usernames)s::text[]) WHERE %(platform)s = 'x'
) AS names
ON CONFLICT DO NOTHING;
