-- How members sign in to the desk.

-- The secret of which the desk makes the key that signs sessions and links. It belongs to no
-- organization, because it is read before one is known.
CREATE TABLE desk_signing_secret (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    -- 244 random bits.
    secret text NOT NULL DEFAULT concat(gen_random_uuid(), gen_random_uuid())
);
INSERT INTO desk_signing_secret DEFAULT VALUES;

-- How they are known to an OpenID Connect provider. Few rows, which are read at each sign-in before the organization is known; so no further index.
CREATE TABLE member_identities (
    organization_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('email', 'subject')),
    -- An e-mail address in lower case, or the issuer, `#` and the subject.
    value text COLLATE "C" NOT NULL,
    user_id uuid NOT NULL,
    PRIMARY KEY (organization_id, kind, value),
    FOREIGN KEY (organization_id, user_id) REFERENCES members ON DELETE CASCADE
);

-- Finds who may decide, for each organization at most one member. The subject comes first.
CREATE FUNCTION find_identity(wanted_subject text, wanted_email text)
RETURNS TABLE (organization_id uuid, organization_name text, slug text, user_id uuid)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
BEGIN
    RETURN QUERY
    SELECT DISTINCT ON (o.organization_id) o.organization_id, o.display_name, o.slug, i.user_id
    FROM member_identities AS i
    JOIN members AS m
        ON m.organization_id = i.organization_id
        AND m.user_id = i.user_id
        AND m.role IN ('owner', 'admin')
    JOIN organizations AS o ON o.organization_id = i.organization_id
    WHERE (i.kind = 'subject' AND i.value = wanted_subject)
        OR (i.kind = 'email' AND i.value = wanted_email)
    ORDER BY o.organization_id, i.kind = 'subject' DESC
    LIMIT 100;
END
$$;

REVOKE ALL ON FUNCTION find_identity(text, text) FROM PUBLIC;
