// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// usage: node build.mjs ENGINE.wasm OUT.html [SCRIPT.js]
// Builds one page from index.html, style.css, the bundled script (main.js by default) and the engine. `tendon view` embeds
// files into it.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bindWithoutCode } from "./basis_wrapper.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const [engine, out, script = join(here, "main.js")] = process.argv.slice(2);
if (!engine || !out) {
  console.error("usage: node build.mjs ENGINE.wasm OUT.html [SCRIPT.js]");
  process.exit(2);
}

/** Folders of the packages that a bundle contains, relative to the current one. */
function findPackages(metafile) {
  const folders = Object.keys(metafile.inputs).map((path) => path.match(/^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//)?.[1]);
  return [...new Set(folders)].filter((folder) => folder !== undefined).sort();
}

/** Comments at the start of bundled files that three.js took from other projects. */
function findForeignNotices(metafile) {
  return Object.keys(metafile.inputs).filter((path) => /three\/examples\/jsm\/libs\//.test(path)).map((path) => {
    const lines = readFileSync(path, "utf8").split("\n");
    return lines.slice(0, lines.findIndex((line) => !line.startsWith("//"))).map((line) => line.slice(2).trim()).join("\n");
  });
}

/** The script of the worker of KTX2 textures: the wrapper of the transcoder, then our own. */
const makeTextureWorker = (wrapper) => Buffer.from(`${bindWithoutCode(`${wrapper}`)}\n${readFileSync(join(here, "ktx2_worker.js"), "utf8")}`);

/** Decoders that pages of files carry if they need them: three.js' builds of Draco and Basis Universal, both Apache 2.0. */
const decoders = {
  draco: { folder: "draco/gltf", files: { "draco_wasm_wrapper.js": null, "draco_decoder.wasm": null }, title: "Draco decoder\n\nCopyright The Draco Authors. Apache licence 2.0:" },
  ktx2: {
    folder: "basis", files: { "basis_transcoder.js": makeTextureWorker, "basis_transcoder.wasm": null },
    title: "Basis Universal transcoder\n\nCopyright Binomial LLC. Changed: its wrapper binds functions without generating code. It contains Zstandard, " +
      "whose licence follows this one.\n\nApache licence 2.0:",
    more: "/usr/share/doc/libzstd1/copyright",
  },
};

/** The blocks of a decoder with its licence, between marks that `tendon view` knows. */
function makeDecoder([name, { folder, files, title, more = null }]) {
  const libs = join(here, "..", "node_modules", "three", "examples", "jsm", "libs", folder);
  const paths = ["/usr/share/common-licenses/Apache-2.0", ...(more !== null ? [more] : [])];
  const licence = [title, ...paths.map((path) => readFileSync(path, "utf8").trim())].join("\n\n");
  const blocks = Object.entries(files).map(([file, change]) => {
    const bytes = readFileSync(join(libs, file));
    return `<script type="application/octet-stream" data-decoder="${file}">${(change?.(bytes) ?? bytes).toString("base64")}</script>`;
  });
  return [`<!--tendon:${name}-->`, ...blocks, `<script type="text/plain" data-licence="${name}">${escapeScript(licence)}</script>`, `<!--/tendon:${name}-->`].join("\n");
}

/** The copyright file of Debian's wasi-libc, which the engine is linked with; it contains musl. */
function readLibraryNotice() {
  return `wasi-libc\n\n${readFileSync("/usr/share/doc/wasi-libc/copyright", "utf8")}`;
}

/** The licences of everything in the page, as text. A package without one is an error. */
function gatherLicences(metafile) {
  const own = `Tendon\n\n${readFileSync(join(here, "..", "..", "LICENSE"), "utf8")}`;
  const others = findPackages(metafile).map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
    if (file === undefined) {
      throw new Error(`${name} has no licence file`);
    }
    return `${name} ${version}\n\n${readFileSync(join(folder, file), "utf8")}`;
  });
  return [own, readLibraryNotice(), ...others, ...findForeignNotices(metafile)].map((text) => text.trim()).join("\n\n\n");
}

/** Bundles a script. */
const bundle = (entry, format) => build({
  entryPoints: [entry],
  nodePaths: [join(here, "..", "node_modules")], // for scripts outside this folder
  bundle: true,
  format,
  minify: true,
  target: ["es2022"],
  external: ["node:*"],
  legalComments: "none", // the page shows whole licences instead
  metafile: true,
  write: false,
  logLevel: "warning",
  ...(format === "iife" ? { define: { "import.meta.url": "location.href" } } : {}),
});

/** The text of a script inside an HTML page. */
const escapeScript = (text) => text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");

const escapeHtml = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const { outputFiles, metafile } = await bundle(script, "esm");
const worker = escapeScript((await bundle(join(here, "watchdog_worker.js"), "iife")).outputFiles[0].text);
const main = escapeScript(outputFiles[0].text);
// The policy names the one script that may run; blocks of data do not count as scripts.
const hash = createHash("sha256").update(main).digest("base64");
const style = (await build({ entryPoints: [join(here, "style.css")], minify: true, write: false, logLevel: "warning" })).outputFiles[0].text;
const parts = {
  "/*tendon:style*/": style,
  "<!--tendon:licences-->": escapeHtml(gatherLicences(metafile)),
  "<!--tendon:engine-->": readFileSync(engine).toString("base64"),
  "<!--tendon:decoders-->": Object.entries(decoders).map(makeDecoder).join("\n"),
  "tendon:hash": `sha256-${hash}`,
  "/*tendon:worker*/": worker,
  "/*tendon:script*/": main,
};
let page = readFileSync(join(here, "index.html"), "utf8");
for (const [mark, text] of Object.entries(parts)) {
  if (page.split(mark).length !== 2) {
    throw new Error(`index.html needs ${mark} exactly once`);
  }
  page = page.replace(mark, () => text);
}
mkdirSync(dirname(out), { recursive: true });
writeFileSync(`${out}.tmp`, page);
renameSync(`${out}.tmp`, out);
console.log(`${out}: ${(page.length / 1000).toFixed(0)} kB`);
