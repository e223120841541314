"""orgctx: read-only access to one organization's stored context, over REST and MCP."""

__version__ = "1.0.0rc1"
