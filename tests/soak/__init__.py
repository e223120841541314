"""Minutes of everything at once: python -m tests.soak [--minutes 10]. Every answer is checked.

Clients read over REST and MCP while sources are reloaded, approvals withdrawn and given, and keys
issued and revoked through the command line. `right` decides which answers are correct.
"""
