// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Starts a viewer in the page: the engine from the page's own bytes, then the file that `tendon view` embedded, if any.
import { Engine } from "./engine.js";
import { readDecoderLicences } from "./decoders.js";
import { readEmbedded, readEngineBytes } from "./files.js";
import { NoWebgl } from "./view.js";
import { Viewer } from "./viewer.js";

/** Shows a sentence in the error panel; used while there is no viewer. */
function refuse(title, text) {
  document.getElementById("hint").hidden = true;
  const panel = document.getElementById("error");
  panel.querySelector("h2").textContent = title;
  panel.querySelector("p").textContent = text;
  panel.querySelector("button").hidden = true;
  panel.hidden = false;
  document.getElementById("app").classList.add("no-panel");
  for (const control of document.querySelectorAll("#app button, #app select, #app input")) {
    control.disabled = true;
  }
}

/** Loads the page again when the file has changed, if `tendon serve` sent it: asks once per second. */
function watchFile() {
  const stamp = document.getElementById("watch")?.textContent;
  if (stamp === undefined) {
    return;
  }
  setInterval(async () => {
    try {
      const answer = await fetch(`${location.pathname}?changed`);
      if (answer.ok && (await answer.text()) !== stamp) {
        location.reload();
      }
    } catch {
      // The server ended.
    }
  }, 1000);
}

async function openEmbedded(settings) {
  const engine = await Engine.create(readEngineBytes(document));
  const viewer = new Viewer(engine, settings);
  viewer.restore(location.hash); // theme and embed mode, before the file opens
  document.querySelector("#licences pre").append(...readDecoderLicences().map((text) => `\n\n\n${text}`));
  const { main, motion, gaze } = readEmbedded(document);
  if (main !== null) {
    await viewer.open(main);
    if (motion !== null && viewer.session !== null) {
      await viewer.open(motion);
    }
    if (gaze !== null && viewer.session !== null) {
      viewer.lookAt(gaze);
    }
  }
  viewer.restore(location.hash);
  viewer.flush();
  if (parent !== window) {
    parent.postMessage("tendon: ready", "*"); // the file is open; the message says nothing about it
  }
  return viewer;
}

/**
 * @param settings differences from defaultSettings (viewer.js)
 * @returns a promise of the viewer; it rejects after the page shows why
 */
export async function startViewer(settings = {}) {
  watchFile();
  try {
    return await openEmbedded(settings);
  } catch (error) {
    if (error instanceof NoWebgl) {
      refuse("This browser does not offer WebGL.", "The viewer draws with WebGL 2. Switch on hardware acceleration or try another browser.");
    } else {
      refuse("The viewer did not start.", `${error.message ?? error}`);
    }
    throw error;
  }
}
