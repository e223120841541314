-- Names the login for cli/grant_reader in the same transaction, because a DO block takes no
-- parameters.
-- Parameters: login text.
-- Row: one, to be ignored.
SELECT set_config('orgctx.login', %(login)s, true);
