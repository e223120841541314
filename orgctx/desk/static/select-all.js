// Adds a check box that selects all sources of the page.
const boxes = [...document.querySelectorAll('input[name="source"]')]
const group = document.querySelector('.decide')
if (group) {
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
