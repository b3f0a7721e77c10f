// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The API of the test page: window.tendon gives the browser tests plain data about the viewer.
import * as THREE from "three";
import { digitOverlays, overlayList } from "../../../web/viewer/overlays.js";
import { palettes } from "../../../web/viewer/palette.js";

const toBase64 = (bytes) => {
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  }
  return btoa(text);
};

export function makeTestApi(viewer) {
  const { player } = viewer;
  /** Pixels of the canvas. preserveDrawingBuffer keeps them, so only stale content is drawn again. */
  const readPixels = () => {
    viewer.flush();
    const context = viewer.view.renderer.getContext();
    const { drawingBufferWidth: width, drawingBufferHeight: height } = context;
    const pixels = new Uint8Array(4 * width * height);
    context.readPixels(0, 0, width, height, context.RGBA, context.UNSIGNED_BYTE, pixels);
    return pixels;
  };
  return {
    viewer,
    /** Steps to a time and draws. */
    stepTo(time) {
      player.stepTo(time); // at once, as this page is not watched
      viewer.draw();
      viewer.flush();
      return this.state();
    },
    /** Advances time as animation frames would, without drawing; the number of steps does not depend on the machine. */
    advance(seconds, frames = 30) {
      for (let i = 0; i < frames; ++i) {
        player.advance(seconds / frames / player.speed);
      }
    },
    play(seconds, frames) {
      this.advance(seconds, frames);
      viewer.draw();
      viewer.flush();
      return this.state();
    },
    state() {
      const { session } = viewer;
      return {
        name: session?.name ?? null,
        time: player.time,
        recorded: player.recording.length,
        isPlaying: player.isPlaying,
        hash: document.getElementById("hash").textContent,
        nodeCount: session?.nodes.length ?? 0,
        meshCount: viewer.model?.meshCount ?? 0,
        bodies: session?.bodies.map((body) => ({ node: body.node, motion: body.motion })) ?? [],
        animation: session?.animation ?? -1,
        motion: session?.motionName ?? null,
        selected: viewer.selected,
        memory: viewer.engine.memorySize,
        error: document.getElementById("error").hidden ? null : document.querySelector("#error h2").textContent,
      };
    },
    /** Locals of all nodes, 7 numbers each, as the engine has them now: translation, rotation. */
    locals() {
      const locals = viewer.session.locals();
      const out = [];
      for (let i = 0; i < locals.length; i += 10) {
        out.push([...locals.subarray(i, i + 7)]);
      }
      return out;
    },
    globals() {
      return [...player.snapshot.globals];
    },
    /** Position of a node on the page in CSS pixels; of the centre of mass when it has a body. */
    screenOf(node) {
      const { session, view } = viewer;
      const body = session.bodies.findIndex((entry) => entry.node === node);
      const { globals, centres } = player.snapshot;
      const point = body >= 0 ? new THREE.Vector3().fromArray(centres, 3 * body) : new THREE.Vector3().fromArray(globals, 16 * node + 12);
      view.camera.updateMatrixWorld();
      const at = view.project(point);
      const bounds = view.canvas.getBoundingClientRect();
      return at === null ? null : { x: at.x + bounds.left, y: at.y + bounds.top };
    },
    /** The grab in progress: target in the world, its depth before the camera, the grabbed point on the page; or null. */
    handOf() {
      const { hand } = viewer.pointer;
      if (hand === null) {
        return null;
      }
      const at = viewer.view.project(new THREE.Vector3(...hand.grab.point));
      const bounds = viewer.view.canvas.getBoundingClientRect();
      const { camera } = viewer.view;
      const depth = new THREE.Vector3(...hand.grab.target).sub(camera.position).dot(camera.getWorldDirection(new THREE.Vector3()));
      return { target: [...hand.grab.target], depth, place: { x: at.x + bounds.left, y: at.y + bounds.top } };
    },
    positionOf(node) {
      return [...player.snapshot.globals.subarray(16 * node + 12, 16 * node + 15)];
    },
    overlays: overlayList.map((overlay) => overlay.id),
    digitOverlays: digitOverlays.map((overlay) => overlay.id),
    /** Number of vertices that an overlay draws. */
    overlaySize(id) {
      const overlay = viewer.overlays.drawn[id];
      if (id === "names") {
        return document.querySelectorAll("#labels span").length;
      }
      let count = 0;
      overlay?.group.traverse((part) => {
        const geometry = part.geometry;
        if (geometry) {
          count += geometry.isInstancedBufferGeometry ? geometry.instanceCount : Math.min(geometry.drawRange.count, geometry.getAttribute("position").count);
        }
      });
      return count;
    },
    /** Lines of an overlay: from, to, colour. */
    overlayLines(id) {
      const { lines } = viewer.overlays.drawn[id];
      const [places, colors] = lines.buffers.map((buffer) => buffer.array);
      return Array.from({ length: lines.count }, (_, i) => ({
        from: [...places.subarray(6 * i, 6 * i + 3)], to: [...places.subarray(6 * i + 3, 6 * i + 6)],
        color: `#${new THREE.Color(...colors.subarray(6 * i, 6 * i + 3)).getHexString()}`,
      }));
    },
    /** Dots of an overlay: place, colour. */
    overlayDots(id) {
      const { dots } = viewer.overlays.drawn[id];
      return Array.from({ length: dots.count }, (_, i) => ({
        at: [...dots.positions.subarray(3 * i, 3 * i + 3)], color: `#${new THREE.Color(...dots.colors.subarray(3 * i, 3 * i + 3)).getHexString()}`,
      }));
    },
    /** Colour of each collider's wireframe by the name of its node. */
    colliderColors() {
      const { batches, shapes } = viewer.overlays.drawn.colliders;
      return Object.fromEntries(batches.flatMap((batch) => batch.shapes.map((shape, i) => [
        viewer.session.nodes[shapes[shape].node].name, `#${new THREE.Color(...batch.tint.array.subarray(4 * i, 4 * i + 3)).getHexString()}`])));
    },
    palette() {
      return palettes[viewer.theme];
    },
    /** Whether the scene has the size that the page gives it. */
    isSized() {
      const { clientWidth, clientHeight } = document.getElementById("stage");
      const size = viewer.view.renderer.getSize(new THREE.Vector2());
      return size.x === Math.max(1, clientWidth) && size.y === Math.max(1, clientHeight);
    },
    camera() {
      const { camera, controls } = viewer.view;
      return { position: camera.position.toArray(), target: controls.target.toArray(), distance: camera.position.distanceTo(controls.target) };
    },
    /** Corners of the bounds of all meshes in pixels, and the size of the canvas. */
    meshCorners() {
      const { model, view } = viewer;
      const found = [];
      for (const [node, object] of model.objects) {
        const bounds = model.localBounds(node);
        for (let i = 0; bounds !== null && i < 8; ++i) {
          const point = new THREE.Vector3(i & 1 ? bounds.max.x : bounds.min.x, i & 2 ? bounds.max.y : bounds.min.y, i & 4 ? bounds.max.z : bounds.min.z);
          found.push({ node, at: view.project(point.applyMatrix4(object.matrixWorld)) });
        }
      }
      return { corners: found, width: view.canvas.clientWidth, height: view.canvas.clientHeight };
    },
    /** Number of pixels that `change` alters; it returns a function that undoes it. */
    changedPixels(change) {
      const before = readPixels();
      const undo = change(viewer);
      viewer.draw();
      const after = readPixels();
      undo();
      viewer.draw();
      let count = 0;
      for (let i = 0; i < before.length; i += 4) {
        const step = Math.abs(before[i] - after[i]) + Math.abs(before[i + 1] - after[i + 1]) + Math.abs(before[i + 2] - after[i + 2]);
        count += step > 12 ? 1 : 0;
      }
      return count;
    },
    setOverlays(ids) {
      for (const id of this.overlays) {
        viewer.overlays.set(id, ids.includes(id));
      }
      viewer.draw();
      viewer.flush();
    },
    setCamera(position, target) {
      viewer.view.camera.position.set(...position);
      viewer.view.controls.target.set(...target);
      viewer.view.fitted = null;
      viewer.view.update();
      viewer.draw();
      viewer.flush();
    },
    /** Number of distinct colours on the canvas; 1 when nothing is drawn. */
    countColors() {
      const pixels = readPixels();
      const seen = new Set();
      for (let i = 0; i < pixels.length; i += 4) {
        seen.add((pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2]);
      }
      return seen.size;
    },
    async exportBase64() {
      const bytes = await viewer.export();
      return bytes === null ? null : toBase64(bytes);
    },
    async recordingBase64() {
      const bytes = await viewer.saveRecording();
      return bytes === null ? null : toBase64(bytes);
    },
    check(name, base64) {
      return viewer.engine.check({ name, bytes: Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)), beside: new Map() });
    },
    /** Files as a drop gives them: [[name, base64], ...]. */
    async drop(list) {
      const heap = new Map(list.map(([name, text]) => [name, Uint8Array.from(atob(text), (c) => c.charCodeAt(0))]));
      await viewer.openHeap(heap);
      return this.state();
    },
  };
}
