-- Converts a text to lower case in the locale of the database, even if it has no fold_text yet.
-- Parameters: text text.
-- Row: (lowered text).
SELECT lower(%(text)s::text) AS lowered;
