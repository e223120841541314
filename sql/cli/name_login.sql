-- Names the login that cli/grant_reader is for, in the same transaction; a DO
-- block takes no parameters.
-- Parameters: login text.
-- Row: one, of no interest.
SELECT set_config('orgctx.login', %(login)s, true);
