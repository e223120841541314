// From an API path that an answer gives to the view that reads it.
import { address } from "../route.js";
import { readBy } from "../service.js";

const views = new Map();

/**
 * Register a view for the records that these operations read, instead of an earlier one. queries:
 * functions from the query of a request to the query of the view, by operation.
 */
export function show(view, operations, queries = {}) {
  for (const name of operations) views.set(name, { view, toQuery: queries[name] ?? ((query) => query) });
}

/** The address in this page of what an API path reads, or null. */
export function linkTo(href) {
  const read = readBy(href);
  const shown = read && views.get(read.operation.name);
  if (!shown) return null;
  const { limit, ...query } = shown.toQuery(Object.fromEntries(read.query));
  return address("explore", shown.view, read.values, query);
}
