-- What the last import of a sync refused, so that a sync of unchanged files names it too.
ALTER TABLE source_listings ADD COLUMN message text;
