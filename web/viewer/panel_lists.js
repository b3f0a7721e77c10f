// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The log of events and the list of findings. A click on either selects a node.
import { nameNode } from "./panel_nodes.js";

const mostEvents = 300;
const mostFindings = 500;

const eventWords = {
  contact_begin: "touches",
  contact_end: "leaves",
  trigger_enter: "enters",
  trigger_exit: "leaves",
};

export class EventPanel {
  constructor({ page, list, tab, onSelect, onFlash }) {
    Object.assign(this, { page, list, tab, onSelect, onFlash, session: null, count: 0 });
    this.setSession(null);
  }

  setSession(session) {
    this.session = session;
    this.clear();
  }

  clear() {
    this.count = 0;
    this.pending = []; // events without a row
    this.tab.querySelector(".count")?.remove();
    const empty = document.createElement("li");
    empty.className = "empty";
    empty.textContent = "Contacts and triggers are listed here as they happen.";
    this.list.replaceChildren(empty);
  }

  add(events) {
    if (events.length === 0) {
      return;
    }
    this.count += events.length;
    this.pending = [...this.pending, ...events].slice(-mostEvents);
    let badge = this.tab.querySelector(".count");
    if (!badge) {
      badge = this.tab.appendChild(document.createElement("span"));
      badge.className = "count";
    }
    badge.textContent = this.count > 999 ? "999+" : this.count;
  }

  /** Adds rows for pending events if the panel is visible. */
  update() {
    if (this.page.hidden || this.pending.length === 0) {
      return;
    }
    this.list.querySelector(".empty")?.remove();
    this.list.prepend(...this.pending.map((event) => this.#makeRow(event)).reverse());
    this.pending = [];
    while (this.list.childElementCount > mostEvents) {
      this.list.lastElementChild.remove();
    }
  }

  #makeRow(event) {
    // For triggers, select the visitor.
    const isTrigger = event.kind.startsWith("trigger");
    const [subject, object] = isTrigger ? [event.b, event.a] : [event.a, event.b];
    const row = document.createElement("li");
    const button = document.createElement("button");
    const time = document.createElement("time");
    const text = document.createElement("span");
    time.textContent = `${event.time.toFixed(3)}`;
    text.className = "name";
    text.textContent = `${nameNode(this.session, subject)} ${eventWords[event.kind]} ${nameNode(this.session, object)}`;
    button.append(time, text);
    if (event.impulse > 0) {
      const impulse = document.createElement("span");
      impulse.className = "what";
      impulse.textContent = `${event.impulse.toPrecision(2)} N s`;
      button.append(impulse);
    }
    const flash = () => this.onFlash([subject, object]);
    button.addEventListener("pointerenter", flash);
    button.addEventListener("focus", flash);
    button.addEventListener("click", () => {
      this.onSelect(subject);
      flash();
    });
    row.append(button);
    return row;
  }
}

export class FindingPanel {
  constructor({ list, tab, onSelect }) {
    Object.assign(this, { list, tab, onSelect });
    this.set([]);
  }

  set(findings) {
    this.tab.querySelector(".count")?.remove();
    if (findings.length === 0) {
      const empty = document.createElement("li");
      empty.className = "empty";
      empty.textContent = "No findings.";
      this.list.replaceChildren(empty);
      return;
    }
    const badge = this.tab.appendChild(document.createElement("span"));
    const worst = ["error", "warning"].find((severity) => findings.some((finding) => finding.severity === severity));
    badge.className = `count ${worst ?? ""}`;
    badge.textContent = findings.length > 999 ? "999+" : findings.length;
    this.list.replaceChildren(...findings.slice(0, mostFindings).map((finding) => this.#makeRow(finding)));
  }

  #makeRow(finding) {
    const row = document.createElement("li");
    const button = document.createElement("button");
    button.className = `finding severity-${finding.severity}`;
    button.append(...describeFinding(finding));
    button.disabled = finding.node < 0;
    button.style.opacity = 1;
    button.addEventListener("click", () => this.onSelect(finding.node));
    row.append(button);
    return row;
  }
}

/** A finding as elements: severity and message, then its place. */
export function describeFinding(finding) {
  const text = document.createElement("p");
  const severity = document.createElement("b");
  severity.textContent = finding.severity;
  text.append(severity, ` ${finding.message}`);
  const where = document.createElement("code");
  const place = finding.pointer || (finding.offset >= 0 ? `byte ${finding.offset}` : "");
  const line = finding.line > 0 ? `line ${finding.line}` : "";
  where.textContent = [finding.code, place, line].filter(Boolean).join("  ");
  return [text, where];
}
