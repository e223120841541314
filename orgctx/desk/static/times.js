// Shows times by the viewer's clock, and in UTC in their titles.
const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
for (const time of document.querySelectorAll('time[datetime]')) {
  time.title = time.textContent
  time.textContent = format.format(new Date(time.dateTime))
}
