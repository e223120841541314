"""Load bundles: store a stream of records (JSON Lines) in the database, all of it or nothing."""
