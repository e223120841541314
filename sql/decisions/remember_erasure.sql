-- Stores that a person was erased, so that loads store nothing of this person again.
-- Parameters: organization_id uuid, platform text, person_id text.
-- Rows: none.
INSERT INTO erased_people (organization_id, digest)
VALUES (
    %(organization_id)s::uuid,
    person_digest(%(organization_id)s::uuid, %(platform)s, %(person_id)s)
)
ON CONFLICT DO NOTHING;
