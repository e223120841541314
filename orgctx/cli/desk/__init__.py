"""orgctx desk: run the desk, invite members to it and end their sessions."""
