-- Adds a member to an organization.
-- Parameters: organization_id uuid, id uuid, display_name text, role text.
-- Rows: none.
INSERT INTO members (organization_id, user_id, display_name, role)
VALUES (%(organization_id)s, %(id)s, %(display_name)s, %(role)s);
