-- Lets one load at a time change the tables of a cluster, until the transaction ends. Every load
-- writes reference tables, which Citus locks as a whole, and two loads would deadlock there.
-- Parameters: none.
-- Row: not used.
SELECT pg_advisory_xact_lock(hashtext('orgctx loads'));
