-- Stores a role and its future member in the settings orgctx.role and orgctx.member until the
-- transaction ends. cli/grant_role reads them there, because a DO block takes no parameters.
-- Parameters: role text, member text.
-- Row: not used.
SELECT set_config('orgctx.role', %(role)s, true), set_config('orgctx.member', %(member)s, true);
