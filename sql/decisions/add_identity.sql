-- Links an identity to a member.
-- Parameters: organization_id uuid, kind text: email or subject, value text, user_id uuid.
-- Rows: none.
INSERT INTO member_identities (organization_id, kind, value, user_id)
VALUES (%(organization_id)s, %(kind)s, %(value)s, %(user_id)s);
