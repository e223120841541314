// The operations of the served OpenAPI document. Each has an address, and is tried with the key of the session.
import { html, useEffect, useRef, useState } from "../lib.js";
import { ask, connected } from "../api.js";
import { Loading } from "../components.js";
import { KeyForm } from "../key.js";
import { useObserved } from "../observed.js";
import { RequestStrip } from "../request.js";
import { address } from "../route.js";
import { service } from "../service.js";

let loaded = null;

export function Reference({ view }) {
  const [{ spec, isFailed }, setState] = useState({});
  const isConnected = useObserved(connected);
  useEffect(() => {
    loaded ??= fetch("api/v1/openapi.json").then((response) => response.json());
    loaded.then((spec) => setState({ spec }), () => {
      loaded = null;
      setState({ isFailed: true });
    });
  }, []);
  return html`
    <div class="masthead">
      <h1>Reference</h1>
      <p class="lead">The OpenAPI 3.1 document of this service: <a href="api/v1/openapi.json">api/v1/openapi.json</a></p>
      <p>Paths are below <code>${service.baseUrl}/api/v1</code>. Send the key in the header
        ${" "}<code>Authorization: Bearer API_KEY</code>. <a href=${address("connect")}>Connect</a> has programs to start from.</p>
    </div>
    ${!isConnected && html`<section class="card entrance" aria-labelledby="try"><h2 id="try">Try it</h2>
      <p>Paste a key, and each operation below sends its request with it.</p><${KeyForm} action="Use key" /></section>`}
    <nav class="operations" aria-label="Operations"><ul class="chips">
      ${service.operations.map(({ name, title }) => html`<li><a class="chip" href=${address("reference", name)} aria-current=${name === view ? "page" : undefined}>${title}</a></li>`)}
    </ul></nav>
    <h2 class="sr">Operations</h2>
    ${isFailed && html`<p role="alert">The document could not be loaded. Reload the page to try again.</p>`}
    ${!spec && !isFailed && html`<${Loading} />`}
    ${spec && service.operations.map((operation) => html`<${Operation} key=${operation.name} spec=${spec} operation=${operation} isChosen=${operation.name === view} />`)}
    <${RequestStrip} operations=${[]} />
  `;
}

function Operation({ spec, operation, isChosen }) {
  const block = useRef(null);
  const [isOpen, setOpen] = useState(isChosen);
  useEffect(() => {
    if (!isChosen) return;
    block.current.open = true;
    block.current.firstElementChild.focus({ preventScroll: true });
    block.current.scrollIntoView();
  }, [isChosen]);
  const toggle = () => setOpen(block.current.open);
  const keepAddress = () => block.current.open || history.replaceState(null, "", address("reference", operation.name));
  return html`<details class="card operation" id="operation-${operation.name}" ref=${block} onToggle=${toggle}>
    <summary onClick=${keepAddress}><span class="verb">GET</span> <code class="path">${operation.path}</code> <h3>${operation.title}</h3></summary>
    ${isOpen && html`<${Described} spec=${spec} operation=${operation} />`}
  </details>`;
}

function Described({ spec, operation }) {
  const { description, parameters = [], responses } = spec.paths[operation.path].get;
  const { schema, examples } = responses[200].content["application/json"];
  return html`
    ${description.split("\n\n").map((text) => html`<p><${Prose} text=${text} /></p>`)}
    <${Trial} operation=${operation} parameters=${parameters.map((one) => resolved(spec, one))} />
    <h4>Responses</h4>
    <dl class="facts">${Object.entries(responses).map(([status, response]) =>
      html`<div><dt>${status}</dt><dd><${Prose} text=${resolved(spec, response).description} /></dd></div>`)}</dl>
    <${Json} title="Example" of=${operation.title} value=${Object.values(examples)[0].value} />
    <${Json} title="JSON Schema" of=${operation.title} value=${followed(spec, schema)} />
  `;
}

/** A field for each parameter, and the answer of this service to them. */
function Trial({ operation, parameters }) {
  const [{ exchange, isSent }, setState] = useState({});
  const place = `parameter-${operation.name}`;
  const submit = (event) => {
    event.preventDefault();
    const given = new FormData(event.target);
    const args = Object.entries(operation.arguments).map(([name, { path }]) => [name, given.get(path ?? name).trim()]);
    const show = (exchange) => setState({ exchange });
    setState({ isSent: true });
    ask(operation.name, Object.fromEntries(args)).then(show, (error) => show(error.exchange));
  };
  return html`<form class="trial" autocomplete="off" onSubmit=${submit}>
    ${parameters.map(({ name, description, required, schema, example }) => html`<div>
      <label for="${place}-${name}"><code>${name}</code></label>
      <${Field} id="${place}-${name}" name=${name} required=${required} schema=${schema} example=${example} />
      <p class="quiet" id="${place}-${name}-note"><${Prose} text=${description} />${required ? " Required." : ""}${!required && example !== undefined && html` Example: <code>${String(example)}</code>`}</p>
    </div>`)}
    <p class="actions"><button class="primary" type="submit" disabled=${isSent}>Execute</button></p>
    <div role="status">${exchange && html`<p class="tone-${exchange.status < 400 && exchange.status ? "current" : "unavailable"}">${exchange.status || "No response"}</p>
      <pre tabindex="0" role="region" aria-label="Answer of ${operation.name}"><code>${print(exchange.body)}</code></pre>`}</div>
  </form>`;
}

function Field({ id, name, required, schema, example }) {
  const choices = schema.type === "boolean" ? ["true", "false"] : schema.enum;
  const shared = { id, name, required, "aria-describedby": `${id}-note` };
  if (choices) return html`<select ...${shared}><option value="">${schema.default === undefined ? "" : `default: ${schema.default}`}</option>${choices.map((one) => html`<option>${one}</option>`)}</select>`;
  return html`<input ...${shared} defaultValue=${required ? example : undefined} />`;
}

function Json({ title, of, value }) {
  return html`<details><summary>${title}</summary><pre tabindex="0" role="region" aria-label="${title}: ${of}"><code>${print(value)}</code></pre></details>`;
}

/** A text with `code` in it. */
function Prose({ text }) {
  return text.split("`").map((part, index) => (index % 2 ? html`<code>${part}</code>` : part));
}

const print = (value) => JSON.stringify(value, null, 2);

function resolved(spec, node) {
  return node.$ref ? node.$ref.slice(2).split("/").reduce((part, name) => part[name], spec) : node;
}

/** A schema with the schemas that it refers to; one within itself stays a reference. */
function followed(spec, node, above = []) {
  if (Array.isArray(node)) return node.map((one) => followed(spec, one, above));
  if (typeof node !== "object" || node === null || above.includes(node.$ref)) return node;
  if (node.$ref) return followed(spec, resolved(spec, node), [...above, node.$ref]);
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, followed(spec, value, above)]));
}
