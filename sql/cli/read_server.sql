-- What migrations and doctor ask of a database before they use it.
-- Parameters: none.
-- Row: (version integer such as 180001, encoding text, folds boolean: whether lower()
-- knows letters beyond ASCII, login text).
SELECT
    current_setting('server_version_num')::integer AS version,
    getdatabaseencoding() AS encoding,
    getdatabaseencoding() = 'UTF8' AND lower(U&'\00C4\0416') = U&'\00E4\0436' AS folds,
    current_user::text AS login;
