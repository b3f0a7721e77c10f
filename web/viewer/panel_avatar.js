// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The avatar's panel: springs on and off, gaze that follows the pointer, and a slider per expression. A slider shows the
// weight in effect; moving it overrides clips until it is released.

/** Groups in the order of the panel; other presets and custom expressions follow. */
const groups = [
  { title: "Moods", names: ["happy", "angry", "sad", "relaxed", "surprised", "neutral"] },
  { title: "Vowels", names: ["aa", "ih", "ou", "ee", "oh"] },
  { title: "Lids", names: ["blink", "blinkLeft", "blinkRight"] },
  { title: "Gaze", names: ["lookUp", "lookDown", "lookLeft", "lookRight"] },
];

/** Expressions by the titles of their groups, each in the group's order. */
export function groupExpressions(expressions) {
  const known = new Map(expressions.map((expression, index) => [expression.isPreset ? expression.name : null, index]));
  const found = groups.map(({ title, names }) => ({ title, indices: names.flatMap((name) => known.get(name) ?? []) }));
  const used = new Set(found.flatMap((group) => group.indices));
  found.push({ title: "Others", indices: [...expressions.keys()].filter((index) => !used.has(index)) });
  return found.filter((group) => group.indices.length > 0);
}

function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

export class AvatarPanel {
  /** @param hooks onSprings(isOn), onSpringReset(), onGaze(isFollowing), onExpression(name, weight or null), onRelease() */
  constructor({ page, tab, ...hooks }) {
    this.page = page;
    this.tab = tab;
    this.hooks = hooks;
    this.rows = [];
    this.setSession(null);
  }

  /** Whether a file has anything to show here. */
  static has(session) {
    return session.springs.length > 0 || session.expressions.length > 0 || session.hasGaze;
  }

  setSession(session) {
    this.session = session;
    this.rows = [];
    this.tab.hidden = session === null || !AvatarPanel.has(session);
    this.page.replaceChildren();
    if (this.tab.hidden) {
      return;
    }
    const switches = make("div", { className: "switches" });
    if (session.springs.length > 0) {
      this.springs = this.#addSwitch(switches, "springs-on", `Springs (${session.springJoints.length} joints)`, "B", (isOn) => this.hooks.onSprings(isOn));
      const reset = make("button", { id: "springs-reset", textContent: "Reset", title: "Let all springs hang at rest" });
      reset.addEventListener("click", () => this.hooks.onSpringReset());
      this.springs.parentElement.after(reset);
    }
    if (session.hasGaze) {
      this.gaze = this.#addSwitch(switches, "gaze-follows", "Gaze follows the pointer", "G", (isOn) => this.hooks.onGaze(isOn));
    }
    this.page.append(switches);
    for (const { title, indices } of groupExpressions(session.expressions)) {
      this.page.append(make("h3", { textContent: title }), ...indices.map((index) => this.#makeRow(index)));
    }
    if (session.expressions.length > 0) {
      this.release = make("button", { id: "release-expressions", textContent: "Release all", title: "Clips drive all expressions again" });
      this.release.addEventListener("click", () => this.hooks.onRelease());
      this.page.append(make("div", { className: "switches" }, this.release));
    }
    this.showSwitches();
  }

  #addSwitch(parent, id, text, key, onChange) {
    const box = make("input", { type: "checkbox", id });
    box.addEventListener("change", () => onChange(box.checked));
    parent.append(make("label", {}, box, text, make("kbd", { textContent: key })));
    return box;
  }

  #makeRow(index) {
    const { name, isBinary } = this.session.expressions[index];
    const slider = make("input", { type: "range", min: "0", max: "1", step: isBinary ? "1" : "0.01", value: "0", ariaLabel: name });
    const value = make("output", { textContent: "0.00" });
    const free = make("button", { textContent: "×", title: `Release ${name}`, ariaLabel: `Release ${name}` });
    const row = make("div", { className: "slider" }, make("span", { textContent: name, title: name }), slider, value, free);
    slider.addEventListener("input", () => this.hooks.onExpression(name, Number(slider.value)));
    free.addEventListener("click", () => this.hooks.onExpression(name, null));
    this.rows.push({ index, name, row, slider, value, free });
    return row;
  }

  /** Shows the state of the switches, which keys change too. */
  showSwitches() {
    if (this.session === null || this.tab.hidden) {
      return;
    }
    if (this.session.springs.length > 0) {
      this.springs.checked = this.session.springsEnabled;
    }
    if (this.session.hasGaze) {
      this.gaze.checked = this.session.gazeFollows;
    }
  }

  update({ expressions }) {
    if (this.page.hidden) {
      return;
    }
    this.showSwitches(); // inputs may act later than they are made
    for (const { index, name, row, slider, value, free } of this.rows) {
      const { weight, output } = expressions[index];
      const isHeld = this.session.heldExpressions.has(name);
      if (slider !== document.activeElement || !isHeld) {
        slider.value = weight;
      }
      slider.style.setProperty("--done", `${100 * weight}%`);
      value.textContent = output.toFixed(2);
      value.classList.toggle("is-blocked", Math.abs(output - weight) > 0.005);
      value.title = value.classList.contains("is-blocked") ? "another expression or isBinary changes this weight" : "";
      row.classList.toggle("is-held", isHeld);
      free.disabled = !isHeld;
    }
  }
}
