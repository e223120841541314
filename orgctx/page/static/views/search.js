// Search over all sources while you type.
import { html, useState } from "../lib.js";
import { useAnswer, useSettled } from "../hooks.js";
import { Empty, Freshness, Loading, Marked, Outbound, Time, Trouble } from "../components.js";
import { refine, route } from "../route.js";
import { useObserved } from "../observed.js";
import { Preview } from "../preview.js";
import { readBy } from "../service.js";
import { linkTo } from "./links.js";

export const operations = ["search_context"];
export const shows = ({ query: { q } }) => (q ? `the records that contain “${q}”` : "the newest records of all sources");

const STEP = 20;
const MAX = 50;

export function Search() {
  const { query } = useObserved(route);
  const [limit, setLimit] = useState(STEP);
  const q = useSettled(query.q ?? "");
  const args = { q, source: query.source, after: instant(query.after), before: instant(query.before, 1), limit };
  const { body, error, isLoading, retry } = useAnswer("search_context", args);
  const sources = useAnswer("list_sources", {});
  return html`
    <h1 class="sr">Search</h1>
    <form class="searching" role="search" onSubmit=${(event) => event.preventDefault()}>
      <label class="big"><span class="sr">Search all sources</span>
        <input type="search" maxlength="200" placeholder="Search all sources" value=${query.q ?? ""}
          onInput=${(event) => refine({ q: event.target.value })} dir="auto" />
      </label>
      <div class="filters">
        <label class="field">Source
          <select value=${query.source ?? ""} onChange=${(event) => refine({ source: event.target.value })}>
            <option value="">All</option>
            ${(sources.body?.data ?? []).map((one) => html`<option value=${one.id}>${one.label}</option>`)}
          </select></label>
        <label class="field">From
          <input type="date" value=${query.after ?? ""} onChange=${(event) => refine({ after: event.target.value })} /></label>
        <label class="field">To
          <input type="date" value=${query.before ?? ""} onChange=${(event) => refine({ before: event.target.value })} /></label>
      </div>
    </form>
    ${error && html`<${Trouble} error=${error} retry=${retry} />`}
    ${!body && isLoading && html`<${Loading} />`}
    ${body && html`<${Results} body=${body} term=${q} isLoading=${isLoading} onMore=${limit < MAX && (() => setLimit(MAX))} />`}
  `;
}

function Results({ body, term, isLoading, onMore }) {
  const { items, hasMore } = body.data;
  return html`
    <p class="sr" role="status">${items.length} results</p>
    ${!items.length && html`<${Empty}>No record contains this text. Search is literal: try other words, or fewer.<//>`}
    <ol class="results" aria-busy=${isLoading}>
      ${items.map((item) => html`<${Result} key=${`${item.kind} ${item.id}`} item=${item} term=${term} />`)}
    </ol>
    ${hasMore && html`<p class="actions">
      ${onMore ? html`<button type="button" onClick=${onMore}>Show more</button>` : html`<span class="quiet">There are more results: narrow the search by source, time or text.</span>`}
    </p>`}
    <${Freshness} meta=${body.meta} />
  `;
}

/** Whether the text belongs to a document or note; all other records are plain text. */
const isMarkdown = (item) => readBy(item.href)?.operation.name === "read_knowledge";

function Result({ item, term }) {
  const link = linkTo(item.href);
  const title = html`<${Marked} text=${item.title} term=${term} />`;
  return html`<li>
    <h2 dir="auto">${link ? html`<a href=${link}>${title}</a>` : item.href ? html`<${Outbound} url=${item.href}>${title}<//>` : title}</h2>
    ${isMarkdown(item) ? html`<${Preview} text=${item.preview} term=${term} />` : html`<p dir="auto"><${Marked} text=${item.preview} term=${term} /></p>`}
    <p class="byline"><span class="kind">${item.kind}</span> <span dir="auto">${item.sourceLabel}</span> ${item.updatedAt && html`<${Time} at=${item.updatedAt} />`}</p>
  </li>`;
}

/** The start of a local day as an RFC 3339 date-time. days: number of days to add. */
function instant(day, days = 0) {
  if (!day) return undefined;
  const start = new Date(`${day}T00:00`);
  start.setDate(start.getDate() + days);
  return Number.isNaN(start.getTime()) ? undefined : start.toISOString();
}
