-- Limits the time of each later statement of the transaction, which searches texts.
-- Parameters: statement_timeout text with its unit.
-- Row: not used.
SELECT set_config('statement_timeout', %(statement_timeout)s, true);
