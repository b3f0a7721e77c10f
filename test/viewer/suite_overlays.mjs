// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Every overlay: its switch, and that what it draws lies where physics and formulas say, in the colour of the legend.
import assert from "node:assert/strict";
import { ball, box, constraintScene, drop, findNode, gather, inline, large, physicsScene, redraw, save, test } from "./support.mjs";

test("every overlay can be switched and draws something", async ({ page }) => {
  const scenes = [
    ["overlays", gather("examples/rope_bridge.gltf"), ["meshes", "colliders", "joints", "contacts", "centres", "skeleton", "names", "grid"]],
    ["overlays_constraints", inline("constraints.gltf", constraintScene), ["constraints", "skeleton", "names", "grid"]],
  ];
  await page.click("#overlays-button");
  for (const [name, files, ids] of scenes) {
    await drop(page, files);
    await page.run(() => void window.tendon.stepTo(1));
    await page.run(() => window.tendon.setOverlays([]));
    for (const id of ids) {
      assert.equal(await page.run((wanted) => window.tendon.viewer.overlays.shown[wanted], id), false);
      await page.click(`#overlay-${id}`);
      await page.run(() => window.tendon.viewer.flush());
      assert.equal(await page.run((name) => window.tendon.viewer.overlays.shown[name], id), true, `${id} is on`);
      if (!["meshes", "grid"].includes(id)) {
        assert.ok((await page.run((name) => window.tendon.overlaySize(name), id)) > 0, `${name}: ${id} draws nothing`);
      }
    }
    await save(page, name);
    for (const id of ids) {
      await page.click(`#overlay-${id}`);
      assert.equal(await page.run((name) => window.tendon.viewer.overlays.shown[name], id), false, `${id} is off`);
    }
  }
  await page.key("Escape");
  assert.equal(await page.run(() => document.getElementById("overlays").hidden), true);
  await page.run(() => window.tendon.setOverlays(["meshes", "grid"]));
}, large);


const overlayLines = (page, id) => page.run((wanted) => window.tendon.overlayLines(wanted), id);
const overlayDots = (page, id) => page.run((wanted) => window.tendon.overlayDots(wanted), id);
const distance = (a, b) => Math.hypot(...a.map((value, i) => value - b[i]));
const isAt = (a, b, tolerance = 1e-4) => distance(a, b) < tolerance;

test("ground and shadows are drawn", async ({ page }) => {
  await drop(page, gather("examples/solar_system.gltf"));
  await page.run(() => window.tendon.setOverlays(["meshes", "grid"]));
  const size = await page.run(() => window.tendon.viewer.view.canvas.clientWidth * window.tendon.viewer.view.canvas.clientHeight);
  const grid = await page.run(() => window.tendon.changedPixels((viewer) => {
    viewer.overlays.set("grid", false);
    return () => viewer.overlays.set("grid", true);
  }));
  assert.ok(grid > 0.01 * size, `the grid covers ${grid} of ${size} pixels`);
  const shadow = await page.run(() => window.tendon.changedPixels(({ view }) => {
    view.sun.castShadow = false;
    return () => { view.sun.castShadow = true; };
  }));
  assert.ok(shadow > 0.002 * size, `shadows cover ${shadow} of ${size} pixels`);
});

test("equal meshes are drawn as instances, look the same and are picked individually", async ({ page }) => {
  await drop(page, gather("examples/domino_run.gltf"));
  await page.run(() => void window.tendon.stepTo(1.5));
  await page.run(() => window.tendon.setOverlays(["meshes"]));
  const drawn = await page.run(() => window.tendon.viewer.model.batches.map(({ parts }) => parts.length));
  assert.deepEqual(drawn, [16]);
  assert.ok((await page.run(() => window.tendon.viewer.view.renderer.info.render.calls)) < 10);
  const apart = await page.run(() => window.tendon.changedPixels(({ model }) => {
    const show = (isOne) => model.batches.forEach(({ mesh, parts }) => {
      mesh.visible = isOne;
      parts.forEach(({ part }) => part.layers.set(isOne ? 1 : 0));
    });
    show(false);
    return () => show(true);
  }));
  assert.ok(apart < 20, `${apart} pixels differ from what is drawn one by one`);
  const gone = await page.run(() => window.tendon.changedPixels(({ model }) => {
    model.batches[0].mesh.visible = false;
    return () => { model.batches[0].mesh.visible = true; };
  }));
  assert.ok(gone > 1000, `they cover ${gone} pixels`);
  // The last one is in front of its neighbours.
  const node = await findNode(page, "Domino 16");
  const picked = await page.run((n) => { const { x, y } = window.tendon.screenOf(n); const { model, view } = window.tendon.viewer; return model.pick(view.ray(x, y)); }, node);
  assert.equal(picked?.node, node);
});

test("wireframes are visible on coinciding meshes and faint behind others", async ({ page }) => {
  await drop(page, gather("examples/domino_run.gltf"));
  await page.run(() => window.tendon.setOverlays(["meshes", "colliders"]));
  const count = (way) => page.run((which) => window.tendon.changedPixels(({ overlays }) => {
    const parts = overlays.drawn.colliders.batches.flatMap((batch) => batch.objects);
    const front = parts.filter((part) => part.material.depthTest);
    if (which === "hidden") {
      parts.forEach((part) => (part.visible = part.material.depthTest));
    } else {
      front.forEach((part) => (part.visible = false));
    }
    return () => parts.forEach((part) => (part.visible = true));
  }), way);
  const front = await count("front");
  const hidden = await count("hidden");
  assert.ok(front > 1500, `${front} pixels in front`);
  assert.ok(hidden > 100, `${hidden} pixels shine through`);
  // Lines that their mesh eats into come out in pieces: with the meshes pushed back a little there would be more of them.
  await page.run(() => {
    for (const { part } of window.tendon.viewer.model.parts.filter((entry) => entry.part.isMesh)) {
      Object.assign(part.material, { polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 8 });
    }
    window.tendon.viewer.draw();
  });
  const whole = await count("front");
  assert.ok(front > 0.97 * whole, `${front} of ${whole} pixels are left`);
});

test("colliders of a file without meshes are filled, so that the boxes of a pile are told apart", async ({ page }) => {
  const rows = 12;
  const boxes = Array.from({ length: rows }, (_, row) => Array.from({ length: rows - row }, (_, i) => ({
    name: `Box ${row}.${i}`, shape: box(1, 1, 1), translation: [1.02 * (i - (rows - row - 1) / 2), row + 0.5, 0], motion: { mass: 1 },
  }))).flat();
  await drop(page, inline("pile.gltf", physicsScene([
    { name: "Ground", shape: box(240, 1, 120), translation: [0, -0.5, 0] }, ...boxes,
    { name: "Ball", shape: ball(0.5), translation: [0, rows + 1, 0], motion: { mass: 1 } },
    { name: "Gate", shape: box(2, 2, 2), translation: [9, 1, 0], isTrigger: true },
  ])));
  await save(page, "pile");
  const width = await page.run(() => window.tendon.viewer.view.fitted.box.max.x - window.tendon.viewer.view.fitted.box.min.x);
  assert.ok(width < 20, `${width} m are in view; the ground is not what moves`);
  const solids = await page.run(() => window.tendon.viewer.overlays.drawn.colliders.batches.map(({ solid, shapes }) => (solid === null ? -shapes.length : solid.count)));
  assert.deepEqual(solids.sort((a, b) => a - b), [-1, 1, 1, (rows * (rows + 1)) / 2], "all but the trigger");
  const count = (what) => page.run((wanted) => window.tendon.changedPixels(({ overlays }) => {
    const parts = overlays.drawn.colliders.batches.flatMap(({ solid, objects }) => (wanted === "faces" ? [solid].filter(Boolean) : objects));
    parts.forEach((part) => (part.visible = false));
    return () => parts.forEach((part) => (part.visible = true));
  }), what);
  const [faces, edges] = [await count("faces"), await count("edges")];
  assert.ok(faces > 20000, `${faces} pixels of faces`);
  assert.ok(edges > 3000 && edges < 0.6 * faces, `${edges} pixels of edges`);
  // Faces follow their bodies.
  await page.run(() => void window.tendon.stepTo(0.3));
  await redraw(page);
  const apart = await page.run(() => {
    const { batches } = window.tendon.viewer.overlays.drawn.colliders;
    return Math.max(...batches.filter(({ solid }) => solid !== null).flatMap(({ solid, place, shapes }) =>
      shapes.map((_, i) => Math.hypot(...[0, 1, 2].map((axis) => solid.instanceMatrix.array[16 * i + 12 + axis] - place.array[3 * i + axis])))));
  });
  assert.equal(apart, 0);
  // Shapes inside each other are not filled: drawing them over each other takes seconds.
  const crowd = Array.from({ length: 50 }, (_, i) => ({ name: `b${i}`, translation: [0, 1, 0.001 * i], shape: box(1, 1, 1), motion: { mass: 1 } }));
  await drop(page, inline("crowd.gltf", physicsScene([{ name: "Ground", shape: box(24, 1, 12), translation: [0, -0.5, 0] }, ...crowd])));
  await redraw(page);
  assert.deepEqual(await page.run(() => window.tendon.viewer.overlays.drawn.colliders.batches.map(({ solid }) => solid.visible)), [false, false]);
  // Meshes take their place.
  await drop(page, gather("examples/domino_run.gltf"));
  await page.run(() => window.tendon.setOverlays(["meshes", "colliders"]));
  assert.ok(await page.run(() => window.tendon.viewer.overlays.drawn.colliders.batches.every(({ solid }) => solid === null)));
}, large);

test("colliders have the colours of their states", async ({ page }) => {
  await drop(page, inline("states.gltf", physicsScene([
    { name: "static", shape: box(8, 0.2, 8), translation: [0, -0.1, 0] },
    { name: "kinematic", shape: box(0.5, 0.5, 0.5), translation: [-2, 1, 0], motion: { isKinematic: true, linearVelocity: [0.1, 0, 0] } },
    { name: "dynamic", shape: ball(0.3), translation: [-1, 40, 0], motion: { mass: 1 } }, // it falls all the time
    { name: "sleeping", shape: box(0.5, 0.5, 0.5), translation: [1, 0.25, 0], motion: { mass: 1 } },
    { name: "trigger", shape: box(0.5, 0.5, 0.5), translation: [2, 1, 0], isTrigger: true },
  ])));
  await page.run(() => void window.tendon.stepTo(2));
  await page.run(() => window.tendon.setOverlays(["colliders"]));
  const palette = await page.run(() => window.tendon.palette());
  const states = ["static", "kinematic", "dynamic", "sleeping", "trigger"];
  assert.deepEqual(await page.run(() => window.tendon.colliderColors()), Object.fromEntries(states.map((name) => [name, palette[name]])));
  assert.equal(new Set(states.map((name) => palette[name])).size, 5);
  // Before it slept it was awake, and the recording remembers.
  await page.run(() => { window.tendon.viewer.player.seek(0.1); window.tendon.viewer.draw(); window.tendon.viewer.flush(); });
  assert.equal((await page.run(() => window.tendon.colliderColors())).sleeping, palette.dynamic);
  await page.click("#overlays-button");
  const legend = await page.run(() => [...document.querySelectorAll(".legend[data-of=colliders] span")].map((entry) => entry.textContent));
  assert.deepEqual(legend, states);
  await page.key("Escape");
  // The selected one stands out.
  await page.run((node) => window.tendon.viewer.select(node), await findNode(page, "trigger"));
  await redraw(page);
  assert.equal((await page.run(() => window.tendon.colliderColors())).trigger, palette.accent);
  await page.key("Escape");
});

/** A post of the world at x with a body that a joint holds, two nodes per joint. */
const held = (name, x, limits) => [
  { name: `${name} post`, translation: [x, 2, 0], joint: { limits } },
  { name, translation: [x, 2, 0], shape: ball(0.05), motion: { mass: 1, gravityFactor: 0 } },
];
const locks = { place: { linearAxes: [0, 1, 2], min: 0, max: 0 }, turn: { angularAxes: [0, 1, 2], min: 0, max: 0 } };
const jointCases = [
  ["arc", [locks.place, { angularAxes: [1, 2], min: 0, max: 0 }, { angularAxes: [0], min: -0.5, max: 1 }]],
  ["cone", [locks.place, { angularAxes: [0, 1], min: 0, max: 0.6 }]],
  ["rail", [locks.turn, { linearAxes: [0, 1], min: 0, max: 0 }, { linearAxes: [2], min: -0.4, max: 0.9 }]],
  ["open rail", [locks.turn, { linearAxes: [0, 1], min: 0, max: 0 }, { linearAxes: [2], min: -0.4 }]],
  ["rail from the body", [locks.turn, { linearAxes: [0, 1], min: 0, max: 0 }, { linearAxes: [2], min: -0.9, max: 0.4 }]],
  ["circle", [{ linearAxes: [0, 1], min: 0, max: 0.5 }, { linearAxes: [2], min: 0, max: 0 }]],
  ["sphere", [{ linearAxes: [0, 1, 2], min: 0, max: 0.55 }]],
  ["core", [{ linearAxes: [0, 1, 2], min: 0.3, max: 0.6 }]],
];

test("limits are arcs, cones, rails, circles and spheres, where the numbers of the file put them", async ({ page }) => {
  const nodes = jointCases.flatMap(([name, limits], i) => held(name, 2 * i, limits));
  nodes.forEach((node, i) => node.joint && (node.joint.connectedNode = i + 1));
  // One joint is told from the body's side: it is drawn at the post all the same, and means the same.
  const other = nodes.findIndex((node) => node.name === "rail from the body");
  nodes[other].joint = { ...nodes[other - 1].joint, connectedNode: other - 1 };
  delete nodes[other - 1].joint;
  const core = nodes.find((node) => node.name === "core");
  core.translation[1] += 0.45; // between its two spheres
  await drop(page, inline("limits.gltf", physicsScene(nodes)));
  await page.run(() => void window.tendon.stepTo(0.1));
  await page.run(() => window.tendon.setOverlays(["joints", "grid"]));
  await page.run(() => { const { viewer } = window.tendon; viewer.selected = -1; viewer.fit(); viewer.flush(); });
  await save(page, "limits");
  const lines = await overlayLines(page, "joints");
  const palette = await page.run(() => window.tendon.palette());
  const size = await page.run(() => window.tendon.viewer.overlays.drawn.joints.size);
  const of = (name) => {
    const x = 2 * jointCases.findIndex(([other]) => other === name);
    const own = lines.filter(({ from }) => Math.abs(from[0] - x) < 0.99 && !palette.axes.includes(lines.find((line) => line.from === from).color));
    // Both ends, from where the joint is.
    return own.map(({ from, to, color }) => ({ color, ends: [from, to].map((end) => [end[0] - x, end[1] - 2, end[2]]) }));
  };
  const points = (name, color) => of(name).filter((line) => !color || line.color === color).flatMap((line) => line.ends);
  const has = (list, wanted) => list.some((point) => isAt(point, wanted, 2e-3));
  // Frames: three coloured axes at each end of every joint.
  for (const color of palette.axes) {
    assert.equal(lines.filter((line) => line.color === color).length, 2 * jointCases.length);
  }
  // A turn about x by an angle starts at y and goes towards z.
  for (const angle of [-0.5, 1]) {
    assert.ok(has(points("arc"), [0, size * Math.cos(angle), size * Math.sin(angle)]), `arc end at ${angle}`);
  }
  assert.ok(points("arc").every((point) => Math.abs(point[0]) < 1e-3), "an arc about x lies across x");
  // All of a cone's rim makes its angle with z.
  const rim = points("cone").filter((point) => Math.abs(Math.hypot(...point) - size) < 1e-3);
  assert.ok(rim.length > 80 && rim.every((point) => Math.abs(Math.acos(point[2] / size) - 0.6) < 5e-3), "cone");
  const along = (name) => points(name).map((point) => point[2]);
  for (const name of ["rail", "rail from the body"]) {
    assert.ok(Math.abs(Math.min(...along(name)) + 0.4) < 2e-3 && Math.abs(Math.max(...along(name)) - 0.9) < 2e-3, `${name} ${along(name)}`);
  }
  assert.ok(Math.abs(Math.min(...along("open rail")) + 0.4) < 2e-3 && Math.max(...along("open rail")) > 4 * size, "an open end runs on");
  for (const [name, radius] of [["circle", 0.5], ["sphere", 0.55], ["core", 0.6]]) {
    const far = points(name, palette.joint).filter((point) => Math.hypot(...point) > radius - 2e-3);
    assert.ok(far.length > 60 && far.every((point) => Math.abs(Math.hypot(...point) - radius) < 2e-3), name);
    assert.equal(far.every((point) => Math.abs(point[2]) < 2e-3), name === "circle", `${name}: only a circle is flat`);
  }
  const forbidden = points("core", palette.core);
  assert.ok(forbidden.length > 60 && forbidden.every((point) => Math.abs(Math.hypot(...point) - 0.3) < 2e-3), "what is too near has its own colour");
  assert.equal(lines.filter((line) => line.color === palette.core).length, forbidden.length / 2, "nobody else has a core");
});

test("contacts lie on the surface, normals point across it", async ({ page }) => {
  await drop(page, inline("contact.gltf", physicsScene([
    { name: "floor", shape: box(8, 2, 8), translation: [0, -1, 0] },
    { name: "ball", shape: ball(0.5), translation: [0.3, 0.5, -0.2], motion: { mass: 2 } },
  ])));
  await page.run(() => void window.tendon.stepTo(0.5));
  await page.run(() => window.tendon.setOverlays(["contacts"]));
  const dots = await overlayDots(page, "contacts");
  const lines = await overlayLines(page, "contacts");
  const { contact } = await page.run(() => window.tendon.palette());
  assert.equal(dots.length, 1);
  assert.ok(isAt(dots[0].at, [0.3, 0, -0.2], 0.01), `at ${dots[0].at}`); // a resting contact may overlap by its slop, 5 mm
  assert.equal(dots[0].color, contact);
  const way = lines[0].to.map((value, i) => value - lines[0].from[i]);
  assert.ok(isAt(lines[0].from, dots[0].at) && Math.abs(Math.abs(way[1]) / Math.hypot(...way) - 1) < 1e-4, `along ${way}`);
});

test("centres of mass are the bodies', not the nodes'", async ({ page }) => {
  await drop(page, inline("centre.gltf", physicsScene([
    { name: "given", shape: box(1, 1, 1), translation: [1, 2, 3], motion: { mass: 1, gravityFactor: 0, centerOfMass: [0.25, -0.5, 0.125] } },
    { name: "own", shape: ball(0.5), translation: [-1, 2, 3], motion: { mass: 1, gravityFactor: 0 } },
  ])));
  await page.run(() => window.tendon.setOverlays(["centres"]));
  const dots = await overlayDots(page, "centres");
  assert.ok(dots.length === 2 && isAt(dots[0].at, [1.25, 1.5, 3.125]) && isAt(dots[1].at, [-1, 2, 3]), JSON.stringify(dots));
});

test("links of constraints go from source to follower in the colour of their kind", async ({ page }) => {
  await drop(page, inline("constraints.gltf", constraintScene));
  await page.run(() => window.tendon.setOverlays(["constraints"]));
  const palette = await page.run(() => window.tendon.palette());
  const lines = await overlayLines(page, "constraints");
  const dots = await overlayDots(page, "constraints");
  for (const [kind, end] of [["roll", [1, 1, 0]], ["aim", [0, 0, 1]], ["rotation", [-1, 1, 0]]]) {
    const own = lines.filter((line) => line.color === palette[kind]);
    assert.ok(own.some((line) => isAt(line.from, [0, 1, 0])) && own.some((line) => isAt(line.to, end)), kind);
    assert.ok(dots.some((dot) => dot.color === palette[kind] && isAt(dot.at, end)), kind);
  }
});

test("the skeleton connects the bones of a humanoid; labels show names", async ({ page }) => {
  await drop(page, gather("examples/stocky.vrm"));
  await page.run(() => window.tendon.setOverlays(["skeleton", "names"]));
  const bones = await page.run(() => {
    const { session } = window.tendon.viewer;
    return session.humanoid.bones.map(({ name, node, parent }) => ({ name, at: window.tendon.positionOf(node), parent }));
  });
  const lines = await overlayLines(page, "skeleton");
  const dots = await overlayDots(page, "skeleton");
  assert.equal(dots.length, bones.length);
  for (const { name, at, parent } of bones.filter((bone) => bone.parent >= 0)) {
    assert.ok(dots.some((dot) => isAt(dot.at, at)), name);
    assert.ok(isAt(at, bones[parent].at) || lines.some((line) => isAt(line.to, at)), `a bone ends at ${name}`);
  }
  const arm = bones.find((bone) => bone.name === "leftLowerArm");
  assert.equal(bones[arm.parent].name, "leftUpperArm");
  const labels = await page.run(() => [...document.querySelectorAll("#labels span")].map((label) => ({ text: label.textContent, box: label.getBoundingClientRect().toJSON() })));
  const canvas = await page.run(() => document.getElementById("canvas").getBoundingClientRect().toJSON());
  const names = await page.run(() => window.tendon.viewer.session.nodes.map((node) => node.name));
  assert.ok(labels.length > 5 && labels.every((label) => names.includes(label.text)), labels.map((label) => label.text).join());
  for (const { text, box: a } of labels) {
    const at = await page.run((node) => window.tendon.screenOf(node), names.indexOf(text));
    assert.ok(Math.abs(a.top + a.height / 2 - at.y) < 12 && Math.min(Math.abs(a.left - at.x), Math.abs(a.right - at.x)) < 24, `${text} is beside its node`);
  }
  for (const [i, { box: a }] of labels.entries()) {
    assert.ok(a.left >= canvas.left - 1 && a.right <= canvas.right + 1, "labels stay in the picture");
    assert.ok(labels.slice(i + 1).every(({ box: b }) => a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1), "labels do not overlap");
  }
  await page.run(() => window.tendon.setOverlays(["meshes", "grid"]));
});
