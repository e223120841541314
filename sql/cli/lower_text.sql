-- Converts a text to lower case as searches do.
-- Parameters: text text.
-- Row: (folded text).
SELECT lower(%(text)s::text) AS folded;
