// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Names of nodes as HTML labels over the scene. Where two overlap, the nearer one is shown.
import * as THREE from "three";

const mostLabels = 80;

/** Nodes that get a label: bodies, colliders, joints, bones, meshes; all nodes of a small file. */
export function findNamedNodes(session) {
  const worth = new Set();
  for (const { node } of [...session.bodies, ...session.joints, ...session.colliders, ...session.constraints]) {
    worth.add(node);
  }
  for (const bone of session.humanoid?.bones ?? []) {
    worth.add(bone.node);
  }
  session.nodes.forEach((node, index) => {
    if (node.mesh >= 0 || session.nodes.length <= mostLabels) {
      worth.add(index);
    }
  });
  return [...worth].filter((node) => session.nodes[node]?.name);
}

export class NameOverlay {
  constructor(session, view, parent) {
    this.session = session;
    this.view = view;
    this.parent = parent;
    this.nodes = findNamedNodes(session);
    this.labels = [];
    this.selected = -1;
    this.isVisible = false;
  }

  set visible(isVisible) {
    this.isVisible = isVisible;
    if (!isVisible) {
      this.parent.replaceChildren();
      this.labels = [];
    }
  }

  update({ globals }) {
    if (!this.isVisible) {
      return;
    }
    const point = new THREE.Vector3();
    const found = [];
    for (const node of this.nodes) {
      point.fromArray(globals, 16 * node + 12);
      const at = this.view.project(point);
      if (at !== null) {
        found.push({ node, at, distance: node === this.selected ? 0 : point.distanceTo(this.view.camera.position) });
      }
    }
    found.sort((a, b) => a.distance - b.distance);
    this.#show(found);
  }

  #show(found) {
    const taken = [];
    let used = 0;
    for (const { node, at } of found) {
      if (used === mostLabels) {
        break;
      }
      const name = this.session.nodes[node].name;
      // To the right of the node; to the left at the edge of the picture.
      const width = 7 * name.length + 12;
      const left = at.x + 8 + width > this.parent.clientWidth ? Math.max(0, at.x - 8 - width) : at.x + 8;
      const box = { left, right: left + width, top: at.y - 10, bottom: at.y + 10 };
      if (taken.some((other) => box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom)) {
        continue;
      }
      taken.push(box);
      this.labels[used] ??= this.parent.appendChild(document.createElement("span"));
      const label = this.labels[used++];
      if (label.textContent !== name) {
        label.textContent = name;
      }
      label.className = node === this.selected ? "selected" : "";
      label.style.transform = `translate(${Math.round(left)}px, ${Math.round(at.y - 8)}px)`;
    }
    while (this.labels.length > used) {
      this.labels.pop().remove();
    }
  }

  dispose() {
    this.visible = false;
  }
}
