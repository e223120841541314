-- Stores the text of the statements in gate/ in the setting orgctx.gate until the transaction ends.
-- cli/citus/distribute reads it there, because a DO block takes no parameters.
-- Parameters: gate text: the statements, joined.
-- Row: not used.
SELECT set_config('orgctx.gate', %(gate)s, true);
