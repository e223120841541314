// The only door to data: the public API, asked with the key of the session.
// The key is held by this module's closure and nowhere else; a reload forgets it.
import { Observed } from "./observed.js";
import { operationOf, pathOf } from "./service.js";

const HELD = 60;
const SHOWN = 12;

let key = null;
const held = new Map();

/** Whether there is a key; never the key. */
export const connected = new Observed(false);
/** {limit, remaining, resetAt} of the last answer, or null. */
export const quota = new Observed(null);
/** The scopes of the key, once an answer has named them; null before. */
export const granted = new Observed(null);
/** How many requests are under way. */
export const pending = new Observed(0);
/** The last requests of this view, the newest first. */
export const exchanges = new Observed([]);

export function useKey(value) {
  forget();
  key = value;
  connected.set(true);
  // For the scopes; a key that may not read them is shown every view.
  ask("get_context").catch(() => {});
}

export function forget() {
  key = null;
  held.clear();
  quota.set(null);
  granted.set(null);
  exchanges.set([]);
  connected.set(false);
}

/** What went wrong: status 0 where nothing answered. retryAt: for 429, in milliseconds. */
export class Refusal extends Error {
  constructor(exchange) {
    super(exchange.body?.error?.message ?? "The service did not answer.");
    this.exchange = exchange;
    this.status = exchange.status;
    this.retryAt = Date.now() + 1000 * (exchange.retryAfter ?? 0);
  }
}

/**
 * Ask one operation. What was answered before is asked for with its ETag, so that an answer
 * of 304 costs no body. Returns the exchange; throws Refusal, or AbortError.
 */
export async function ask(name, args = {}, signal = undefined) {
  const operation = operationOf(name);
  const path = pathOf(operation, args);
  const before = held.get(path);
  const asker = key;
  const started = performance.now();
  const exchange = { operation, args, path, status: 0, milliseconds: 0, body: null, etag: null };
  let response;
  pending.set(pending.value + 1);
  try {
    response = await fetch(path.slice(1), { headers: headers(before), cache: "no-store", signal });
    exchange.status = response.status;
    exchange.body = response.status === 304 ? before.body : await response.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
  } finally {
    pending.set(pending.value - 1);
  }
  if (key !== asker) throw new DOMException("The key is another one by now.", "AbortError");
  exchange.milliseconds = Math.round(performance.now() - started);
  if (response) note(exchange, response);
  exchanges.set([exchange, ...exchanges.value].slice(0, SHOWN));
  if (exchange.status !== 200 && exchange.status !== 304) throw new Refusal(exchange);
  if (exchange.body.data.grantedScopes) granted.set(exchange.body.data.grantedScopes);
  hold(path, exchange);
  return exchange;
}

function headers(before) {
  const own = { Authorization: `Bearer ${key}`, Accept: "application/json" };
  return before ? { ...own, "If-None-Match": before.etag } : own;
}

function note(exchange, { headers: given }) {
  const number = (name) => (given.has(name) ? Number(given.get(name)) : undefined);
  exchange.etag = given.get("ETag");
  exchange.requestId = given.get("X-Request-Id");
  exchange.retryAfter = number("Retry-After");
  if (given.has("RateLimit-Limit")) {
    exchange.quota = {
      limit: number("RateLimit-Limit"),
      remaining: number("RateLimit-Remaining"),
      resetAt: Date.now() + 1000 * number("RateLimit-Reset"),
    };
    quota.set(exchange.quota);
  }
}

function hold(path, { etag, body }) {
  held.delete(path);
  held.set(path, { etag, body });
  if (held.size > HELD) held.delete(held.keys().next().value);
}
