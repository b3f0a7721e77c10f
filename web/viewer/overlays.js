// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The list of overlays, their toggles and their drawings for the current session.
import { ColliderOverlay } from "./overlay_colliders.js";
import { CentreOverlay, ContactOverlay } from "./overlay_contacts.js";
import { JointOverlay } from "./overlay_joints.js";
import { NameOverlay } from "./overlay_names.js";
import { ConstraintOverlay, SkeletonOverlay } from "./overlay_skeleton.js";
import { SpringChainOverlay, SpringColliderOverlay } from "./overlay_springs.js";
import { palettes, shapeStates } from "./palette.js";

/** In the order of the menu. Overlays without a key have the digits 1 to 9, in order. */
export const overlayList = [
  { id: "meshes", label: "Meshes", has: (session, model) => model.meshCount > 0 },
  { id: "colliders", label: "Colliders", has: (session) => session.colliders.length > 0, legend: shapeStates },
  { id: "joints", label: "Joints and limits", has: (session) => session.joints.length > 0 },
  { id: "contacts", label: "Contacts", has: (session) => session.colliders.length > 0 },
  { id: "centres", label: "Centres of mass", has: (session) => session.bodies.length > 0 },
  { id: "constraints", label: "Constraint links", has: (session) => session.constraints.length > 0, legend: ["roll", "aim", "rotation"] },
  { id: "springs", label: "Spring chains", key: "S", has: (session) => session.springJoints.length > 0 },
  { id: "springColliders", label: "Spring colliders", key: "C", has: (session) => session.springColliders.length > 0 },
  { id: "skeleton", label: "Skeleton", has: (session) => session.nodes.length > 0 },
  { id: "names", label: "Names", has: (session) => session.nodes.length > 0 },
  { id: "grid", label: "Ground", has: () => true },
];

/** Overlays that digits switch, in the order of their digits. */
export const digitOverlays = overlayList.filter((overlay) => overlay.key === undefined);

export class Overlays {
  constructor(view, menu, labels) {
    this.view = view;
    this.menu = menu;
    this.labels = labels;
    this.drawn = {};
    this.model = null;
    this.session = null;
    this.theme = "dark";
    this.shown = { meshes: true, colliders: false, joints: false, contacts: false, centres: false, constraints: false, springs: false, springColliders: false, skeleton: false, names: false, grid: true };
    this.#buildMenu();
  }

  #buildMenu() {
    this.boxes = {};
    overlayList.forEach((overlay) => {
      const label = document.createElement("label");
      const box = document.createElement("input");
      const key = document.createElement("kbd");
      box.type = "checkbox";
      box.id = `overlay-${overlay.id}`;
      key.textContent = overlay.key ?? digitOverlays.indexOf(overlay) + 1;
      box.addEventListener("change", () => this.set(overlay.id, box.checked));
      label.append(box, overlay.label, key);
      this.menu.append(label);
      if (overlay.legend) {
        const legend = document.createElement("div");
        legend.className = "legend";
        legend.dataset.of = overlay.id;
        this.menu.append(legend);
      }
      this.boxes[overlay.id] = box;
    });
  }

  /** Creates the overlays for a session or theme. A file without meshes switches on the overlays that show it. */
  setSession(session, model, { isNew }) {
    const { colliders } = this.drawn;
    const isKept = colliders !== undefined && this.session === session && this.themeDrawn === this.theme;
    if (isKept) {
      delete this.drawn.colliders; // they depend on nothing else
    }
    this.clear();
    this.themeDrawn = this.theme;
    this.session = session;
    this.model = model;
    const palette = palettes[this.theme];
    const ratio = this.view.renderer.getPixelRatio();
    const size = this.view.radius ? this.view.radius * 0.15 : 0.2;
    this.drawn = {
      colliders: isKept ? colliders : new ColliderOverlay(session, palette, model.meshCount === 0),
      joints: new JointOverlay(session, palette, size),
      contacts: new ContactOverlay(palette, size, ratio),
      centres: new CentreOverlay(session, palette, ratio),
      constraints: new ConstraintOverlay(session, palette, size, ratio),
      springs: new SpringChainOverlay(session, palette, ratio),
      springColliders: new SpringColliderOverlay(session, palette, size, ratio),
      skeleton: new SkeletonOverlay(session, palette, ratio),
      names: new NameOverlay(session, this.view, this.labels),
    };
    for (const overlay of Object.values(this.drawn)) {
      if (overlay.group) {
        this.view.scene.add(overlay.group);
      }
    }
    if (isNew) {
      const hasMeshes = model.meshCount > 0;
      this.shown.meshes = true;
      this.shown.colliders = !hasMeshes && session.colliders.length > 0;
      this.shown.joints = !hasMeshes && session.joints.length > 0;
      this.shown.skeleton = !hasMeshes && (session.colliders.length === 0 || session.humanoid !== null);
      this.shown.constraints = !hasMeshes && session.constraints.length > 0;
    }
    overlayList.forEach((overlay) => this.set(overlay.id, this.shown[overlay.id]));
    for (const legend of this.menu.querySelectorAll(".legend")) {
      const { legend: words } = overlayList.find((overlay) => overlay.id === legend.dataset.of);
      legend.replaceChildren(...words.map((word) => this.#makeLegend(word, palette[word])));
    }
  }

  #makeLegend(word, color) {
    const entry = document.createElement("span");
    const dot = document.createElement("i");
    dot.style.background = color;
    entry.append(dot, word);
    return entry;
  }

  set(id, isShown) {
    this.shown[id] = isShown;
    const overlay = overlayList.find((entry) => entry.id === id);
    const box = this.boxes[id];
    box.checked = isShown;
    box.disabled = this.session === null || !overlay.has(this.session, this.model);
    if (id === "meshes" && this.model) {
      this.model.group.visible = isShown;
    } else if (id === "grid") {
      this.view.grid.visible = isShown;
    } else if (id === "names" && this.drawn.names) {
      this.drawn.names.visible = isShown;
    } else if (this.drawn[id]) {
      this.drawn[id].group.visible = isShown;
    }
  }

  toggle(id) {
    if (!this.boxes[id].disabled) {
      this.set(id, !this.shown[id]);
    }
  }

  select(node) {
    for (const overlay of Object.values(this.drawn)) {
      overlay.selected = node;
    }
  }

  update(snapshot) {
    for (const [id, overlay] of Object.entries(this.drawn)) {
      if (this.shown[id]) {
        overlay.update(snapshot);
      }
    }
  }

  clear() {
    for (const overlay of Object.values(this.drawn)) {
      overlay.dispose();
    }
    this.drawn = {};
    this.session = null;
  }
}
