// A chart of freshness: the age of each source against its freshness target.
import { html } from "../lib.js";
import { ageOf, span } from "../format.js";
import { Empty, Marked, Shape, Status, Time } from "../components.js";
import { linkTo } from "./links.js";

const MIN_SECONDS = 60;
const MAX_SECONDS = 3 * 31_557_600;
const MARKS = [[3600, "hour"], [86_400, "day"], [604_800, ""], [2_629_800, "month"], [31_557_600, "year"]];
const WIDTH = 360;

/** The position of an age on a logarithmic axis from minutes to years. */
function x(seconds) {
  const share = Math.log(Math.max(seconds, MIN_SECONDS) / MIN_SECONDS) / Math.log(MAX_SECONDS / MIN_SECONDS);
  return Math.round(10 + Math.min(1, share) * (WIDTH - 20));
}

export function FreshnessPicture({ sources }) {
  if (!sources.length) {
    return html`<${Empty}>No source is approved for this key. An owner or admin can approve sources.<//>`;
  }
  return html`<section class="freshness-picture" aria-labelledby="freshness-title">
    <div class="section-head">
      <h2 id="freshness-title">Freshness</h2>
      <p class="quiet">The mark shows the age of a source, the band its freshness target. A source past its target is stale.</p>
    </div>
    <table>
      <thead>
        <tr>
          <th scope="col">Source</th>
          <th scope="col">Status</th>
          <th scope="col">Age and target</th>
          <th scope="col" class="line"><span class="sr">On a time axis</span><${Scale} /></th>
        </tr>
      </thead>
      <tbody>${sources.map((source) => html`<${Row} key=${source.id} source=${source} />`)}</tbody>
    </table>
  </section>`;
}

function Row({ source }) {
  const { label, kind, count, description, href, status, updatedAt, staleAfterSeconds: target } = source;
  const link = linkTo(href);
  return html`<tr>
    <th scope="row">
      <span class="label" dir="auto">${link ? html`<a href=${link}><${Marked} text=${label} /></a>` : label}</span>
      <span class="kind">${kind}${count !== undefined && ` · ${count}`}</span>
      <span class="quiet about" dir="auto">${description}</span>
    </th>
    <td><${Status} status=${status} /></td>
    <td><${Time} at=${updatedAt} /><span class="quiet about">${target === undefined ? "no freshness target" : `stale after ${span(target)}`}</span></td>
    <td class="line"><${Line} status=${status} updatedAt=${updatedAt} target=${target} /></td>
  </tr>`;
}

function Scale() {
  return html`<svg viewBox="0 0 ${WIDTH} 16" aria-hidden="true" class="scale">
    <text x="10" y="12">now</text>
    ${MARKS.map(([seconds, text]) => html`<text x=${x(seconds)} y="12" text-anchor="middle">${text}</text>`)}
  </svg>`;
}

function Line({ status, updatedAt, target }) {
  const at = updatedAt ? x(ageOf(updatedAt)) : null;
  const end = target === undefined ? null : x(target);
  const isLate = end !== null && at !== null && at > end;
  return html`<svg viewBox="0 0 ${WIDTH} 28" aria-hidden="true" class="age tone-${status}">
    ${MARKS.map(([seconds]) => html`<line class="tick" x1=${x(seconds)} x2=${x(seconds)} y1="0" y2="28" />`)}
    <line class="base" x1="10" x2=${WIDTH - 10} y1="14" y2="14" />
    ${end !== null && html`<rect class="promise" x="10" y="8" width=${end - 10} height="12" rx="3" />`}
    ${isLate && html`<line class="late" x1=${end} x2=${at} y1="14" y2="14" />`}
    ${at !== null && html`<${Shape} status=${status} x=${at - 10} y="4" width="20" height="20" />`}
  </svg>`;
}
