// The place for a key. The field is read once and emptied; nothing else ever holds its text.
import { html, useRef, useState } from "./lib.js";
import { useKey } from "./api.js";

const FORM = /^octx_[0-9A-Za-z]{40}$/;

export function KeyForm({ onDone }) {
  const field = useRef(null);
  const [fault, setFault] = useState("");
  const submit = (event) => {
    event.preventDefault();
    const text = field.current.value.trim();
    field.current.value = "";
    if (!FORM.test(text)) return setFault("A key is octx_ and 40 letters and digits. Paste the whole of it.");
    setFault("");
    useKey(text);
    return onDone?.();
  };
  return html`<form class="key" onSubmit=${submit} autocomplete="off">
    <label>API key
      <input ref=${field} type="password" autocomplete="off" autocapitalize="off" spellcheck="false" required
        placeholder="octx_…" aria-describedby="key-note" aria-invalid=${fault ? "true" : "false"} />
    </label>
    <button type="submit" class="primary">Explore</button>
    <p id="key-note" class="quiet">${fault ? html`<span class="fault" role="alert">${fault}</span>` : "It stays in the memory of this page and is gone when you reload."}</p>
  </form>`;
}
