-- Finds the owners and admins with this identity, at most one for each organization, at most 100.
-- Parameters: subject text: issuer, `#` and subject, email text or null: in lower case, verified.
-- Rows: (organization_id uuid, organization_name text, slug text, user_id uuid,
--   now timestamptz).
SELECT organization_id, organization_name, slug, user_id, now() AS now
FROM find_identity(%(subject)s::text, %(email)s::text);
