// People who wrote messages and posts, and their latest activity.
import { html } from "../lib.js";
import { useAnswer, useSettled } from "../hooks.js";
import { date, number } from "../format.js";
import { Empty, Freshness, Loading, Marked, Outbound, Pager, Time, Trouble } from "../components.js";
import { address, refine, route } from "../route.js";
import { useObserved } from "../observed.js";
import { linkTo } from "./links.js";

export const operations = ["list_people", "read_person"];
export const shows = ({ values: [key], query: { q } }) =>
  key ? `the person ${key} and their latest activity` : `people${q ? ` named “${q}”` : ""}, by their latest activity`;

export function People({ values }) {
  return values[0] ? html`<${Person} key=${values[0]} id=${values[0]} />` : html`<${PersonList} />`;
}

function PersonList() {
  const { query } = useObserved(route);
  const q = useSettled(query.q ?? "");
  const page = Number(query.page ?? 1);
  const { body, error, retry } = useAnswer("list_people", { q, page });
  const most = Math.max(1, ...(body?.data ?? []).map((one) => one.activityCount));
  return html`
    <h1>People</h1>
    <p class="quiet">The latest active first. The bar shows how many messages and posts each of them wrote.</p>
    <form class="filters" role="search" onSubmit=${(event) => event.preventDefault()}>
      <label class="field wide">Name
        <input type="search" maxlength="200" value=${query.q ?? ""} dir="auto" onInput=${(event) => refine({ q: event.target.value, page: "" })} /></label>
    </form>
    ${error && html`<${Trouble} error=${error} retry=${retry} />`}
    ${!body && !error && html`<${Loading} />`}
    ${body && html`
      ${body.pagination.searchLimited && html`<p class="quiet">Only the most recently active people were searched.</p>`}
      ${!body.data.length && html`<${Empty}>No person in an approved source matches.<//>`}
      <ul class="people">${body.data.map((one) => html`<li key=${one.key}>
        <a href=${address("explore", "people", [one.key])} dir="auto"><${Marked} text=${one.displayName} term=${q} /></a>
        <span class="quiet" dir="ltr">${one.username ? html`@<${Marked} text=${one.username} term=${q} />` : ""}</span>
        <span class="kind">${one.platform}</span>
        <span class="activity"><meter min="0" max=${most} value=${one.activityCount} aria-label="Activity"></meter> ${number(one.activityCount)}</span>
        <span class="quiet"><${Time} at=${one.lastActiveAt} /></span>
      </li>`)}</ul>
      <${Pager} pagination=${body.pagination} page=${page} onPage=${(to) => refine({ page: to })} />
      <${Freshness} meta=${body.meta} />`}
  `;
}

function Person({ id }) {
  const { body, error, retry } = useAnswer("read_person", { key: id });
  if (error) return html`<${Trouble} isWhole error=${error} retry=${retry} />`;
  if (!body) return html`<${Loading} />`;
  const { data: person } = body;
  return html`
    <p class="crumb"><a href=${address("explore", "people")}>People</a></p>
    <div class="masthead">
      <p class="eyebrow">${person.platform}${person.verified && " · verified"}</p>
      <h1 dir="auto">${person.displayName}</h1>
      <p class="quiet">
        ${person.username && html`<span dir="ltr">@${person.username}</span> · `}
        ${number(person.activityCount)} in all · since ${date(person.firstActiveAt)} · last <${Time} at=${person.lastActiveAt} />
      </p>
      ${person.profileUrl && html`<p><${Outbound} url=${person.profileUrl} /></p>`}
      <p class="quiet"><code>${person.key}</code></p>
    </div>
    <h2>Sources</h2>
    <ul class="plain-list">${person.sources.map((one) => html`<li key=${one.sourceId}>
      <span dir="auto">${one.label}</span> <span class="quiet">${number(one.activityCount)} · last <${Time} at=${one.lastActiveAt} /></span>
    </li>`)}</ul>
    <h2>Latest activity</h2>
    <ol class="timeline">${person.recentActivity.map((one) => html`<li key=${one.id}>
      <p class="byline"><span class="kind">${one.kind}</span> <${Time} at=${one.at} /></p>
      <p dir="auto"><${Activity} one=${one} /></p>
    </li>`)}</ol>
    <${Freshness} meta=${body.meta} />
  `;
}

function Activity({ one }) {
  const link = linkTo(one.href);
  const text = one.preview || `without text (${one.id})`;
  if (link) return html`<a href=${link}>${text}</a>`;
  return one.href ? html`<${Outbound} url=${one.href}>${text}<//>` : text;
}
