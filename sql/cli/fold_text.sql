-- Folds the case of a text as searches do.
-- Parameters: text text.
-- Row: (folded text).
SELECT lower(%(text)s::text) AS folded;
