// Bundle the page: `node build.js [FOLDER]` writes it to orgctx/page/bundle, or to FOLDER.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { build } from "esbuild";

const HERE = import.meta.dirname;
const PAGE = resolve(HERE, "../../orgctx/page");
const STATIC = join(PAGE, "static");
const folder = resolve(process.argv[2] ?? join(PAGE, "bundle"));

const { metafile, outputFiles } = await build({
  absWorkingDir: STATIC,
  entryPoints: ["app.js", "style.css"],
  outdir: folder,
  write: false,
  metafile: true,
  bundle: true,
  splitting: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  loader: { ".svg": "file" },
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  assetNames: "[name]-[hash]",
});

/** The served files: a path below orgctx/page by each name, which contains a hash of the content. */
const files = { "index.html": "bundle/index.html" };
let index = readFileSync(join(STATIC, "index.html"), "utf-8");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const { path, contents } of outputFiles) {
  const { entryPoint, inputs, imports } = metafile.outputs[relative(STATIC, path)];
  const name = basename(path);
  const source = entryPoint ?? Object.keys(inputs)[0] ?? "";
  const isCopy = !entryPoint && source && readFileSync(join(STATIC, source)).equals(contents);
  files[name] = isCopy ? `static/${source}` : `bundle/${name}`;
  if (!isCopy) writeFileSync(path, contents);
  index = index.replaceAll(`"page/${source}"`, `"page/${name}"`);
  if (entryPoint === "app.js") {
    const chunks = imports.filter(({ kind }) => kind === "import-statement");
    const links = chunks.map((chunk) => `<link rel="modulepreload" href="page/${basename(chunk.path)}">\n    `);
    index = index.replace('<script type="module"', `${links.join("")}$&`);
  }
}
writeFileSync(join(folder, "index.html"), index);
writeFileSync(join(folder, "manifest.json"), `${JSON.stringify({ sources: digest(), files }, null, 2)}\n`);

/** The hash of a list of all sources of the bundle, in the format of `sha256sum`. */
function digest() {
  const names = readdirSync(STATIC, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(js|mjs|css|svg|html)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  const sources = [...names, join(HERE, "build.js"), join(HERE, "package-lock.json")];
  const root = resolve(PAGE, "../..");
  const lines = sources.map((path) => [relative(root, path), sha256(readFileSync(path))]).sort();
  return sha256(lines.map(([name, hash]) => `${hash}  ${name}\n`).join(""));
}

function sha256(content) {
  return createHash("sha256").update(content).digest("hex");
}
