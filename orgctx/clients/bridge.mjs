// Passes the messages of a client on standard input to the service, and prints its answers.
import { createInterface } from "node:readline";

const url = process.env.ORGCTX_URL;
const key = process.env.ORGCTX_API_KEY?.trim();
const VERSION_META = "io.modelcontextprotocol/protocolVersion";
const UNREACHABLE = -32000;
let agreedVersion;

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim()) pass(line);
}

async function pass(line) {
  let message = {};
  let answer;
  try {
    message = JSON.parse(line) ?? {};
    // fetch would quote such a key in its error.
    if (!/^[\x21-\x7e]+$/.test(key)) throw new Error("the API key is missing or has invalid characters");
    answer = await ask(line, message);
  } catch (error) {
    const reason = error.cause?.message ?? error.message;
    answer = { jsonrpc: "2.0", error: { code: UNREACHABLE, message: `${url}: ${reason}` } };
  }
  if (message.method === "initialize") agreedVersion = answer?.result?.protocolVersion;
  // Notifications have no id and get no answer. Errors before the message was read have no id yet.
  if (answer && message.id !== undefined) {
    process.stdout.write(`${JSON.stringify({ ...answer, id: message.id })}\n`);
  }
}

async function ask(body, message) {
  // Redirects are refused, so that the key is sent only to this address.
  const response = await fetch(url, { method: "POST", headers: headersOf(message), body, redirect: "error" });
  const text = await response.text();
  return text ? JSON.parse(text) : undefined;
}

function headersOf({ method, params }) {
  const headers = {
    Accept: "application/json, text/event-stream",
    Authorization: `Bearer ${key}`,
    "Content-Type": "application/json",
  };
  const version = params?._meta?.[VERSION_META];
  if (version ?? agreedVersion) headers["MCP-Protocol-Version"] = version ?? agreedVersion;
  if (version) headers["Mcp-Method"] = method;
  if (version && params.name) headers["Mcp-Name"] = params.name;
  return headers;
}
