// A key in the address, as in the link that the demo prints: `#/explore?key=octx_…`. The browser
// sends this part of an address to no server.

let key = null;

/** Remove a key from the address of the page, and keep it until it is taken. */
export function removeKey() {
  const [path, query = ""] = location.hash.split("?");
  const given = new URLSearchParams(query);
  if (!given.has("key")) return;
  key = given.get("key");
  given.delete("key");
  history.replaceState(null, "", `${path}${given.size ? `?${given}` : ""}`);
}

/** The key that the page arrived with, once. */
export function takeKey() {
  const taken = key;
  key = null;
  return taken;
}
