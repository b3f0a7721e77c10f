#!/usr/bin/env python3
# SPDX-FileCopyrightText: Tendon contributors
# SPDX-License-Identifier: MIT
#
# Writes the example scenes that are too long to type: examples/solar_system.gltf and examples/robot_arm.gltf.
# Buffers are embedded. The same script gives the same bytes.
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
        code = {5126: "f", 5123: "H"}[component]
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


def box(x, y, z):
    """Half sizes; y from 0 up."""
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
                positions.append((p[0] * x, (p[1] + 1) * y, p[2] * z))
                normals.append(tuple(n))
            triangles += [(first, first + 1, first + 2), (first, first + 2, first + 3)]
    return positions, normals, triangles


def ball(rings=8, sectors=12):
    """Radius 1."""
    positions, triangles = [], []
    for i in range(rings + 1):
        for j in range(sectors + 1):
            a, b = math.pi * i / rings, 2 * math.pi * j / sectors
            positions.append((math.sin(a) * math.cos(b), math.cos(a), -math.sin(a) * math.sin(b)))
    for i in range(rings):
        for j in range(sectors):
            p = i * (sectors + 1) + j
            if i > 0:
                triangles.append((p, p + sectors + 1, p + 1))
            if i < rings - 1:
                triangles.append((p + 1, p + sectors + 1, p + sectors + 2))
    return positions, positions, triangles


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


folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "..", "examples")
solar_system(os.path.join(folder, "solar_system.gltf"))
robot_arm(os.path.join(folder, "robot_arm.gltf"))
