-- Passes the statements that run before an organization is known to citus/distribute in the same
-- transaction, as a setting, because a DO block takes no parameters.
-- Parameters: gate text, the statements of the gate.
-- Row: one, not used.
SELECT set_config('orgctx.gate', %(gate)s, true);
