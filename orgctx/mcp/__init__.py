"""MCP at /api/mcp: every revision that clients speak on one URL, without sessions.

The operations are REST's, answered by the same `operation.execute`. A request goes
routes (the door) → transport, body (what HTTP must say) → messages (the JSON-RPC
envelope) → eras (which revision speaks) → dispatch → methods → tools.
"""
