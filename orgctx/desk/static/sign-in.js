// Sends the secret of a link, which is in the fragment, and removes it from the address.
function send() {
  const secret = location.hash.slice(1)
  // The link to the content has a fragment too, and a redirect keeps that of the explorer page.
  if (!/^[\w.-]+$/.test(secret) || document.getElementById(secret)) return
  history.replaceState(null, '', location.pathname)
  const form = document.getElementById('sign-in')
  form.elements.secret.value = secret
  form.elements.secret.type = 'password'
  form.requestSubmit()
}

send()
// If a tab already shows this page, opening a link in it does not load the page again.
addEventListener('hashchange', send)
