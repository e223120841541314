// The stored summary of the linked token, and the sources of its parts.
import { html } from "../lib.js";
import { useAnswer } from "../hooks.js";
import { grouped, moment, number } from "../format.js";
import { Empty, Freshness, Loading, Outbound, Status, Time, Trouble } from "../components.js";

export const operations = ["get_token"];
export const shows = () => "the stored summary of the linked token";

export function Token() {
  const { body, error, retry } = useAnswer("get_token", {});
  if (error) return html`<${Trouble} isWhole error=${error} retry=${retry} />`;
  if (!body) return html`<${Loading} />`;
  const { connected, token, index, holders, latestFees, latestTradeAt, sources } = body.data;
  return html`
    <div class="masthead">
      <p class="eyebrow">Token</p>
      <h1 dir="auto">${token ? `${token.name} (${token.symbol})` : "No token is stored"}</h1>
      <${Freshness} meta=${body.meta} />
    </div>
    ${!connected && html`<${Empty}>The token is approved, but no snapshot of it is stored.<//>`}
    <dl class="figures large">
      ${holders && html`<div><dt>holders</dt><dd>${number(holders.count)}</dd></div>`}
      ${latestFees && html`<div><dt>price, USD</dt><dd>${number(latestFees.priceUsd)}</dd></div>`}
      ${latestTradeAt && html`<div><dt>last trade</dt><dd><${Time} at=${latestTradeAt} /></dd></div>`}
      ${index && html`<div><dt>index</dt><dd><${Status} status=${index.state} /></dd></div>`}
    </dl>
    <h2>Sources</h2>
    <table class="simple">
      <thead><tr><th scope="col">Part</th><th scope="col">Status</th><th scope="col">Updated</th><th scope="col">Note</th></tr></thead>
      <tbody>${Object.entries(sources).map(([name, one]) => html`<tr>
        <th scope="row">${name}</th><td><${Status} status=${one.status} /></td><td><${Time} at=${one.updatedAt} /></td><td dir="auto">${one.note ?? ""}</td>
      </tr>`)}</tbody>
    </table>
    <h2>Details</h2>
    <div class="blocks">
      <${Facts} title="Token" members=${token} />
      <${Facts} title="Index" members=${index} />
      <${Facts} title="Holders" members=${holders} />
      <${Facts} title="Latest fees" members=${latestFees} />
    </div>
  `;
}

/** All members of a part, by name. */
function Facts({ title, members }) {
  if (!members) return null;
  return html`<section class="card">
    <h3>${title}</h3>
    <dl class="facts">${Object.entries(members).map(([name, value]) => html`<div><dt>${name}</dt><dd dir="auto"><${Value} value=${value} /></dd></div>`)}</dl>
  </section>`;
}

function Value({ value }) {
  if (value === null) return html`<span class="quiet">none</span>`;
  if (typeof value === "number") return String(value);
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return html`<${Time} at=${value}>${moment(value)}<//>`;
  if (/^https?:/.test(value)) return html`<${Outbound} url=${value} />`;
  return html`<code>${/^\d+$/.test(value) ? grouped(value) : value}</code>`;
}
