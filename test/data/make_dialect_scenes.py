#!/usr/bin/env python3
# SPDX-FileCopyrightText: Tendon contributors
# SPDX-License-Identifier: MIT
"""Writes test/data/dialects: one playground in every dialect of the physics extensions. A rope hangs from a hook, a bead
slides on a rail, balls and pebbles fall into a pit with walls and a floor of triangles, and a trigger counts them.
test/runtime/test_playground.c simulates each for ten seconds and checks the result."""
import base64
import json
import os
import struct

HERE = os.path.dirname(os.path.abspath(__file__))
ROPE_LINKS, ROPE_RADIUS, ROPE_LENGTH = 5, 0.05, 0.4  # of a link between its ends

# Mesh 0: a pebble, six points; mesh 1: the pit's floor, 4 m wide, as a strip, where a fan would do as well.
PEBBLE = [(0.3, 0, 0), (-0.3, 0, 0), (0, 0.2, 0), (0, -0.2, 0), (0, 0, 0.25), (0, 0, -0.25)]
PEBBLE_FACES = [0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5]
FLOOR = [(-2, 0, -2), (-2, 0, 2), (2, 0, -2), (2, 0, 2)]


def meshes():
    points = b"".join(struct.pack("<3f", *p) for p in PEBBLE)
    faces = struct.pack("<24H", *PEBBLE_FACES)
    floor = b"".join(struct.pack("<3f", *p) for p in FLOOR)
    data = points + faces + floor
    views, start = [], 0
    for part in (points, faces, floor):
        views.append({"buffer": 0, "byteOffset": start, "byteLength": len(part)})
        start += len(part)
    return {
        "buffers": [{"byteLength": len(data),
                     "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}],
        "bufferViews": views,
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 6, "type": "VEC3", "min": [-0.3, -0.2, -0.25],
             "max": [0.3, 0.2, 0.25]},
            {"bufferView": 1, "componentType": 5123, "count": 24, "type": "SCALAR"},
            {"bufferView": 2, "componentType": 5126, "count": 4, "type": "VEC3", "min": [-2, 0, -2],
             "max": [2, 0, 2]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]},
                   {"primitives": [{"attributes": {"POSITION": 2}, "mode": 5}]}],
    }


class Khr:
    """The drafts that became KHR_physics_rigid_bodies. `form` tells where colliders find their shapes."""

    def __init__(self, body, shapes, form, table="shapes", joints="physicsJoints", joint="joint", key="shape"):
        self.body, self.shapes, self.form, self.table = body, shapes, form, table
        self.joints, self.joint, self.key = joints, joint, key
        self.entries, self.descs = [], []

    def motion(self, kind, mass):
        return {self.body: {"motion": {"isKinematic": True} if kind == "kinematic" else {"mass": mass}}}

    def shape(self, kind, **values):
        """An index, or a geometry object."""
        if kind in ("hull", "mesh") and self.form in ("node", "mesh"):
            geometry = {self.form: values["mesh"] + (values["first"] if self.form == "node" else 0)}
            return dict(geometry, convexHull=True) if kind == "hull" else geometry
        if kind == "hull" or kind == "mesh":
            entry = {
                "convex": {"type": "convex" if kind == "hull" else "trimesh",
                           "convex" if kind == "hull" else "trimesh": {"mesh": values["mesh"]}},
                "2024-06": {"type": "mesh", "mesh": {"mesh": values["mesh"], "convexHull": kind == "hull"}},
                "2024-07": {"type": "mesh", "mesh": {"mesh": values["mesh"]},
                            "extensions": {self.body: {"convexHull": kind == "hull"}}},
            }[self.form]
        else:
            entry = {"type": kind, kind: values}
        self.entries.append(entry)
        return len(self.entries) - 1

    def refer(self, shape):
        if self.form in ("node", "mesh"):
            return {"geometry": shape if isinstance(shape, dict) else {"shape": shape}}
        return {self.key: shape}

    def collider(self, shape, is_trigger=False):
        return {self.body: {"trigger" if is_trigger else "collider": self.refer(shape)}}

    def limits(self, limits):
        self.descs.append({"limits": [
            {axes: on, "min": low, "max": high} for axes, on, low, high in limits]})
        return len(self.descs) - 1

    def link(self, scene, desc, a, b, at_a, at_b):
        """A joint between nodes a and b at a point given in each."""
        far = scene.add("far end", at_b, parent=b)
        scene.add("near end", at_a, {self.body: {"joint": {self.joint: desc, "connectedNode": far}}}, parent=a)

    def root(self):
        out = {self.body: {self.joints: self.descs}}
        out[self.shapes] = {self.table: self.entries}
        return out


class Msft2022(Khr):
    """Everything in one extension, forms and limits in the node's own object."""

    def __init__(self):
        super().__init__("MSFT_physics", None, "inline")

    def motion(self, kind, mass):
        return {self.body: {"rigidBody": {"isKinematic": True} if kind == "kinematic" else {"mass": mass}}}

    def shape(self, kind, **values):
        if kind in ("hull", "mesh"):
            return {"convex" if kind == "hull" else "mesh": {"mesh": values["mesh"]}}
        if kind == "capsule":
            return {kind: {"height": values["height"], "radius": values["radiusTop"]}}
        return {kind: values}

    def refer(self, shape):
        return shape

    def limits(self, limits):
        return [dict({axes: on}, **({} if low == high == 0 else {"min": low, "max": high}))
                for axes, on, low, high in limits]

    def link(self, scene, desc, a, b, at_a, at_b):
        far = scene.add("far end", at_b, parent=b)
        scene.add("near end", at_a, {self.body: {"joint": {"constraints": desc, "connectedNode": far}}}, parent=a)

    def root(self):
        return {self.body: {"physicsMaterials": [{}]}}


class Omi:
    def __init__(self, era, joints):
        self.era, self.joints = era, joints  # early, mid, current; old, new
        self.entries, self.descs = [], []

    def motion(self, kind, mass):
        if self.era == "current":
            motion = {"type": kind} if kind == "kinematic" else {"type": kind, "mass": mass}
            return {"OMI_physics_body": {"motion": motion}}
        kind = "rigid" if kind == "dynamic" and self.era == "early" else kind
        return {"OMI_physics_body": {"type": kind, "mass": mass}}

    def shape(self, kind, **values):
        is_flat = self.era != "current"
        if kind in ("hull", "mesh"):
            kind = {"mesh": "trimesh", "hull": "hull" if self.era == "early" else "convex"}[kind]
            values = {"mesh": values["mesh"]}
        if kind == "capsule" and (is_flat or self.joints == "old"):
            values = {"radius": values["radiusTop"], "height": values["height"] + 2 * values["radiusTop"]}
        self.entries.append(dict({"type": kind}, **values) if is_flat else {"type": kind, kind: values})
        return len(self.entries) - 1

    def collider(self, shape, is_trigger=False):
        if self.era == "current":
            return {"OMI_physics_body": {"trigger" if is_trigger else "collider": {"shape": shape}}}
        if is_trigger and self.era == "early":
            self.entries[shape]["isTrigger"] = True
        name, key = ("OMI_collider", "collider") if self.era == "early" else ("OMI_physics_shape", "shape")
        out = {name: {key: shape}}
        if is_trigger and self.era == "mid":
            out["OMI_physics_body"] = {"type": "trigger"}
        return out

    def limits(self, limits):
        names = ("lowerLimit", "upperLimit") if self.joints == "old" else ("min", "max")
        items = [{axes: on, names[0]: low, names[1]: high} for axes, on, low, high in limits]
        if self.joints == "old":
            self.descs += items
            return list(range(len(self.descs) - len(items), len(self.descs)))
        self.descs.append({"limits": items})
        return len(self.descs) - 1

    def link(self, scene, desc, a, b, at_a, at_b):
        if self.joints == "old":  # one frame for both, on a node that belongs to neither
            place = [x + y for x, y in zip(scene.nodes[a]["translation"], at_a)]
            scene.add("joint", place, {"OMI_physics_joint": {"constraints": desc, "nodeA": a, "nodeB": b}})
            return
        far = scene.add("far end", at_b, parent=b)
        scene.add("near end", at_a, {"OMI_physics_joint": {"joint": desc, "connectedNode": far}}, parent=a)

    def root(self):
        out = {"OMI_physics_joint": {"constraints" if self.joints == "old" else "physicsJoints": self.descs}}
        if self.era == "early":
            out["OMI_collider"] = {"colliders": self.entries}
        else:
            out["OMI_physics_shape"] = {"shapes": self.entries}
        return out


class Scene:
    def __init__(self):
        self.nodes, self.roots = [{"name": "pebble mesh", "mesh": 0}, {"name": "floor mesh", "mesh": 1}], []

    def add(self, name, at, extensions=None, parent=None):
        node = {"name": name, "translation": [round(x, 6) for x in at]}
        if extensions:
            node["extensions"] = extensions
        self.nodes.append(node)
        index = len(self.nodes) - 1
        if parent is None:
            self.roots.append(index)
        else:
            self.nodes[parent].setdefault("children", []).append(index)
        return index

    def body(self, dialect, name, at, shape, kind="dynamic", mass=1.0):
        """Body and collider on nodes of their own, as the oldest dialects ask for."""
        index = self.add(name, at, dialect.motion(kind, mass))
        if shape is not None:
            self.add(name + " shape", [0, 0, 0], dialect.collider(shape), index)
        return index


def rope(scene, d):
    """Hangs from a hook at (-4, 4, 0), with a weight at its end."""
    hook = scene.body(d, "Hook", (-4, 4, 0), None, "kinematic")
    shape = d.shape("capsule", height=ROPE_LENGTH - 2 * ROPE_RADIUS, radiusBottom=ROPE_RADIUS, radiusTop=ROPE_RADIUS)
    ball = d.limits([("linearAxes", [0, 1, 2], 0, 0)])
    before, half = hook, ROPE_LENGTH / 2
    for i in range(ROPE_LINKS):
        at = (-4, 4 - half - i * ROPE_LENGTH, 0.0)
        link = scene.body(d, "Link %d" % (i + 1), at, shape, mass=0.2)
        d.link(scene, ball, before, link, (0, 0 if before == hook else -half, 0), (0, half, 0))
        before = link
    weight = scene.body(d, "Weight", (-4, 4 - ROPE_LINKS * ROPE_LENGTH - 0.2, 0),
                        d.shape("box", size=[0.3, 0.3, 0.3]), mass=1.0)
    d.link(scene, ball, before, weight, (0, -half, 0), (0, 0.2, 0))
    # A ball comes down on the weight's shoulder and sets the rope swinging.
    scene.body(d, "Knock", (-4 - 0.2, 3.2 - ROPE_LINKS * ROPE_LENGTH + 1.2, 0.03), d.shape("sphere", radius=0.15), mass=0.5)


def slider(scene, d):
    """The bead is side A: it may go 1.75 m to the right and 0.25 m to the left."""
    rail = scene.body(d, "Rail", (4, 3, 0), None, "kinematic")
    bead = scene.body(d, "Bead", (4, 3, 0), d.shape("box", size=[0.2, 0.2, 0.2]))
    desc = d.limits([("linearAxes", [1, 2], 0, 0), ("linearAxes", [0], -1.75, 0.25), ("angularAxes", [0, 1, 2], 0, 0)])
    d.link(scene, desc, bead, rail, (0, 0, 0), (0, 0, 0))
    # A heavy ball that falls past the bead's left edge pushes it along.
    scene.body(d, "Pusher", (3.75, 4.2, 0), d.shape("sphere", radius=0.2), mass=3.0)


def pit(scene, d):
    floor = scene.add("Floor", (0, 0, 0), d.collider(d.shape("mesh", mesh=1, first=0)))
    long, short = d.shape("box", size=[4.4, 2, 0.2]), d.shape("box", size=[0.2, 2, 4])
    for name, at, shape in (("Wall 1", (0, 1, -2.1), long), ("Wall 2", (0, 1, 2.1), long),
                            ("Wall 3", (-2.1, 1, 0), short), ("Wall 4", (2.1, 1, 0), short)):
        scene.add(name, at, d.collider(shape))
    ball = d.shape("sphere", radius=0.25)
    pebble = d.shape("hull", mesh=0, first=0)
    can = d.shape("cylinder", height=0.5, **({"radius": 0.2} if isinstance(d, Omi) or isinstance(d, Msft2022)
                                             else {"radiusTop": 0.2, "radiusBottom": 0.2}))
    forms = (("Ball", ball), ("Pebble", pebble), ("Can", can))
    for i in range(6):
        name, shape = forms[i % 3]
        scene.body(d, "%s %d" % (name, i // 3 + 1), (-0.9 + 0.35 * i, 1.0 + 0.6 * i, 0.2 * (i % 2) - 0.1), shape)
    scene.add("Sensor", (0, 0.4, 0), d.collider(d.shape("box", size=[4, 0.4, 4]), True))
    return floor


def write(name, d):
    scene = Scene()
    pit(scene, d)
    rope(scene, d)
    slider(scene, d)
    root = d.root()
    used = set(root)
    for node in scene.nodes:
        used |= set(node.get("extensions", {}))
    out = {"asset": {"version": "2.0", "generator": "test/data/make_dialect_scenes.py"},
           "extensionsUsed": sorted(used), "extensions": root, "scene": 0, "scenes": [{"nodes": scene.roots}],
           "nodes": scene.nodes}
    out.update(meshes())
    with open(os.path.join(HERE, "dialects", name + ".gltf"), "w", newline="\n") as file:
        file.write(json.dumps(out, indent=1) + "\n")


RB = "KHR_physics_rigid_bodies"
DIALECTS = {
    "msft_2022": Msft2022(),
    "msft_2023": Khr("MSFT_rigid_bodies", "MSFT_collision_primitives", "convex", "colliders", "physicsJointLimits",
                     "jointLimits", "collider"),
    "khr_2023_08": Khr("KHR_rigid_bodies", "KHR_collision_shapes", "convex", joints="physicsJointLimits",
                       joint="jointLimits"),
    "khr_2024_03": Khr(RB, "KHR_collision_shapes", "convex"),
    "khr_2024_06": Khr(RB, "KHR_collision_shapes", "2024-06"),
    "khr_2024_07": Khr(RB, "KHR_collision_shapes", "2024-07"),
    "khr_rc": Khr(RB, "KHR_implicit_shapes", "node"),
    "khr_2026": Khr(RB, "KHR_implicit_shapes", "mesh"),
    "omi_2023_02": Omi("early", "old"),
    "omi_2023_06": Omi("mid", "old"),
    "omi_2023_09": Omi("current", "old"),
    "omi_2024_11": Omi("current", "new"),
}

if __name__ == "__main__":
    os.makedirs(os.path.join(HERE, "dialects"), exist_ok=True)
    for name, dialect in DIALECTS.items():
        write(name, dialect)
