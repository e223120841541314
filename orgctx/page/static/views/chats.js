// Linked chats, and a conversation that loads older messages. Each message has an address.
import { html, useLayoutEffect, useRef } from "../lib.js";
import { useAnswer, useFollowed, useSettled } from "../hooks.js";
import { bytes, clock, counted, date, length, moment, number } from "../format.js";
import { Empty, Freshness, Loading, Marked, Pager, Time, Trouble } from "../components.js";
import { address, refine, route } from "../route.js";
import { useObserved } from "../observed.js";

export const operations = ["list_telegram_chats", "list_telegram_messages"];
export const shows = ({ values: [id], query: { around, q } }) => {
  if (!id) return "the linked chats";
  if (q) return `the messages of a chat that contain “${q}”`;
  return around ? `message ${around} of a chat, between its neighbors` : "the messages of a chat";
};
export const queries = { list_telegram_messages: permalink };

const LAST_ID = 2 ** 31 - 1;

/** The query of the view for a request that names one message, as the results of a search do. */
function permalink({ before, ...query }) {
  return query.limit === "1" && before > 1 ? { around: before - 1 } : { before, ...query };
}

export function Chats({ values, query }) {
  const { before, around } = query;
  return values[0]
    ? html`<${Conversation} key=${`${values[0]} ${before} ${around}`} id=${values[0]} before=${before} around=${around} />`
    : html`<${ChatList} />`;
}

function ChatList() {
  const { query } = useObserved(route);
  const page = Number(query.page ?? 1);
  const { body, error, retry } = useAnswer("list_telegram_chats", { page });
  if (error) return html`<${Trouble} isWhole error=${error} retry=${retry} />`;
  if (!body) return html`<${Loading} />`;
  return html`
    <h1>Chats</h1>
    ${!body.data.length && html`<${Empty}>No linked chat is approved.<//>`}
    <ul class="cards">
      ${body.data.map((chat) => html`<li class="card" key=${chat.id}>
        <p class="eyebrow">${chat.type}</p>
        <h2 dir="auto"><a href=${address("explore", "chats", [chat.id])}>${chat.title}</a></h2>
        ${chat.username && html`<p class="quiet" dir="ltr">@${chat.username}</p>`}
        <dl class="figures">
          <div><dt>messages</dt><dd>${number(chat.trackedMessageCount)}</dd></div>
          <div><dt>members</dt><dd>${counted(chat.memberCount)}</dd></div>
          <div><dt>last</dt><dd><${Time} at=${chat.lastMessageAt} /></dd></div>
        </dl>
        <p class="quiet">Linked ${date(chat.linkedAt)}</p>
      </li>`)}
    </ul>
    <${Pager} pagination=${body.pagination} page=${page} onPage=${(to) => refine({ page: to })} />
    <${Freshness} meta=${body.meta} />
  `;
}

function Conversation({ id, before, around }) {
  const { query } = useObserved(route);
  const q = useSettled(query.q ?? "");
  const chats = useAnswer("list_telegram_chats", {});
  const chat = chats.body?.data.find((one) => one.id === id);
  const { bodies, error, isLoading, hasMore, more } = useFollowed(
    "list_telegram_messages",
    { chatId: id, q, ...(q ? {} : { before, around }) },
    ({ pagination }) => (pagination.hasMore ? { chatId: id, q, before: pagination.nextBefore } : null),
  );
  const messages = bodies.flatMap((body) => body.data).reverse();
  const hit = q ? null : Number(around) || null;
  const isStored = messages.some((message) => message.id === hit);
  const log = useKeptScroll(messages.length);
  const link = (message) => address("explore", "chats", [id], { around: message });
  return html`
    <p class="crumb"><a href=${address("explore", "chats")}>Chats</a></p>
    <h1 dir="auto">${chat?.title ?? "Conversation"}</h1>
    <form class="filters" role="search" onSubmit=${(event) => event.preventDefault()}>
      <label class="field wide">Search in this chat
        <input type="search" maxlength="200" value=${query.q ?? ""} dir="auto" onInput=${(event) => refine({ q: event.target.value })} /></label>
      ${(before || around) && html`<a class="button" href=${address("explore", "chats", [id])}>Newest messages</a>`}
    </form>
    ${error && html`<${Trouble} error=${error} retry=${more} />`}
    ${bodies[0]?.pagination.searchLimited && html`<p class="quiet">Only the newest messages were searched.</p>`}
    ${hit && messages.length > 0 && !isStored && html`<p class="quiet" role="status">Message ${hit} is not stored. These are the messages around it.</p>`}
    <div class="conversation" ref=${log} tabindex="0" role="region" aria-label="Messages">
      <p class="older">
        ${isLoading ? html`<${Loading} />` : hasMore
          ? html`<button type="button" class="more" onClick=${more}>Older messages</button>`
          : html`<span class="quiet">${messages.length ? "Beginning of the stored messages." : "No message matches."}</span>`}
      </p>
      <ol>${messages.map((message, index) => html`<${Message} key=${message.id} message=${message} previous=${messages[index - 1]}
        quoted=${messages.find((one) => one.id === message.replyToMessageId)} term=${q} isHit=${message.id === hit} link=${link} />`)}</ol>
      ${hit && messages.at(-1)?.id > hit && html`<p class="older"><a class="button" href=${link(messages.at(-1).id)}>Newer messages</a></p>`}
    </div>
    ${bodies[0] && html`<${Freshness} meta=${bodies[0].meta} />`}
  `;
}

/**
 * Start at the message of the address, or else at the newest one, and keep the scroll position when
 * older messages are added above.
 */
function useKeptScroll(count) {
  const element = useRef(null);
  const fromEnd = useRef(null);
  useLayoutEffect(() => {
    const messages = element.current;
    if (!count) return undefined;
    // On a phone, the page scrolls instead of the box of messages.
    const isOwn = messages.scrollHeight > messages.clientHeight;
    const box = isOwn ? messages : document.scrollingElement;
    const target = isOwn ? messages : document;
    const keep = () => {
      fromEnd.current = box.scrollHeight - box.clientHeight - box.scrollTop;
    };
    const hit = fromEnd.current === null && messages.querySelector("[aria-current]");
    if (hit) hit.scrollIntoView({ block: "center" });
    else box.scrollTop = box.scrollHeight - box.clientHeight - (fromEnd.current ?? 0);
    keep();
    target.addEventListener("scroll", keep, { passive: true });
    return () => target.removeEventListener("scroll", keep);
  }, [count]);
  return element;
}

/** link: the address of a message by its id. */
function Message({ message, previous, quoted, term, isHit, link }) {
  const { id, sender, text, detail, kind, file, sentAt, editedAt, replyToMessageId: parent } = message;
  const isNewDay = !previous || date(previous.sentAt) !== date(sentAt);
  const isNewSender = isNewDay || previous.sender.name !== sender.name;
  return html`
    ${isNewDay && html`<li class="day">${date(sentAt)}</li>`}
    <li class=${`message${isHit ? " hit" : ""}`} aria-current=${isHit ? "true" : undefined}>
      ${isNewSender && html`<p class="sender" dir="auto">${sender.name} ${sender.username && html`<span class="quiet" dir="ltr">@${sender.username}</span>`}</p>`}
      <div class="bubble">
        ${parent !== null && html`<p class="quoted" dir="auto"><${Parent} id=${parent} quoted=${quoted} link=${link} /></p>`}
        ${kind !== "text" && html`<p class="attachment" dir="auto"><span class="kind">${kind}</span> <${Attachment} file=${file} term=${term} /></p>`}
        ${detail && html`<p class="quiet" dir="auto"><${Marked} text=${detail} term=${term} /></p>`}
        ${text && html`<p class="text" dir="auto"><${Marked} text=${text} term=${term} /></p>`}
        <p class="when"><a href=${link(id)} aria-label=${`Message ${id}, ${moment(sentAt)}`}><${Time} at=${sentAt}>${clock(sentAt)}<//></a>${editedAt && html` <span>edited <${Time} at=${editedAt}>${clock(editedAt)}<//></span>`}</p>
      </div>
    </li>`;
}

/** The message that was replied to; a message of another chat has no address here. */
function Parent({ id, quoted, link }) {
  const text = quoted ? `${quoted.sender.name}: ${quoted.text ?? quoted.detail ?? quoted.kind}` : `in reply to ${id}`;
  return id >= 1 && id <= LAST_ID ? html`<a href=${link(id)}>${text}</a>` : text;
}

function Attachment({ file, term }) {
  if (!file) return null;
  const { fileName, width, height, duration, mimeType, fileSize, sticker } = file;
  const facts = [sticker, width && height && `${width} × ${height}`, duration !== null && length(duration), mimeType, fileSize !== null && bytes(fileSize)];
  return html`${fileName && html`<${Marked} text=${fileName} term=${term} /> `}<span class="quiet">${facts.filter(Boolean).join(" · ")}</span>`;
}
