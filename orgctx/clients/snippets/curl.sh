# REST: what the key may read
curl -sS "https://orgctx.example/api/v1/context" -H "Authorization: Bearer $ORGCTX_API_KEY"

# MCP: the tools
curl -sS "https://orgctx.example/api/mcp" -H "Authorization: Bearer $ORGCTX_API_KEY" \
  -H "Content-Type: application/json" -H "Accept: application/json, text/event-stream" \
  -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
