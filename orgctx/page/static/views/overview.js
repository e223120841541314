// The organization, the scopes of the key, and the freshness of each source.
import { html } from "../lib.js";
import { useAnswer } from "../hooks.js";
import { date } from "../format.js";
import { Loading, Trouble } from "../components.js";
import { FreshnessPicture } from "./freshness.js";

export const operations = ["get_context", "list_sources"];
export const shows = () => "the organization, its sources, and how fresh each of them is";

export function Overview() {
  const { body, error, retry } = useAnswer("get_context", {});
  if (error) return html`<${Trouble} isWhole error=${error} retry=${retry} />`;
  if (!body) return html`<${Loading} />`;
  const { organization, grantedScopes, sources, connections } = body.data;
  return html`
    <div class="masthead">
      <p class="eyebrow">Organization</p>
      <h1 dir="auto">${organization.displayName ?? "Organization"}</h1>
      <p class="quiet">
        ${organization.slug && html`<code>${organization.slug}</code> · `}
        ${organization.createdAt && html`since ${date(organization.createdAt)} · `}
        ${sources.length} ${sources.length === 1 ? "source" : "sources"}
      </p>
      ${!organization.displayName && html`<p class="quiet">Its name is in the <code>profile</code> source, which this key does not read.</p>`}
      <ul class="chips" aria-label="Scopes of this key">
        ${grantedScopes.map((scope) => html`<li class="chip"><code>${scope}</code></li>`)}
      </ul>
    </div>
    <${FreshnessPicture} sources=${sources} />
    <details class="more">
      <summary>Identifiers and connections</summary>
      <dl class="facts">
        <div><dt>Organization</dt><dd><code>${organization.id}</code></dd></div>
        ${sources.map(({ id, label, href }) => html`<div><dt dir="auto">${label}</dt><dd><code>${id}</code>, <code>${href}</code></dd></div>`)}
        ${Object.entries(connections).map(([kind, one]) => html`<div><dt>${kind}</dt><dd>${connection(one)}</dd></div>`)}
      </dl>
    </details>
  `;
}

/** All members of a connection that have a value, by name. */
function connection(members) {
  const said = Object.entries(members).filter(([, value]) => value !== null && typeof value !== "object");
  return said.map(([name, value]) => `${name} ${value}`).join(", ");
}
