// service.json, in which the service describes its operations, scopes, clients and base URL.
import { decoded } from "./route.js";

const response = await fetch(document.querySelector("link[rel=preload][as=fetch]").href);
if (!response.ok) throw new Error(`service.json: ${response.status}`);

export const service = await response.json();
// Without ORGCTX_BASE_URL, only the browser knows the address of the service.
service.baseUrl ||= location.origin;
for (const client of service.clients) {
  client.configuration = client.configuration.replaceAll(service.exampleUrl, service.baseUrl);
}

const byName = new Map(service.operations.map((operation) => [operation.name, operation]));
const patterns = service.operations.map((operation) => [
  new RegExp(`^/api/v1${operation.path.replace(/\{\w+\}/g, "([^/]+)")}$`),
  operation,
]);

export function operationOf(name) {
  return byName.get(name);
}

/** The path and query of a request, without empty arguments. */
export function pathOf(operation, args) {
  let path = operation.path;
  const query = new URLSearchParams();
  for (const [name, { path: place }] of Object.entries(operation.arguments)) {
    const value = args[name];
    if (place) path = path.replace(`{${place}}`, encodeURIComponent(value));
    else if (!isAbsent(value)) query.set(name, value);
  }
  const text = query.toString();
  return `/api/v1${path}${text && `?${text}`}`;
}

/** The same arguments for a tool: numbers and booleans by type. */
export function toolArguments(operation, args) {
  const given = Object.entries(operation.arguments).filter(([name]) => !isAbsent(args[name]));
  return Object.fromEntries(given.map(([name, { type }]) => [name, typed(args[name], type)]));
}

/** The operation that reads an API path, as {operation, values, query}; null for other paths. */
export function readBy(href) {
  if (!href?.startsWith("/api/v1/")) return null;
  const [path, query = ""] = href.split("?");
  for (const [pattern, operation] of patterns) {
    const match = pattern.exec(path);
    if (match) {
      return { operation, values: match.slice(1).map(decoded), query: new URLSearchParams(query) };
    }
  }
  return null;
}

function isAbsent(value) {
  return value === undefined || value === null || value === "";
}

function typed(value, type) {
  if (type === "integer") return Number(value);
  if (type === "boolean") return value === true || value === "true";
  return String(value);
}
