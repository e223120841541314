-- Creates the source of an organization's own name and slug, which is not approved.
-- Parameters: organization_id uuid, id text, label text.
-- Rows: none.
INSERT INTO sources (organization_id, id, kind, label, description, status, updated_at)
VALUES (
    %(organization_id)s, %(id)s, 'profile', %(label)s, 'Name and slug of the organization',
    'current', now()
);
