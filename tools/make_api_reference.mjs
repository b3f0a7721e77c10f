// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// usage: node make_api_reference.mjs FOLDER
// Writes the API reference as static HTML: module.html from the types of web/module, c.html from the headers of
// include/tendon, index.html with links to both. A public function without a comment is an error.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const top = join(dirname(fileURLToPath(import.meta.url)), "..");
const [out] = process.argv.slice(2);
if (!out) {
  console.error("usage: node make_api_reference.mjs FOLDER");
  process.exit(2);
}

const escapeHtml = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const paint = (text) => escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");

/** Lines of a comment as paragraphs and a list of parameters. */
function showComment(lines) {
  const parts = [];
  for (const line of lines) {
    if (line === "" || line.startsWith("@") || parts.length === 0 || /^[-*] /.test(line)) parts.push(line);
    else parts[parts.length - 1] += ` ${line}`;
  }
  return parts.filter((part) => part !== "").map((part) => {
    const [, tag, rest] = part.match(/^@(\w+) (.*)$/s) ?? [null, null, part];
    return `<p>${tag === null ? "" : `<em>${tag}</em> `}${paint(rest)}</p>`;
  }).join("\n");
}

/** Sections of a header: { name, comment, code }. */
function readHeader(text) {
  const found = [];
  const lines = text.split("\n");
  for (let i = 0; i < lines.length; ++i) {
    if (!lines[i].startsWith("/// ")) continue;
    const comment = [];
    while (lines[i]?.startsWith("///")) comment.push(lines[i++].slice(3).trim());
    const code = [lines[i]];
    const isBlock = /^typedef (struct|enum)/.test(lines[i]) && !lines[i].endsWith(";");
    const isOver = () => (isBlock ? /^\}.*;$/.test(code.at(-1)) : code.at(-1).endsWith(";") || (code.at(-1).startsWith("#define") && !code.at(-1).endsWith("\\")) || /^\}$/.test(code.at(-1)));
    while (!isOver() && i + 1 < lines.length) code.push(lines[++i]);
    const shown = code.join("\n");
    const name = shown.match(/^#define (\w+)/)?.[1] ?? (isBlock ? shown.match(/^\} (\w+);/m)?.[1] : shown.match(/(\w+)\s*\(/)?.[1] ?? shown.match(/(\w+);/)?.[1]);
    found.push({ name: name ?? shown.slice(0, 30), comment, code: shown.replaceAll("TD_API ", "") });
  }
  const functions = [...text.matchAll(/^TD_API [^;(]*?(\w+)\(/gm)].map(([, name]) => name);
  const bare = functions.filter((name) => !found.some((entry) => entry.code.includes(`${name}(`)));
  if (bare.length > 0) throw new Error(`no comment: ${bare.join(", ")}`);
  return { found, functions };
}

/** Sections of a declaration file. */
function readTypes(text) {
  const found = [];
  const start = /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?(export (?:declare )?(class|interface|type|function|const) (\w+))/g;
  for (const match of text.matchAll(start)) {
    const [all, comment = "", head, kind, name] = match;
    const rest = text.slice(match.index + all.length - head.length);
    const end = kind === "class" || kind === "interface" ? /\n\}\n|\{\}\n/ : /;\n(?=\n|export|$)/;
    const code = rest.slice(0, rest.match(end).index + rest.match(end)[0].length);
    found.push({ name, comment: comment.split("\n").map((line) => line.replace(/^\s*\*?\s?/, "").trim()), code: code.trim() });
  }
  const declared = [...text.matchAll(/^export (?:declare )?(?:class|interface|type|function|const) /gm)].length;
  if (found.length !== declared) throw new Error(`${found.length} of ${declared} declarations found`);
  return found;
}

const style = `:root { color-scheme: light dark; } body { font: 15px/1.5 system-ui, sans-serif; max-width: 1000px; margin: auto; padding: 0 16px 60px; }
pre { overflow-x: auto; background: #8881; border: 1px solid #8883; border-radius: 8px; padding: 10px 14px; font-size: 13px; line-height: 1.45; }
nav { columns: 240px; font-size: 14px; } nav a { display: block; overflow-wrap: anywhere; } h3 { margin: 1.6em 0 .3em; } a { color: #c4521f; }
@media (prefers-color-scheme: dark) { body { background: #15171a; color: #e6e6e6; } a { color: #f08a5d; } } p { margin: .3em 0; }`;

const page = (title, body) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${style}</style></head><body>
<h1>${title}</h1>
${body}
</body></html>
`;

function showSections(groups) {
  const links = groups.flatMap(({ entries }) => entries.map(({ name }) => `<a href="#${name}">${name}</a>`)).join("");
  const sections = groups.map(({ title, entries }) => `<h2>${title}</h2>\n${entries.map(({ name, comment, code }) =>
    `<section id="${name}"><h3>${name}</h3>\n${showComment(comment)}\n<pre>${escapeHtml(code)}</pre></section>`).join("\n")}`);
  return `<nav>${links}</nav>\n${sections.join("\n")}`;
}

mkdirSync(out, { recursive: true });
const headers = readdirSync(join(top, "include/tendon")).filter((name) => name.endsWith(".h") && name !== "tendon.h").sort();
const groups = headers.map((name) => ({ title: name, ...readHeader(readFileSync(join(top, "include/tendon", name), "utf8")) }));
writeFileSync(join(out, "c.html"), page("Tendon: C API", showSections(groups.map(({ title, found }) => ({ title, entries: found })))));
const types = ["tendon.d.ts", "three.d.ts", "babylon.d.ts", "worker.d.ts"].map((name) => ({
  title: name === "tendon.d.ts" ? "tendon" : `tendon/${name.split(".")[0]}`,
  entries: readTypes(readFileSync(join(top, "web/module", name), "utf8")),
}));
writeFileSync(join(out, "module.html"), page("Tendon: module for JavaScript", showSections(types)));
writeFileSync(join(out, "index.html"), page("Tendon: API reference", `<p><a href="module.html">The module for browsers and Node</a>: ${types.reduce((sum, { entries }) => sum + entries.length, 0)} types and functions.</p>
<p><a href="c.html">The C library</a>: ${groups.reduce((sum, { functions }) => sum + functions.length, 0)} functions in ${headers.length} headers.</p>`));
console.log(`${out}: ${groups.reduce((sum, { functions }) => sum + functions.length, 0)} C functions, ${types.reduce((sum, { entries }) => sum + entries.length, 0)} entries of the module`);
