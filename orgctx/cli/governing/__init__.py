"""Commands for owners and operators: sources, keys, members, knowledge, audit, usage."""
