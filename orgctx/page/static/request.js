// The strip below a view: its requests as curl, MCP call and Python, and the answer as JSON.
import { html, useEffect, useState } from "./lib.js";
import { ask, exchanges, quota } from "./api.js";
import { Copy } from "./components.js";
import { useObserved } from "./observed.js";
import { address } from "./route.js";
import { service, toolArguments } from "./service.js";

const TABS = {
  curl: { title: "curl", text: curl },
  mcp: { title: "MCP", text: mcp },
  python: { title: "Python", text: python },
  json: { title: "JSON", text: ({ body }) => JSON.stringify(body, null, 2) },
};

/** operations: of the view; the strip shows the last of them that was requested. */
export function RequestStrip({ operations }) {
  const made = useObserved(exchanges);
  const [chosen, setChosen] = useState(null);
  const [tab, setTab] = useState("curl");
  useEffect(() => setChosen(null), [made]);
  if (!made.length) return null;
  const rank = ({ operation }) => operations.indexOf(operation.name);
  const exchange = chosen ?? made.reduce((most, one) => (rank(one) > rank(most) ? one : most));
  const again = () => ask(exchange.operation.name, exchange.args).catch(() => {});
  return html`<section class="strip" aria-label="The request of this view">
    <details>
      <summary>
        <span class="verb">GET</span> <code class="path">${exchange.path}</code>
        <${Outcome} exchange=${exchange} />
      </summary>
      <div class="strip-body">
        ${made.length > 1 &&
        html`<label class="field">Request
          <select value=${made.indexOf(exchange)} onChange=${(event) => setChosen(made[event.target.value])}>
            ${made.map((one, index) => html`<option value=${index}>${one.status} ${one.path}</option>`)}
          </select></label>`}
        <dl class="facts">
          <div><dt>Status</dt><dd>${exchange.status === 304 ? "304, unchanged" : exchange.status || "no response"}</dd></div>
          <div><dt>Took</dt><dd>${exchange.milliseconds} ms</dd></div>
          <div><dt>ETag</dt><dd><code>${exchange.etag ?? "none"}</code></dd></div>
          <div><dt>Request</dt><dd><code>${exchange.requestId ?? "none"}</code></dd></div>
        </dl>
        <div class="tabs">
          ${Object.entries(TABS).map(
            ([name, { title }]) =>
              html`<button type="button" aria-pressed=${tab === name} onClick=${() => setTab(name)}>${title}</button>`,
          )}
          <span class="spread"></span>
          <a href=${address("reference", exchange.operation.name)}>Reference</a>
          <button type="button" class="again" onClick=${again}>Send again</button>
          <${Copy} text=${TABS[tab].text(exchange)} />
        </div>
        <pre tabindex="0" role="region" aria-label=${TABS[tab].title}><code>${TABS[tab].text(exchange)}</code></pre>
      </div>
    </details>
  </section>`;
}

function Outcome({ exchange: { status, milliseconds } }) {
  const tone = status === 200 || status === 304 ? "current" : "unavailable";
  return html`<span class="outcome" role="status"><span class="tone-${tone}">${status || "no response"}</span> <span class="quiet">${milliseconds} ms</span></span>`;
}

/** Requests left in this minute. */
export function QuotaMeter() {
  const left = useObserved(quota);
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  if (!left) return null;
  const isOver = left.resetAt <= now;
  const remaining = isOver ? left.limit : left.remaining;
  const seconds = Math.ceil((left.resetAt - now) / 1000);
  const title = isOver ? "A new minute has begun; all requests are left." : `Requests that the key has left in this minute. Resets in ${seconds} s`;
  return html`<span class="quota" title=${title}>
    <meter min="0" max=${left.limit} low=${left.limit / 5} value=${remaining} aria-label="Requests left"></meter>
    <span>${remaining} of ${left.limit}<span class="unit"> requests</span> left</span>
  </span>`;
}

function curl({ path }) {
  return `curl -sS '${url(path)}' \\\n  -H "Authorization: Bearer $${service.variable}"`;
}

function mcp({ operation, args }) {
  const params = { name: operation.name, arguments: toolArguments(operation, args) };
  const message = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }, null, 2);
  return `curl -sS '${service.baseUrl}/api/mcp' \\
  -H "Authorization: Bearer $${service.variable}" \\
  -H 'Content-Type: application/json' \\
  -H 'Accept: application/json, text/event-stream' \\
  --data-binary @- <<'EOF'
${message}
EOF`;
}

function python({ path }) {
  return `import json
import os
from urllib.request import Request, urlopen

request = Request(
    "${url(path)}",
    headers={"Authorization": f"Bearer {os.environ['${service.variable}']}"},
)
with urlopen(request) as response:
    print(json.dumps(json.load(response), indent=2, ensure_ascii=False))`;
}

// URLSearchParams escapes all that has a meaning in quotes of a shell or Python, except this.
const url = (path) => `${service.baseUrl}${path.replaceAll("'", "%27")}`;
