-- The people who were erased. No load stores what they wrote again. The service does not read this.

-- Returns the digest of a person of an organization. An id has few possible values, so the digest
-- hides it from readers of a backup, not from somebody who tries all ids.
CREATE FUNCTION person_digest(organization_id uuid, platform text, person_id text) RETURNS bytea
LANGUAGE sql STABLE STRICT PARALLEL SAFE
RETURN sha256(convert_to(organization_id::text || ':' || platform || ':' || person_id, 'UTF8'));

-- No foreign key, so that people stay erased if their organization is deleted and loaded again.
CREATE TABLE erased_people (
    organization_id uuid NOT NULL,
    digest bytea NOT NULL,
    erased_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, digest)
);
