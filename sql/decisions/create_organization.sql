-- Creates an organization on the standard plan.
-- Parameters: organization_id uuid, slug text, display_name text.
-- Rows: none.
INSERT INTO organizations (
    organization_id, display_name, slug, created_at, updated_at, plan, verified_holding, preview
)
VALUES (
    %(organization_id)s, %(display_name)s, %(slug)s, now(), now(), 'standard', 0, false
);
