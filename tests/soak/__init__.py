"""Minutes of everything at once: python -m tests.soak [--minutes 10]. Every answer is checked.

Clients read over REST and MCP while sources are loaded anew, approvals withdrawn and given, and
keys issued and revoked through the command line. What is right stands in `right`.
"""
