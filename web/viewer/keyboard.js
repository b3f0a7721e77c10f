// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Keyboard shortcuts. One table defines the shortcuts and the help text. Tabs and lists are one Tab stop each; arrow keys
// move within them.

/** @param actions by the names below; toggleOverlay takes the id of an overlay or the place of its digit */
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
    { keys: ["ArrowLeft"], shown: "← → ↑ ↓", text: "orbit", run: () => actions.turn(-1, 0) },
    { keys: ["ArrowRight"], shown: "", text: "", run: () => actions.turn(1, 0) },
    { keys: ["ArrowUp"], shown: "", text: "", run: () => actions.turn(0, 1) },
    { keys: ["ArrowDown"], shown: "", text: "", run: () => actions.turn(0, -1) },
    { keys: ["+", "="], shown: "+", text: "zoom in", run: () => actions.approach(0.85) },
    { keys: ["-"], shown: "-", text: "zoom out", run: () => actions.approach(1 / 0.85) },
    { keys: ["v"], shown: "V", text: "overlay menu", run: actions.overlays },
    ...Array.from({ length: 9 }, (_, i) => ({ keys: [`${i + 1}`], shown: i === 0 ? "1 – 9" : "", text: i === 0 ? "overlays, in the order of the menu" : "", run: () => actions.toggleOverlay(i) })),
    { keys: ["s"], shown: "S", text: "spring chains", run: () => actions.toggleOverlay("springs") },
    { keys: ["c"], shown: "C", text: "spring colliders", run: () => actions.toggleOverlay("springColliders") },
    { keys: ["b"], shown: "B", text: "springs on or off", run: actions.springs },
    { keys: ["g"], shown: "G", text: "gaze follows the pointer", run: actions.gaze },
    { keys: ["p"], shown: "P", text: "side panel", run: actions.panel },
    { keys: ["t"], shown: "T", text: "dark or light theme", run: actions.theme },
    { keys: ["o"], shown: "O", text: "open a file", run: actions.open },
    { keys: ["e"], shown: "E", text: "export the recording", run: actions.export },
    { keys: ["d"], shown: "D", text: "save the session as a recording (.tdrec)", run: actions.record },
    { keys: ["i"], shown: "I", text: "save a picture", run: actions.picture },
    { keys: ["y"], shown: "Y", text: "copy the address with this view", run: actions.share },
    { keys: ["Escape"], shown: "Esc", text: "clear the selection, close menus", run: actions.escape },
    { keys: ["?", "h"], shown: "?", text: "show this help", run: actions.help },
  ];
}

export function listenToKeys(keys) {
  addEventListener("keydown", (event) => {
    const isTyping = event.target.closest?.("input:not([type=range]):not([type=checkbox]), select, textarea");
    const dialog = document.querySelector("dialog[open]");
    if (dialog !== null) {
      if (event.key === "Escape") {
        dialog.close();
      }
      return; // no shortcut acts behind a dialog
    }
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || (isTyping && event.key !== "Escape")) {
      return;
    }
    // The slider handles arrow keys itself.
    if (event.key.startsWith("Arrow") && event.target.closest?.("input")) {
      return;
    }
    // Space activates a focused button.
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

/** Arrow keys, Home and End move the focus among the buttons of a list or row (roving tab index). */
export function listenToArrows(parent, onMove = () => {}) {
  const buttons = () => [...parent.querySelectorAll("button:not(:disabled):not([hidden])")];
  const settle = (chosen) => buttons().forEach((button) => (button.tabIndex = button === chosen ? 0 : -1));
  parent.addEventListener("focusin", (event) => settle(event.target.closest("button")));
  parent.addEventListener("keydown", (event) => {
    const all = buttons();
    const at = all.indexOf(document.activeElement);
    const steps = { ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 };
    const next = all[steps[event.key]];
    if (at >= 0 && steps[event.key] !== undefined) {
      event.preventDefault();
      next?.focus();
      if (next) {
        onMove(next);
      }
    }
  });
  // A new list has no Tab stop yet: use the selected or the first button.
  const renew = () => settle(parent.querySelector("[aria-selected=true], .is-selected") ?? buttons()[0]);
  new MutationObserver(() => parent.contains(document.activeElement) || renew()).observe(parent, { childList: true });
  renew();
}
