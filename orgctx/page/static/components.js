// Components that all views share.
import { html, useEffect, useRef, useState } from "./lib.js";
import { forget } from "./api.js";
import { ago, moment, words } from "./format.js";
import { Observed, useObserved } from "./observed.js";
import { viewed } from "./viewed.js";

const SHAPES = {
  current: html`<circle cx="8" cy="8" r="5" />`,
  available: html`<circle cx="8" cy="8" r="5" />`,
  ready: html`<circle cx="8" cy="8" r="5" />`,
  stale: html`<path d="M8 2.5 14 13H2Z" />`,
  collecting: html`<path d="M8 2.5 14 13H2Z" />`,
  synthetic: html`<path d="M8 2 14 8 8 14 2 8Z" />`,
  unavailable: html`<path d="M3.5 3.5h9v9h-9Z" />`,
  error: html`<path d="M3.5 3.5h9v9h-9Z" />`,
  not_connected: html`<circle class="hollow" cx="8" cy="8" r="4.5" />`,
};
const TONES = { available: "current", ready: "current", collecting: "stale", error: "unavailable" };

/** The shape and color of a status, without its name. */
export function Shape({ status, ...place }) {
  const tone = TONES[status] ?? status;
  return html`<svg class="shape tone-${tone}" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" ...${place}>
    ${SHAPES[status] ?? SHAPES.not_connected}
  </svg>`;
}

export function Status({ status }) {
  return html`<span class="status tone-${TONES[status] ?? status}"><${Shape} status=${status} />${words(status)}</span>`;
}

export function Time({ at, children }) {
  if (!at) return html`<span class="quiet">never</span>`;
  return html`<time datetime=${at} title=${moment(at)}>${children ?? ago(at)}</time>`;
}

/** A pattern that splits a text at every occurrence of `term`, ignoring case. */
export const occurrences = (term) => new RegExp(`(${term.replace(/[.*+?^$\{}()|[\]\\]/g, "\\$&")})`, "giu");

/** Text with every occurrence of `term` marked. */
export function Marked({ text, term }) {
  if (!term) return text;
  return text.split(occurrences(term)).map((part, index) => (index % 2 ? html`<mark>${part}</mark>` : part));
}

/** The freshness of an answer in one line. */
export function Freshness({ meta }) {
  const { status, updatedAt, note } = meta.freshness;
  return html`<p class="freshness">
    <${Status} status=${status} />
    ${updatedAt && html`<span>updated <${Time} at=${updatedAt} /></span>`}
    ${note && html`<span class="quiet" dir="auto">${note}</span>`}
  </p>`;
}

export function Pager({ pagination, page, onPage }) {
  if (!pagination || (pagination.totalPages <= 1 && page <= 1)) return null;
  const { totalPages, total, hasNextPage } = pagination;
  return html`<nav class="pager" aria-label="Pages">
    <button type="button" disabled=${page <= 1} onClick=${() => onPage(page - 1)}>Previous</button>
    <span>Page ${page} of ${Math.max(totalPages, 1)} <span class="quiet">· ${total} in all</span></span>
    <button type="button" disabled=${!hasNextPage} onClick=${() => onPage(page + 1)}>Next</button>
  </nav>`;
}

export function Copy({ text, label = "Copy" }) {
  const [isDone, setDone] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setDone(true);
    setTimeout(setDone, 1600, false);
  };
  if (!navigator.clipboard) return null;
  return html`<button type="button" class="copy" onClick=${copy}>
    <span aria-live="polite">${isDone ? "Copied" : label}</span>
  </button>`;
}

/** Text to copy. */
export function Snippet({ text, label }) {
  return html`<div class="snippet">
    <pre tabindex="0" role="region" aria-label=${label}><code>${text}</code></pre>
    <${Copy} text=${text} />
  </div>`;
}

export function Loading() {
  return html`<p class="loading" role="status">Loading …</p>`;
}

export function Empty({ children }) {
  return html`<p class="empty">${children}</p>`;
}

/** An error and what to do about it. isWhole: it replaces the view, so its heading is h1. */
export function Trouble({ error, retry, isWhole }) {
  const { status } = error;
  const advice = ADVICE[status] ?? ADVICE[status >= 500 || status === 0 ? 503 : 400];
  return html`<div class="trouble" role="alert">
    ${isWhole ? html`<h1>${advice.title}</h1>` : html`<h2>${advice.title}</h2>`}
    ${error.message && html`<p dir="auto">${error.message}</p>`}
    ${advice.what && html`<p>${advice.what}</p>`}
    <p class="actions">
      ${status === 401 && !viewed && html`<button type="button" onClick=${forget}>Use another key</button>`}
      ${(status === 0 || status === 429 || status >= 500) && html`<button type="button" onClick=${retry}>Try again</button>`}
    </p>
    ${error.exchange?.requestId && html`<p class="quiet">Request <code>${error.exchange.requestId}</code></p>`}
  </div>`;
}

// what: advice that the message of the service does not contain.
const ADVICE = {
  0: { title: "The service did not respond", what: "Check that it runs and that you are online, then try again." },
  400: { title: "Invalid request", what: "Change the parameters; the same request fails again." },
  401: { title: "This key does not work" },
  403: { title: "This key may not read this", what: "With more scopes, the key itself stays the same." },
  404: { title: "Not found" },
  409: { title: "The stored data does not match" },
  429: { title: "Too many requests" },
  503: { title: "The service could not answer", what: "No data is lost." },
};

// Links from sources are untrusted: the page shows the address before anything opens.
const offered = new Observed(null);

export function offer(url) {
  offered.set(url);
}

/** A link from a source, as a button that shows the address. */
export function Outbound({ url, children }) {
  return html`<button type="button" class="outbound" dir="auto" onClick=${() => offer(url)}>${children ?? url}</button>`;
}

export function OutboundDialog() {
  const url = useObserved(offered);
  const dialog = useRef(null);
  useEffect(() => {
    if (url) dialog.current.showModal();
  }, [url]);
  const close = () => dialog.current.close();
  const isOpenable = /^(https?|mailto):/i.test(url ?? "");
  return html`<dialog ref=${dialog} aria-labelledby="outbound-title" onClose=${() => offered.set(null)}>
    <h2 id="outbound-title">This link comes from a source</h2>
    <p>It has not been checked.</p>
    <p class="address" dir="ltr"><code>${url}</code></p>
    <p class="actions">
      ${isOpenable &&
      html`<a class="button" href=${url} target="_blank" rel="noopener noreferrer nofollow" onClick=${close}>Open in a new tab</a>`}
      <${Copy} text=${url ?? ""} label="Copy address" />
      <button type="button" onClick=${close}>Close</button>
    </p>
  </dialog>`;
}
