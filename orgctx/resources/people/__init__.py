"""People: platform identities behind stored messages and posts."""
