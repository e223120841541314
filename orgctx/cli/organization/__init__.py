"""Commands on organizations: members, sources, keys, knowledge, usage and audit."""
