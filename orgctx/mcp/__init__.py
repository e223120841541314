"""MCP at /api/mcp: every protocol version that clients speak on one URL, without sessions.

The operations are REST's, answered by the same `operation.execute`. A request goes
routes (admission) → transport, body (what HTTP must say) → messages (the JSON-RPC
envelope) → protocol_versions (which one the client speaks) → dispatch → methods → tools.
"""
