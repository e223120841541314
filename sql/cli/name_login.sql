-- Passes the login to cli/grant_reader in the same transaction, as a setting, because a DO block
-- takes no parameters.
-- Parameters: login text.
-- Row: one, not used.
SELECT set_config('orgctx.login', %(login)s, true);
