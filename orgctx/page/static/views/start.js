// What the service is, whether it is ready, and how to get a key.
import { html, useState } from "../lib.js";
import { connected } from "../api.js";
import { KeyForm } from "../key.js";
import { useObserved } from "../observed.js";
import { Shape, Snippet } from "../components.js";
import { address } from "../route.js";
import { service } from "../service.js";

const PROMISES = [
  ["One key, one organization", "The key chooses the organization. No parameter can name another."],
  ["Nothing is shown until it is approved", "An owner or admin approves each source, and can withdraw it at any time."],
  ["Every answer says how fresh it is", "Stale data is marked as stale. No request reaches a provider."],
  ["It is read-only", "Programs read over REST and agents over MCP."],
];
const ISSUE = `orgctx keys issue --organization ORGANIZATION --by MEMBER \\
    --access both --scope context:read,knowledge:read --expires-in-days 30`;

export function Start() {
  const isConnected = useObserved(connected);
  return html`
    <div class="hero">
      <h1>What your organization knows, <em>for the agents it trusts.</em></h1>
      <p class="lead">orgctx gives programs and AI agents read-only access to what one organization has stored and
        approved: documents, notes, files, chats, mentions, people, and one search over all of it.</p>
    </div>
    <section class="card entrance" aria-labelledby="look">
      <h2 id="look">Look inside</h2>
      ${isConnected
        ? html`<p>You are using a key. It stays in the memory of this page until you reload it.</p>
            <p class="actions"><a class="button primary" href=${address("explore")}>Explore</a></p>`
        : html`<${KeyForm} onDone=${() => location.assign(address("explore"))} />`}
    </section>
    <${Readiness} />
    <ul class="promises">${PROMISES.map(([title, text]) => html`<li><h2>${title}</h2><p>${text}</p></li>`)}</ul>
    <section class="split even">
      <div>
        <h2>How to get a key</h2>
        <p>Ask an owner or admin of your organization. The operator issues it on their behalf. It is shown
          once, has the scopes that were chosen, and expires after 7, 30 or 90 days.</p>
        <${Snippet} text=${ISSUE} label="Command that issues a key" />
      </div>
      <div>
        <h2>Then</h2>
        <ul class="plain-list next">
          <li><a href=${address("connect")}>Connect a client</a> <span class="quiet">Claude Code, Cursor, VS Code and others</span></li>
          <li><a href=${address("explore")}>Explore the data</a> <span class="quiet">as the key sees it, each view with its request</span></li>
          <li><a href=${address("reference")}>Read the reference</a> <span class="quiet">${service.operations.length} operations, REST and MCP alike</span></li>
        </ul>
      </div>
    </section>
  `;
}

function Readiness() {
  const [checks, setChecks] = useState(null);
  const check = () =>
    fetch("readyz", { cache: "no-store" })
      .then((response) => response.json())
      .then(setChecks, () => setChecks({ status: "unreachable", checks: {} }));
  // Ask only on a click, so that a reload requests nothing but the document.
  if (!checks) return html`<p class="actions"><button type="button" onClick=${check}>Is the service ready?</button></p>`;
  const isReady = checks.status === "ready";
  return html`<p class="readiness" role="status">
    <span class="status tone-${isReady ? "current" : "unavailable"}"><${Shape} status=${isReady ? "current" : "unavailable"} />${isReady ? "Ready" : "Not ready"}</span>
    ${Object.entries(checks.checks).map(([name, said]) => html`<span class="quiet">${name} ${said}</span>`)}
  </p>`;
}
