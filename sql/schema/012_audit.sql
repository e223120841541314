-- The audit log: decisions, loads and imports, and who made them. Rows are only inserted.

-- No foreign keys, so that records remain when the members and organizations in them are deleted.
CREATE TABLE audit (
    organization_id uuid NOT NULL,
    sequence bigint GENERATED ALWAYS AS IDENTITY,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- The member who decided it; null for a load, which needs no decision.
    decided_by uuid,
    login text NOT NULL DEFAULT session_user,
    -- How the member was authenticated.
    authentication text NOT NULL DEFAULT 'admin login',
    command text NOT NULL,
    before jsonb NOT NULL,
    after jsonb NOT NULL,
    PRIMARY KEY (organization_id, sequence)
);

-- `orgctx audit --follow` reads the records after the last one that it has read.
CREATE INDEX audit_by_sequence ON audit (sequence);

CREATE FUNCTION refuse_change() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    RAISE EXCEPTION 'records of the audit are never changed';
END
$$;

CREATE TRIGGER audit_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
