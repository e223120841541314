import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const headers = { Authorization: `Bearer ${process.env.ORGCTX_API_KEY}` };
const url = new URL("https://orgctx.example/api/mcp");
const client = new Client({ name: "my-agent", version: "1.0.0" });
await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
const { tools } = await client.listTools();
console.log(tools.map((tool) => tool.name));
await client.close();
