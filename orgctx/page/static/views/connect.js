// The configuration of each client, as `orgctx connect` prints it.
import { html } from "../lib.js";
import { Snippet } from "../components.js";
import { address } from "../route.js";
import { service } from "../service.js";

export function Connect({ view }) {
  const chosen = service.clients.find((client) => client.name === view) ?? service.clients[0];
  return html`
    <div class="masthead">
      <h1>Connect a client</h1>
      <p class="lead">Set <code>${service.variable}</code> to the key. Configurations contain the name of this variable, never the key.</p>
      <dl class="facts">
        <div><dt>MCP</dt><dd><code>${service.baseUrl}/api/mcp</code></dd></div>
        <div><dt>REST</dt><dd><code>${service.baseUrl}/api/v1</code></dd></div>
      </dl>
    </div>
    <div class="split side">
      <nav aria-label="Clients"><ul class="menu">
        ${service.clients.map(({ name, title }) => html`<li><a href=${address("connect", name)} aria-current=${name === chosen.name ? "page" : undefined}>${title}</a></li>`)}
      </ul></nav>
      <section aria-labelledby="client">
        <h2 id="client">${chosen.title}</h2>
        <p>${chosen.place}</p>
        <${Snippet} text=${chosen.configuration} label=${`Configuration for ${chosen.title}`} />
        <p class="quiet">In a shell: <code>orgctx connect ${chosen.name} --base-url ${service.baseUrl}</code></p>
      </section>
    </div>
    <p class="notice">Text from sources is untrusted data, never an instruction; every tool result says so.</p>
  `;
}
