// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The geometry of joint limits, in the frame that the limit is measured in: arcs (a turn about one axis), cones (the tilt of
// an axis), rails (a slide), tubes (a distance from an axis) and spheres (a distance). A forbidden range in
// the middle is drawn as a core. An end without a stop stays open.
import * as THREE from "three";

const unit = [new THREE.Vector3(1, 0, 0), new THREE.Vector3(0, 1, 0), new THREE.Vector3(0, 0, 1)];
const noWidth = 1e-5; // m or rad: a range below it is a lock
const maxTurns = 12; // of a range that are drawn

export const axesOf = (bits) => [0, 1, 2].filter((axis) => (bits >> axis) & 1);
const isSoft = (limit) => Number.isFinite(limit.stiffness);
const otherAxis = (axes) => [0, 1, 2].find((axis) => !axes.includes(axis));
const isSigned = (limit) => axesOf(limit.linearAxes | limit.angularAxes).length === 1;

/** Whether a hard limit locks its axes (one position or angle), so that there is nothing to draw. A rod (one distance) is drawn. */
export function isLocked(limit) {
  return !isSoft(limit) && limit.max - limit.min < noWidth && (isSigned(limit) || limit.max < noWidth);
}

/** The same limit of A as seen from B. Distances, tilts and whole angles do not change. */
export function mirrorLimit(limit) {
  return isSigned(limit) ? { ...limit, min: -limit.max, max: -limit.min } : limit;
}

/** Points of an arc about `axis` of the unit frame, from the direction of the next axis on. */
export function arcPoints(axis, from, to, radius, along = 0) {
  const first = unit[(axis + 1) % 3];
  const second = unit[(axis + 2) % 3];
  const count = Math.max(2, Math.ceil(Math.abs(to - from) / 0.09) + 1);
  return Array.from({ length: count }, (_, i) => {
    const angle = from + ((to - from) * i) / (count - 1);
    return unit[axis].clone().multiplyScalar(along)
      .addScaledVector(first, radius * Math.cos(angle)).addScaledVector(second, radius * Math.sin(angle));
  });
}

/** Rim of a cone about `axis`: all directions that make `angle` with it. */
export function conePoints(axis, angle, length) {
  return arcPoints(axis, 0, 2 * Math.PI, length * Math.sin(angle), length * Math.cos(angle));
}

class Shapes {
  lines = []; // { points, role }: rim (the allowed range), stop, open (an end without stop), rest (a soft limit's), core, mark (the angle)
  fills = []; // { points, role }: fans about the origin
  needles = []; // directions of frame B to be shown as seen from A

  line(role, points) {
    this.lines.push({ role, points });
  }

  fan(role, points) {
    this.fills.push({ role, points });
  }
}

/** Points of a spiral about `axis`, whose radius grows by `pitch` per turn from `radius` on. */
export function spiralPoints(axis, from, to, radius, pitch) {
  return arcPoints(axis, from, to, 1).map((point, i, all) =>
    point.multiplyScalar(radius + (pitch * Math.abs(to - from) * i) / ((all.length - 1) * 2 * Math.PI)));
}

/** A range of more than one turn: a spiral from stop to stop, so that its turns can be counted. An open end has an arrow. */
function spiral(shapes, axis, min, max, size, angle) {
  const reach = 2 * Math.PI * maxTurns;
  const from = Number.isFinite(min) ? min : Math.min(max, 0) - 2 * Math.PI;
  const to = Math.min(Number.isFinite(max) ? max : Math.max(min, 0) + 2 * Math.PI, from + reach);
  const pitch = (0.6 * size) / Math.max(1, (to - from) / (2 * Math.PI));
  const points = spiralPoints(axis, from, to, 0.7 * size, pitch);
  shapes.line("rim", points);
  if (angle >= from && angle <= to) {
    const mark = arcPoints(axis, angle, angle, 0.7 * size + (pitch * (angle - from)) / (2 * Math.PI))[0];
    shapes.line("mark", [mark.clone().multiplyScalar(0.92), mark.clone().multiplyScalar(1.08)]);
  }
  for (const [end, before, isOpen] of [[points[0], points[1], min === -Infinity], [points.at(-1), points.at(-2), max > to]]) {
    if (isOpen) {
      const back = before.clone().sub(end).setLength(0.12 * size);
      shapes.line("open", [end.clone().multiplyScalar(1.06).add(back), end, end.clone().multiplyScalar(0.94).add(back)]);
    } else {
      shapes.line("stop", [end.clone().multiplyScalar(0.85), end.clone().multiplyScalar(1.15)]);
    }
  }
}

function arc(shapes, axis, min, max, size, angle = NaN) {
  if ((min < -Math.PI || max > Math.PI) && (Number.isFinite(min) || Number.isFinite(max))) {
    spiral(shapes, axis, min, max, size, angle);
    return;
  }
  const from = Math.max(min, -Math.PI);
  const to = Math.min(max, Math.PI);
  const rim = arcPoints(axis, from, to, size);
  shapes.line("rim", rim);
  shapes.fan("rim", rim);
  if (min > -Math.PI) {
    shapes.line("stop", [new THREE.Vector3(), rim[0]]);
  }
  if (max < Math.PI) {
    shapes.line("stop", [new THREE.Vector3(), rim[rim.length - 1]]);
  }
}

function cone(shapes, role, axis, angle, size) {
  const rim = conePoints(axis, angle, size);
  shapes.line(role, rim);
  shapes.fan(role, rim);
  for (let i = 0; i < 4; ++i) {
    shapes.line(role, [new THREE.Vector3(), rim[Math.round((i * (rim.length - 1)) / 4)]]);
  }
}

function angular(shapes, limit, axes, size, angle) {
  if (axes.length === 1) {
    if (isSoft(limit)) {
      shapes.line("rest", arcPoints(axes[0], -Math.PI, Math.PI, size));
    }
    arc(shapes, axes[0], limit.min, limit.max, size, angle);
    shapes.needles.push(unit[(axes[0] + 1) % 3]);
  } else if (axes.length === 2) {
    const axis = otherAxis(axes);
    if (limit.max < Math.PI) {
      cone(shapes, "rim", axis, limit.max, size);
    }
    if (limit.min > 0) {
      cone(shapes, "core", axis, Math.min(limit.min, Math.PI), 0.7 * size);
    }
    shapes.needles.push(unit[axis]);
  } else {
    for (const axis of [0, 1, 2]) {
      arc(shapes, axis, -limit.max, limit.max, size);
      if (limit.min > 0) {
        const core = arcPoints(axis, -Math.min(limit.min, Math.PI), Math.min(limit.min, Math.PI), 0.7 * size);
        shapes.line("core", core);
        shapes.fan("core", core);
      }
      shapes.needles.push(unit[(axis + 1) % 3]);
    }
  }
}

/** Two tracks with a stop across each limited end; an open end has an arrow. */
export function rail(shapes, axis, min, max, size) {
  const far = 4 * size;
  const from = Number.isFinite(min) ? min : Math.min(max, 0) - far;
  const to = Number.isFinite(max) ? max : Math.max(min, 0) + far;
  const side = unit[(axis + 1) % 3];
  const width = 0.18 * size;
  const at = (along, across) => unit[axis].clone().multiplyScalar(along).addScaledVector(side, across);
  for (const across of [-width, width]) {
    shapes.line("rim", [at(from, across), at(to, across)]);
  }
  for (const [end, given, way] of [[from, min, -1], [to, max, 1]]) {
    if (Number.isFinite(given)) {
      shapes.line("stop", [at(end, -1.8 * width), at(end, 1.8 * width)]);
    } else {
      shapes.line("open", [at(end, -1.8 * width), at(end + 2 * way * width, 0), at(end, 1.8 * width)]);
    }
  }
}

/** A cylinder about an axis: circles at the ends and in the middle, joined by lines. */
function tube(shapes, role, axis, radius, [low, high]) {
  const isFlat = high - low < noWidth;
  for (const along of isFlat ? [low] : [low, (low + high) / 2, high]) {
    shapes.line(role, arcPoints(axis, 0, 2 * Math.PI, radius, along));
  }
  for (let i = 0; i < 4 && !isFlat; ++i) {
    const [start, end] = [low, high].map((along) => arcPoints(axis, (i * Math.PI) / 2, (i * Math.PI) / 2 + 0.01, radius, along)[0]);
    shapes.line(role, [start, end]);
  }
}

function sphere(shapes, role, radius) {
  for (const axis of [0, 1, 2]) {
    shapes.line(role, arcPoints(axis, 0, 2 * Math.PI, radius));
  }
}

function linear(shapes, limit, axes, size, rangeAlong) {
  if (axes.length === 1) {
    if (isSoft(limit)) {
      const reach = 2 * size;
      shapes.line("rest", [-reach, reach].map((along) => unit[axes[0]].clone().multiplyScalar(along)));
    }
    rail(shapes, axes[0], limit.min, limit.max, size);
    return;
  }
  for (const [role, radius] of [["rim", limit.max], ["core", limit.min]]) {
    if (radius > noWidth && Number.isFinite(radius) && (role === "rim" || radius < limit.max)) {
      if (axes.length === 2) {
        tube(shapes, role, otherAxis(axes), radius, rangeAlong(otherAxis(axes)));
      } else {
        sphere(shapes, role, radius);
      }
    }
  }
}

/**
 * Makes the drawing of a limit.
 * @param limit of the module's JointLimit
 * @param size of arcs, m
 * @param others all limits of the joint: a tube is as long as they let it slide
 * @param angle counted over turns, marked on a range of more than a turn; NaN: not marked
 */
export function shapeLimit(limit, size, others = [], angle = NaN) {
  const shapes = new Shapes();
  const rangeAlong = (axis) => {
    const along = others.find((other) => other.linearAxes === 1 << axis);
    return [Math.max(along?.min ?? -Infinity, -size), Math.min(along?.max ?? Infinity, size)].sort((a, b) => a - b);
  };
  if (limit.angularAxes !== 0) {
    angular(shapes, limit, axesOf(limit.angularAxes), size, angle);
  } else {
    linear(shapes, limit, axesOf(limit.linearAxes), size, rangeAlong);
  }
  return shapes;
}

/** Free axes of known joint types: a full circle for a hinge, an open rail for a slider. */
export function shapeFree(joint, size) {
  const shapes = new Shapes();
  const hasLimit = (kind) => joint.limits.some((limit) => !isLocked(limit) && limit[kind] === 1 << joint.axis);
  if (joint.axis >= 0 && ["hinge", "cylindrical"].includes(joint.type) && !hasLimit("angularAxes")) {
    shapes.line("rim", arcPoints(joint.axis, 0, 2 * Math.PI, size));
    shapes.needles.push(unit[(joint.axis + 1) % 3]);
  }
  if (joint.axis >= 0 && ["slider", "cylindrical"].includes(joint.type) && !hasLimit("linearAxes")) {
    rail(shapes, joint.axis, -Infinity, Infinity, size);
  }
  return shapes;
}
