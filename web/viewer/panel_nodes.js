// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The list of nodes and the inspector of the selected one.
import * as THREE from "three";

const mostRows = 400;

export const nameNode = (session, node) => session.nodes[node]?.name || `node ${node}`;

const number = (value, digits = 3) =>
  !Number.isFinite(value) ? (value > 0 ? "∞" : value < 0 ? "−∞" : "–") : value.toFixed(digits).replace(/^-(0\.?0*)$/, "$1").replace("-", "−");
const vector = (values, digits = 3) => [...values].map((value) => number(value, digits)).join("  ");
const degrees = (value) => `${number((value * 180) / Math.PI, 1)}°`;

function element(name, text, className) {
  const made = document.createElement(name);
  made.textContent = text ?? "";
  if (className) {
    made.className = className;
  }
  return made;
}

export class NodePanel {
  constructor({ list, filter, inspector, onSelect }) {
    this.list = list;
    this.filter = filter;
    this.inspector = inspector;
    this.onSelect = onSelect;
    this.session = null;
    this.selected = -1;
    this.fields = null;
    filter.addEventListener("input", () => this.#buildList());
  }

  setSession(session) {
    this.session = session;
    this.filter.value = "";
    this.depths = [];
    session?.nodes.forEach((_, node) => this.#depth(node));
    this.order = session ? this.#treeOrder() : [];
    this.#buildList();
    this.select(-1);
  }

  #depth(node) {
    // Trees may be deeper than the call stack: walk up to the first known ancestor, then down.
    const chain = [];
    for (let at = node; at >= 0 && this.depths[at] === undefined && chain.length <= this.session.nodes.length; at = this.session.nodes[at].parent) {
      chain.push(at);
    }
    for (const at of chain.reverse()) {
      const { parent } = this.session.nodes[at];
      this.depths[at] = parent >= 0 ? (this.depths[parent] ?? 0) + 1 : 0;
    }
  }

  #treeOrder() {
    const children = this.session.nodes.map(() => []);
    const pending = [];
    this.session.nodes.forEach(({ parent }, node) => (parent >= 0 ? children[parent] : pending).push(node));
    pending.reverse();
    const order = [];
    while (pending.length > 0) {
      const node = pending.pop();
      order.push(node);
      for (let i = children[node].length - 1; i >= 0; --i) {
        pending.push(children[node][i]);
      }
    }
    return order;
  }

  #describe(node) {
    const { session } = this;
    const info = session.nodes[node];
    const bone = session.humanoid?.bones.find((entry) => entry.node === node);
    const words = [];
    if (info.body >= 0) {
      words.push(session.bodies[info.body].motion);
    } else if (session.colliders.some((collider) => collider.node === node)) {
      words.push("collider");
    }
    if (session.joints.some((joint) => joint.node === node)) {
      words.push("joint");
    }
    const constraint = session.constraints.find((entry) => entry.node === node);
    if (constraint) {
      words.push(constraint.kind);
    }
    if (bone && bone.name !== info.name) {
      words.push(bone.name);
    }
    if (words.length === 0 && info.mesh >= 0) {
      words.push("mesh");
    }
    return words.join(", ");
  }

  #buildList() {
    const wanted = this.filter.value.trim().toLowerCase();
    const rows = [];
    let hidden = 0;
    this.rows = new Map();
    for (const node of this.order) {
      const name = nameNode(this.session, node);
      if (wanted !== "" && !name.toLowerCase().includes(wanted)) {
        continue;
      }
      if (rows.length === mostRows) {
        hidden += 1;
        continue;
      }
      const row = document.createElement("li");
      const button = element("button");
      button.style.paddingLeft = `${16 + 10 * Math.min(wanted === "" ? this.depths[node] : 0, 8)}px`;
      button.title = name;
      button.append(element("span", name, "name"), element("span", this.#describe(node), "what"));
      button.addEventListener("click", () => this.onSelect(node));
      button.classList.toggle("is-selected", node === this.selected);
      row.append(button);
      rows.push(row);
      this.rows.set(node, button);
    }
    if (rows.length === 0) {
      rows.push(element("li", this.session === null ? "No file is open." : wanted === "" ? "This file has no nodes." : "No node matches.", "empty"));
    } else if (hidden > 0) {
      rows.push(element("li", `${hidden} more; type to find one.`, "empty"));
    }
    this.list.replaceChildren(...rows);
  }

  select(node) {
    this.#mark(false);
    this.selected = node;
    this.#mark(true);
    this.inspector.replaceChildren();
    this.fields = null;
    if (node >= 0 && this.session) {
      this.#buildInspector(node);
    }
  }

  #mark(isSelected) {
    const row = this.rows?.get(this.selected);
    row?.classList.toggle("is-selected", isSelected);
    row?.toggleAttribute("aria-current", isSelected);
  }

  #buildInspector(node) {
    const { session } = this;
    const head = document.createElement("header");
    const close = element("button", "×");
    close.setAttribute("aria-label", "Clear the selection");
    close.addEventListener("click", () => this.onSelect(-1));
    head.append(element("h2", nameNode(session, node)), element("code", `/nodes/${node}`), close);
    this.inspector.append(head);
    this.fields = [];
    const info = session.nodes[node];
    const position = new THREE.Vector3();
    const rotation = new THREE.Quaternion();
    const scale = new THREE.Vector3();
    const matrix = new THREE.Matrix4();
    this.#section("Transform", [
      ["position", (snapshot) => {
        matrix.fromArray(snapshot.globals, 16 * node).decompose(position, rotation, scale);
        return `${vector(position)} m`;
      }],
      ["rotation", () => vector(rotation)],
      ["scale", () => vector(scale)],
      ["local", () => { const local = session.local(node); return `${vector(local.subarray(0, 3))}\n${vector(local.subarray(3, 7))}`; }],
      ["parent", () => (info.parent >= 0 ? nameNode(session, info.parent) : "none")],
    ]);
    this.#bodySection(node);
    this.#shapeSection(node);
    session.joints.forEach((joint, index) => {
      if (joint.node === node || joint.connectedNode === node) {
        this.#jointSection(joint, index);
      }
    });
    this.#constraintSection(node);
  }

  #bodySection(node) {
    const state = this.session.bodyState(node);
    if (state === null) {
      return;
    }
    const read = () => this.session.bodyState(node) ?? state;
    const title = state.node === node ? "Body" : `Body of ${nameNode(this.session, state.node)}`;
    this.#section(title, [
      ["motion", () => `${read().motion}${read().motion === "dynamic" ? (read().isAwake ? "" : ", sleeping") : ""}`],
      ["mass", () => `${number(read().mass)} kg`],
      ["inertia", () => `${vector(read().inertia)} kg m²`],
      ["velocity", () => `${vector(read().linearVelocity)} m/s`],
      ["spin", () => `${vector(read().angularVelocity)} rad/s`],
      ["centre", () => `${vector(read().centerOfMass)} m`],
    ]);
  }

  #shapeSection(node) {
    const { session } = this;
    const body = session.nodes[node].body;
    const shapes = session.shapes().filter((shape) => shape.node === node || (body >= 0 && shape.bodyNode === node));
    if (shapes.length > 0) {
      this.#section(shapes.length === 1 ? "Shape" : "Shapes", shapes.slice(0, 20).map((shape) => [
        shape.isTrigger ? `${shape.kind}, trigger` : shape.kind, () => vector(shape.dimensions) || "–",
      ]));
    }
  }

  #jointSection(joint, index) {
    const axisNames = (bits) => ["x", "y", "z"].filter((_, axis) => (bits >> axis) & 1).join("");
    const rows = [["between", () => `${nameNode(this.session, joint.node)} – ${nameNode(this.session, joint.connectedNode)}`]];
    joint.limits.forEach((limit, i) => {
      const isTurn = limit.angularAxes !== 0;
      const show = isTurn ? degrees : (value) => `${number(value)} m`;
      rows.push([`${isTurn ? "turn" : "slide"} ${axisNames(isTurn ? limit.angularAxes : limit.linearAxes)}`, () => {
        const value = this.session.jointState(index).limitValues[i];
        if (limit.min === limit.max && !Number.isFinite(limit.stiffness)) {
          return limit.max === 0 ? `${show(value)}  locked` : `${show(value)}  locked at ${show(limit.max)}`;
        }
        if (limit.min === limit.max) {
          return `${show(value)}  soft, rests at ${show(limit.max)}`;
        }
        return `${show(value)}  in ${show(limit.min)} … ${show(limit.max)}${Number.isFinite(limit.stiffness) ? ", soft" : ""}`;
      }]);
    });
    joint.drives.forEach((drive, i) => {
      const show = drive.type === "angular" ? degrees : (value) => `${number(value)} m`;
      rows.push([`drive ${"xyz"[drive.axis]}`, () => `${show(this.session.jointState(index).driveValues[i])} → ${show(drive.positionTarget)}`]);
    });
    rows.push(["force", () => `${vector(this.session.jointState(index).force, 1)} N`]);
    rows.push(["torque", () => `${vector(this.session.jointState(index).torque, 1)} N m`]);
    rows.push(["state", () => (this.session.jointState(index).isBroken ? "broken" : "whole")]);
    this.#section(`Joint, ${joint.type}`, rows);
  }

  #constraintSection(node) {
    for (const constraint of this.session.constraints.filter((entry) => entry.node === node)) {
      this.#section("Constraint", [
        ["kind", () => `${constraint.kind}${constraint.axis ? ` ${constraint.axis}` : ""}`],
        ["source", () => nameNode(this.session, constraint.source)],
        ["weight", () => number(constraint.weight)],
        ...(constraint.isInCycle ? [["state", () => "in a cycle, at rest"]] : []),
      ]);
    }
  }

  #section(title, rows) {
    const list = element("dl", "", "facts");
    for (const [name, read] of rows) {
      const value = element("dd");
      list.append(element("dt", name), value);
      this.fields.push({ value, read });
    }
    this.inspector.append(element("h3", title), list);
  }

  update(snapshot) {
    for (const { value, read } of this.fields ?? []) {
      const text = read(snapshot);
      if (value.textContent !== text) {
        value.textContent = text;
      }
    }
  }
}
