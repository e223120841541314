// The served OpenAPI document in Swagger UI, loaded when this view is first opened. Each operation
// has an address, and is tried with the key of the session.
import { html, useEffect, useRef, useState } from "../lib.js";
import { ask, connected } from "../api.js";
import { Loading } from "../components.js";
import { KeyForm } from "../key.js";
import { useObserved } from "../observed.js";
import { RequestStrip } from "../request.js";
import { address } from "../route.js";
import { readBy, service } from "../service.js";
import script from "../vendor/swagger-ui.js";
import sheet from "../vendor/swagger-ui.css";

let loaded = null;

export function Reference({ view }) {
  const place = useRef(null);
  const [isFailed, setFailed] = useState(false);
  const [isDrawn, setDrawn] = useState(false);
  const isConnected = useObserved(connected);
  useEffect(() => {
    let end = null;
    loaded ??= load();
    loaded.then(
      (viewer) => {
        if (place.current) end = draw(viewer, place.current, () => setDrawn(true));
      },
      () => {
        loaded = null;
        setFailed(true);
      },
    );
    return () => end?.();
  }, []);
  useEffect(() => {
    if (isDrawn && view) unfold(place.current, view);
  }, [isDrawn, view]);
  return html`
    <div class="masthead">
      <h1>Reference</h1>
      <p class="lead">The contract as this service serves it: <a href="api/v1/openapi.json">api/v1/openapi.json</a>, OpenAPI 3.1.</p>
    </div>
    ${!isConnected && html`<section class="card entrance" aria-labelledby="try"><h2 id="try">Try it</h2>
      <p>Paste a key, and each operation below sends its request with it.</p><${KeyForm} action="Use key" /></section>`}
    <nav class="operations" aria-label="Operations"><ul class="chips">
      ${service.operations.map(({ name, title }) => html`<li><a class="chip" href=${address("reference", name)} aria-current=${name === view ? "page" : undefined}>${title}</a></li>`)}
    </ul></nav>
    <h2 class="sr">Operations</h2>
    ${isFailed ? html`<p role="alert">The viewer could not be loaded. Reload the page to try again.</p>` : html`<div class="reference" ref=${place} onClick=${keepAddress}><${Loading} /></div>`}
    <${RequestStrip} operations=${[]} />
  `;
}

const nameOf = (block) => block.id.split("-").at(-1);

/** Open an operation, and continue there with the keyboard. */
function unfold(place, name) {
  const block = [...place.querySelectorAll(".opblock")].find((one) => nameOf(one) === name);
  if (!block) return;
  const button = block.querySelector(".opblock-summary-control");
  if (button.getAttribute("aria-expanded") === "false") button.click();
  requestAnimationFrame(() => {
    button.focus({ preventScroll: true });
    block.scrollIntoView();
  });
}

/** Show the address of the operation that was opened. */
function keepAddress({ target }) {
  const block = target.closest(".opblock-summary-control")?.closest(".opblock");
  if (block) history.replaceState(null, "", address("reference", nameOf(block)));
}

/** Send a request of the viewer with the key, always to this service, whatever host the URL has. */
async function send(url) {
  const { pathname, search } = new URL(url, location.href);
  const path = pathname.slice(pathname.indexOf("/api/v1/")) + search;
  const read = readBy(path);
  if (!read) return fetch(path.slice(1));
  const exchange = await ask(read.operation.name, argumentsOf(read)).catch((error) => {
    if (!error.exchange) throw error;
    return error.exchange;
  });
  const headers = { "Content-Type": "application/json", "X-Request-Id": exchange.requestId ?? "" };
  return new Response(JSON.stringify(exchange.body), { status: exchange.status === 304 ? 200 : exchange.status, headers });
}

function argumentsOf({ operation, values, query }) {
  const given = [...values];
  return Object.fromEntries(Object.entries(operation.arguments).map(([name, { path }]) => [name, path ? given.shift() : query.get(name)]));
}

async function load() {
  const url = (file) => new URL(file, import.meta.url).href;
  await Promise.all([add("link", { rel: "stylesheet", href: url(sheet) }), add("script", { src: url(script) })]);
  return { SwaggerUI: globalThis.SwaggerUIBundle, spec: await contract() };
}

/** Add an element to the head, before the style of the page; resolves once it is loaded. */
function add(name, properties) {
  return new Promise((onload, onerror) => {
    document.head.prepend(Object.assign(document.createElement(name), { ...properties, onload, onerror }));
  });
}

/** The document, with examples of optional parameters as text: as values they exclude each other. */
async function contract() {
  const response = await fetch("api/v1/openapi.json");
  const spec = await response.json();
  const operations = Object.values(spec.paths).flatMap((path) => Object.values(path));
  for (const parameter of operations.flatMap((operation) => operation.parameters ?? [])) {
    if (parameter.required || parameter.example === undefined) continue;
    parameter.description += ` Example: \`${parameter.example}\``;
    delete parameter.example;
  }
  return spec;
}

/** Show only operations and schemas, and name what screen readers would meet without a name. */
function contents({ React }) {
  const h = React.createElement;
  const parts = ["errors", "operations", "Models"];
  const Contents = ({ getComponent }) =>
    h("div", { className: "swagger-ui" }, parts.map((name) => h(getComponent(name, true), { key: name })));
  const JsonSchemaForm = (Original) => (props) =>
    h("label", null, h("span", { className: "sr" }, props.description), h(Original, props));
  const name = (box, path) => box?.querySelector("table[role=region]")?.setAttribute("aria-label", `Responses of ${path}`);
  const responses = (Original) => (props) => h("div", { ref: (box) => name(box, props.path) }, h(Original, props));
  return { components: { Contents }, wrapComponents: { JsonSchemaForm, responses } };
}

/** Draw it in the preferred color scheme. Returns a function that stops following the scheme. */
function draw({ SwaggerUI, spec }, place, onComplete) {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement.classList;
  const follow = () => root.toggle("dark-mode", dark.matches);
  follow();
  dark.addEventListener("change", follow);
  place.replaceChildren();
  SwaggerUI({
    spec,
    domNode: place,
    layout: "Contents",
    plugins: [contents],
    requestInterceptor: (request) => Object.assign(request, { userFetch: send }),
    showMutatedRequest: false,
    tryItOutEnabled: true,
    onComplete,
    docExpansion: "list",
    defaultModelsExpandDepth: 0,
    deepLinking: false,
    syntaxHighlight: { activated: false },
  });
  return () => {
    dark.removeEventListener("change", follow);
    root.remove("dark-mode");
  };
}
