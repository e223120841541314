"""Minutes of mixed load in which every answer is checked: python -m tests.soak [--minutes 10].

Clients read over REST and MCP while the command line reloads sources, withdraws and gives
approvals, and issues and revokes keys. `expected` decides which answers are correct.
"""
