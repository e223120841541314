// One MCP session of a TypeScript client: `node talk.mjs PACKAGE URL KEY MODE`.
//
// PACKAGE: the name that package.json gives to a version. MODE: legacy for the 1.x SDKs; legacy,
// auto or a modern revision for the 2.x client. Prints what came back as JSON.
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const TOOL = { name: "search_context", arguments: { q: "document", limit: 3 } };
const WRONG = { name: "search_context", arguments: { limit: 0, sauce: "x" } };

const [folder, name, url, key, mode] = process.argv.slice(2);
const resolve = createRequire(join(folder, "package.json")).resolve;
const load = (path) => import(pathToFileURL(resolve(path)).href);

async function connect() {
  const options = { requestInit: { headers: { Authorization: `Bearer ${key}` } } };
  const about = { name: "talk", version: "1" };
  if (name === "@modelcontextprotocol/client") {
    const { Client, StreamableHTTPClientTransport } = await load(name);
    const pin = mode === "legacy" || mode === "auto" ? mode : { pin: mode };
    const client = new Client(about, { versionNegotiation: { mode: pin } });
    await client.connect(new StreamableHTTPClientTransport(new URL(url), options));
    return client;
  }
  const { Client } = await load(`${name}/client/index.js`);
  const { StreamableHTTPClientTransport } = await load(`${name}/client/streamableHttp.js`);
  const client = new Client(about);
  await client.connect(new StreamableHTTPClientTransport(new URL(url), options));
  await client.ping();
  return client;
}

async function failure(call) {
  try {
    return { returned: await call };
  } catch (error) {
    return { code: error.code ?? null, message: String(error.message) };
  }
}

const client = await connect();
const report = {
  tools: (await client.listTools()).tools,
  answer: await client.callTool(TOOL),
  argument_error: await client.callTool(WRONG),
  unknown_tool: await failure(client.callTool({ name: "no_such_tool", arguments: {} })),
  version: client.getNegotiatedProtocolVersion?.() ?? null,
};
await client.close();
console.log(JSON.stringify(report));
