npx -y @modelcontextprotocol/inspector@2 --cli "https://orgctx.example/api/mcp" --transport http \
  --header "Authorization: Bearer $ORGCTX_API_KEY" --method tools/list
