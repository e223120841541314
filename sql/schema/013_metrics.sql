-- A function with which the metrics count keys without a privilege on the table of keys. A key
-- counts only in the last third of its life, so that one of 7 days is not always about to expire.

CREATE FUNCTION count_expiring_keys(within interval) RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT count(*)
    FROM api_keys
    WHERE revoked_at IS NULL AND expires_at > now()
        AND expires_at <= now() + least(within, (expires_at - created_at) / 3)
$$;

REVOKE ALL ON FUNCTION count_expiring_keys(interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION count_expiring_keys(interval) TO orgctx_reader;
