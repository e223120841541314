-- Who may decide, also while a server of a Citus cluster is down.

-- Locks a member of an organization. A function, because Citus would lock the row on every server,
-- and `orgctx migrate --citus` lets it read the coordinator's copy. A change of the row changes this
-- copy too, so it waits.
CREATE FUNCTION lock_member(wanted_organization_id uuid, wanted_user_id uuid)
RETURNS TABLE (role text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
BEGIN
    RETURN QUERY
    SELECT m.role
    FROM members AS m
    WHERE m.organization_id = wanted_organization_id AND m.user_id = wanted_user_id
    FOR SHARE;
END
$$;

REVOKE ALL ON FUNCTION lock_member(uuid, uuid) FROM PUBLIC;
