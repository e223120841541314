"""MCP at /api/mcp: one URL for every protocol version, without sessions.

It serves the same operations as REST. The modules in the order in which a request passes them:
routes (admission, HTTP), messages (JSON-RPC), protocol_versions, dispatch,
methods, tools.
"""
