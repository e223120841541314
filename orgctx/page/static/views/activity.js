// Messages and mentions per week, from a bounded number of requests.
import { html, useEffect, useState } from "../lib.js";
import { ask, granted } from "../api.js";
import { WeekChart } from "../chart.js";
import { Empty, Loading, Trouble } from "../components.js";
import { useAnswer, useFollowed } from "../hooks.js";
import { useObserved } from "../observed.js";
import { address, refine, route } from "../route.js";
import { operationOf } from "../service.js";
import { perWeek, weeksUntil } from "../weeks.js";

export const shows = () => "messages and mentions per week";

const WEEKS = 12;
// The API lists messages, and does not count them by time.
const MAX_PAGES = 10;
const PAGE_SIZE = 100;

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

function ChatWeeks({ chat }) {
  const [budget, setBudget] = useState(MAX_PAGES);
  const { bodies, error, isLoading, hasMore, more } = useFollowed(
    "list_telegram_messages",
    { chatId: chat.id, limit: PAGE_SIZE },
    ({ pagination }, args) => (pagination.hasMore ? { ...args, before: pagination.nextBefore } : null),
  );
  const weeks = weeksUntil(chat.lastMessageAt ?? Date.now(), WEEKS);
  const moments = bodies.flatMap(({ data }) => data.map(({ sentAt }) => sentAt));
  const oldest = new Date(moments.at(-1) ?? Date.now());
  const isPartial = hasMore && oldest > weeks[0].start;
  const isFollowed = isPartial && !isLoading && !error && bodies.length < budget;
  useEffect(() => {
    if (isFollowed) more();
  }, [isFollowed, bodies.length]);
  if (error) return html`<${Trouble} error=${error} retry=${more} />`;
  if (isLoading || isFollowed) return html`<${Loading} />`;
  return html`
    <${WeekChart} weeks=${weeks} counts=${perWeek(weeks, moments, isPartial ? oldest : 0)} unit="messages" />
    ${isPartial && html`<p class="actions"><span class="quiet">The newest ${moments.length} messages are counted.</span>
      <button type="button" onClick=${() => setBudget(bodies.length + MAX_PAGES)}>Count ${MAX_PAGES * PAGE_SIZE} more</button></p>`}
  `;
}

function Mentions() {
  const { body, error, retry } = useAnswer("list_x_mentions", { page: 1 });
  const newest = body?.data[0]?.createdAt;
  return html`<section aria-labelledby="mentions">
    <h2 id="mentions">Mentions per week</h2>
    ${error && html`<${Trouble} error=${error} retry=${retry} />`}
    ${!body && !error && html`<${Loading} />`}
    ${body && !newest && html`<${Empty}>No post is stored.<//>`}
    ${newest && html`<${MentionWeeks} key=${newest} newest=${body} />`}
  </section>`;
}

function MentionWeeks({ newest: { data, pagination } }) {
  const weeks = weeksUntil(data[0].createdAt, WEEKS);
  const isWhole = !pagination.hasNextPage;
  const { counts, error, retry } = useTotals(isWhole ? [] : weeks, pagination.total);
  if (error) return html`<${Trouble} error=${error} retry=${retry} />`;
  const shown = isWhole ? perWeek(weeks, data.map(({ createdAt }) => createdAt), 0) : counts;
  return shown ? html`<${WeekChart} weeks=${weeks} counts=${shown} unit="mentions" />` : html`<${Loading} />`;
}

/** The total of each week, with one request per week, newest first, until all posts are counted. */
function useTotals(weeks, total) {
  const [state, setState] = useState({ counts: null, error: null });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    totals(weeks, total, controller.signal).then(
      (counts) => setState({ counts, error: null }),
      (error) => error.name !== "AbortError" && setState({ counts: null, error }),
    );
    return () => controller.abort();
  }, [attempt]);
  return { ...state, retry: () => setAttempt(attempt + 1) };
}

async function totals(weeks, total, signal) {
  const counts = weeks.map(() => 0);
  let left = total;
  for (let index = weeks.length - 1; index >= 0 && left > 0; index -= 1) {
    const { start, end } = weeks[index];
    const args = { after: start.toISOString(), before: end.toISOString(), page: 1 };
    const { body } = await ask("list_x_mentions", args, signal);
    counts[index] = body.pagination.total;
    left -= counts[index];
  }
  return counts;
}
