-- Counts the active keys in the last third of their life that expire within a week, over all
-- organizations.
-- Parameters: none.
-- Row: (expiring_count bigint).
SELECT count_expiring_keys(interval '7 days') AS expiring_count;
