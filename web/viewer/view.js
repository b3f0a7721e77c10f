// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Renderer, camera, light and ground. Knows nothing of files or physics.
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { RoomEnvironment } from "three/addons/environments/RoomEnvironment.js";
import { palettes } from "./palette.js";

/** Intensity of the sun. MToon divides it by pi and has no environment light, so it needs about pi to reach its colours. */
const sunlight = { plain: 2.0, toon: 3.2 };

export class NoWebgl extends Error {}

// Grid lines at 1 and 10 cells, fading with distance; computed in the shader, so sharp at every zoom.
const gridShader = {
  vertexShader: `
    varying vec2 place;
    void main() {
      vec4 world = modelMatrix * vec4(position, 1.0);
      place = world.xz;
      gl_Position = projectionMatrix * viewMatrix * world;
    }`,
  fragmentShader: `
    uniform vec3 color;
    uniform float cell, reach, strength;
    uniform vec2 centre;
    varying vec2 place;
    float lines(float size) {
      vec2 at = place / size;
      vec2 width = fwidth(at);
      vec2 distance = abs(fract(at - 0.5) - 0.5) / max(width, vec2(1e-6));
      float line = 1.0 - min(min(distance.x, distance.y), 1.0);
      return line * (1.0 - smoothstep(0.15, 0.6, max(width.x, width.y)));
    }
    void main() {
      float fade = 1.0 - smoothstep(0.25 * reach, reach, length(place - centre));
      float alpha = max(lines(cell) * 0.14, lines(cell * 10.0) * 0.34);
      gl_FragColor = vec4(color, alpha * fade * strength);
      #include <colorspace_fragment>
    }`,
};

/** The background of a theme: a studio backdrop, brightest a little above the middle of the picture. */
function makeBackdrop({ zenith, horizon, ground }) {
  const rows = 256;
  const [top, middle, bottom, color] = [zenith, horizon, ground, ground].map((text) => new THREE.Color(text));
  const pixels = new Uint8Array(4 * rows);
  for (let row = 0; row < rows; ++row) {
    const height = row / (rows - 1); // the first row is the bottom of the picture
    const isAbove = height > 0.62;
    color.lerpColors(middle, isAbove ? top : bottom, THREE.MathUtils.smoothstep(isAbove ? height : 1.24 - height, 0.62, isAbove ? 1.05 : 1.2));
    color.convertLinearToSRGB();
    pixels.set([...color.toArray().map((part) => Math.round(255 * part)), 255], 4 * row);
  }
  const texture = new THREE.DataTexture(pixels, 1, rows);
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.magFilter = texture.minFilter = THREE.LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

export class View {
  /** @param beforeControls called with the canvas before the camera's controls listen to it */
  constructor(canvas, { antialias, preserveDrawingBuffer, damping, shadowSize }, beforeControls) {
    this.canvas = canvas;
    try {
      this.renderer = new THREE.WebGLRenderer({ canvas, antialias, preserveDrawingBuffer, powerPreference: "high-performance" });
    } catch (error) {
      throw new NoWebgl(error.message);
    }
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.autoUpdate = false; // draw() requests updates
    this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    this.renderer.toneMapping = THREE.NeutralToneMapping;
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(40, 1, 0.01, 1000);
    this.camera.position.set(4, 3, 6);
    /** The orthographic camera of the file that draws instead; null: none. */
    this.orthographic = null;
    beforeControls(canvas);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = damping;
    this.controls.addEventListener("start", () => (this.fitted = null));
    this.controls.dampingFactor = 0.12;
    this.#addLights(shadowSize ?? (this.#isSlow() ? 1024 : 2048));
    this.#addGround();
    this.setTheme("dark");
  }

  /** Whether drawing is slow: software rendering or a telephone. */
  #isSlow() {
    const context = this.renderer.getContext();
    const names = context.getExtension("WEBGL_debug_renderer_info");
    const name = names === null ? "" : context.getParameter(names.UNMASKED_RENDERER_WEBGL);
    return /swiftshader|llvmpipe|software|basic render/i.test(name) || matchMedia("(pointer: coarse)").matches;
  }

  #addLights(shadowSize) {
    this.scene.environment = this.#makeEnvironment();
    this.scene.environmentIntensity = 0.36;
    this.sun = new THREE.DirectionalLight("#fff6ec", sunlight.plain);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.setScalar(shadowSize);
    this.sun.shadow.radius = 3;
    this.sky = new THREE.HemisphereLight("#fff", "#888", 0.35);
    this.scene.add(this.sun, this.sun.target, this.sky);
  }

  /** Sets the light for a model of plain or toon materials. */
  setToon(isToon) {
    this.sun.intensity = isToon ? sunlight.toon : sunlight.plain;
  }

  /** Environment light of a room. A small map suffices for light, and software rendering takes seconds for large ones. */
  #makeEnvironment() {
    const room = new RoomEnvironment();
    const target = new THREE.WebGLCubeRenderTarget(64, { type: THREE.HalfFloatType });
    new THREE.CubeCamera(0.1, 100, target).update(this.renderer, room);
    const generator = new THREE.PMREMGenerator(this.renderer);
    const { texture } = generator.fromCubemap(target.texture);
    generator.dispose();
    target.dispose();
    room.dispose();
    return texture;
  }

  #addGround() {
    this.grid = new THREE.Mesh(
      new THREE.PlaneGeometry(1, 1),
      new THREE.ShaderMaterial({
        ...gridShader,
        uniforms: { color: { value: new THREE.Color() }, cell: { value: 1 }, reach: { value: 10 }, strength: { value: 1 }, centre: { value: new THREE.Vector2() } },
        transparent: true,
        depthWrite: false,
        side: THREE.DoubleSide,
      }),
    );
    this.grid.rotation.x = -Math.PI / 2;
    this.grid.renderOrder = -2;
    this.shade = new THREE.Mesh(new THREE.PlaneGeometry(1, 1), new THREE.ShadowMaterial({ opacity: 0.3, depthWrite: false }));
    this.shade.rotation.x = -Math.PI / 2;
    this.shade.receiveShadow = true;
    this.shade.renderOrder = -1;
    this.scene.add(this.grid, this.shade);
  }

  setTheme(theme) {
    const palette = palettes[theme];
    this.themeBackground?.dispose();
    this.themeBackground = makeBackdrop(palette);
    this.scene.background = this.themeBackground;
    this.grid.material.uniforms.color.value.set(palette.grid);
    this.sky.color.set(palette.sky);
    this.sky.groundColor.set(palette.earth);
    this.shade.material.opacity = theme === "dark" ? 0.42 : 0.2;
  }

  /** @param color null for the theme's */
  setBackground(color) {
    this.scene.background = color === null ? this.themeBackground : new THREE.Color(color);
  }

  resize(width, height, ratio) {
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(Math.max(1, width), Math.max(1, height), false);
    this.camera.aspect = Math.max(1, width) / Math.max(1, height);
    this.camera.updateProjectionMatrix();
    // Keep everything in the picture until the user moves the camera.
    if (this.fitted) {
      this.fit(this.fitted.box, this.fitted.front);
    }
  }

  /** Orbits the camera by angles, clamped at the poles. */
  turn(right, up) {
    const way = new THREE.Spherical().setFromVector3(this.camera.position.clone().sub(this.controls.target));
    way.theta += right;
    way.phi = Math.min(Math.max(way.phi - up, 0.02), Math.PI - 0.02);
    this.#lookFrom(new THREE.Vector3().setFromSpherical(way));
  }

  /** Scales the distance to the target. */
  approach(factor) {
    const way = this.camera.position.clone().sub(this.controls.target);
    this.#lookFrom(way.setLength(Math.min(Math.max(way.length() * factor, this.controls.minDistance), this.controls.maxDistance)));
  }

  /** Places the camera by hand. @param position, target three numbers each */
  look(position, target) {
    this.fitted = null;
    this.controls.target.fromArray(target);
    this.camera.position.fromArray(position);
    this.update();
  }

  #lookFrom(way) {
    this.fitted = null;
    this.camera.position.copy(this.controls.target).add(way);
    this.update();
  }

  /** Applies what the camera's controls collected. While the ground is shown, target and camera stay above it. */
  update() {
    const { target } = this.controls;
    const distance = this.camera.position.distanceTo(target);
    this.controls.maxPolarAngle = Math.PI;
    if (this.grid.visible) {
      const level = this.grid.position.y + 0.01 * this.radius;
      target.y = Math.max(target.y, level);
      const height = target.y - level;
      this.controls.maxPolarAngle = height < distance ? Math.acos(-height / distance) : Math.PI;
    }
    this.controls.update();
  }

  /** Places camera, light and ground to show a whole box. @param front 1 or -1: the direction along z it faces */
  fit(box, front = 1) {
    this.fitted = { box, front };
    const sphere = box.getBoundingSphere(new THREE.Sphere());
    const radius = Math.min(Math.max(sphere.radius, 1e-3), 1e5);
    const centre = sphere.center;
    this.radius = radius;
    this.centre = centre.clone();
    const direction = new THREE.Vector3(0.55 * front, 0.42, front).normalize();
    const distance = this.#fitDistance(box, centre, direction);
    this.camera.position.copy(centre).addScaledVector(direction, distance);
    this.camera.near = Math.max(distance / 1000, radius / 2000);
    this.camera.far = distance * 40 + radius * 40;
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(centre);
    this.controls.minDistance = radius * 0.02;
    this.controls.maxDistance = radius * 30;
    this.controls.update();

    const size = this.sun.shadow.camera;
    this.sun.target.position.copy(centre);
    this.sun.position.copy(centre).add(new THREE.Vector3(0.45, 1, 0.35).normalize().multiplyScalar(radius * 3));
    size.left = size.bottom = -radius * 1.5;
    size.right = size.top = radius * 1.5;
    size.near = radius * 0.2;
    size.far = radius * 7;
    size.updateProjectionMatrix();
    this.sun.shadow.bias = -0.0004;
    this.sun.shadow.normalBias = radius * 0.004;

    const level = Math.min(box.min.y, 0) - Math.min(0.002 * radius, 0.01) + (box.min.y > 0.25 * radius ? box.min.y : 0);
    for (const plane of [this.grid, this.shade]) {
      plane.position.set(centre.x, level, centre.z);
      plane.scale.setScalar(radius * 24);
    }
    const uniforms = this.grid.material.uniforms;
    uniforms.cell.value = 10 ** Math.floor(Math.log10(radius / 1.5));
    uniforms.reach.value = radius * 8;
    uniforms.centre.value.set(centre.x, centre.z);
  }

  /** The smallest distance that shows all corners of the box, with a margin. */
  #fitDistance(box, centre, direction) {
    const margin = 1.06;
    const up = new THREE.Vector3(0, 1, 0);
    const right = new THREE.Vector3().crossVectors(up, direction).normalize();
    const above = new THREE.Vector3().crossVectors(direction, right);
    const tanY = Math.tan((this.camera.fov * Math.PI) / 360) / margin;
    const tanX = tanY * this.camera.aspect;
    let distance = 0;
    for (let i = 0; i < 8; ++i) {
      const corner = new THREE.Vector3(
        i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z).sub(centre);
      const depth = corner.dot(direction);
      distance = Math.max(distance, depth + Math.abs(corner.dot(right)) / tanX, depth + Math.abs(corner.dot(above)) / tanY);
    }
    return Math.max(distance, this.radius * 0.5);
  }

  /** The ray through a point of the page, in world space. */
  ray(clientX, clientY) {
    const bounds = this.canvas.getBoundingClientRect();
    const pointer = new THREE.Vector2(
      ((clientX - bounds.left) / bounds.width) * 2 - 1, -((clientY - bounds.top) / bounds.height) * 2 + 1);
    const caster = new THREE.Raycaster();
    caster.setFromCamera(pointer, this.orthographic ?? this.camera);
    return caster;
  }

  /** Projects a world point to canvas pixels; null behind the camera. */
  project(point) {
    const at = point.clone().project(this.orthographic ?? this.camera);
    if (at.z > 1 || at.z < -1) {
      return null;
    }
    return { x: (at.x * 0.5 + 0.5) * this.canvas.clientWidth, y: (0.5 - at.y * 0.5) * this.canvas.clientHeight };
  }

  /** Starts compiling the shaders of the scene. */
  compile() {
    this.renderer.compile(this.scene, this.camera);
  }

  render() {
    this.renderer.render(this.scene, this.orthographic ?? this.camera);
  }
}
