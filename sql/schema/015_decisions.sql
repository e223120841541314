-- Who may decide, also while a server of a Citus cluster is down.

-- Locks the members of an organization with an id or a name. A function, because Citus would lock
-- the rows on every server, and `orgctx migrate --citus` lets it read the coordinator's copy. A
-- change of the rows changes this copy too, so it waits.
CREATE FUNCTION lock_members(wanted_organization_id uuid, wanted_user_id uuid, wanted_name text)
RETURNS TABLE (user_id uuid, display_name text, role text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
BEGIN
    RETURN QUERY
    SELECT m.user_id, m.display_name, m.role
    FROM members AS m
    WHERE m.organization_id = wanted_organization_id
        AND (
            m.user_id = wanted_user_id
            OR (wanted_user_id IS NULL AND lower(m.display_name) = lower(wanted_name))
        )
    ORDER BY m.user_id
    FOR SHARE;
END
$$;

REVOKE ALL ON FUNCTION lock_members(uuid, uuid, text) FROM PUBLIC;
