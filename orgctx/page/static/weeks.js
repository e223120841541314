// Weeks from Monday to Monday, in the time zone of the browser.

/** The weeks up to the one of a moment, oldest first, as {start, end}. */
export function weeksUntil(moment, count) {
  const monday = new Date(moment);
  monday.setHours(0, 0, 0, 0);
  monday.setDate(monday.getDate() - ((monday.getDay() + 6) % 7));
  const shifted = (weeks) => {
    const day = new Date(monday);
    day.setDate(day.getDate() + 7 * weeks);
    return day;
  };
  return Array.from({ length: count }, (_, index) => ({ start: shifted(index - count + 1), end: shifted(index - count + 2) }));
}

/** How many of these moments each week has. known: weeks that start earlier are null, for unknown. */
export function perWeek(weeks, moments, known) {
  const times = moments.map((moment) => new Date(moment));
  return weeks.map(({ start, end }) =>
    start < known ? null : times.filter((time) => time >= start && time < end).length);
}
