// Counts per week as bars, with a sentence and a table that say the same.
import { html, useEffect, useRef, useState } from "./lib.js";
import { date, number } from "./format.js";
import { useModule } from "./hooks.js";

const HALF_WEEK = 302_400; // in seconds
const HEIGHT = 190;
const LABEL_WIDTH = 76;
const STEPS = [1, 2, 5].flatMap((first) => Array.from({ length: 12 }, (_, power) => first * 10 ** power)).sort((a, b) => a - b);
const DAY = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });
const dark = matchMedia("(prefers-color-scheme: dark)");

/** counts: one number per week, null while it is not counted. unit: what is counted, in the plural. */
export function WeekChart({ weeks, counts, unit }) {
  return html`<figure class="chart">
    <${Bars} weeks=${weeks} counts=${counts} />
    <figcaption><p role="status">${summary(weeks, counts, unit)}</p></figcaption>
    <details class="more">
      <summary>As a table</summary>
      <table class="simple">
        <thead><tr><th scope="col">Week from</th><th scope="col">${unit}</th></tr></thead>
        <tbody>${weeks.map(({ start }, index) => html`<tr><th scope="row">${date(start)}</th>
          <td>${counts[index] === null ? html`<span class="quiet">not counted</span>` : number(counts[index])}</td></tr>`)}</tbody>
      </table>
    </details>
  </figure>`;
}

function summary(weeks, counts, unit) {
  const known = counts.filter((count) => count !== null);
  if (!known.length) return "No week is counted.";
  const most = Math.max(...known);
  const sum = number(known.reduce((total, count) => total + count, 0));
  const peak = most ? ` The most, ${number(most)}, in the week from ${date(weeks[counts.indexOf(most)].start)}.` : "";
  return `${sum} ${unit} in ${known.length} ${known.length === 1 ? "week" : "weeks"}.${peak}`;
}

function Bars({ weeks, counts }) {
  const container = useRef(null);
  const library = useModule(() => import("./vendor/uplot.js"));
  const isDark = useDark();
  const data = [weeks.map(({ start }) => start / 1000), counts];
  useEffect(() => {
    if (!library) return undefined;
    const box = container.current;
    const plot = new library.uPlot(options(library.uPlot, box), data, box);
    const observer = new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height: HEIGHT }));
    observer.observe(box);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [library, isDark, JSON.stringify(data)]);
  return html`<div class="plot" dir="ltr" ref=${container} aria-hidden="true"></div>`;
}

function options(uPlot, box) {
  const color = (name) => getComputedStyle(box).getPropertyValue(name);
  const axis = { stroke: color("--quiet"), font: `13px ${color("--sans")}`, ticks: { show: false } };
  const labels = ({ width, data: [weeks] }) =>
    weeks.filter((_, index) => (weeks.length - 1 - index) % Math.ceil((weeks.length * LABEL_WIDTH) / width) === 0);
  return {
    width: box.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { range: (_, from, to) => [from - HALF_WEEK, to + HALF_WEEK] }, y: { range: (_, from, to) => [0, Math.max(4, to * 1.1)] } },
    axes: [
      { ...axis, size: 34, grid: { show: false }, splits: labels, values: (_, starts) => starts.map((start) => DAY.format(1000 * start)) },
      { ...axis, grid: { stroke: color("--line"), width: 1 }, incrs: STEPS, values: (_, values) => values.map(number) },
    ],
    series: [{}, { fill: color("--accent"), stroke: color("--accent"), width: 0, points: { show: false }, paths: uPlot.paths.bars({ size: [0.7, 48] }) }],
  };
}

function useDark() {
  const [isDark, setDark] = useState(dark.matches);
  useEffect(() => {
    const follow = () => setDark(dark.matches);
    dark.addEventListener("change", follow);
    return () => dark.removeEventListener("change", follow);
  }, []);
  return isDark;
}
