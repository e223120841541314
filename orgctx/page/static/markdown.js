// Render untrusted Markdown: no HTML from sources, no links that open directly, no images.
import markdownit from "./vendor/markdown-it.js";
import DOMPurify from "./vendor/dompurify.js";

const TAGS = ["a", "blockquote", "br", "code", "del", "em", "h2", "h3", "h4", "h5", "h6", "hr", "li",
  "ol", "p", "pre", "s", "span", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul"];
const LINE_TAGS = ["code", "em", "s", "span", "strong"];
// The service joins the lines of a preview with spaces, so marks of blocks are anywhere in it.
const BLOCKS = [
  [/(^|\s)(?:#{1,6}|>)(?=\s)/g, "$1"],
  [/(?:^|\s)\|?(?:\s*:?-{3,}:?\s*\|)+/g, " "],
  [/^\s*\||\|\s*$/g, ""],
  [/\s\|\s(?:\|\s)?/g, " · "],
  [/(^|\s)(?:[-*_]{3,}|\*|\+)(?=\s)/g, "$1·"],
];
const HEADING = /^h[1-6]$/;

const parser = markdownit({ html: false, linkify: true, typographer: false });

// Show the name of a picture and never fetch it.
parser.renderer.rules.image = (tokens, index) =>
  `<span class="picture">${parser.utils.escapeHtml(tokens[index].content || "picture")}</span>`;

// The page has its own h1. Skip no level, because screen readers navigate by headings.
parser.core.ruler.push("headings", ({ tokens, env }) => {
  for (const token of tokens) {
    if (token.type === "heading_open") {
      env.level = Math.min(6, Number(token.tag[1]) + 1, (env.level ?? 1) + 1);
    }
    if (HEADING.test(token.tag)) token.tag = `h${env.level}`;
    // Column alignment is a style attribute, which the content security policy blocks.
    const style = token.attrGet("style");
    if (style) token.attrs = [["class", style.replace(/^text-align:/, "to-")]];
  }
});

/** Render one part of a document. env: shared by all parts, {} at first. */
export function rendered(text, env) {
  const fragment = DOMPurify.sanitize(parser.render(text, env), {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ["href", "class", "start"],
    ALLOW_DATA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
  for (const link of fragment.querySelectorAll("a")) link.replaceWith(inert(link));
  for (const block of fragment.querySelectorAll("p, ul, ol, h2, h3, h4, h5, h6, td, th, blockquote")) {
    block.dir = "auto";
  }
  for (const wide of fragment.querySelectorAll("pre, table")) contain(wide);
  return fragment;
}

/** Render a preview as one line: text and its emphasis, without links. */
export function renderedLine(text) {
  const line = BLOCKS.reduce((rest, [mark, instead]) => rest.replace(mark, instead), text);
  const whole = ["**", "`"].reduce(withoutOpen, line.trim());
  return DOMPurify.sanitize(parser.renderInline(whole), {
    ALLOWED_TAGS: LINE_TAGS,
    ALLOWED_ATTR: ["class"],
    ALLOW_DATA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
}

/** The text without a mark whose other one was cut off at the end, or else at the start. */
function withoutOpen(text, mark) {
  const parts = text.split(mark);
  if (parts.length % 2) return text;
  const at = text.endsWith("…") ? parts.length - 2 : 0;
  parts.splice(at, 2, parts[at] + parts[at + 1]);
  return parts.join(mark);
}

/** Replace a link by a button that shows its address before it opens. */
function inert(link) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "outbound";
  button.address = link.getAttribute("href") ?? "";
  button.append(...link.childNodes);
  if (!button.textContent) button.textContent = button.address;
  return button;
}

/** Let wide content scroll on its own, with the keyboard too. */
function contain(wide) {
  const box = document.createElement("div");
  box.className = "wide";
  box.tabIndex = 0;
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", wide.localName === "table" ? "Table" : "Code");
  wide.replaceWith(box);
  box.append(wide);
}

/**
 * Split a text where a part can end: before the last heading outside of fences, or else before
 * the last blank line. Returns [complete, rest].
 */
export function cut(text) {
  let fence = null;
  let heading = 0;
  let blank = 0;
  let at = 0;
  for (const line of text.split("\n")) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark && !fence) fence = mark;
    else if (mark && mark[0] === fence[0] && mark.length >= fence.length) fence = null;
    if (!fence && /^#{1,6} /.test(line)) heading = at;
    if (!fence && line.trim() === "") blank = at;
    at += line.length + 1;
  }
  return [text.slice(0, heading || blank), text.slice(heading || blank)];
}
