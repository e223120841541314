// Copies the secret of a link from the fragment into the form, and removes it from the address.
const secret = location.hash.slice(1)
if (secret) {
  history.replaceState(null, '', location.pathname)
  const form = document.getElementById('sign-in')
  form.elements.secret.value = secret
  form.elements.secret.type = 'password'
  form.elements.secret.closest('label').hidden = true
  form.querySelector('button').focus()
}
