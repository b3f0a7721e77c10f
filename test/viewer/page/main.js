// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The script of the test page: the viewer with settings that leave time and drawing to the tests, and window.tendon to
// drive it (test_api.js). tools/build_viewer builds it as viewer_test.html; nothing of it is in the shipped page.
import { startViewer } from "../../../web/viewer/start.js";
import { makeTestApi } from "./test_api.js";

const settings = {
  antialias: false,
  preserveDrawingBuffer: true,
  damping: false,
  maxPixelRatio: 1,
  shadowSize: 1024,
  autoplay: () => false,
  hasClock: false,
  stepBudget: Infinity,
  isWatched: false,
  download() {},
};
window.tendon = { ready: startViewer(settings).then((viewer) => Object.assign(window.tendon, makeTestApi(viewer))) };
