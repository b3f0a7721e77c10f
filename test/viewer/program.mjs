// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Programs of docs/web.md in a browser: a server for their files, and the comparison of their pictures.
import { createServer } from "node:http";
import { patience } from "./chromium.mjs";

/**
 * Serves the files and waits for the report that their page posts.
 * @param files content type and bytes by path
 * @param openPage opens an address in a browser; returns close, and optionally a promise of the reason why it ended
 */
export async function runProgram(files, openPage) {
  let tell;
  const report = new Promise((resolve) => (tell = resolve));
  const server = createServer((request, response) => {
    if (request.method === "POST") {
      const parts = [];
      request.on("data", (part) => parts.push(part));
      request.on("end", () => { response.end(); tell(JSON.parse(Buffer.concat(parts).toString())); });
      return;
    }
    const [type, body] = files[request.url] ?? ["text/plain", null];
    response.writeHead(body === null ? 404 : 200, { "content-type": type }).end(body ?? "");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { ended = new Promise(() => {}), close } = await openPage(`http://127.0.0.1:${server.address().port}/`);
  let timer;
  const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error("the page does not report")), patience)));
  try {
    return await Promise.race([report, late, ended.then((reason) => { throw new Error(reason); })]);
  } finally {
    clearTimeout(timer);
    await close();
    server.close();
    server.closeAllConnections();
  }
}

/** Number of pixels that differ. */
export function countDiffering(a, b) {
  let count = 0;
  for (let i = 0; i < a.pixels.length; i += 3) {
    count += Math.abs(a.pixels[i] - b.pixels[i]) + Math.abs(a.pixels[i + 1] - b.pixels[i + 1]) + Math.abs(a.pixels[i + 2] - b.pixels[i + 2]) > 24 ? 1 : 0;
  }
  return count;
}
