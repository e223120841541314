// The frame of the page: navigation, the key and the view.
import { Component, html, render, useEffect, useRef } from "./lib.js";
import { useOwnExchanges } from "./hooks.js";
import { connected, forget, granted, pending } from "./api.js";
import { KeyForm } from "./key.js";
import { useObserved } from "./observed.js";
import { OutboundDialog } from "./components.js";
import { QuotaMeter, RequestStrip } from "./request.js";
import { address, route } from "./route.js";
import icon from "./icon.svg";
import { operationOf } from "./service.js";
import * as assets from "./views/assets.js";
import * as chats from "./views/chats.js";
import { Connect } from "./views/connect.js";
import * as knowledge from "./views/knowledge.js";
import { show } from "./views/links.js";
import * as mentions from "./views/mentions.js";
import * as overview from "./views/overview.js";
import * as people from "./views/people.js";
import { Reference } from "./views/reference.js";
import * as search from "./views/search.js";
import { Start } from "./views/start.js";
import * as token from "./views/token.js";
import { viewed } from "./viewed.js";

const ICON = new URL(icon, import.meta.url).href;
const EXPLORE = { explore: "Explore" };
// The other areas are for people who hold the key.
const AREAS = viewed ? EXPLORE : { start: "Start", connect: "Connect", ...EXPLORE, reference: "Reference" };
// Each view exports the operations that it requests, and what its address shows.
const VIEWS = {
  overview: { title: "Overview", view: overview.Overview, ...overview },
  search: { title: "Search", view: search.Search, ...search },
  knowledge: { title: "Library", view: knowledge.Knowledge, ...knowledge },
  assets: { title: "Files", view: assets.Assets, ...assets },
  chats: { title: "Chats", view: chats.Chats, ...chats },
  people: { title: "People", view: people.People, ...people },
  mentions: { title: "Mentions", view: mentions.Mentions, ...mentions },
  token: { title: "Token", view: token.Token, ...token },
};
for (const [name, { operations, queries }] of Object.entries(VIEWS)) show(name, operations, queries);

function App() {
  const here = useObserved(route);
  const isConnected = useObserved(connected);
  const place = `${here.area}/${here.view}/${here.values.join("/")}`;
  const main = useRef(null);
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = `${VIEWS[here.view]?.title ?? AREAS[here.area] ?? "Page not found"} · orgctx`;
    // Keyboard and screen reader users continue at the new view.
    if (!isFirst.current) main.current.focus({ preventScroll: true });
    if (!isFirst.current) scrollTo(0, 0);
    isFirst.current = false;
  }, [place, isConnected]);
  const skip = (event) => {
    event.preventDefault();
    main.current.focus();
  };
  return html`
    <a class="skip" href="#main" onClick=${skip}>Skip to the content</a>
    <header class="bar">
      <a class="brand" href="#/"><img src=${ICON} alt="" width="26" height="26" />orgctx</a>
      ${viewed ? html`<${ViewedKey} />` : html`<nav aria-label="Page"><ul>
        ${Object.entries(AREAS).map(([name, title]) => html`<li><a href=${address(name === "start" ? "" : name)} aria-current=${here.area === name ? "page" : undefined}>${title}</a></li>`)}
      </ul></nav>
      <div class="who">${isConnected && html`<${QuotaMeter} /><button type="button" onClick=${forget}>Forget key</button>`}</div>`}
    </header>
    <main id="main" ref=${main} tabindex="-1" class=${here.area}>
      <${Guard} key=${here.area === "reference" ? here.area : place}><${Area} here=${here} isConnected=${isConnected} /><//>
    </main>
    <${OutboundDialog} />
  `;
}

/** As which key the page runs. */
function ViewedKey() {
  const { name, access, desk } = viewed;
  return html`<p class="viewed">You see what the key <strong dir="auto">${name}</strong> reads${access === "mcp" && " with MCP tools"}.</p>
    <a class="who" href=${desk}>Back to the desk</a>`;
}

function Area({ here, isConnected }) {
  if (!Object.hasOwn(AREAS, here.area)) return html`<h1>Page not found</h1><p><a href="#/">Go to the start</a></p>`;
  if (here.area === "start") return html`<${Start} />`;
  if (here.area === "connect") return html`<${Connect} view=${here.view} />`;
  if (here.area === "reference") return html`<${Reference} view=${here.view} />`;
  return isConnected ? html`<${Explore} here=${here} />` : html`<${Locked} here=${here} />`;
}

/** What a shared address shows once there is a key. */
function Locked({ here }) {
  const { title = "Explore", operations, shows } = VIEWS[here.view || "overview"] ?? {};
  const scopes = operations?.flatMap((name) => operationOf(name).scopes) ?? [];
  return html`<section class="card entrance">
    <h1>${title}</h1>
    ${shows && html`<p dir="auto">With a key, this address shows ${shows(here)}.</p>
      <p class="quiet">The key needs the scope ${[...new Set(scopes)].map((scope, index) => html`${index > 0 && " or "}<code>${scope}</code>`)}.</p>`}
    <${KeyForm} />
  </section>`;
}

function Explore({ here }) {
  const open = useOpenViews();
  const name = here.view || open[0];
  const { view: View, operations = [] } = VIEWS[name] ?? {};
  const isBusy = useObserved(pending) > 0;
  useOwnExchanges(name);
  return html`<div class="explore-frame">
    <nav class="views" aria-label="Views"><ul class="menu">
        ${open.map((one) => html`<li><a href=${address("explore", one)} aria-current=${one === name ? "page" : undefined}>${VIEWS[one].title}</a></li>`)}
      </ul></nav>
    <div class="view" aria-busy=${isBusy}>
      ${View ? html`<${View} values=${here.values} query=${here.query} />` : html`<h1>View not found</h1><p>Choose one of the views of the menu.</p>`}
      ${!viewed && html`<${RequestStrip} operations=${operations} />`}
    </div>
  </div>`;
}

/** The names of the views that the key's scopes allow; of all views while the scopes are unknown. */
function useOpenViews() {
  const scopes = useObserved(granted);
  const isOpen = (operation) => !scopes || operationOf(operation).scopes.some((scope) => scopes.includes(scope));
  return Object.keys(VIEWS).filter((name) => VIEWS[name].operations.some(isOpen));
}

/** Show that a view failed, and keep the rest of the page. */
class Guard extends Component {
  state = { error: null };

  static getDerivedStateFromError(error) {
    return { error };
  }

  render({ children }, { error }) {
    if (!error) return children;
    return html`<div class="trouble" role="alert"><h1>This view failed</h1>
      <p>No data was changed. Reload the page, or report this to the operator: <code>${String(error.message)}</code></p></div>`;
  }
}

render(html`<${App} />`, document.getElementById("app"));
