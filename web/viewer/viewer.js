// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The page: connects engine, clock, scene, overlays and panels. Errors of a file are shown in the error panel.
import * as THREE from "three";
import { explain, memoryBound, Trouble } from "./engine.js";
import { findUndrawn } from "./decoders.js";
import { tryDrawable } from "./drawable.js";
import { arrangeFiles, isMotionName, readDrop, readList } from "./files.js";
import { fillHelp, listenToArrows, listenToKeys, makeKeys } from "./keyboard.js";
import { Model } from "./model.js";
import { digitOverlays, Overlays } from "./overlays.js";
import { palettes } from "./palette.js";
import { AvatarPanel } from "./panel_avatar.js";
import { describeFinding, EventPanel, FindingPanel } from "./panel_lists.js";
import { NodePanel } from "./panel_nodes.js";
import { PlotPanel } from "./panel_plots.js";
import { Player } from "./player.js";
import { Pointer } from "./pointer.js";
import { Selection } from "./selection.js";
import { formatState, parseState } from "./share.js";
import { LookPanel } from "./panel_look.js";
import { View } from "./view.js";
import { Watchdog } from "./watchdog.js";

const at = (id) => document.getElementById(id);
const speeds = [0.1, 0.25, 0.5, 1, 2, 4];
const turnStep = Math.PI / 24;
/** Bytes from which on the page announces that it opens a file. */
const slowFile = 4 << 20;
const plural = (count, word) => `${count} ${word}${count === 1 ? "" : word.endsWith("y") ? "" : "s"}`;

/** Whether the window has no room for the panel beside the scene. */
const isNarrow = () => matchMedia("(max-width: 720px)").matches;
const wantsLessMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Offers bytes as a file to save. */
function download(bytes, name, type = "model/gltf-binary") {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** Settings of a viewer; a host may pass others. */
export const defaultSettings = {
  antialias: true,
  preserveDrawingBuffer: false, // true: pixels can be read at any time
  damping: !wantsLessMotion(), // of the camera
  maxPixelRatio: 2,
  shadowSize: undefined, // pixels; by the speed of the machine when undefined
  autoplay: () => !wantsLessMotion(), // whether a file that moves plays at once
  hasClock: true, // animation frames advance time and draw; false: the host calls player.advance and flush
  stepBudget: undefined, // ms of a frame that steps may take; the player's own when undefined
  isWatched: true, // steps are made by a worker first; false: only opening is
  watchdogLimits: {}, // seconds: patience, longestOpening, longestReset, longestStep (watchdog.js)
  download,
};

export class Viewer {
  constructor(engine, settings = {}) {
    this.engine = engine;
    this.settings = { ...defaultSettings, ...settings };
    this.session = null;
    this.model = null;
    this.selection = null;
    this.selected = -1;
    this.loop = true;
    this.loading = Promise.resolve();
    this.pointer = new Pointer({
      session: () => this.session,
      isLive: () => this.player.isLive,
      input: (...call) => this.player.input(...call),
      pick: (caster) => (this.overlays.shown.meshes ? this.model.pick(caster) : null),
      onSelect: (node) => this.select(node),
      onGrabStart: () => this.#startGrab(),
      onGrabEnd: () => this.#endGrab(),
      onTrouble: (error) => this.fail(error),
    });
    this.view = new View(at("canvas"), this.settings, (canvas) => this.pointer.listen(canvas));
    this.pointer.attach(this.view);
    this.watchdog = new Watchdog(engine.module, memoryBound, {
      show: (text, onStop) => { at("banner").querySelector("p").textContent = text; at("banner-stop").onclick = onStop; at("banner").hidden = false; },
      hide: () => (at("banner").hidden = true),
      onRefuse: (trouble) => { this.setPlaying(false); this.player.halt(); this.fail(trouble); },
    }, this.settings.watchdogLimits);
    this.watchdog.isOn = this.settings.isWatched;
    this.player = new Player((events) => this.#addEvents(events), { budget: this.settings.stepBudget, watchdog: this.watchdog });
    this.overlays = new Overlays(this.view, at("overlays"), at("labels"));
    this.#makePanels();
    this.#listen();
    this.look = new LookPanel(at("page-look"), this.view, () => this.draw());
    this.setTheme(this.#preferredTheme());
    this.#resize();
    this.#showNothing();
    requestAnimationFrame((now) => this.#frame(now));
  }

  // --- files ---------------------------------------------------------------------------------------------------------

  /** Opens files one after the other. */
  open(files) {
    this.loading = this.loading.then(() => this.#open(files)).catch((error) => this.fail(error));
    return this.loading;
  }

  async #open(files) {
    this.hideError();
    if (this.session?.humanoid && isMotionName(files.name)) {
      await this.watchdog.setMotion(files);
      this.session.setMotion(files);
      this.watchdog.restart(this.session.setup);
      this.#restart();
      this.findings.set(this.session.findings);
      this.toast(`${files.name} on ${this.session.name}`);
      if (this.settings.autoplay()) {
        this.setPlaying(true);
      }
      return;
    }
    this.#tellOpening(files);
    this.player.isHeld = true;
    try {
      await this.#show(files);
    } finally {
      this.player.isHeld = false;
    }
    if (this.session.isMoving && this.settings.autoplay()) {
      this.setPlaying(true);
    }
  }

  /** Opens a file in a worker, or here where there are no workers. @returns { session, drawable } */
  async #load(files) {
    const { loop, engine } = this;
    const undrawn = findUndrawn();
    const opened = await this.watchdog.open(files, loop, undrawn, (found, readPart) => engine.adopt(files, loop, found, readPart));
    if (opened !== null) {
      return opened;
    }
    const session = await engine.open(files, { loop });
    return { session, drawable: tryDrawable(session.files, session, undrawn) };
  }

  async #show(files) {
    const { session, drawable } = await this.#load(files);
    const model = new Model();
    const trouble = await model.load(drawable, session);
    const former = this.model;
    this.model = null;
    this.#close();
    this.session = session;
    this.model = model;
    this.player.setSession(session);
    this.view.scene.add(model.group);
    this.view.setToon(model.isToon);
    this.look.setModel(model, session);
    this.#resize();
    this.overlays.setSession(session, model, { isNew: true });
    this.fit();
    // Again, with the size of the scene known: it scales arrows and arcs.
    this.overlays.setSession(session, model, { isNew: true });
    this.#makeSelection();
    this.nodes.setSession(session);
    this.avatar.setSession(session);
    if (at("tab-avatar").hidden && !at("page-avatar").hidden) {
      this.showTab("node");
    }
    this.events.setSession(session);
    this.findings.set(session.findings);
    if (session.nodes.length === 0 && session.findings.length > 0) {
      this.showTab("findings"); // they explain the empty scene
    }
    this.#showFacts();
    this.draw();
    if (former !== null) {
      // Compile first: shaders that both models use are then reused.
      this.view.compile();
      former.dispose();
    }
    if (trouble) {
      this.toast(trouble);
    } else if (isMotionName(files.name)) {
      this.toast(`${files.name} is a motion, shown as a skeleton. Drop it on an avatar to retarget it.`);
    }
  }

  /** Announces a large file. */
  #tellOpening(files) {
    const size = [files.bytes, ...files.beside.values()].reduce((sum, bytes) => sum + bytes.byteLength, 0);
    if (size > slowFile) {
      this.toast(`Opening ${files.name}, ${(size / 1e6).toFixed(0)} MB`);
    }
  }

  #close() {
    this.pointer.release();
    this.overlays.clear();
    this.selection?.dispose();
    this.model?.dispose();
    this.session?.dispose();
    this.session = this.model = this.selection = null;
    this.selected = -1;
    this.setPlaying(false);
  }

  async openHeap(heap) {
    const { sets, ignored } = arrangeFiles(await heap);
    if (sets.length === 0) {
      this.fail(new Trouble(ignored.length > 0 ? `${ignored[0]} is not a glTF, GLB, VRM, VRMA, BVH or .tdrec file.` : "The drop contains no file."));
      return;
    }
    // Motions apply to the first model.
    const first = sets[0];
    await this.open(first);
    for (const motion of sets.slice(1).filter((files) => isMotionName(files.name) && !isMotionName(first.name))) {
      await this.open(motion);
    }
  }

  async export() {
    if (this.session === null) {
      return null;
    }
    try {
      const bytes = this.player.isWatched && !this.session.isRecorded ? await this.watchdog.bake() : this.session.exportGlb();
      const name = `${this.session.name.replace(/\.[^.]*$/, "")}_baked.glb`;
      this.settings.download(bytes, name);
      this.toast(`${name}, ${(bytes.byteLength / 1000).toFixed(1)} kB`);
      return bytes;
    } catch (error) {
      this.fail(error);
      return null;
    }
  }

  /** Offers the session since its start as a recording. @returns a promise of its bytes, null if there is none */
  async saveRecording() {
    if (this.session === null) {
      return null;
    }
    try {
      const { session } = this;
      const bytes = await session.exportRecording();
      const name = `${session.name.replace(/\.[^.]*$/, "")}.tdrec`;
      this.settings.download(bytes, name, "application/octet-stream");
      this.toast(`${name}, ${(bytes.byteLength / 1000).toFixed(1)} kB`);
      return bytes;
    } catch (error) {
      this.fail(error);
      return null;
    }
  }

  // --- sharing -------------------------------------------------------------------------------------------------------

  /** Offers the picture of the canvas as a PNG. @returns a promise of its bytes, null without a file */
  async picture() {
    if (this.session === null) {
      return null;
    }
    this.draw();
    this.flush(); // the canvas keeps its pixels only until the browser shows them
    const blob = await new Promise((resolve) => this.view.canvas.toBlob(resolve, "image/png"));
    const bytes = new Uint8Array(await blob.arrayBuffer());
    const name = `${this.session.name.replace(/\.[^.]*$/, "")}.png`;
    this.settings.download(bytes, name, "image/png");
    this.toast(`${name}, ${(bytes.byteLength / 1000).toFixed(1)} kB`);
    return bytes;
  }

  /** The state of the page as a fragment of its address. */
  get fragment() {
    const { camera, controls } = this.view;
    return formatState({
      camera: [...camera.position.toArray(), ...controls.target.toArray()],
      time: this.session !== null ? this.player.time : 0,
      animation: this.session !== null && this.session.animations.length > 0 ? this.session.animation : undefined,
      theme: this.theme,
      embed: document.documentElement.classList.contains("embed"),
    });
  }

  /** Puts the state into the address and copies that, if the browser allows it. */
  async share() {
    history.replaceState(null, "", this.fragment);
    try {
      await navigator.clipboard.writeText(location.href);
      this.toast("The address with this view is copied.");
    } catch {
      this.toast("The address bar has this view.");
    }
  }

  /** Restores a state of `fragment`. A time is simulated up to, and playback then pauses there. */
  restore(fragment) {
    const state = parseState(fragment);
    const wasEmbedded = document.documentElement.classList.contains("embed");
    document.documentElement.classList.toggle("embed", state.embed);
    if (state.embed) {
      this.setPanel(false);
    } else if (wasEmbedded && !isNarrow()) {
      this.setPanel(true);
    }
    if (state.theme !== null) {
      this.isThemeChosen = true;
      this.setTheme(state.theme);
    }
    if (this.session === null) {
      return;
    }
    if (state.animation !== null && state.animation < this.session.animations.length && state.animation !== this.session.animation) {
      this.setAnimation(state.animation);
      at("animation").value = `${state.animation}`;
    }
    if (state.time !== null) {
      this.setPlaying(false);
      this.player.stepTo(state.time).then(() => this.draw()).catch((error) => this.fail(error));
    }
    if (state.camera !== null) {
      this.view.look(state.camera.slice(0, 3), state.camera.slice(3));
    }
    this.#resize();
  }

  // --- errors --------------------------------------------------------------------------------------------------------

  /** Shows an error. A session whose engine faulted is closed. */
  fail(error) {
    console.warn(error);
    const panel = at("error");
    const isKnown = error instanceof Trouble || error.code !== undefined;
    const trouble = isKnown ? explain(error, this.session?.name ?? "The file") : new Trouble("Something went wrong.");
    panel.querySelector("h2").textContent = trouble.message;
    panel.querySelector("p").textContent = isKnown ? "" : `${error.message ?? error}`;
    panel.querySelector("ol").replaceChildren(...trouble.findings.slice(0, 50).map((finding) => {
      const row = document.createElement("li");
      row.className = `severity-${finding.severity}`;
      row.append(...describeFinding(finding));
      return row;
    }));
    panel.hidden = false;
    this.setPlaying(false);
    if (error.code === "FAULT" || error.code === "OUT_OF_MEMORY" || error instanceof WebAssembly.RuntimeError) {
      this.#close();
      this.#showNothing();
      this.loading = this.loading.then(() => this.engine.renew());
    }
  }

  hideError() {
    at("error").hidden = true;
  }

  /** Runs a function and shows its errors. */
  #guard(run) {
    try {
      return run();
    } catch (error) {
      this.fail(error);
      return null;
    }
  }

  toast(text) {
    const toast = at("toast");
    toast.textContent = text;
    toast.hidden = false;
    clearTimeout(this.toastTimer);
    this.toastTimer = setTimeout(() => (toast.hidden = true), 4000);
  }

  // --- time ----------------------------------------------------------------------------------------------------------

  setPlaying(isPlaying) {
    this.player.isPlaying = isPlaying && this.session !== null;
    at("app").classList.toggle("is-playing", this.player.isPlaying);
    at("play").setAttribute("aria-label", this.player.isPlaying ? "Pause" : "Play");
  }

  step() {
    if (this.session !== null) {
      this.setPlaying(false);
      this.#guard(() => this.player.step());
      this.draw();
    }
  }

  back() {
    if (this.session !== null) {
      this.setPlaying(false);
      this.player.back();
      this.draw();
    }
  }

  reset() {
    if (this.session !== null) {
      this.pointer.release();
      this.#guard(() => this.player.reset());
      this.#restart();
    }
  }

  #restart() {
    this.pointer.release();
    const { isPlaying } = this.player;
    if (this.session === null) {
      return;
    }
    this.player.setSession(this.session);
    this.setPlaying(isPlaying);
    this.events.clear();
    this.#showFacts();
    this.draw();
  }

  setAnimation(index) {
    this.session.animation = index;
    this.#guard(() => this.player.reset());
    this.#restart();
  }

  setLoop(isLooping) {
    this.loop = isLooping;
    at("loop").setAttribute("aria-pressed", isLooping);
    if (this.session !== null && this.session.loop !== isLooping) {
      this.session.loop = isLooping;
      this.#guard(() => this.player.reset());
      this.#restart();
    }
  }

  setSpeed(speed) {
    this.player.speed = speed;
    at("speed").value = `${speed}`;
  }

  #changeSpeed(by) {
    const index = speeds.indexOf(this.player.speed) + by;
    this.setSpeed(speeds[Math.min(Math.max(index, 0), speeds.length - 1)]);
    this.toast(`${this.player.speed}×`);
  }

  #startGrab() {
    this.wasPlaying = this.player.isPlaying;
    this.setPlaying(true);
  }

  #endGrab() {
    this.setPlaying(this.wasPlaying);
  }

  // --- avatar --------------------------------------------------------------------------------------------------------

  /** Changes something of the avatar at the live end and shows it. */
  #change(run) {
    if (this.session !== null) {
      this.#guard(() => { run(); this.player.refresh(); });
      this.avatar.showSwitches();
      this.draw();
    }
  }

  enableSprings(isOn) {
    this.#change(() => this.player.input("enableSprings", isOn));
  }

  /** Lets the avatar look at a node, by index, or at a point, until the gaze follows the pointer. */
  lookAt(target) {
    if (this.session.hasGaze) {
      this.#change(() => this.player.input("setGazeTarget", target));
    }
  }

  /** Lets the gaze follow the pointer, or look ahead again. */
  followPointer(isFollowing) {
    this.#change(() => {
      this.session.gazeFollows = isFollowing;
      this.player.input("setGazeTarget", isFollowing ? this.#findGazeTarget() : null);
    });
  }

  /** The point that the pointer shows: halfway between the camera and the head, under the pointer. */
  #findGazeTarget() {
    const { camera, canvas } = this.view;
    const bounds = canvas.getBoundingClientRect();
    const { x, y } = this.lastPointer ?? { x: bounds.left + bounds.width / 2, y: bounds.top + bounds.height / 2 };
    camera.updateMatrixWorld();
    const { ray } = this.view.ray(x, y);
    const ahead = camera.getWorldDirection(new THREE.Vector3());
    const head = new THREE.Vector3().fromArray(this.session.snapshot.globals, 16 * this.session.headNode + 12);
    const depth = Math.max(head.sub(camera.position).dot(ahead), 2 * camera.near);
    return ray.origin.addScaledVector(ray.direction, (0.5 * depth) / ray.direction.dot(ahead)).toArray();
  }

  /** Moves the gaze to the pointer; at rest that needs a new pose of the present. */
  #updateGaze() {
    if (this.session === null || !this.session.gazeFollows || !this.player.isLive || !this.isPointerNew) {
      return;
    }
    this.isPointerNew = false;
    this.player.input("setGazeTarget", this.#findGazeTarget());
    if (!this.player.isPlaying) {
      this.player.refresh();
      this.draw();
    }
  }

  #addEvents(events) {
    const { difference } = this.session;
    if (difference !== null && difference.step === this.session.snapshot.step) {
      this.toast(`Step ${difference.step} differs from the recording${difference.name ? `, at ${difference.name}` : ""}.`);
    }
    this.events.add(events);
    this.selection?.flash(events.filter((event) => event.kind !== "contact_end" && this.flashesEvents).flatMap((event) => [event.a, event.b]));
  }

  /** Highlights the nodes of events while the log is visible. */
  get flashesEvents() {
    return !at("page-events").hidden && !at("app").classList.contains("no-panel");
  }

  // --- scene ---------------------------------------------------------------------------------------------------------

  /** Visible bounds of some or all nodes: meshes, else colliders, else node positions. */
  #bounds(nodes) {
    const { snapshot } = this.session;
    const boxes = new Map();
    const moments = [snapshot.globals, ...(nodes === undefined ? this.session.sweep() : [])];
    this.model.update(snapshot);
    for (const node of nodes ?? this.model.objects.keys()) {
      const own = this.model.localBounds(node, true);
      if (own !== null) {
        const box = new THREE.Box3();
        for (const globals of moments) {
          box.union(own.clone().applyMatrix4(new THREE.Matrix4().fromArray(globals, 16 * node)));
        }
        boxes.set(node, box);
      }
    }
    let box = boxes.size > 0 ? this.#withoutFloors(boxes) : new THREE.Box3();
    if (nodes === undefined && box.isEmpty()) {
      box = this.#withoutFloors(this.overlays.drawn.colliders.boxes(snapshot));
    }
    if (box.isEmpty()) {
      for (const node of nodes ?? this.session.nodes.keys()) {
        for (const globals of moments) {
          box.expandByPoint(new THREE.Vector3().fromArray(globals, 16 * node + 12));
        }
      }
    }
    const isBad = box.isEmpty() || ![...box.min.toArray(), ...box.max.toArray()].every(Number.isFinite);
    return isBad ? new THREE.Box3(new THREE.Vector3(-1, 0, -1), new THREE.Vector3(1, 1, 1)) : box;
  }

  /** Union of all boxes without flat ones that are much larger than the rest. */
  #withoutFloors(boxes) {
    const size = new THREE.Vector3();
    const isFlat = (box) => {
      box.getSize(size);
      return size.y < 0.15 * Math.max(size.x, size.z);
    };
    const rest = new THREE.Box3();
    for (const box of boxes.values()) {
      if (!isFlat(box)) {
        rest.union(box);
      }
    }
    const reach = rest.isEmpty() ? Infinity : 1.6 * rest.getSize(new THREE.Vector3()).length();
    const all = rest.clone();
    for (const box of boxes.values()) {
      if (isFlat(box) && Math.max(size.x, size.z) <= reach) {
        all.union(box);
      }
    }
    return all;
  }

  /** Adds the way of a humanoid's bones, with flesh around them, to the bounds of its skin at the start. */
  #addMotion(box) {
    const height = box.max.y - box.min.y;
    const moments = this.session.sweep();
    if (moments.length === 0) {
      box.max.y += 0.2 * height; // room for hands above the head
      return;
    }
    const around = new THREE.Vector3().setScalar(0.06 * height);
    const bones = new THREE.Box3();
    for (const globals of moments) {
      for (const { node } of this.session.humanoid.bones) {
        bones.expandByPoint(new THREE.Vector3().fromArray(globals, 16 * node + 12));
      }
    }
    if ([...bones.min.toArray(), ...bones.max.toArray()].every(Number.isFinite)) {
      box.union(bones.expandByVector(around));
    }
  }

  fit() {
    if (this.session === null) {
      return;
    }
    if (this.selected >= 0) {
      const box = this.#bounds([this.selected]);
      const least = 0.08 * this.view.radius;
      box.expandByScalar(Math.max(0, least - box.getSize(new THREE.Vector3()).length() / 2));
      const distance = box.getBoundingSphere(new THREE.Sphere()).radius * 3.2;
      const way = this.view.camera.position.clone().sub(this.view.controls.target).normalize();
      box.getCenter(this.view.controls.target);
      this.view.camera.position.copy(this.view.controls.target).addScaledVector(way, distance);
      this.view.update();
    } else {
      const box = this.#bounds();
      if (this.session.humanoid !== null) {
        this.#addMotion(box);
      }
      this.view.fit(box, this.session.humanoid?.facesBackward ? -1 : 1);
    }
    this.draw();
  }

  select(node) {
    this.selected = node;
    if (this.selection) {
      this.selection.node = node;
    }
    this.overlays.select(node);
    this.nodes.select(node);
    if (node >= 0) {
      this.showTab("node");
    }
    this.draw();
  }

  #makeSelection() {
    this.selection?.dispose();
    this.selection = new Selection(this.model, palettes[this.theme], this.view.radius * 0.12);
    this.selection.node = this.selected;
    this.view.scene.add(this.selection.group);
  }

  setTheme(theme) {
    this.theme = theme;
    document.documentElement.dataset.theme = theme;
    this.view.setTheme(theme);
    this.look?.apply();
    this.overlays.theme = theme;
    if (this.session !== null) {
      this.overlays.setSession(this.session, this.model, { isNew: false });
      this.overlays.select(this.selected);
      this.#makeSelection();
    }
    this.draw();
  }

  /** The stored choice, else the system's theme. */
  #preferredTheme() {
    const system = matchMedia("(prefers-color-scheme: light)");
    let kept = null;
    try {
      kept = localStorage.getItem("tendon-theme");
    } catch {
      // Pages from disk may have no storage.
    }
    system.addEventListener("change", () => this.isThemeChosen || this.setTheme(system.matches ? "light" : "dark"));
    this.isThemeChosen = kept === "dark" || kept === "light";
    return this.isThemeChosen ? kept : system.matches ? "light" : "dark";
  }

  #toggleTheme() {
    this.isThemeChosen = true;
    this.setTheme(this.theme === "dark" ? "light" : "dark");
    try {
      localStorage.setItem("tendon-theme", this.theme);
    } catch {
      // No storage; see #preferredTheme.
    }
  }

  #resize() {
    const stage = at("stage");
    this.view.resize(stage.clientWidth, stage.clientHeight, Math.min(devicePixelRatio, this.settings.maxPixelRatio));
    this.draw();
  }

  #frame(now) {
    requestAnimationFrame((next) => this.#frame(next));
    const seconds = (now - (this.lastFrame ?? now)) / 1000;
    this.lastFrame = now;
    if (document.hidden) {
      return;
    }
    this.#guard(() => {
      this.#updateGaze();
      if (this.settings.hasClock && this.player.advance(seconds)) {
        this.draw();
      }
      this.pointer.updateHover();
      this.view.update();
      if (this.settings.hasClock) {
        this.flush();
      }
    });
  }

  /** Requests a redraw with the next frame. */
  draw() {
    this.isStale = true;
    this.view.renderer.shadowMap.needsUpdate = true;
  }

  /** Draws now if a redraw was requested. */
  flush() {
    if (!this.isStale && !(this.selection?.flashes.size > 0)) {
      return;
    }
    this.isStale = false;
    if (this.session !== null && this.model !== null) {
      const { snapshot } = this.player;
      this.model.update(snapshot);
      this.look.update(snapshot);
      this.view.camera.updateMatrixWorld();
      this.overlays.update(snapshot);
      this.selection?.update(snapshot);
      this.#showTime(snapshot);
      if (!at("app").classList.contains("no-panel")) {
        this.events.update();
        this.nodes.update(snapshot);
        this.avatar.update(snapshot);
        this.plots.update(this.player.recording, this.player.time);
      }
    }
    this.pointer.update(palettes[this.theme].accent);
    this.view.render();
  }

  // --- texts ---------------------------------------------------------------------------------------------------------

  #showTime(snapshot) {
    const { recording, time } = this.player;
    const scrub = at("scrub");
    const [start, end] = [recording.oldest.step, recording.newest.step];
    scrub.min = start;
    scrub.max = Math.max(end, start + 1);
    scrub.value = snapshot.step;
    scrub.style.setProperty("--done", `${end > start ? (100 * (snapshot.step - start)) / (end - start) : 0}%`);
    at("time").textContent = `${time.toFixed(3)} s`;
    scrub.setAttribute("aria-valuetext", at("time").textContent);
    at("hash").textContent = snapshot.hash;
    at("stats").textContent = this.session.bodies.length > 0
      ? `${snapshot.awakeCount} of ${this.session.bodies.length} awake  ${snapshot.touchCount} touching`
      : "";
  }

  #showFacts() {
    const { session } = this;
    at("hint").hidden = true;
    at("file-name").textContent = at("file-name").title = session.name;
    document.title = `${session.name} – Tendon`;
    const counts = [[session.nodes, "node"], [session.bodies, "body"], [session.joints, "joint"], [session.constraints, "constraint"], [session.springs, "spring"]];
    const words = { body: ["body", "bodies"] };
    at("file-facts").textContent = [session.kind, ...counts.filter(([list]) => list.length > 0).map(
      ([list, word]) => (words[word] ? `${list.length} ${words[word][list.length === 1 ? 0 : 1]}` : plural(list.length, word)))].join(", ");
    at("file-facts").title = at("file-facts").textContent;
    const choice = at("animation");
    const options = session.animations.map((animation, index) => new Option(animation.name || `animation ${index}`, index));
    if (session.motionName !== null) {
      options.push(new Option(session.motionName, session.animations.length));
    }
    options.unshift(new Option("none", -1));
    choice.replaceChildren(...options);
    choice.value = `${session.animation}`;
    at("animation-choice").hidden = at("loop").hidden = options.length === 1;
    for (const id of ["play", "step", "back", "reset", "export", "record", "picture", "scrub"]) {
      at(id).disabled = false;
    }
  }

  #showNothing() {
    at("hint").hidden = false;
    this.view.fit(new THREE.Box3(new THREE.Vector3(-2, 0, -2), new THREE.Vector3(2, 1, 2)));
    at("scrub").style.setProperty("--done", "0%");
    at("time").textContent = "0.000 s";
    at("file-name").textContent = "Tendon";
    at("file-facts").textContent = at("file-name").title = at("file-facts").title = "";
    at("hash").textContent = at("stats").textContent = "";
    at("animation-choice").hidden = at("loop").hidden = true;
    this.nodes.setSession(null);
    this.avatar.setSession(null);
    this.events.setSession(null);
    this.findings.set([]);
    for (const id of ["play", "step", "back", "reset", "export", "record", "picture", "scrub"]) {
      at(id).disabled = true;
    }
    this.draw();
  }

  showTab(name) {
    for (const tab of document.querySelectorAll("[role=tab]")) {
      const isChosen = tab.id === `tab-${name}`;
      tab.setAttribute("aria-selected", isChosen);
      at(tab.getAttribute("aria-controls")).hidden = !isChosen;
    }
    this.events.update();
  }

  setPanel(isOpen) {
    at("app").classList.toggle("no-panel", !isOpen);
    at("panel-button").setAttribute("aria-expanded", isOpen);
    this.#resize();
  }

  setOverlayMenu(isOpen, { takesFocus = false } = {}) {
    const menu = at("overlays");
    const hadFocus = menu.contains(document.activeElement);
    menu.hidden = !isOpen;
    at("overlays-button").setAttribute("aria-expanded", isOpen);
    if (isOpen && takesFocus) {
      menu.querySelector("input:not(:disabled)")?.focus({ focusVisible: false });
    } else if (!isOpen && hadFocus) {
      at("overlays-button").focus();
    }
  }

  /** Closes the topmost of: error, menu, selection. */
  #escape() {
    if (!at("error").hidden) {
      this.hideError();
    } else if (!at("overlays").hidden) {
      this.setOverlayMenu(false);
    } else {
      this.select(-1);
    }
  }

  // --- wiring --------------------------------------------------------------------------------------------------------

  #makePanels() {
    const onSelect = (node) => this.select(node);
    this.nodes = new NodePanel({ list: at("node-list"), filter: at("node-filter"), inspector: at("inspector"), onSelect });
    this.events = new EventPanel({ page: at("page-events"), list: at("event-list"), tab: at("tab-events"), onSelect: (node) => this.#selectFromLog(node), onFlash: (nodes) => this.selection?.flash(nodes) });
    this.findings = new FindingPanel({ list: at("finding-list"), tab: at("tab-findings"), onSelect });
    this.plots = new PlotPanel(at("page-plots"));
    this.avatar = new AvatarPanel({
      page: at("page-avatar"), tab: at("tab-avatar"),
      onSprings: (isOn) => this.enableSprings(isOn),
      onSpringReset: () => this.#change(() => this.player.input("resetSprings")),
      onGaze: (isFollowing) => this.followPointer(isFollowing),
      onExpression: (name, weight) => this.#change(() => this.player.input("setExpression", name, weight)),
      onRelease: () => this.#change(() => [...this.session.heldExpressions.keys()].forEach((name) => this.player.input("setExpression", name, null))),
    });
    if (isNarrow()) {
      this.setPanel(false);
    }
  }

  /** Selects a node and keeps the log open. */
  #selectFromLog(node) {
    this.select(node);
    this.showTab("events");
  }

  #listen() {
    const click = (id, run) => at(id).addEventListener("click", run);
    const actions = {
      playPause: () => this.setPlaying(!this.player.isPlaying),
      step: () => this.step(),
      back: () => this.back(),
      reset: () => this.reset(),
      slower: () => this.#changeSpeed(-1),
      faster: () => this.#changeSpeed(1),
      loop: () => this.setLoop(at("loop").getAttribute("aria-pressed") !== "true"),
      fit: () => this.fit(),
      turn: (right, up) => { this.view.turn(right * turnStep, up * turnStep); this.draw(); },
      approach: (factor) => { this.view.approach(factor); this.draw(); },
      overlays: () => this.setOverlayMenu(at("overlays").hidden, { takesFocus: true }),
      toggleOverlay: (overlay) => { this.overlays.toggle(digitOverlays[overlay]?.id ?? overlay); this.draw(); },
      springs: () => this.session?.springs.length > 0 && this.enableSprings(!this.session.springsEnabled),
      gaze: () => this.session?.hasGaze && this.followPointer(!this.session.gazeFollows),
      panel: () => this.setPanel(at("app").classList.contains("no-panel")),
      theme: () => this.#toggleTheme(),
      open: () => at("file-input").click(),
      export: () => this.export(),
      record: () => this.saveRecording(),
      picture: () => this.picture().catch((error) => this.fail(error)),
      share: () => this.share(),
      escape: () => this.#escape(),
      help: () => at("help").showModal(),
    };
    const keys = makeKeys(actions);
    listenToKeys(keys);
    fillHelp(at("keys"), keys);
    click("play", actions.playPause);
    click("step", actions.step);
    click("back", actions.back);
    click("reset", actions.reset);
    click("loop", actions.loop);
    click("open", actions.open);
    click("hint-open", actions.open);
    click("export", actions.export);
    click("record", actions.record);
    click("picture", actions.picture);
    click("share", actions.share);
    click("overlays-button", actions.overlays);
    click("panel-button", actions.panel);
    click("theme", actions.theme);
    click("help-button", actions.help);
    click("error-close", () => this.hideError());
    at("overlays").addEventListener("change", () => this.draw());
    at("speed").addEventListener("change", (event) => this.setSpeed(Number(event.target.value)));
    at("animation").addEventListener("change", (event) => this.setAnimation(Number(event.target.value)));
    at("scrub").addEventListener("input", (event) => {
      this.setPlaying(false);
      this.player.seek(Number(event.target.value) / this.session.stepRate);
      this.draw();
    });
    at("file-input").addEventListener("change", (event) => { this.openHeap(readList([...event.target.files])); event.target.value = ""; });
    for (const tab of document.querySelectorAll("[role=tab]")) {
      tab.addEventListener("click", () => { this.showTab(tab.id.slice(4)); this.draw(); });
    }
    listenToArrows(document.querySelector(".tabs"), (tab) => tab.click());
    for (const list of ["node-list", "event-list", "finding-list"]) {
      listenToArrows(at(list));
    }
    addEventListener("pointermove", (event) => { this.lastPointer = { x: event.clientX, y: event.clientY }; this.isPointerNew = true; });
    new ResizeObserver(() => this.#resize()).observe(at("stage"));
    this.view.controls.addEventListener("change", () => (this.isStale = true)); // only the view changed
    this.view.canvas.addEventListener("webglcontextrestored", () => this.draw());
    this.view.canvas.addEventListener("webglcontextlost", (event) => { event.preventDefault(); this.toast("The graphics context was lost; the browser usually restores it."); });
    this.#listenToDrops();
  }

  #listenToDrops() {
    let depth = 0;
    const show = (isOver) => (at("drop").hidden = !isOver);
    addEventListener("dragenter", (event) => { event.preventDefault(); depth += 1; show(true); });
    addEventListener("dragleave", () => { depth = Math.max(0, depth - 1); show(depth > 0); });
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
      event.preventDefault();
      depth = 0;
      show(false);
      this.openHeap(readDrop(event.dataTransfer)).catch((error) => this.fail(error));
    });
  }
}
