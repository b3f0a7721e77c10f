// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// usage: node build.mjs ENGINE.wasm OUT.html [SCRIPT.js]
// Builds one page from index.html, style.css, the bundled script (main.js by default) and the engine. `tendon view` embeds
// files into it.
import { build } from "esbuild";
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

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
  return [own, ...others, ...findForeignNotices(metafile)].map((text) => text.trim()).join("\n\n\n");
}

const escapeHtml = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const { outputFiles, metafile } = await build({
  entryPoints: [script],
  nodePaths: [join(here, "..", "node_modules")], // for scripts outside this folder
  bundle: true,
  format: "esm",
  minify: true,
  target: ["es2022"],
  external: ["node:*"],
  legalComments: "none", // the page shows whole licences instead
  metafile: true,
  write: false,
  logLevel: "warning",
});
const style = (await build({ entryPoints: [join(here, "style.css")], minify: true, write: false, logLevel: "warning" })).outputFiles[0].text;
const parts = {
  "/*tendon:style*/": style,
  "<!--tendon:licences-->": escapeHtml(gatherLicences(metafile)),
  "<!--tendon:engine-->": readFileSync(engine).toString("base64"),
  "/*tendon:script*/": outputFiles[0].text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--"),
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
