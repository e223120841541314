-- What migrations and doctor ask of a database before they use it.
-- Parameters: none.
-- Row: (version integer such as 180001, encoding text, login text).
SELECT
    current_setting('server_version_num')::integer AS version,
    getdatabaseencoding() AS encoding,
    current_user::text AS login;
