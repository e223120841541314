// Format values for people.
const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });
const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });
const COMPACT = new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 });
const NUMBER = new Intl.NumberFormat(undefined, { maximumFractionDigits: 6 });
const SMALL = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 });
const UNITS = [["year", 31_557_600], ["month", 2_629_800], ["week", 604_800], ["day", 86_400],
  ["hour", 3600], ["minute", 60], ["second", 1]];

/** A format that says so when there is no value, which would otherwise read as 0 or 1970. */
const known = (format) => (value) => (value === null || value === undefined ? "unknown" : format(value));

export const date = known((text) => DATE.format(new Date(text)));
export const moment = known((text) => MOMENT.format(new Date(text)));
export const clock = known((text) => CLOCK.format(new Date(text)));
export const compact = known((value) => COMPACT.format(value));
export const number = known((value) => (value && Math.abs(value) < 0.001 ? SMALL : NUMBER).format(value));
/** A count that is stored as 0 where nobody counted. */
export const counted = (value) => (value ? compact(value) : "unknown");

/** Seconds since then. */
export const ageOf = (text) => Math.max(0, (Date.now() - new Date(text)) / 1000);

/** `3 hours ago`. */
export function ago(text) {
  const [unit, amount] = largest(ageOf(text));
  return RELATIVE.format(-amount, unit);
}

/** `3 hours`, and `1 year` for 365 days too. */
export function span(seconds) {
  const [unit, amount] = largest(seconds * 1.001);
  return `${amount} ${unit}${amount === 1 ? "" : "s"}`;
}

/** `1.2 MB`. */
export const bytes = known((count) => {
  const power = count < 1000 ? 0 : Math.min(4, Math.floor(Math.log10(count) / 3));
  const amount = count / 1000 ** power;
  return `${power && amount < 10 ? amount.toFixed(1) : Math.round(amount)} ${["B", "kB", "MB", "GB", "TB"][power]}`;
});

/** `2:05`, of a recording. */
export function length(seconds) {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** The digits of an integer of any size in groups of three. */
export const grouped = (digits) => digits.replace(/\B(?=(\d{3})+$)/g, "\u202f");

/** `not_connected` as `not connected`. */
export const words = (name) => name.replaceAll("_", " ");

function largest(seconds) {
  const [unit, size] = UNITS.find(([, one]) => seconds >= one) ?? ["second", 1];
  return [unit, Math.floor(seconds / size)];
}
