// Shows times by the viewer's clock, and in UTC in their titles.
const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
for (const time of document.querySelectorAll('time[datetime]')) {
  time.title = time.textContent
  time.textContent = format.format(new Date(time.dateTime))
}

// Adds a button to each snippet that copies its text.
for (const snippet of document.querySelectorAll('.snippet')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(snippet.querySelector('code').textContent)
    button.textContent = 'Copied'
  })
  snippet.append(button)
}

// Adds a check box that selects all sources of the page.
const boxes = [...document.querySelectorAll('input[name="source"]')]
const group = document.querySelector('.decide')
if (group && boxes.length) {
  const label = document.createElement('label')
  const all = document.createElement('input')
  label.className = 'check'
  all.type = 'checkbox'
  label.append(all, 'Select all')
  group.prepend(label)
  const draw = () => {
    const count = boxes.filter((box) => box.checked).length
    all.checked = count === boxes.length
    all.indeterminate = count > 0 && count < boxes.length
  }
  all.addEventListener('change', () => {
    for (const box of boxes) box.checked = all.checked
  })
  for (const box of boxes) box.addEventListener('change', draw)
  draw()
}
