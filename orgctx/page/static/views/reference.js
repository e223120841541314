// The served OpenAPI document in Swagger UI, loaded when this view is first opened.
import { html, useEffect, useRef, useState } from "../lib.js";
import { Loading } from "../components.js";
import script from "../vendor/swagger-ui.js";
import sheet from "../vendor/swagger-ui.css";

let loaded = null;

export function Reference() {
  const place = useRef(null);
  const [isFailed, setFailed] = useState(false);
  useEffect(() => {
    let end = null;
    loaded ??= load();
    loaded.then(
      (SwaggerUI) => {
        if (place.current) end = draw(SwaggerUI, place.current);
      },
      () => {
        loaded = null;
        setFailed(true);
      },
    );
    return () => end?.();
  }, []);
  return html`
    <div class="masthead">
      <h1>Reference</h1>
      <p class="lead">The contract as this service serves it: <a href="api/v1/openapi.json">api/v1/openapi.json</a>, OpenAPI 3.1.</p>
    </div>
    <h2 class="sr">Operations</h2>
    ${isFailed ? html`<p role="alert">The viewer could not be loaded. Reload the page to try again.</p>` : html`<div class="reference" ref=${place}><${Loading} /></div>`}
  `;
}

async function load() {
  const url = (file) => new URL(file, import.meta.url).href;
  await Promise.all([add("link", { rel: "stylesheet", href: url(sheet) }), add("script", { src: url(script) })]);
  return globalThis.SwaggerUIBundle;
}

/** Add an element to the head, before the style of the page; resolves once it is loaded. */
function add(name, properties) {
  return new Promise((onload, onerror) => {
    document.head.prepend(Object.assign(document.createElement(name), { ...properties, onload, onerror }));
  });
}

/** Show only operations and schemas; the page itself shows the rest. */
function contents({ React }) {
  const parts = ["errors", "operations", "Models"];
  const Contents = ({ getComponent }) =>
    React.createElement("div", { className: "swagger-ui" },
      parts.map((name) => React.createElement(getComponent(name, true), { key: name })));
  return { components: { Contents } };
}

/** Draw it in the preferred color scheme. Returns a function that stops following the scheme. */
function draw(SwaggerUI, place) {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement.classList;
  const follow = () => root.toggle("dark-mode", dark.matches);
  follow();
  dark.addEventListener("change", follow);
  place.replaceChildren();
  SwaggerUI({
    url: "api/v1/openapi.json",
    domNode: place,
    layout: "Contents",
    plugins: [contents],
    supportedSubmitMethods: [],
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
