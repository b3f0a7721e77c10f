// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// usage: node build.mjs ENGINE.wasm OUT.html [SCRIPT.js]
// Builds one page from index.html, style.css, the bundled script (main.js by default) and the engine. `tendon view` embeds
// files into it.
import { build } from "esbuild";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [engine, out, script = join(here, "main.js")] = process.argv.slice(2);
if (!engine || !out) {
  console.error("usage: node build.mjs ENGINE.wasm OUT.html [SCRIPT.js]");
  process.exit(2);
}

const { outputFiles } = await build({
  entryPoints: [script],
  nodePaths: [join(here, "..", "node_modules")], // for scripts outside this folder
  bundle: true,
  format: "esm",
  minify: true,
  target: ["es2022"],
  external: ["node:*"],
  legalComments: "none",
  write: false,
  logLevel: "warning",
});
const style = (await build({ entryPoints: [join(here, "style.css")], minify: true, write: false, logLevel: "warning" })).outputFiles[0].text;
const parts = {
  "/*tendon:style*/": style,
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
