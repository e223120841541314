// Files and folders as a tree, and the metadata of one of them.
import { html, useState } from "../lib.js";
import { useAnswer, useFollowed } from "../hooks.js";
import { bytes, moment } from "../format.js";
import { Empty, Freshness, Loading, Outbound, Trouble } from "../components.js";
import { address } from "../route.js";

export const operations = ["list_assets", "read_asset"];
export const shows = ({ values: [id] }) => (id ? `the file or folder ${id}` : "the names, sizes and dates of files");

const NEXT = (body, args) => (body.pagination.hasNextPage ? { ...args, page: body.pagination.page + 1 } : null);

export function Assets({ values }) {
  return html`
    <h1>Files</h1>
    <p class="quiet">Names, sizes and dates. The contents of files are never served.</p>
    <div class="split">
      <div class="tree"><${Folder} isRoot=${true} chosen=${values[0]} /></div>
      <div class="detail">${values[0] ? html`<${Detail} id=${values[0]} />` : html`<${Empty}>Select a file or a folder.<//>`}</div>
    </div>
  `;
}

function Folder({ id, isRoot, chosen }) {
  const { bodies, error, isLoading, hasMore, more } = useFollowed("list_assets", { folderId: id }, NEXT);
  const assets = bodies.flatMap((body) => body.data);
  return html`
    ${error && html`<${Trouble} error=${error} retry=${more} />`}
    ${!isLoading && !error && !assets.length && html`<p class="quiet">Empty.</p>`}
    <ul>${assets.map((asset) => html`<${Entry} key=${asset.id} asset=${asset} chosen=${chosen} />`)}</ul>
    ${isLoading && html`<${Loading} />`}
    ${hasMore && !isLoading && html`<button type="button" class="more" onClick=${more}>Load more</button>`}
    ${isRoot && bodies[0] && html`<${Freshness} meta=${bodies[0].meta} />`}
  `;
}

function Entry({ asset, chosen }) {
  const [isOpen, setOpen] = useState(false);
  const link = html`<a href=${address("explore", "assets", [asset.id])} aria-current=${chosen === asset.id ? "true" : undefined} dir="auto">${asset.name}</a>`;
  if (asset.kind === "file") {
    return html`<li class="file">${link} <span class="quiet">${bytes(asset.bytes)}</span>${asset.public && html` <span class="chip">public</span>`}</li>`;
  }
  return html`<li class="folder">
    <button type="button" class="twist" aria-expanded=${isOpen} aria-label=${`Contents of ${asset.name}`} onClick=${() => setOpen(!isOpen)}></button>
    ${link}
    ${isOpen && html`<${Folder} id=${asset.id} chosen=${chosen} />`}
  </li>`;
}

function Detail({ id }) {
  const { body, error, retry } = useAnswer("read_asset", { id });
  if (error) return html`<${Trouble} error=${error} retry=${retry} />`;
  if (!body) return html`<${Loading} />`;
  const { data: asset } = body;
  const fact = (name, value) => html`<div><dt>${name}</dt><dd dir="auto">${value}</dd></div>`;
  return html`<section class="card" aria-label="Selected">
    <p class="eyebrow">${asset.kind}</p>
    <h2 dir="auto">${asset.name}</h2>
    <dl class="facts">
      ${asset.kind === "file" && fact("Size", `${bytes(asset.bytes)} (${asset.bytes} bytes)`)}
      ${asset.mime && fact("Type", asset.mime)}
      ${fact("Visible", asset.public ? "to everybody" : "to the organization")}
      ${asset.publicUrl && fact("Address", html`<${Outbound} url=${asset.publicUrl} />`)}
      ${asset.uploadedBy && fact("From", asset.uploadedBy.displayName ?? asset.uploadedBy.id)}
      ${fact("Created", moment(asset.createdAt))}
      ${fact("Changed", moment(asset.updatedAt))}
      ${asset.parentId && fact("In", html`<a href=${address("explore", "assets", [asset.parentId])}>its folder</a>`)}
      ${fact("Id", html`<code>${asset.id}</code>`)}
    </dl>
    <${Freshness} meta=${body.meta} />
  </section>`;
}
