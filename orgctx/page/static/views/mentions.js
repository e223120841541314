// Stored posts that mention the connected account, with their figures.
import { html } from "../lib.js";
import { useAnswer } from "../hooks.js";
import { compact, counted, number } from "../format.js";
import { Empty, Freshness, Loading, Outbound, Pager, Time, Trouble } from "../components.js";
import { refine, route } from "../route.js";
import { useObserved } from "../observed.js";

export const operations = ["list_x_mentions"];
export const shows = () => "the posts that mention the organization";

export function Mentions() {
  const { query } = useObserved(route);
  const page = Number(query.page ?? 1);
  const { body, error, retry } = useAnswer("list_x_mentions", { page });
  return html`
    <h1>Mentions</h1>
    ${error && html`<${Trouble} error=${error} retry=${retry} />`}
    ${!body && !error && html`<${Loading} />`}
    ${body && html`
      <${Freshness} meta=${body.meta} />
      ${!body.data.length && html`<${Empty}>No post is stored.<//>`}
      <ul class="cards posts">${body.data.map((post) => html`<${Post} key=${post.id} post=${post} />`)}</ul>
      <${Pager} pagination=${body.pagination} page=${page} onPage=${(to) => refine({ page: to })} />`}
  `;
}

function Post({ post }) {
  const { author, text, createdAt, metrics, media, quoted, isReply, isRepost, url } = post;
  // Where X or a collector did not count, 0 is stored.
  const isCounted = Object.values(metrics).some(Boolean);
  const figure = (name, value) => (name === "views" || !isCounted ? counted(value) : compact(value));
  return html`<li class="card">
    <p class="byline"><${Author} author=${author} /> <${Time} at=${createdAt} />
      ${isReply && html`<span class="chip">reply</span>`}${isRepost && html`<span class="chip">repost</span>`}</p>
    <p class="text" dir="auto">${text}</p>
    ${media.length > 0 && html`<ul class="plain-list media">${media.map((one) => html`<li><span class="kind">${one.type}</span> <${Outbound} url=${one.url} />
      ${one.previewUrl !== one.url && html`<${Outbound} url=${one.previewUrl} />`}</li>`)}</ul>`}
    ${quoted && html`<blockquote><p class="byline"><${Author} author=${quoted.author} /></p><p class="text" dir="auto">${quoted.text}</p><p><${Outbound} url=${quoted.url}>Open the post<//></p></blockquote>`}
    <dl class="figures">${Object.entries(metrics).map(([name, value]) => html`<div><dt>${name}</dt><dd title=${number(value)}>${figure(name, value)}</dd></div>`)}</dl>
    <p class="byline"><${Outbound} url=${url}>Open the post<//> <code>${post.id}</code></p>
  </li>`;
}

function Author({ author }) {
  return html`<strong dir="auto">${author.name}</strong> <span class="quiet" dir="ltr">@${author.username}${author.verified && " · verified"}</span>`;
}
