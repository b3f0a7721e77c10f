// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Mouse, pen and touch on the scene: a drag that starts on a dynamic body pulls it, a short press selects,
// everything else controls the camera.
import * as THREE from "three";
import { Lines } from "./lines.js";

const clickPixels = 5;

const isDynamic = (session, node) => session.bodies[session.nodes[node].body]?.motion === "dynamic";

export class Pointer {
  /**
   * @param hooks session(), isLive(), input(name, ...args), pick(caster) -> node or null, onSelect(node), onGrabStart(), onGrabEnd(), onTrouble(error)
   */
  constructor(hooks) {
    this.hooks = hooks;
    this.hand = null;
    this.pressed = null;
  }

  /** Must be called before the camera's controls listen, so that a grab can disable them. */
  listen(canvas) {
    this.canvas = canvas;
    canvas.addEventListener("pointerdown", (event) => this.#down(event));
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) {
      canvas.addEventListener(name, (event) => this.#up(event));
    }
  }

  attach(view) {
    this.view = view;
    this.lines = new Lines();
    view.scene.add(this.lines.object);
  }

  #cast(event) {
    const session = this.hooks.session();
    const caster = this.view.ray(event.clientX, event.clientY);
    const { origin, direction } = caster.ray;
    const end = origin.clone().addScaledVector(direction, this.view.camera.far);
    return { caster, hit: session?.castRay(origin.toArray(), end.toArray()) ?? null };
  }

  #down(event) {
    if (!event.isPrimary) {
      this.#addFinger();
      return;
    }
    this.pressed = { x: event.clientX, y: event.clientY, id: event.pointerId, event };
    if (event.button !== 0 || this.hand !== null || event === this.handedOver) {
      return;
    }
    try {
      this.#grab(event);
    } catch (error) {
      this.hooks.onTrouble(error);
    }
  }

  /** A second finger switches both to the camera, unless the first one already pulls a body. */
  #addFinger() {
    const first = this.pressed?.event;
    if (this.hand !== null && !this.hand.isMoved) {
      this.release();
      this.handedOver = new PointerEvent("pointerdown", first);
      this.canvas.dispatchEvent(this.handedOver);
    }
    if (this.hand === null) {
      this.pressed = null;
    }
  }

  #grab(event) {
    const session = this.hooks.session();
    if (session === null || session.bodies.length === 0 || !this.hooks.isLive()) {
      return;
    }
    const { caster, hit } = this.#cast(event);
    if (hit === null || hit.bodyNode < 0) {
      return;
    }
    if (!isDynamic(session, hit.bodyNode)) {
      return;
    }
    const grab = this.#hold(hit);
    const point = new THREE.Vector3(...hit.point);
    this.hand = { grab, id: event.pointerId, depth: point.clone().sub(caster.ray.origin).dot(this.#forward()), isMoved: false };
    this.view.controls.enabled = false;
    this.canvas.setPointerCapture(event.pointerId);
    this.canvas.classList.add("is-grabbing");
  }

  /** Grabs a body. The session knows of it when the steps under way are made; until then the hand has its own points. */
  #hold({ bodyNode, point }) {
    const { session, input } = this.hooks;
    input("grab", bodyNode, point);
    let last = point;
    return {
      get point() { return session()?.currentGrab?.point ?? point; },
      get target() { return last; },
      move: (target) => { last = target; input("moveGrab", target); },
      release: () => input("releaseGrab"),
    };
  }

  #forward() {
    return this.view.camera.getWorldDirection(new THREE.Vector3());
  }

  #move(event) {
    if (this.hand === null) {
      if (event.pointerType === "mouse" && event.buttons === 0) {
        this.hover = event;
      }
      return;
    }
    if (event.pointerId !== this.hand.id) {
      return;
    }
    if (!this.hand.isMoved && Math.hypot(event.clientX - this.pressed.x, event.clientY - this.pressed.y) > clickPixels) {
      this.hand.isMoved = true;
      this.hooks.onGrabStart();
    }
    // The target moves in the plane that faces the camera through the grabbed point.
    const { ray } = this.view.ray(event.clientX, event.clientY);
    const target = ray.origin.clone().addScaledVector(ray.direction, this.hand.depth / ray.direction.dot(this.#forward()));
    this.hand.grab.move(target.toArray());
  }

  #up(event) {
    if (this.pressed?.id !== event.pointerId) {
      return;
    }
    const isClick = Math.hypot(event.clientX - this.pressed.x, event.clientY - this.pressed.y) <= clickPixels;
    this.pressed = null;
    const wasMoved = this.release();
    if (event.type === "pointerup" && isClick && !wasMoved && event.button === 0) {
      this.#select(event);
    }
  }

  release() {
    if (this.hand === null) {
      return false;
    }
    const { isMoved, grab, id } = this.hand;
    this.hand = null;
    try {
      grab.release();
    } catch {
      // The session was closed.
    }
    this.view.controls.enabled = true;
    if (this.canvas.hasPointerCapture(id)) {
      this.canvas.releasePointerCapture(id);
    }
    this.canvas.classList.remove("is-grabbing");
    if (isMoved) {
      this.hooks.onGrabEnd();
    }
    return isMoved;
  }

  #select(event) {
    if (this.hooks.session() === null) {
      return;
    }
    const { caster, hit } = this.#cast(event);
    const seen = this.hooks.pick(caster);
    const distance = hit === null ? Infinity : new THREE.Vector3(...hit.point).distanceTo(caster.ray.origin);
    if (seen !== null && seen.distance <= distance + 1e-3 * this.view.radius) {
      this.hooks.onSelect(seen.node);
    } else {
      this.hooks.onSelect(hit === null ? -1 : hit.bodyNode >= 0 ? hit.bodyNode : hit.node);
    }
  }

  /** Called once a frame: sets the cursor over bodies that can be grabbed. */
  updateHover() {
    if (!this.hover || this.hand !== null) {
      return;
    }
    const session = this.hooks.session();
    const { hit } = session !== null && session.bodies.length > 0 && this.hooks.isLive() ? this.#cast(this.hover) : { hit: null };
    const isBody = hit !== null && hit.bodyNode >= 0 && isDynamic(session, hit.bodyNode);
    this.canvas.classList.toggle("can-grab", isBody);
    this.hover = null;
  }

  /** Draws the line between pointer and body. */
  update(color) {
    this.lines.clear();
    if (this.hand !== null) {
      this.lines.add(new THREE.Vector3(...this.hand.grab.point), new THREE.Vector3(...this.hand.grab.target), new THREE.Color(color));
    }
    this.lines.finish();
  }
}
