-- Names what is read before an organization is known, for citus/distribute in the same
-- transaction, because a DO block takes no parameters.
-- Parameters: gate text, the statements of the gate.
-- Row: one, to be ignored.
SELECT set_config('orgctx.gate', %(gate)s, true);
