// The part of the address after `#`, as {area, view, values, query}.
import { Observed } from "./observed.js";
import { viewed } from "./viewed.js";

export const route = new Observed(parse(location.hash));

addEventListener("hashchange", () => route.set(parse(location.hash)));

/** An address of the page. values: path parts after the view. */
export function address(area, view = "", values = [], query = {}) {
  const path = [area, view, ...values].filter(Boolean).map(encodeURIComponent).join("/");
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const text = new URLSearchParams(given).toString();
  return `#/${path}${text && `?${text}`}`;
}

/** The same view with another query, without a new entry in the history. */
export function refine(changes) {
  const { area, view, values, query } = route.value;
  history.replaceState(null, "", address(area, view, values, { ...query, ...changes }));
  route.set(parse(location.hash));
}

function parse(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [area = "", view = "", ...values] = path.split("/").map(decoded);
  return { area: area || (viewed ? "explore" : "start"), view, values, query: Object.fromEntries(new URLSearchParams(query)) };
}

/** A part of a path, as it is if its escapes are broken. */
export function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
