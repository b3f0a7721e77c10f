#!/usr/bin/env python3
# SPDX-FileCopyrightText: Tendon contributors
# SPDX-License-Identifier: MIT
#
# Writes the example scenes that are too long to type: animated ones and, with KHR_physics_rigid_bodies and
# KHR_implicit_shapes, physical ones. Buffers are embedded. The same script gives the same bytes.
import base64
import json
import math
import os
import struct
import sys


class Scene:
    """A glTF document that grows: nodes, box and ball meshes, animations."""

    def __init__(self, title):
        self.data = bytearray()
        self.doc = {
            "asset": {"version": "2.0", "generator": "tools/make_examples.py", "copyright": "Tendon contributors, MIT"},
            "scene": 0,
            "scenes": [{"name": title, "nodes": []}],
            "nodes": [],
            "meshes": [],
            "materials": [],
            "animations": [],
            "accessors": [],
            "bufferViews": [],
        }
        self.inputs = {}

    def accessor(self, rows, kind, component=5126, target=None):
        code = {5126: "f", 5123: "H", 5121: "B"}[component]
        self.data += b"\0" * (-len(self.data) % 4)
        packed = b"".join(struct.pack("<%d%s" % (len(r), code), *r) for r in rows)
        view = {"buffer": 0, "byteOffset": len(self.data), "byteLength": len(packed)}
        if target:
            view["target"] = target
        self.data += packed
        self.doc["bufferViews"].append(view)
        made = {"bufferView": len(self.doc["bufferViews"]) - 1, "componentType": component, "count": len(rows), "type": kind}
        if kind in ("SCALAR", "VEC3") and component == 5126:
            as_float = [struct.unpack("<%df" % len(r), struct.pack("<%df" % len(r), *r)) for r in rows]
            made["min"] = [min(c) for c in zip(*as_float)]
            made["max"] = [max(c) for c in zip(*as_float)]
        self.doc["accessors"].append(made)
        return len(self.doc["accessors"]) - 1

    def material(self, name, color):
        self.doc["materials"].append({"name": name, "pbrMetallicRoughness": {
            "baseColorFactor": list(color) + [1], "metallicFactor": 0, "roughnessFactor": 0.7}})
        return len(self.doc["materials"]) - 1

    def mesh(self, name, geometry, material):
        positions, normals, triangles = geometry
        attributes = {"POSITION": self.accessor(positions, "VEC3", target=34962),
                      "NORMAL": self.accessor(normals, "VEC3", target=34962)}
        indices = self.accessor([(i,) for t in triangles for i in t], "SCALAR", 5123, 34963)
        self.doc["meshes"].append({"name": name, "primitives": [
            {"attributes": attributes, "indices": indices, "material": material}]})
        return len(self.doc["meshes"]) - 1

    def node(self, name, parent=None, **properties):
        index = len(self.doc["nodes"])
        self.doc["nodes"].append(dict({"name": name}, **properties))
        if parent is None:
            self.doc["scenes"][0]["nodes"].append(index)
        else:
            self.doc["nodes"][parent].setdefault("children", []).append(index)
        return index

    def animation(self, name):
        self.doc["animations"].append({"name": name, "channels": [], "samplers": []})
        self.inputs = {}

    def channel(self, node, path, times, values, interpolation="LINEAR"):
        animation = self.doc["animations"][-1]
        key = tuple(times)
        if key not in self.inputs:
            self.inputs[key] = self.accessor([(t,) for t in times], "SCALAR")
        output = self.accessor(values, "VEC4" if path == "rotation" else "VEC3")
        animation["samplers"].append({"input": self.inputs[key], "output": output, "interpolation": interpolation})
        animation["channels"].append({"sampler": len(animation["samplers"]) - 1, "target": {"node": node, "path": path}})

    # --- physics: every helper returns an index for the next one

    def physics(self, what=None):
        extensions = self.doc.setdefault("extensions", {"KHR_implicit_shapes": {"shapes": []}, "KHR_physics_rigid_bodies": {}})
        self.doc["extensionsUsed"] = ["KHR_implicit_shapes", "KHR_physics_rigid_bodies"]
        if what is None:
            return extensions["KHR_implicit_shapes"]["shapes"]
        return extensions["KHR_physics_rigid_bodies"].setdefault(what, [])

    def add(self, items, item):
        if item not in items:
            items.append(item)
        return items.index(item)

    def physics_material(self, **values):
        return self.add(self.physics("physicsMaterials"), values)

    def collision_filter(self, **values):
        return self.add(self.physics("collisionFilters"), values)

    def solid(self, name, kind, size, color, parent=None, motion=None, material=None, trigger=False, filter=None,
              detail=(8, 12), **properties):
        """A node with a mesh and a collider (or trigger) of the same size; with motion it is a body."""
        shape = {"box": {"size": list(size)}, "sphere": {"radius": size[0]}}[kind]
        shape = self.add(self.physics(), {"type": kind, kind: shape})
        key = (kind, tuple(size), color)
        self.made = getattr(self, "made", {})
        if key not in self.made:
            geometry = ball(*detail, size[0]) if kind == "sphere" else box(size[0] / 2, size[1] / 2, size[2] / 2, -1)
            self.made[key] = self.mesh(name, geometry, color)
        body = {"trigger" if trigger else "collider": {"geometry": {"shape": shape}}}
        part = body["trigger" if trigger else "collider"]
        if material is not None:
            part["physicsMaterial"] = material
        if filter is not None:
            part["collisionFilter"] = filter
        if motion is not None:
            body["motion"] = motion
        shown = {} if trigger else {"mesh": self.made[key]}
        return self.node(name, parent, **shown, **properties, extensions={"KHR_physics_rigid_bodies": body})

    def joint(self, name, parent, connected, joint, collide=False, **properties):
        """A node below `parent` that holds a joint to the node `connected`."""
        joint = self.add(self.physics("physicsJoints"), joint)
        held = {"connectedNode": connected, "joint": joint}
        if collide:
            held["enableCollision"] = True
        return self.node(name, parent, **properties, extensions={"KHR_physics_rigid_bodies": {"joint": held}})

    def write(self, path):
        self.doc["buffers"] = [{"byteLength": len(self.data), "uri": "data:application/octet-stream;base64," +
                                base64.b64encode(bytes(self.data)).decode()}]
        for name in [n for n in self.doc if self.doc[n] == []]:
            del self.doc[name]
        with open(path, "w") as out:
            json.dump(self.doc, out, indent=1)
            out.write("\n")


def turn(axis, degrees):
    s = math.sin(math.radians(degrees) / 2)
    return tuple(a * s for a in axis) + (math.cos(math.radians(degrees) / 2),)


def box(x, y, z, bottom=0):
    """Half sizes; y from 0 up, or centred with bottom -1."""
    positions, normals, triangles = [], [], []
    for axis in range(3):
        for sign in (-1, 1):
            n = [0, 0, 0]
            n[axis] = sign
            u, v = (axis + 1) % 3, (axis + 2) % 3
            first = len(positions)
            for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                p = [0, 0, 0]
                p[axis], p[u], p[v] = sign, a * sign, b
                positions.append((p[0] * x, (p[1] + 1 + bottom) * y, p[2] * z))
                normals.append(tuple(n))
            triangles += [(first, first + 1, first + 2), (first, first + 2, first + 3)]
    return positions, normals, triangles


def ball(rings=8, sectors=12, radius=1):
    positions, normals, triangles = [], [], []
    for i in range(rings + 1):
        for j in range(sectors + 1):
            a, b = math.pi * i / rings, 2 * math.pi * j / sectors
            normals.append((math.sin(a) * math.cos(b), math.cos(a), -math.sin(a) * math.sin(b)))
            positions.append(tuple(radius * c for c in normals[-1]))
    for i in range(rings):
        for j in range(sectors):
            p = i * (sectors + 1) + j
            if i > 0:
                triangles.append((p, p + sectors + 1, p + 1))
            if i < rings - 1:
                triangles.append((p + 1, p + sectors + 1, p + sectors + 2))
    return positions, normals, triangles


Y = (0, 1, 0)
Z = (0, 0, 1)


def whole_turns(seconds, period, steps=4):
    """Keys of a steady turn about Y, a quarter turn each, so that the short way is the right one."""
    count = round(seconds / period * steps)
    times = [seconds * i / count for i in range(count + 1)]
    return times, [turn(Y, 360 / steps * i) for i in range(count + 1)]


def solar_system(path):
    scene = Scene("Solar system")
    sun = scene.mesh("Sun", ball(), scene.material("Sun", (1, 0.7, 0.1)))
    earth = scene.mesh("Earth", ball(), scene.material("Earth", (0.1, 0.3, 0.8)))
    rock = scene.mesh("Rock", ball(6, 8), scene.material("Rock", (0.5, 0.4, 0.35)))
    root = scene.node("Sun", mesh=sun, scale=[2, 2, 2])
    centre = scene.node("Centre")
    bodies = []
    for name, mesh, distance, radius, period, day, tilt in (
            ("Mercury", rock, 3.5, 0.25, 3, 6, 0), ("Earth", earth, 6, 0.5, 12, 1, 23.4), ("Mars", rock, 9, 0.35, 24, 1, 25.2)):
        orbit = scene.node(name + " orbit", centre)
        place = scene.node(name + " place", orbit, translation=[distance, 0, 0], rotation=list(turn(Z, -tilt)))
        globe = scene.node(name, place, mesh=mesh, scale=[radius] * 3)
        bodies.append((orbit, period, globe, day))
        if name == "Earth":
            moon_orbit = scene.node("Moon orbit", place)
            moon = scene.node("Moon", moon_orbit, mesh=rock, translation=[1.2, 0, 0], scale=[0.14] * 3)
            bodies.append((moon_orbit, 2, moon, 2))
    scene.animation("orbits")
    scene.channel(root, "rotation", *whole_turns(24, 8))
    for orbit, period, globe, day in bodies:
        scene.channel(orbit, "rotation", *whole_turns(24, period))
        scene.channel(globe, "rotation", *whole_turns(24, day))
    scene.write(path)


def robot_arm(path):
    scene = Scene("Robot arm")
    orange = scene.material("Orange", (0.9, 0.4, 0.05))
    grey = scene.material("Grey", (0.35, 0.35, 0.4))
    foot = scene.node("Foot", mesh=scene.mesh("Foot", box(0.4, 0.1, 0.4), grey))
    table = scene.node("Turntable", foot, mesh=scene.mesh("Turntable", box(0.25, 0.1, 0.25), orange), translation=[0, 0.2, 0])
    upper_mesh = scene.mesh("Upper arm", box(0.08, 0.5, 0.08), orange)
    shoulder = scene.node("Shoulder", table, mesh=upper_mesh, translation=[0, 0.2, 0])
    elbow = scene.node("Elbow", shoulder, mesh=scene.mesh("Lower arm", box(0.06, 0.4, 0.06), orange), translation=[0, 1, 0])
    wrist = scene.node("Wrist", elbow, mesh=scene.mesh("Hand", box(0.12, 0.05, 0.05), grey), translation=[0, 0.8, 0])
    finger_mesh = scene.mesh("Finger", box(0.02, 0.12, 0.04), grey)
    left = scene.node("Left finger", wrist, mesh=finger_mesh, translation=[-0.1, 0.1, 0])
    right = scene.node("Right finger", wrist, mesh=finger_mesh, translation=[0.1, 0.1, 0])

    # Smooth: value with its two tangents per key.
    def smooth(values, times):
        rows = []
        for i, value in enumerate(values):
            a, b = max(i - 1, 0), min(i + 1, len(values) - 1)
            slope = tuple((q - p) / (times[b] - times[a]) for p, q in zip(values[a], values[b])) if 0 < i < len(values) - 1 else (0,) * len(value)
            rows += [slope, value, slope]
        return rows

    scene.animation("wave")
    times = [0, 0.5, 1, 1.5, 2]
    swing = [turn(Z, d) for d in (0, -35, 0, 35, 0)]
    scene.channel(shoulder, "rotation", [0, 2], [turn(Z, 10), turn(Z, 10)])
    scene.channel(elbow, "rotation", times, smooth(swing, times), "CUBICSPLINE")
    scene.channel(wrist, "rotation", times, smooth([turn(Z, d) for d in (0, -20, 0, 20, 0)], times), "CUBICSPLINE")
    scene.animation("pick")
    times = [0, 1, 2, 3, 4]
    scene.channel(table, "rotation", times, [turn(Y, d) for d in (0, 60, 60, -60, 0)])
    scene.channel(shoulder, "rotation", times, [turn(Z, d) for d in (0, -50, -50, -50, 0)])
    scene.channel(elbow, "rotation", times, [turn(Z, d) for d in (0, -70, -70, -70, 0)])
    grip = [0, 1.5, 3.5]
    scene.channel(left, "translation", grip, [(-0.1, 0.1, 0), (-0.04, 0.1, 0), (-0.1, 0.1, 0)], "STEP")
    scene.channel(right, "translation", grip, [(0.1, 0.1, 0), (0.04, 0.1, 0), (0.1, 0.1, 0)], "STEP")
    scene.write(path)


X = (1, 0, 0)
LOCKED = {"min": 0, "max": 0}
BALL_JOINT = {"limits": [dict(linearAxes=[0, 1, 2], **LOCKED)]}


def hinge(axis, **limit):
    """Free about one axis, or within a limit of it."""
    others = [a for a in range(3) if a != axis]
    limits = [dict(linearAxes=[0, 1, 2], **LOCKED), dict(angularAxes=others, **LOCKED)]
    return {"limits": limits + ([dict(angularAxes=[axis], **limit)] if limit else [])}


def ground(scene, size=20, **properties):
    return scene.solid("Ground", "box", (size, 1, size), scene.material("Ground", (0.3, 0.35, 0.3)),
                       translation=[0, -0.5, 0], **properties)


def domino_run(path):
    """A ball rolls down a ramp and fells a curved row of dominoes."""
    scene = Scene("Domino run")
    ground(scene)
    ivory = scene.material("Ivory", (0.9, 0.85, 0.7))
    steel = scene.material("Steel", (0.5, 0.5, 0.55))
    smooth = scene.physics_material(staticFriction=0.3, dynamicFriction=0.3, restitution=0)
    scene.solid("Ramp", "box", (2, 0.1, 1), steel, material=smooth, translation=[-1.45, 0.62, 0], rotation=list(turn(Z, -25)))
    scene.solid("Ball", "sphere", (0.15,), steel, motion={"mass": 0.6}, material=smooth, translation=[-2.1, 1.15, 0])
    # A quarter circle after a straight start: 16 dominoes, 0.35 m apart.
    x, z, heading = 0.0, 0.0, 0.0
    for i in range(16):
        scene.solid("Domino %d" % (i + 1), "box", (0.1, 0.8, 0.4), ivory, motion={"mass": 0.3}, material=smooth,
                    translation=[x, 0.4, z], rotation=list(turn(Y, -heading)))
        heading += 9 if i >= 4 else 0
        x += 0.35 * math.cos(math.radians(heading))
        z += 0.35 * math.sin(math.radians(heading))
    scene.write(path)


def newtons_cradle(path):
    """Five touching balls on rods of 4 m; the first is held up and let go. Restitution 1."""
    scene = Scene("Newton's cradle")
    steel = scene.material("Steel", (0.6, 0.6, 0.65))
    wood = scene.material("Wood", (0.4, 0.25, 0.1))
    bouncy = scene.physics_material(staticFriction=0, dynamicFriction=0, restitution=1, restitutionCombine="maximum",
                                    frictionCombine="minimum")
    frame = scene.solid("Frame", "box", (4, 0.2, 1.2), wood, translation=[0, 5, 0])
    lift, length, radius = math.radians(30), 4, 0.3
    rod = scene.mesh("Rod", box(0.02, length / 2, 0.02, -2), steel)
    for i in range(5):
        x = 2 * radius * (i - 2)
        angle = -lift if i == 0 else 0
        place = [x + length * math.sin(angle), 4.9 - length * math.cos(angle), 0]
        bob = scene.solid("Ball %d" % (i + 1), "sphere", (radius,), steel, motion={"mass": 1}, material=bouncy,
                          detail=(16, 24), translation=place, rotation=list(turn(Z, math.degrees(angle))))
        pivot = scene.node("Pivot %d" % (i + 1), frame, translation=[x, -0.1, 0])
        # The rod: the ball's own frame, 4 m up, turns about Z in the frame's pivot.
        scene.joint("Rod %d" % (i + 1), bob, pivot, hinge(2), translation=[0, length, 0], mesh=rod)
    scene.write(path)


def catapult(path):
    """An arm driven by a motor throws a stone; the limit of its hinge stops it."""
    scene = Scene("Catapult")
    ground(scene, 40)
    wood = scene.material("Wood", (0.45, 0.3, 0.15))
    stone = scene.material("Stone", (0.5, 0.5, 0.5))
    rough = scene.physics_material(staticFriction=0.9, dynamicFriction=0.8, restitution=0.1)
    base = scene.solid("Base", "box", (1, 1, 0.6), wood, translation=[0, 0.5, 0])
    axle = scene.node("Axle", base, translation=[0, 0.6, 0])
    arm = scene.solid("Arm", "box", (3, 0.1, 0.4), wood, motion={"mass": 10}, material=rough, translation=[-0.5, 1.1, 0])
    scene.solid("Stop", "box", (0.1, 0.3, 0.4), wood, arm, material=rough, translation=[-1.45, 0.2, 0])
    scene.solid("Stone", "sphere", (0.15,), stone, motion={"mass": 2}, material=rough, translation=[-1.7, 1.35, 0])
    for i in range(4):
        scene.solid("Crate %d" % (i + 1), "box", (1, 1, 1), wood, motion={"mass": 4}, material=rough, translation=[11, 0.5 + i, 0])
    motor = hinge(2, min=0, max=math.radians(70))
    # B seen from A: the base turns against the arm, so the arm turns clockwise and its long end rises.
    motor["drives"] = [{"type": "angular", "mode": "acceleration", "axis": 2, "velocityTarget": 8, "damping": 20}]
    scene.joint("Motor", arm, axle, motor, translation=[0.5, 0, 0])
    scene.write(path)


def rope_bridge(path):
    """Twelve planks hang between two cliffs, held by pairs of ball joints, and a crate falls on them."""
    scene = Scene("Rope bridge")
    rock = scene.material("Rock", (0.4, 0.4, 0.4))
    wood = scene.material("Wood", (0.5, 0.35, 0.2))
    count, length, gap, steepest = 12, 0.45, 0.05, 20
    angles = [steepest * (2 * i / (count - 1) - 1) for i in range(count)]
    reach = [length + gap] * (count - 1) + [length + 2 * gap]  # of a plank with its ropes
    span = sum(r * math.cos(math.radians(a)) for r, a in zip(reach, angles))
    before = scene.solid("Left cliff", "box", (2, 4, 2), rock, translation=[-span / 2 - 1, -2, 0])
    edge = [1, 2 - 0.04, 0]
    x, y = -span / 2, -0.04  # the knots that the next plank hangs on
    for i in range(count):
        c, s = math.cos(math.radians(angles[i])), math.sin(math.radians(angles[i]))
        middle = length / 2 + gap
        plank = scene.solid("Plank %d" % (i + 1), "box", (length, 0.08, 1.2), wood, motion={"mass": 4},
                            translation=[x + c * middle, y + s * middle, 0], rotation=list(turn(Z, angles[i])))
        for side in (-0.5, 0.5):
            place = scene.node("Knot", before, translation=[edge[0], edge[1], side])
            scene.joint("Rope", plank, place, BALL_JOINT, translation=[-middle, 0, side])
        before, edge = plank, [length / 2, 0, 0]
        x, y = x + c * reach[i], y + s * reach[i]
    right = scene.solid("Right cliff", "box", (2, 4, 2), rock, translation=[x + 1, -2, 0])
    for side in (-0.5, 0.5):
        place = scene.node("Knot", right, translation=[-1, y + 2, side])
        scene.joint("Rope", before, place, BALL_JOINT, translation=[length / 2 + gap, 0, side])
    scene.solid("Crate", "box", (0.5, 0.5, 0.5), wood, motion={"mass": 20}, translation=[0.3, 1, 0])
    scene.write(path)


def wrecking_ball(path):
    """A ball of 400 kg on a chain swings through a wall of bricks in running bond."""
    scene = Scene("Wrecking ball")
    ground(scene, 40)
    steel = scene.material("Steel", (0.16, 0.18, 0.22))
    yellow = scene.material("Crane", (0.95, 0.6, 0.06))
    clay = [scene.material("Clay %d" % (i + 1), color) for i, color in enumerate(((0.62, 0.16, 0.08), (0.75, 0.27, 0.12), (0.85, 0.42, 0.2)))]
    rough = scene.physics_material(staticFriction=0.7, dynamicFriction=0.6, restitution=0.05)
    scene.solid("Mast", "box", (0.6, 8.4, 0.6), yellow, material=rough, translation=[-1, 4.2, -5])
    jib = scene.solid("Jib", "box", (0.4, 0.4, 6), yellow, translation=[-1, 8.2, -2.3])
    # Eleven links of 0.5 m, held back by 65 degrees from the vertical.
    count, length, radius, lift = 11, 0.5, 0.6, math.radians(65)
    way = (-math.sin(lift), -math.cos(lift))
    before, edge = jib, [0, -0.2, 2.3]
    for i in range(count):
        middle = length * (i + 0.5)
        link = scene.solid("Link %d" % (i + 1), "box", (0.1, length, 0.1), steel, motion={"mass": 8},
                           translation=[-1 + way[0] * middle, 8 + way[1] * middle, 0], rotation=list(turn(Z, -math.degrees(lift))))
        place = scene.node("Hook", before, translation=edge)
        scene.joint("Chain", link, place, BALL_JOINT, translation=[0, length / 2, 0])
        before, edge = link, [0, -length / 2, 0]
    reach = length * count + radius
    weight = scene.solid("Ball", "sphere", (radius,), steel, motion={"mass": 400}, material=rough, detail=(16, 24),
                         translation=[-1 + way[0] * reach, 8 + way[1] * reach, 0], rotation=list(turn(Z, -math.degrees(lift))))
    place = scene.node("Hook", before, translation=edge)
    scene.joint("Chain", weight, place, BALL_JOINT, translation=[0, radius, 0])
    columns, rows, size = 9, 12, (0.4, 0.36, 0.8)
    for row in range(rows):
        odd = row % 2
        for i in range(columns + odd):
            half = odd and i in (0, columns)  # half bricks close the odd courses
            z = (i - (columns - 1 + odd) / 2) * size[2]
            if half:
                z += size[2] / 4 if i == 0 else -size[2] / 4
            scene.solid("Brick %d.%d" % (row + 1, i + 1), "box", (size[0], size[1], size[2] / 2 if half else size[2]), clay[(5 * row + 2 * i) % 3],
                        motion={"mass": 6 if half else 12}, material=rough, translation=[0.4, size[1] * (row + 0.5), z])
    scene.write(path)


def marble_run(path):
    """Marbles roll down a trough that is a triangle mesh and pass a gate (a trigger) into a tray."""
    scene = Scene("Marble run")
    clay = scene.material("Clay", (0.7, 0.4, 0.3))
    # A winding trough: cross sections of five points along a falling sine.
    profile = [(-0.5, 0.5), (-0.35, 0.12), (0, 0), (0.35, 0.12), (0.5, 0.5)]
    positions, triangles, rows = [], [], 40
    for i in range(rows + 1):
        along = 8 * i / rows
        for across, up in profile:
            positions.append((along, up - 0.15 * along, across + 0.6 * math.sin(along * 0.9)))
    width = len(profile)
    for i in range(rows):
        for j in range(width - 1):
            a, b = i * width + j, (i + 1) * width + j
            triangles += [(a, a + 1, b), (a + 1, b + 1, b)]
    normals = [(0, 1, 0)] * len(positions)
    trough = scene.node("Trough", mesh=scene.mesh("Trough", (positions, normals, triangles), clay))
    scene.physics()
    scene.doc["nodes"][trough]["extensions"] = {"KHR_physics_rigid_bodies": {"collider": {"geometry": {"node": trough}}}}
    glass = scene.material("Glass", (0.2, 0.5, 0.6))
    for i in range(4):
        scene.solid("Marble %d" % (i + 1), "sphere", (0.1,), glass, motion={"mass": 0.1}, translation=[0.3 + 0.3 * i, 0.25 - 0.045 * i, 0.6 * math.sin((0.3 + 0.3 * i) * 0.9)])
    scene.solid("Gate", "box", (0.1, 1, 1.2), glass, trigger=True, translation=[4, -0.4, 0.6 * math.sin(3.6)])
    scene.solid("Tray", "box", (5, 0.2, 5), clay, translation=[10, -2.2, 1.5])
    for name, size, place in (("Near wall", (0.2, 0.8, 5), [7.5, -1.8, 1.5]), ("Far wall", (0.2, 2, 5), [12.5, -1.2, 1.5]),
                              ("Left wall", (5, 2, 0.2), [10, -1.2, -1]), ("Right wall", (5, 2, 0.2), [10, -1.2, 4])):
        scene.solid(name, "box", size, clay, translation=place)
    scene.write(path)


def swing_door(path):
    """Two doors that swing both ways: soft limits close them again, damped so that they come back by a twentieth only. A ball
    runs through."""
    scene = Scene("Swing door")
    ground(scene)
    wood = scene.material("Wood", (0.5, 0.3, 0.15))
    brass = scene.material("Brass", (0.8, 0.6, 0.2))
    for side in (-1, 1):
        post = scene.solid("Post", "box", (0.1, 2.2, 0.1), brass, translation=[side * 1.1, 1.1, 0])
        pin = scene.node("Pin", post, translation=[-side * 0.1, 0, 0])
        door = scene.solid("Door", "box", (0.95, 2, 0.05), wood, motion={"mass": 15}, translation=[side * 0.5, 1.15, 0])
        scene.joint("Hinge", door, pin, hinge(1, min=0, max=0, stiffness=12, damping=10), translation=[side * 0.5, -0.05, 0])
    scene.solid("Ball", "sphere", (0.4,), brass, motion={"mass": 10, "linearVelocity": [0, 0, -6]}, translation=[0, 0.45, 3])
    scene.write(path)


def who_collides(path):
    """A table of filters: what falls through which floor. Each ball and floor says which system it belongs to."""
    scene = Scene("Who collides")
    color = {"red": scene.material("Red", (0.8, 0.1, 0.1)), "blue": scene.material("Blue", (0.1, 0.2, 0.8)),
             "grey": scene.material("Grey", (0.5, 0.5, 0.5))}
    balls = {
        "red": scene.collision_filter(collisionSystems=["red"]),
        "blue": scene.collision_filter(collisionSystems=["blue"]),
        "grey": None,
    }
    floors = {
        "red only": scene.collision_filter(collisionSystems=["floor"], collideWithSystems=["red"]),
        "all but blue": scene.collision_filter(collisionSystems=["floor"], notCollideWithSystems=["blue"]),
        "everybody": None,
    }
    for i, (floor, floor_filter) in enumerate(floors.items()):
        scene.solid("Floor for " + floor, "box", (4, 0.2, 1), color["grey"], filter=floor_filter, translation=[0, 0, 2.0 * i])
        for j, (name, ball_filter) in enumerate(balls.items()):
            scene.solid("%s on %s" % (name.capitalize(), floor), "sphere", (0.3,), color[name], motion={"mass": 1},
                        filter=ball_filter, translation=[1.2 * (j - 1), 1, 2.0 * i])
    scene.write(path)


# name, parent, offset in m, half width of the box that shows it
BONES = (
    ("hips", None, (0, 0.95, 0), 0.13), ("spine", "hips", (0, 0.12, 0), 0.12), ("chest", "spine", (0, 0.18, 0), 0.13),
    ("neck", "chest", (0, 0.22, 0), 0.05), ("head", "neck", (0, 0.09, 0), 0.09),
    ("leftUpperArm", "chest", (0.2, 0.16, 0), 0.05), ("leftLowerArm", "leftUpperArm", (0.27, 0, 0), 0.04),
    ("leftHand", "leftLowerArm", (0.25, 0, 0), 0.04),
    ("rightUpperArm", "chest", (-0.2, 0.16, 0), 0.05), ("rightLowerArm", "rightUpperArm", (-0.27, 0, 0), 0.04),
    ("rightHand", "rightLowerArm", (-0.25, 0, 0), 0.04),
    ("leftUpperLeg", "hips", (0.1, -0.05, 0), 0.07), ("leftLowerLeg", "leftUpperLeg", (0, -0.42, 0), 0.06),
    ("leftFoot", "leftLowerLeg", (0, -0.4, 0), 0.06),
    ("rightUpperLeg", "hips", (-0.1, -0.05, 0), 0.07), ("rightLowerLeg", "rightUpperLeg", (0, -0.42, 0), 0.06),
    ("rightFoot", "rightLowerLeg", (0, -0.4, 0), 0.06),
)


def limb(way, width, depth, taper):
    """A prism from the origin along `way`, with `taper` of its width at the end."""
    length = math.sqrt(sum(c * c for c in way))
    y = tuple(c / length for c in way)
    side = (1, 0, 0) if abs(y[0]) < 0.7 else (0, 0, 1)  # the width lies along X, of arms along Z
    z = cross(side, y)
    z = tuple(c / math.sqrt(sum(d * d for d in z)) for c in z)
    x = cross(y, z)
    positions, normals, triangles = box(width / 2, 0.49 * length, depth / 2)

    def place(p, part):
        return tuple(part * (p[0] * a + p[2] * c) + p[1] * b for a, b, c in zip(x, y, z))
    return [place(p, taper if p[1] > 0 else 1) for p in positions], [place(n, 1) for n in normals], triangles


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


# Width, depth and taper of a part on a body of 1.6 m, and where it ends if no bone says so; metres.
PARTS = {"hips": (0.28, 0.17, 0.8, None), "spine": (0.22, 0.14, 1.05, None), "chest": (0.24, 0.15, 1.15, None),
         "upperChest": (0.27, 0.16, 0.9, None), "neck": (0.07, 0.07, 1, None), "head": (0.14, 0.16, 1.1, (0, 0.2, 0.01)),
         "Shoulder": (0.08, 0.09, 1, None), "UpperArm": (0.09, 0.08, 0.8, None), "LowerArm": (0.07, 0.065, 0.75, None),
         "Hand": (0.08, 0.03, 0.7, (0.16, 0, 0)), "UpperLeg": (0.14, 0.14, 0.75, None), "LowerLeg": (0.105, 0.11, 0.7, None),
         "Foot": (0.08, 0.06, 0.9, (0, -0.045, 0.18))}


def part_of(bone):
    """Width, depth, taper and own end of a bone's part; None: the bone has no part."""
    for name, part in PARTS.items():
        if bone == name or (bone.startswith(("left", "right")) and bone.endswith(name)):
            end = part[3]
            return part[:3] + (end if end is None or not bone.startswith("right") else (-end[0],) + end[1:],)
    return None


def mannequin(path):
    """A VRM 1.0 humanoid made of prisms."""
    scene = Scene("Mannequin")
    wood = scene.material("Wood", (0.75, 0.6, 0.4))
    nodes = {}
    for name, parent, offset, size in BONES:
        width, depth, taper, end = part_of(name)
        end = end or next(o for _, p, o, _ in BONES if p == name)
        mesh = scene.mesh(name, limb(end, width, depth, taper), wood)
        nodes[name] = scene.node(name, nodes.get(parent), mesh=mesh, translation=list(offset))
    scene.doc["extensionsUsed"] = ["VRMC_vrm"]
    scene.doc["extensions"] = {"VRMC_vrm": {
        "specVersion": "1.0",
        "meta": {"name": "Mannequin", "authors": ["Tendon contributors"], "licenseUrl": "https://vrm.dev/licenses/1.0/"},
        "humanoid": {"humanBones": {name: {"node": nodes[name]} for name in nodes}},
    }}
    scene.write(path)


def wave(path):
    """A BVH of the same skeleton, in centimetres, that waves its right arm."""
    lines, order = ["HIERARCHY"], []

    def joint(name, depth):
        pad = "  " * depth
        parent, offset = next((p, o) for n, p, o, _ in BONES if n == name)
        order.append(name)
        lines.append(pad + ("ROOT " if parent is None else "JOINT ") + name[0].upper() + name[1:])
        lines.append(pad + "{")
        lines.append(pad + "  OFFSET %g %g %g" % tuple(100 * c for c in offset))
        lines.append(pad + ("  CHANNELS 6 Xposition Yposition Zposition" if parent is None else "  CHANNELS 3") + " Zrotation Xrotation Yrotation")
        children = [n for n, p, _, _ in BONES if p == name]
        for child in children:
            joint(child, depth + 1)
        if not children:
            lines.extend([pad + "  End Site", pad + "  {", pad + "    OFFSET 0 %d 0" % (-8 if "Foot" in name else 5), pad + "  }"])
        lines.append(pad + "}")

    joint("hips", 0)
    frames = 61
    lines += ["MOTION", "Frames: %d" % frames, "Frame Time: 0.0333333"]
    for i in range(frames):
        t = i / (frames - 1)
        lift = math.sin(math.pi * t)
        angles = {"rightUpperArm": -70 * lift, "rightLowerArm": -40 * lift + 30 * math.sin(6 * math.pi * t) * lift, "head": 10 * lift}
        row = ["0", "%.4g" % (95 + 2 * lift), "0"]
        for name in order:
            row += ["%.5g" % angles.get(name, 0), "0", "0"]
        lines.append(" ".join(row))
    with open(path, "w") as out:
        out.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "..", "examples")
    for make in (solar_system, robot_arm, domino_run, newtons_cradle, catapult, rope_bridge, marble_run, swing_door, who_collides,
                 wrecking_ball):
        make(os.path.join(folder, make.__name__ + ".gltf"))
    mannequin(os.path.join(folder, "mannequin.gltf"))
    wave(os.path.join(folder, "wave.bvh"))
