// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Keys. One table makes the shortcuts and the help that lists them. Tabs and lists are one stop of the Tab key each; arrows
// go on within them.

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
    { keys: ["ArrowLeft"], shown: "← → ↑ ↓", text: "look around", run: () => actions.turn(-1, 0) },
    { keys: ["ArrowRight"], shown: "", text: "", run: () => actions.turn(1, 0) },
    { keys: ["ArrowUp"], shown: "", text: "", run: () => actions.turn(0, 1) },
    { keys: ["ArrowDown"], shown: "", text: "", run: () => actions.turn(0, -1) },
    { keys: ["+", "="], shown: "+", text: "nearer", run: () => actions.approach(0.85) },
    { keys: ["-"], shown: "-", text: "farther", run: () => actions.approach(1 / 0.85) },
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
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || (isTyping && event.key !== "Escape")) {
      return;
    }
    // The slider has arrows of its own.
    if (event.key.startsWith("Arrow") && event.target.closest?.("input")) {
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

/** Arrows, Home and End move the focus among the buttons of a list or row; the Tab key stops at one of them only. */
export function listenToArrows(parent, onMove = () => {}) {
  const buttons = () => [...parent.querySelectorAll("button:not(:disabled)")];
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
  // What is listed anew has no stop yet: its first button, or the chosen one, is it.
  const renew = () => settle(parent.querySelector("[aria-selected=true], .is-selected") ?? buttons()[0]);
  new MutationObserver(() => parent.contains(document.activeElement) || renew()).observe(parent, { childList: true });
  renew();
}
