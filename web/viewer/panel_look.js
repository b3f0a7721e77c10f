// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The panel of the picture: exposure, background, ground, shading of meshes, cameras and material variants of the file.
import * as THREE from "three";

const backgrounds = { theme: null, white: "#ffffff", grey: "#808080", black: "#000000" };
const shadings = ["materials", "wireframe", "normals"];

export class LookPanel {
  #model = null;
  #session = null;

  constructor(page, view, onChange) {
    Object.assign(this, { page, view, onChange });
    this.exposure = 0; // in stops
    this.background = "theme";
    this.shading = "materials";
    this.camera = -1; // index in model.cameras; -1: the user's
    this.#build();
  }

  #addRow(label, control) {
    const row = document.createElement("label");
    row.className = "choice look-row";
    const text = document.createElement("span");
    text.textContent = label;
    row.append(text, control);
    this.page.append(row);
    return row;
  }

  #addSelect(id, label, run) {
    const select = document.createElement("select");
    select.id = id;
    select.addEventListener("change", () => { run(select.value); this.apply(); });
    return { select, row: this.#addRow(label, select) };
  }

  #build() {
    const slider = document.createElement("input");
    Object.assign(slider, { type: "range", id: "look-exposure", min: "-3", max: "3", step: "0.25", value: "0" });
    slider.addEventListener("input", () => { this.exposure = Number(slider.value); this.apply(); });
    this.#addRow("Exposure", slider);
    const fill = ({ select }, names) => select.replaceChildren(...names.map(([value, name]) => new Option(name, value)));
    fill(this.#addSelect("look-background", "Background", (value) => (this.background = value)), Object.keys(backgrounds).map((name) => [name, name]));
    fill(this.#addSelect("look-shading", "Shading", (value) => (this.shading = value)), shadings.map((name) => [name, name]));
    this.ground = document.createElement("input");
    Object.assign(this.ground, { type: "checkbox", id: "look-ground", checked: true });
    this.ground.addEventListener("change", () => this.apply());
    this.#addRow("Ground", this.ground);
    this.cameras = this.#addSelect("look-camera", "Camera", (value) => this.setCamera(Number(value)));
    this.variants = this.#addSelect("look-variant", "Variant", (value) => this.#model?.setVariant(Number(value)).then(() => this.apply()));
    this.cameras.row.hidden = this.variants.row.hidden = true;
  }

  /** Offers the cameras and variants of a file. */
  setModel(model, session) {
    this.#model = model;
    this.#session = session;
    this.setCamera(-1);
    const name = (given, word, index) => given || `${word} ${index}`;
    this.cameras.select.replaceChildren(new Option("free", -1), ...model.cameras.map(({ node }, i) => new Option(name(session.nodes[node].name, "camera", i), i)));
    this.cameras.row.hidden = model.cameras.length === 0;
    this.variants.select.replaceChildren(new Option("default", -1), ...model.variants.map((given, i) => new Option(name(given, "variant", i), i)));
    this.variants.row.hidden = model.variants.length === 0;
    this.apply();
  }

  /** Looks through a camera of the file; -1 returns to the user's. */
  setCamera(index) {
    this.camera = index;
    this.view.orthographic = this.#model?.cameras[index]?.ymag > 0 ? new THREE.OrthographicCamera() : null;
    this.view.controls.enabled = index < 0;
    this.cameras.select.value = `${index}`;
    if (index < 0) {
      this.view.camera.fov = 40;
      this.view.camera.updateProjectionMatrix();
      if (this.#session !== null) {
        this.view.update();
      }
    }
  }

  apply() {
    this.view.renderer.toneMappingExposure = 2 ** this.exposure;
    const color = backgrounds[this.background];
    this.view.setBackground(color);
    this.view.grid.visible = this.view.shade.visible = this.ground.checked;
    this.#model?.setShading(this.shading);
    this.onChange();
  }

  /** Follows the chosen camera. */
  update(snapshot) {
    if (this.camera < 0 || this.#model === null) {
      return;
    }
    const { node, yfov, xmag, ymag, znear, zfar } = this.#model.cameras[this.camera];
    const { camera, orthographic } = this.view;
    new THREE.Matrix4().fromArray(snapshot.globals, 16 * node).decompose(camera.position, camera.quaternion, new THREE.Vector3());
    if (orthographic !== null) {
      // The window shows at least the rectangle of the file.
      const top = Math.max(ymag, xmag / camera.aspect);
      const right = top * camera.aspect;
      Object.assign(orthographic, { left: -right, right, top, bottom: -top, near: znear, far: zfar });
      orthographic.position.copy(camera.position);
      orthographic.quaternion.copy(camera.quaternion);
      orthographic.updateProjectionMatrix();
      orthographic.updateMatrixWorld();
      return;
    }
    Object.assign(camera, { fov: (180 / Math.PI) * yfov, near: znear, far: zfar });
    camera.updateProjectionMatrix();
  }
}
