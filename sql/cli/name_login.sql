-- Stores the login in the setting orgctx.login until the transaction ends. cli/grant_reader reads
-- it there, because a DO block takes no parameters.
-- Parameters: login text.
-- Row: one, not used.
SELECT set_config('orgctx.login', %(login)s, true);
