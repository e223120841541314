// All data comes from the public API, requested with the key of the session.
// Only this module holds the key, and a reload forgets it.
import { Observed } from "./observed.js";
import { operationOf, pathOf } from "./service.js";
import { viewed } from "./viewed.js";

const MAX_CACHED = 60;
const MAX_EXCHANGES = 12;
// Once the session has ended, the desk redirects to its sign-in; a reload shows that.
const redirect = viewed ? "manual" : "follow";

let key = null;
const cache = new Map();

/** Whether requests have a key; never the key. */
export const connected = new Observed(viewed !== null);
/** {limit, remaining, resetAt} of the last answer, or null. */
export const quota = new Observed(null);
/** The scopes of the key; null until an answer has named them. */
export const granted = new Observed(viewed?.scopes.split(" ") ?? null);
/** How many requests are pending. */
export const pending = new Observed(0);
/** The last requests of this view, newest first. */
export const exchanges = new Observed([]);

export function useKey(value) {
  forget();
  key = value;
  connected.set(true);
  // Learns the scopes; a key that cannot read them sees every view.
  ask("get_context").catch(() => {});
}

export function forget() {
  key = null;
  cache.clear();
  quota.set(null);
  granted.set(null);
  exchanges.set([]);
  connected.set(false);
}

/** A failed request. status: 0 without a response. */
export class RequestError extends Error {
  constructor(exchange) {
    super(exchange.body?.error?.message ?? "");
    this.exchange = exchange;
    this.status = exchange.status;
  }
}

/**
 * Request an operation, with the ETag of the last answer, so that an unchanged one has no body.
 * Returns the exchange; throws RequestError or AbortError.
 */
export async function ask(name, args = {}, signal = undefined) {
  const operation = operationOf(name);
  const path = pathOf(operation, args);
  const previous = cache.get(path);
  const requestKey = key;
  const started = performance.now();
  const exchange = { operation, args, path, status: 0, milliseconds: 0, body: null, etag: null };
  let response;
  pending.set(pending.value + 1);
  try {
    response = await fetch(path.slice(1), { headers: headers(previous), cache: "no-store", redirect, signal });
    if (response.type === "opaqueredirect") location.reload();
    exchange.status = response.status;
    exchange.body = response.status === 304 ? previous.body : await response.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
  } finally {
    pending.set(pending.value - 1);
  }
  if (key !== requestKey) throw new DOMException("The key has changed.", "AbortError");
  exchange.milliseconds = Math.round(performance.now() - started);
  if (response) note(exchange, response);
  exchanges.set([exchange, ...exchanges.value].slice(0, MAX_EXCHANGES));
  if (exchange.status !== 200 && exchange.status !== 304) throw new RequestError(exchange);
  if (exchange.body.data.grantedScopes) granted.set(exchange.body.data.grantedScopes);
  remember(path, exchange);
  return exchange;
}

function headers(previous) {
  return {
    Accept: "application/json",
    ...(key && { Authorization: `Bearer ${key}` }),
    ...(previous && { "If-None-Match": previous.etag }),
  };
}

function note(exchange, { headers: given }) {
  const number = (name) => (given.has(name) ? Number(given.get(name)) : undefined);
  exchange.etag = given.get("ETag");
  exchange.requestId = given.get("X-Request-Id");
  if (given.has("RateLimit-Limit")) {
    exchange.quota = {
      limit: number("RateLimit-Limit"),
      remaining: number("RateLimit-Remaining"),
      resetAt: Date.now() + 1000 * number("RateLimit-Reset"),
    };
    quota.set(exchange.quota);
  }
}

function remember(path, { etag, body }) {
  cache.delete(path);
  cache.set(path, { etag, body });
  if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value);
}
