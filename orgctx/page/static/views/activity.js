// Messages and mentions per week, from a bounded number of requests.
import { html, useEffect, useState } from "../lib.js";
import { granted } from "../api.js";
import { WeekChart } from "../chart.js";
import { Empty, Loading, Trouble } from "../components.js";
import { useAnswer, useFollowed } from "../hooks.js";
import { useObserved } from "../observed.js";
import { address, refine, route } from "../route.js";
import { operationOf } from "../service.js";
import { perWeek, weeksUntil } from "../weeks.js";

export const shows = () => "messages and mentions per week";

const WEEKS = 12;
// The API lists messages and posts, and does not count them by time.
const PAGE_SIZE = 100;
const MORE_PAGES = 10;

export function Activity() {
  const scopes = useObserved(granted);
  const isOpen = (operation) => !scopes || operationOf(operation).scopes.some((scope) => scopes.includes(scope));
  return html`
    <h1>Activity</h1>
    ${isOpen("list_telegram_messages") && html`<${Messages} />`}
    ${isOpen("list_x_mentions") && html`<${Mentions} />`}
    <section aria-labelledby="history">
      <h2 id="history">Freshness</h2>
      <p class="quiet">The API gives the last update of each source and no earlier ones, so there is no history to draw.
        The <a href=${address("explore")}>overview</a> shows how old each source is.</p>
    </section>
  `;
}

function Messages() {
  const { query } = useObserved(route);
  const { body, error, retry } = useAnswer("list_telegram_chats", {});
  const chat = body?.data.find((one) => one.id === query.chat) ?? body?.data[0];
  return html`<section aria-labelledby="messages">
    <h2 id="messages">Messages per week</h2>
    ${error && html`<${Trouble} error=${error} retry=${retry} />`}
    ${!body && !error && html`<${Loading} />`}
    ${body && !chat && html`<${Empty}>No linked chat is approved.<//>`}
    ${chat && html`
      <div class="filters"><label class="field wide">Chat
        <select value=${chat.id} onChange=${(event) => refine({ chat: event.target.value })}>
          ${body.data.map(({ id, title }) => html`<option value=${id}>${title}</option>`)}
        </select></label></div>
      <${ChatWeeks} key=${chat.id} chat=${chat} />`}
  </section>`;
}

/** The weeks of one page of items, newest first, and of more when somebody asks. moment: an item's time. */
function Weeks({ unit, operation, args, moment, next }) {
  const [budget, setBudget] = useState(1);
  const { bodies, error, isLoading, hasMore, more } = useFollowed(operation, { ...args, limit: PAGE_SIZE }, next);
  const moments = bodies.flatMap(({ data }) => data.map(moment));
  const weeks = weeksUntil(moments[0] ?? Date.now(), WEEKS);
  const oldest = new Date(moments.at(-1) ?? Date.now());
  const isPartial = hasMore && oldest > weeks[0].start;
  const isFollowed = isPartial && !isLoading && !error && bodies.length < budget;
  useEffect(() => {
    if (isFollowed) more();
  }, [isFollowed, bodies.length]);
  if (error) return html`<${Trouble} error=${error} retry=${more} />`;
  if (isLoading || isFollowed) return html`<${Loading} />`;
  if (!moments.length) return html`<${Empty}>None is stored.<//>`;
  return html`
    <${WeekChart} weeks=${weeks} counts=${perWeek(weeks, moments, isPartial ? oldest : 0)} unit=${unit} />
    ${isPartial && html`<p class="actions"><span class="quiet">The newest ${moments.length} ${unit} are counted.</span>
      <button type="button" onClick=${() => setBudget(bodies.length + MORE_PAGES)}>Count ${MORE_PAGES * PAGE_SIZE} more</button></p>`}
  `;
}

function ChatWeeks({ chat }) {
  return html`<${Weeks} unit="messages" operation="list_telegram_messages" args=${{ chatId: chat.id }} moment=${({ sentAt }) => sentAt}
    next=${({ pagination }, args) => (pagination.hasMore ? { ...args, before: pagination.nextBefore } : null)} />`;
}

function Mentions() {
  return html`<section aria-labelledby="mentions">
    <h2 id="mentions">Mentions per week</h2>
    <${Weeks} unit="mentions" operation="list_x_mentions" args=${{ page: 1 }} moment=${({ createdAt }) => createdAt}
      next=${({ pagination }, args) => (pagination.hasNextPage ? { ...args, page: args.page + 1 } : null)} />
  </section>`;
}
