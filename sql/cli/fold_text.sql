-- How the database folds case.
-- Parameters: text text.
-- Row: (folded text).
SELECT lower(%(text)s::text) AS folded;
