"""Commands on organizations: members, people, sources, keys, knowledge, usage and audit."""
