// Previews of documents and notes: one line of Markdown, with the found term marked.
import { html, useLayoutEffect, useRef } from "./lib.js";
import { occurrences } from "./components.js";
import { useModule } from "./hooks.js";

export function Preview({ text, term }) {
  const markdown = useModule(() => import("./markdown.js"));
  const box = useRef(null);
  useLayoutEffect(() => {
    if (!markdown) return;
    const line = markdown.renderedLine(text);
    if (term) mark(line, term);
    box.current.replaceChildren(line);
  }, [markdown, text, term]);
  // Preact leaves an element without children as it is.
  return markdown ? html`<p key="line" dir="auto" ref=${box}></p>` : html`<p key="text" dir="auto">${text}</p>`;
}

/** Mark a term in the texts below a node. */
function mark(node, term) {
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  for (const text of texts) {
    const parts = text.data.split(occurrences(term));
    if (parts.length > 1) text.replaceWith(...parts.map((part, index) => (index % 2 ? marked(part) : part)));
  }
}

function marked(text) {
  const element = document.createElement("mark");
  element.textContent = text;
  return element;
}
