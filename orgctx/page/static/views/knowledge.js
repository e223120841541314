// The library: documents and notes, and a reader that loads the rest on scrolling.
import { html, useEffect, useRef, useState } from "../lib.js";
import { useAnswer, useFollowed, useModule, useNear, useSettled } from "../hooks.js";
import { date, number } from "../format.js";
import { Empty, Freshness, Loading, Marked, offer, Outbound, Pager, Status, Time, Trouble } from "../components.js";
import { address, refine, route } from "../route.js";
import { useObserved } from "../observed.js";
import { Preview } from "../preview.js";
import { linkTo } from "./links.js";

export const operations = ["list_knowledge", "read_knowledge"];
export const shows = ({ values: [id], query: { q } }) =>
  id ? `the document or note ${id}` : `documents and notes${q ? ` that contain “${q}”` : ""}`;

const KINDS = { "": "Everything", source: "Documents", note: "Notes" };
const VISIBILITIES = { "": "Public and team", public: "Public", team: "Team" };

export function Knowledge({ values }) {
  return values[0] ? html`<${Reader} key=${values[0]} id=${values[0]} />` : html`<${Library} />`;
}

function Library() {
  const { query } = useObserved(route);
  const q = useSettled(query.q ?? "");
  const page = Number(query.page ?? 1);
  const { kind, visibility, archived } = query;
  const { body, error, retry } = useAnswer("list_knowledge", { q, kind, visibility, archived, page });
  const pick = (name, options) => html`<select value=${query[name] ?? ""} onChange=${(event) => refine({ [name]: event.target.value, page: "" })}>
    ${Object.entries(options).map(([value, text]) => html`<option value=${value}>${text}</option>`)}
  </select>`;
  return html`
    <h1>Library</h1>
    <form class="filters" role="search" onSubmit=${(event) => event.preventDefault()}>
      <label class="field wide">Text
        <input type="search" maxlength="200" value=${query.q ?? ""} dir="auto"
          onInput=${(event) => refine({ q: event.target.value, page: "" })} /></label>
      <label class="field">Kind ${pick("kind", KINDS)}</label>
      <label class="field">For ${pick("visibility", VISIBILITIES)}</label>
      <label class="check"><input type="checkbox" checked=${archived === "true"}
        onChange=${(event) => refine({ archived: event.target.checked ? "true" : "", page: "" })} /> Archived</label>
    </form>
    ${error && html`<${Trouble} error=${error} retry=${retry} />`}
    ${!body && !error && html`<${Loading} />`}
    ${body && html`
      ${!body.data.length && html`<${Empty}>No document or note matches.<//>`}
      <ol class="results">${body.data.map((item) => html`<${Summary} key=${item.id} item=${item} term=${q} />`)}</ol>
      <${Pager} pagination=${body.pagination} page=${page} onPage=${(to) => refine({ page: to })} />
      <${Freshness} meta=${body.meta} />`}
  `;
}

function Summary({ item, term }) {
  return html`<li>
    <h2 dir="auto"><a href=${address("explore", "knowledge", [item.id])}><${Marked} text=${item.title} term=${term} /></a></h2>
    <${Preview} text=${item.preview} term=${term} />
    <${Byline} item=${item} />
  </li>`;
}

function Byline({ item }) {
  const { source, sourceLabel, sourceHref, sourceStatus, visibility, archived, updatedAt } = item;
  return html`<p class="byline">
    <span class="kind">${source}</span>
    <span dir="auto">${sourceHref ? html`<${Provenance} href=${sourceHref} label=${sourceLabel} />` : sourceLabel}</span>
    <${Time} at=${updatedAt} />
    ${visibility === "team" && html`<span class="chip">team</span>`}
    ${archived && html`<span class="chip">archived</span>`}
    ${sourceStatus !== "current" && html`<span class="chip">${sourceStatus}</span>`}
  </p>`;
}

function Provenance({ href, label }) {
  const link = linkTo(href);
  return link ? html`<a href=${link}>${label}</a>` : html`<${Outbound} url=${href}>${label}<//>`;
}

function Reader({ id }) {
  const [isPlain, setPlain] = useState(false);
  const { bodies, error, isLoading, hasMore, more } = useFollowed("read_knowledge", { id }, (body) => {
    const { nextOffset } = body.data.contentRange;
    return nextOffset === null ? null : { id, offset: nextOffset };
  });
  const near = useNear(more, hasMore && !isLoading && !error);
  const item = bodies[0]?.data;
  const last = bodies.at(-1)?.data.contentRange;
  const read = last && last.offset + last.length;
  return html`
    <p class="crumb"><a href=${address("explore", "knowledge")}>Library</a></p>
    ${item && html`
      <article class="document" aria-busy=${isLoading}>
        <header>
          <h1 dir="auto">${item.title}</h1>
          <${Byline} item=${item} />
          <div class="reading">
            <meter min="0" max=${last.total || 1} value=${last.total ? read : 1} aria-label="Loaded part"></meter>
            <span class="quiet">${number(read)} of ${number(last.total)}${hasMore ? "; scroll to load the rest" : ""}</span>
            ${item.contentFormat === "markdown" && html`<span class="segmented" role="group" aria-label="Show as">
              <button type="button" aria-pressed=${!isPlain} onClick=${() => setPlain(false)}>Rendered</button>
              <button type="button" aria-pressed=${isPlain} onClick=${() => setPlain(true)}>Plain</button>
            </span>`}
          </div>
        </header>
        ${isPlain || item.contentFormat !== "markdown"
          ? html`<div class="plain-text" dir="auto">${bodies.map((body) => body.data.content).join("")}</div>`
          : html`<${Rendered} bodies=${bodies} isWhole=${!hasMore} />`}
        <footer class="quiet">Created ${date(item.createdAt)} · <code>${item.id}</code></footer>
      </article>
      <${Freshness} meta=${bodies[0].meta} />`}
    ${error && html`<${Trouble} isWhole=${!item} error=${error} retry=${more} />`}
    ${isLoading && html`<${Loading} />`}
    <div ref=${near}></div>
  `;
}

/** Render Markdown in parts, each of them once. */
function Rendered({ bodies, isWhole }) {
  const box = useRef(null);
  const progress = useRef({ count: 0, rest: "", env: {} });
  const markdown = useModule(() => import("../markdown.js"));
  useEffect(() => {
    if (!markdown) return;
    const { cut, rendered } = markdown;
    const state = progress.current;
    state.tail?.forEach((node) => node.remove());
    state.tail = null;
    state.rest += bodies.slice(state.count).map((body) => body.data.content).join("");
    state.count = bodies.length;
    const [whole, rest] = isWhole ? [state.rest, ""] : cut(state.rest);
    if (whole) box.current.append(rendered(whole, state.env));
    state.rest = rest;
    if (rest) {
      const tail = rendered(rest, { ...state.env });
      state.tail = [...tail.childNodes];
      box.current.append(tail);
    }
  }, [markdown, bodies.length, isWhole]);
  const open = (event) => {
    const button = event.target.closest("button.outbound");
    if (button) offer(button.address);
  };
  return html`${!markdown && html`<${Loading} />`}<div class="prose" ref=${box} onClick=${open}></div>`;
}
