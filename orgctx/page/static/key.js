// The form for a key. The field is read once and cleared, so that only api.js holds the key.
import { html, useRef, useState } from "./lib.js";
import { useKey } from "./api.js";

const FORM = /^octx_[0-9A-Za-z]{40}$/;

const INVALID = "This is not an API key. Paste the whole key: octx_ and 40 letters and digits.";

export function KeyForm({ onDone, action = "Explore" }) {
  const field = useRef(null);
  const [error, setError] = useState("");
  const submit = (event) => {
    event.preventDefault();
    const text = field.current.value.trim();
    field.current.value = "";
    if (!FORM.test(text)) return setError(INVALID);
    setError("");
    useKey(text);
    return onDone?.();
  };
  return html`<form class="key" onSubmit=${submit} autocomplete="off">
    <label>API key
      <input ref=${field} type="password" autocomplete="off" autocapitalize="off" spellcheck="false" required
        placeholder="octx_…" aria-describedby="key-note" aria-invalid=${error ? "true" : "false"} />
    </label>
    <button type="submit" class="primary">${action}</button>
    <p id="key-note" class="quiet">${error ? html`<span class="error" role="alert">${error}</span>` : "The key stays in the memory of this page until you reload it."}</p>
  </form>`;
}
