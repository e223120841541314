// From an API path that an answer gives to the view that reads it.
import { address } from "../route.js";
import { readBy } from "../service.js";

const views = new Map();

/** Says that a view shows what these operations read. */
export function show(view, operations) {
  for (const operation of operations) views.set(operation, view);
}

/** The address in this page of what an API path reads, or null. */
export function linkTo(href) {
  const read = readBy(href);
  const view = read && views.get(read.operation.name);
  if (!view) return null;
  const { limit, ...query } = Object.fromEntries(read.query);
  return address("explore", view, read.values, query);
}
