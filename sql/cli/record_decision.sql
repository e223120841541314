-- Adds a record to the audit log.
-- Parameters: organization_id uuid, decided_by uuid or null, command text, before jsonb, after jsonb,
-- authentication text: how the author was authenticated.
-- Rows: none.
INSERT INTO audit (organization_id, decided_by, command, before, after, authentication)
VALUES (
    %(organization_id)s, %(decided_by)s, %(command)s, %(before)s, %(after)s,
    %(authentication)s
);
