// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Keys. One table makes the shortcuts and the help that lists them.

/** @param actions by the names below, and toggleOverlay(index) */
export function makeKeys(actions) {
  return [
    { keys: [" ", "k"], shown: "Space", text: "play or pause", run: actions.playPause },
    { keys: ["."], shown: ".", text: "one step", run: actions.step },
    { keys: [","], shown: ",", text: "one step back", run: actions.back },
    { keys: ["r"], shown: "R", text: "back to the start", run: actions.reset },
    { keys: ["["], shown: "[", text: "slower", run: actions.slower },
    { keys: ["]"], shown: "]", text: "faster", run: actions.faster },
    { keys: ["l"], shown: "L", text: "repeat the animation", run: actions.loop },
    { keys: ["f"], shown: "F", text: "fit the view to the scene or selection", run: actions.fit },
    { keys: ["v"], shown: "V", text: "menu of overlays", run: actions.overlays },
    ...Array.from({ length: 9 }, (_, i) => ({ keys: [`${i + 1}`], shown: i === 0 ? "1 – 9" : "", text: i === 0 ? "overlays, in the order of the menu" : "", run: () => actions.toggleOverlay(i) })),
    { keys: ["p"], shown: "P", text: "side panel", run: actions.panel },
    { keys: ["t"], shown: "T", text: "dark or light", run: actions.theme },
    { keys: ["o"], shown: "O", text: "open a file", run: actions.open },
    { keys: ["e"], shown: "E", text: "export what was recorded", run: actions.export },
    { keys: ["Escape"], shown: "Esc", text: "select nothing, close menus", run: actions.escape },
    { keys: ["?", "h"], shown: "?", text: "these keys", run: actions.help },
  ];
}

export function listenToKeys(keys) {
  addEventListener("keydown", (event) => {
    const isTyping = event.target.closest?.("input:not([type=range]):not([type=checkbox]), select, textarea, dialog[open]");
    if (event.ctrlKey || event.metaKey || event.altKey || (isTyping && event.key !== "Escape")) {
      return;
    }
    // Space on a focused button is that button's.
    if (event.key === " " && event.target.closest?.("button")) {
      return;
    }
    const entry = keys.find((candidate) => candidate.keys.includes(event.key.length === 1 ? event.key.toLowerCase() : event.key));
    if (entry) {
      event.preventDefault();
      entry.run();
    }
  });
}

export function fillHelp(list, keys) {
  for (const { shown, text } of keys.filter((entry) => entry.shown)) {
    const key = document.createElement("dt");
    const cap = document.createElement("kbd");
    const meaning = document.createElement("dd");
    cap.textContent = shown;
    meaning.textContent = text;
    key.append(cap);
    list.append(key, meaning);
  }
}
