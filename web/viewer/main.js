// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Starts the page: engine from the page's own bytes, then the file that `tendon view` put in, if any. With ?test in the
// address nothing moves or is drawn by itself and window.tendon drives the page (test_api.js).
import { Engine } from "./engine.js";
import { readEmbedded, readEngineBytes } from "./files.js";
import { makeTestApi } from "./test_api.js";
import { NoWebgl } from "./view.js";
import { Viewer } from "./viewer.js";

/** Before there is a viewer: a sentence in the error panel. */
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

async function start() {
  const isTest = new URLSearchParams(location.search).has("test");
  const engine = await Engine.create(readEngineBytes(document));
  const viewer = new Viewer(engine, { isTest });
  const { main, motion } = readEmbedded(document);
  if (main !== null) {
    await viewer.open(main);
    if (motion !== null && viewer.session !== null) {
      await viewer.open(motion);
    }
  }
  viewer.flush();
  return isTest ? makeTestApi(viewer) : {};
}

window.tendon = { ready: start() };
window.tendon.ready.then(
  (api) => Object.assign(window.tendon, api),
  (error) => {
    if (error instanceof NoWebgl) {
      refuse("This browser shows no WebGL.", "The viewer draws with WebGL 2. Switch on hardware acceleration or try another browser.");
    } else {
      refuse("The viewer did not start.", `${error.message ?? error}`);
    }
    console.error(error);
  },
);
