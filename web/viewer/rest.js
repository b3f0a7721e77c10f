// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Pauses of long work on the page's own thread, so that the page draws and answers in between.

/** Milliseconds of work between two pauses. */
const stint = 12;

let started = 0;

/** Ends the task; the next one follows at once, before timers. */
function endTask() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => { port1.close(); resolve(); };
    port2.postMessage(null);
  });
}

/** Lets the page draw and answer, if it was at work for a while. */
export async function rest() {
  if (performance.now() - started >= stint) {
    await endTask();
    started = performance.now();
  }
}
