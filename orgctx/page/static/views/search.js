// Search over all sources while you type.
import { html, useMemo, useState } from "../lib.js";
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
  const { query } = useObserved(route);
  const { items, hasMore } = body.data;
  const counts = useMemo(() => facetsOf(items), [items]);
  const chosen = counts.kind.has(query.kind) ? query.kind : "";
  const shown = chosen ? items.filter(({ kind }) => kind === chosen) : items;
  const labels = new Map(items.map(({ sourceId, sourceLabel }) => [sourceId, sourceLabel]));
  const year = query.after?.slice(0, 4);
  const isYear = year && query.after === daysOf(year).after && query.before === daysOf(year).before;
  return html`
    ${items.length > 0 && html`<div class="facets">
      <${Facet} name="Kinds" counts=${counts.kind} chosen=${chosen} onPick=${(kind) => refine({ kind })} />
      <${Facet} name="Sources" counts=${counts.source} chosen=${query.source} labels=${labels} onPick=${(source) => refine({ source })} />
      <${Facet} name="Years" counts=${counts.year} chosen=${isYear ? year : ""} onPick=${(one) => refine(daysOf(one))} />
      ${hasMore && html`<p class="quiet">Counted in the ${items.length} newest results; there are more.</p>`}
    </div>`}
    <p class="sr" role="status">${shown.length} results</p>
    ${!shown.length && html`<${Empty}>No record contains this text. Search is literal: try other words, or fewer.<//>`}
    <ol class="results" aria-busy=${isLoading}>
      ${shown.map((item) => html`<${Result} key=${`${item.kind} ${item.id}`} item=${item} term=${term} />`)}
    </ol>
    ${hasMore && html`<p class="actions">
      ${onMore ? html`<button type="button" onClick=${onMore}>Show more</button>` : html`<span class="quiet">There are more results: narrow the search by source, time or text.</span>`}
    </p>`}
    <${Freshness} meta=${body.meta} />
  `;
}

/** The days that a year has; none for no year. */
const daysOf = (year) => (year ? { after: `${year}-01-01`, before: `${year}-12-31` } : { after: "", before: "" });

/** How many results each kind, source and year has. */
function facetsOf(items) {
  const values = {
    kind: ({ kind }) => kind,
    source: ({ sourceId }) => sourceId,
    year: ({ updatedAt }) => updatedAt && String(new Date(updatedAt).getFullYear()),
  };
  return Object.fromEntries(Object.entries(values).map(([name, of]) =>
    [name, new Map([...Map.groupBy(items, of)].map(([value, group]) => [value, group.length]))]));
}

/** The values of a facet with their counts. A second click on the chosen one removes it. labels: texts by value. */
function Facet({ name, counts, chosen, labels, onPick }) {
  const values = [...counts.keys()].filter((value) => value !== null).sort();
  return html`<div class="chips" role="group" aria-label=${name}>
    <span class="quiet" aria-hidden="true">${name}</span>
    ${values.map((value) => html`<button type="button" class="chip" key=${value} dir="auto" aria-pressed=${value === chosen}
      onClick=${() => onPick(value === chosen ? "" : value)}>${labels?.get(value) ?? value} ${counts.get(value)}</button>`)}
  </div>`;
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
