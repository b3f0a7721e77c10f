// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The module's tests in headless Chromium, in a page and in a Web Worker: the same files as under Node (api, springs, world,
// malformed in the page and trace in the worker), with browser/node_shims.mjs in place of Node's modules.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { join, normalize } from "node:path";
import { after, test } from "node:test";
import { Chromium, findChromium } from "../../../test/viewer/chromium.mjs";
import { native, packageFolder, top } from "./common.mjs";

const TYPES = { js: "text/javascript", mjs: "text/javascript", html: "text/html", wasm: "application/wasm" };
const SHIMS = "/web/module/browser/node_shims.mjs";
const pages = {
  "/page.html": "<!doctype html><title>Tendon's tests</title>",
  "/worker.mjs": `onmessage = async ({ data }) => {
    try {
      const { runTests } = await import("${SHIMS}");
      for (const file of data) await import(file);
      postMessage({ results: await runTests(), isWorker: typeof WorkerGlobalScope === "function" && self instanceof WorkerGlobalScope });
    } catch (error) { postMessage({ failure: String(error.stack) }); }
  };`,
};

/** Folders beside the project's are out of reach; the package may lie elsewhere. */
const locate = (path) => {
  const inside = normalize(path);
  return inside.startsWith("/build/web/tendon/") ? join(packageFolder, inside.slice(18)) : join(top, inside);
};

function answer(request, response) {
  const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
  const type = TYPES[path.split(".").pop()] ?? "application/octet-stream";
  const send = (status, body) => response.writeHead(status, { "content-type": type }).end(request.method === "HEAD" ? "" : body);
  try {
    if (path in pages) return send(200, pages[path]);
    if (path.startsWith("/list/")) {
      const entries = readdirSync(locate(path.slice(5)), { withFileTypes: true });
      return send(200, JSON.stringify(entries.map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))));
    }
    if (!statSync(locate(path)).isFile()) return send(request.method === "HEAD" ? 200 : 404, ""); // a folder is there
    const bytes = readFileSync(locate(path));
    return send(200, type === TYPES.mjs ? bytes.toString().replace(/from "node:[\w/]+"/g, `from "${SHIMS}"`) : bytes);
  } catch {
    return send(404, "");
  }
}

function runNatively(request, response) {
  let body = "";
  request.on("data", (part) => (body += part));
  request.on("end", () => {
    const { program, args } = JSON.parse(body);
    assert.equal(program, "native");
    // Paths of the page begin at the top of the project.
    const here = args.map((value) => (value.startsWith("/") ? locate(value) : value));
    execFile(native, here, { encoding: "buffer", maxBuffer: 2 ** 28 }, (error, output) =>
      response.writeHead(error === null ? 200 : 500).end(Buffer.from(output.toString("latin1").replaceAll(top, ""), "latin1")));
  });
}

const server = createServer((request, response) =>
  request.method === "POST" ? runNatively(request, response) : answer(request, response));

const skip = findChromium() === null && "needs Chromium";
let browser;
let origin;
if (!skip) {
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${server.address().port}`;
  browser = await Chromium.start({ webgl: false });
}
after(async () => {
  await browser?.close();
  server.close();
  server.closeAllConnections();
});

function judge({ failure, results = [], isWorker }, place, least) {
  assert.equal(failure, undefined);
  const failed = results.filter(({ error }) => error !== null);
  assert.deepEqual(failed, [], `in ${place}`);
  assert.ok(results.length >= least, `${results.length} tests in ${place}`);
  assert.equal(isWorker, place === "a worker");
}

test("the tests of the API pass in a page", { skip }, async () => {
  const page = await browser.newPage();
  await page.goto(`${origin}/page.html`);
  const outcome = await page.run(async (shims) => {
    try {
      const { runTests } = await import(shims);
      await import("/web/module/test/api.test.mjs");
      await import("/web/module/test/springs.test.mjs");
      await import("/web/module/test/world.test.mjs");
      await import("/web/module/test/malformed.test.mjs");
      return { results: await runTests(), isWorker: typeof document === "undefined" };
    } catch (error) {
      return { failure: String(error.stack) };
    }
  }, SHIMS);
  judge(outcome, "a page", 35);
  await page.close();
});

test("the tests of the API and all examples pass in a Web Worker", { skip }, async () => {
  const page = await browser.newPage();
  await page.goto(`${origin}/page.html`);
  const outcome = await page.run(
    (files) =>
      new Promise((resolve) => {
        const worker = new Worker("/worker.mjs", { type: "module" });
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = (event) => resolve({ failure: event.message });
        worker.postMessage(files);
      }),
    ["api", "springs", "world", "trace"].map((name) => `/web/module/test/${name}.test.mjs`),
  );
  const examples = readdirSync(join(top, "examples")).filter((name) => /\.(gltf|glb|vrm|bvh)$/.test(name)).length;
  judge(outcome, "a worker", 32 + 2 * examples);
  await page.close();
});
