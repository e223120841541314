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
