#!/usr/bin/env python3
# SPDX-FileCopyrightText: Tendon contributors
# SPDX-License-Identifier: MIT
#
# Writes the examples about node constraints and humanoids: four rigs with VRMC_node_constraint, two avatars of prisms
# whose T-poses are built differently, a VRM Animation and a walk as BVH. The same script gives the same bytes.
import json
import math
import os
import struct
import sys

from make_examples import Scene, box, limb, part_of, turn

X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)


# --- quaternions (x, y, z, w)

def mul(a, b):
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (aw * bx + ax * bw + ay * bz - az * by, aw * by + ay * bw + az * bx - ax * bz,
            aw * bz + az * bw + ax * by - ay * bx, aw * bw - ax * bx - ay * by - az * bz)


def conj(q):
    return (-q[0], -q[1], -q[2], q[3])


def rotate(q, v):
    return mul(mul(q, tuple(v) + (0,)), conj(q))[:3]


def from_to(u, v):
    cross = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    q = cross + (1 + sum(a * b for a, b in zip(u, v)),)
    if q[3] < 1e-9:
        return (1, 0, 0, 0) if abs(u[0]) < 0.9 else (0, 0, 1, 0)
    length = math.sqrt(sum(c * c for c in q))
    return tuple(c / length for c in q)


def unit(v):
    length = math.sqrt(sum(c * c for c in v))
    return tuple(c / length for c in v)


# --- rigs with constraints

def constrain(scene, node, kind, source, **values):
    scene.doc["extensionsUsed"] = ["VRMC_node_constraint"]
    scene.doc["nodes"][node]["extensions"] = {"VRMC_node_constraint": {
        "specVersion": "1.0", "constraint": {kind: dict({"source": source}, **values)}}}


def bone_box(scene, name, size, color):
    """A box from 0 to `size` along X."""
    length, thick = size
    positions, normals, triangles = box(length / 2, thick / 2, thick / 2, -1)
    return scene.mesh(name, ([(x + length / 2, y, z) for x, y, z in positions], normals, triangles), color)


def forearm_twist(path):
    """Two twist bones take a third and two thirds of the hand's roll, so that the forearm's skin does not wring."""
    scene = Scene("Forearm with twist bones")
    skin, blue = scene.material("Skin", (0.85, 0.65, 0.5)), scene.material("Twist", (0.2, 0.4, 0.8))
    upper = scene.node("UpperArm", mesh=bone_box(scene, "Upper arm", (0.28, 0.09), skin), rotation=list(turn(Z, -20)))
    lower = scene.node("LowerArm", upper, translation=[0.28, 0, 0], rotation=list(turn(Y, 15)))
    piece = bone_box(scene, "Forearm piece", (0.08, 0.075), blue)
    twists = [scene.node("Twist %d" % (i + 1), lower, mesh=piece, translation=[0.085 * (i + 1) - 0.04, 0, 0],
                         rotation=list(turn(X, 30 * (i + 1)))) for i in range(2)]
    hand = scene.node("Hand", lower, mesh=scene.mesh("Hand", box(0.05, 0.015, 0.04, -1), skin), translation=[0.25, 0, 0],
                      rotation=list(turn(Z, 5)))
    for i, node in enumerate(twists):
        constrain(scene, node, "roll", hand, rollAxis="X", weight=(i + 1) / 3)
    scene.animation("turn the key")
    times = [0, 0.5, 1, 1.5, 2]
    rest = turn(Z, 5)
    scene.channel(hand, "rotation", times, [mul(mul(rest, turn(Z, bend)), turn(X, roll))
                                            for bend, roll in ((0, 0), (20, 80), (-15, 120), (30, -70), (0, 0))])
    scene.channel(lower, "rotation", times, [turn(Y, d) for d in (15, 60, 40, 70, 15)])
    scene.write(path)


def sleeve(path):
    """A wide sleeve is no part of the arm's chain: it hangs on the chest and aims at the hand."""
    scene = Scene("Sleeve")
    skin, red = scene.material("Skin", (0.85, 0.65, 0.5)), scene.material("Cloth", (0.7, 0.15, 0.2))
    chest = scene.node("Chest", mesh=scene.mesh("Chest", box(0.16, 0.2, 0.1, -1), skin), translation=[0, 1.2, 0])
    upper = scene.node("UpperArm", chest, mesh=bone_box(scene, "Upper arm", (0.28, 0.07), skin), translation=[0.2, 0.12, 0])
    lower = scene.node("LowerArm", upper, mesh=bone_box(scene, "Lower arm", (0.25, 0.06), skin), translation=[0.28, 0, 0])
    hand = scene.node("Hand", lower, mesh=scene.mesh("Hand", box(0.05, 0.02, 0.04, -1), skin), translation=[0.25, 0, 0])
    # Its own -Y points along the arm at rest.
    cloth = scene.node("Sleeve", chest, mesh=scene.mesh("Sleeve", box(0.11, 0.15, 0.11, -2), red), translation=[0.19, 0.12, 0],
                       rotation=list(turn(Z, 90)))
    constrain(scene, cloth, "aim", hand, aimAxis="NegativeY", weight=0.8)
    scene.animation("reach")
    times = [0, 0.6, 1.2, 1.8, 2.4]
    scene.channel(chest, "rotation", times, [turn(Y, d) for d in (0, 15, -10, 20, 0)])
    scene.channel(upper, "rotation", times, [mul(turn(Y, a), turn(Z, b)) for a, b in ((0, 0), (-50, 40), (-80, -20), (20, -70), (0, 0))])
    scene.channel(lower, "rotation", times, [turn(Y, d) for d in (0, -60, -100, -20, 0)])
    scene.write(path)


def sub_arm(path):
    """A second pair of arms does what the first does, less of it."""
    scene = Scene("Sub-arm")
    skin, steel = scene.material("Skin", (0.85, 0.65, 0.5)), scene.material("Steel", (0.5, 0.55, 0.6))
    chest = scene.node("Chest", mesh=scene.mesh("Chest", box(0.16, 0.2, 0.1, -1), skin), translation=[0, 1.2, 0])
    arms = []
    # The sub-arm's bones have rest rotations of their own: only changes are copied.
    for name, color, height, rests in (("Arm", skin, 0.12, (0, 0)), ("Sub-arm", steel, -0.08, (-25, 10))):
        upper = scene.node(name + " upper", chest, mesh=bone_box(scene, name + " upper", (0.28, 0.07), color),
                           translation=[0.2, height, 0], rotation=list(turn(Z, rests[0])))
        lower = scene.node(name + " lower", upper, mesh=bone_box(scene, name + " lower", (0.25, 0.06), color),
                           translation=[0.28, 0, 0], rotation=list(turn(Z, rests[1])))
        arms.append((upper, lower))
    constrain(scene, arms[1][0], "rotation", arms[0][0], weight=0.6)
    constrain(scene, arms[1][1], "rotation", arms[0][1])
    scene.animation("lift")
    times = [0, 0.5, 1, 1.5, 2]
    scene.channel(arms[0][0], "rotation", times, [mul(turn(Z, a), turn(X, b)) for a, b in ((0, 0), (60, 30), (80, -40), (-30, 10), (0, 0))])
    scene.channel(arms[0][1], "rotation", times, [turn(Y, d) for d in (0, -70, -20, -110, 0)])
    scene.write(path)


def constraint_chain(path):
    """Constraints that read what other constraints write, listed in the file in the wrong order: the pointer aims at the
    tip of a rod that rolls with a dial that copies a crank."""
    scene = Scene("Chain of constraints")
    brass, dark = scene.material("Brass", (0.8, 0.6, 0.2)), scene.material("Dark", (0.25, 0.25, 0.3))
    bar = bone_box(scene, "Bar", (0.4, 0.05), brass)
    pointer = scene.node("Pointer", mesh=bone_box(scene, "Pointer", (0.5, 0.03), dark), translation=[-0.6, 0, 0.2])
    rod = scene.node("Rod", mesh=bar, translation=[0.2, 0.6, 0], rotation=list(turn(Z, 40)))
    tip = scene.node("Tip", rod, mesh=scene.mesh("Tip", box(0.04, 0.04, 0.04, -1), dark), translation=[0.4, 0.25, 0.1])
    dial = scene.node("Dial", mesh=bar, translation=[0.2, 0, 0], rotation=list(turn(Y, -30)))
    crank = scene.node("Crank", mesh=bar, translation=[0.2, -0.6, 0], rotation=list(turn(X, 20)))
    constrain(scene, pointer, "aim", tip, aimAxis="PositiveX")           # third: reads the rod's result
    constrain(scene, rod, "roll", dial, rollAxis="X", weight=0.75)       # second: reads the dial's
    constrain(scene, dial, "rotation", crank)                            # first
    scene.animation("crank")
    times = [0, 0.5, 1, 1.5, 2]
    rest = turn(X, 20)
    scene.channel(crank, "rotation", times, [mul(rest, mul(turn(X, a), turn(Z, b))) for a, b in ((0, 0), (90, 20), (150, -30), (-60, 25), (0, 0))])
    scene.write(path)


# --- humanoids: bone, table parent, offset from it in model space of a body 1.6 m tall

def sided(name, parent, x, y, z):
    for side, sign in (("left", 1), ("right", -1)):
        above = parent if parent in ("hips", "chest", "upperChest", "head") else side + parent
        yield side + name, above, (sign * x, y, z)


def fingers():
    yield from sided("ThumbMetacarpal", "Hand", 0.025, -0.01, 0.025)
    yield from sided("ThumbProximal", "ThumbMetacarpal", 0.025, 0, 0.025)
    yield from sided("ThumbDistal", "ThumbProximal", 0.02, 0, 0.02)
    for i, finger in enumerate(("Index", "Middle", "Ring", "Little")):
        yield from sided(finger + "Proximal", "Hand", 0.08, 0, 0.03 - 0.02 * i)
        yield from sided(finger + "Intermediate", finger + "Proximal", 0.035, 0, 0)
        yield from sided(finger + "Distal", finger + "Intermediate", 0.025, 0, 0)


BODY = [("hips", None, (0, 0.9, 0)), ("spine", "hips", (0, 0.1, 0)), ("chest", "spine", (0, 0.12, -0.01)),
        ("upperChest", "chest", (0, 0.12, 0)), ("neck", "upperChest", (0, 0.12, 0.01)), ("head", "neck", (0, 0.08, 0.01)),
        *sided("Eye", "head", 0.03, 0.07, 0.07), ("jaw", "head", (0, 0.01, 0.03)),
        *sided("UpperLeg", "hips", 0.09, -0.04, 0), *sided("LowerLeg", "UpperLeg", 0, -0.41, 0), *sided("Foot", "LowerLeg", 0, -0.38, 0),
        *sided("Toes", "Foot", 0, -0.06, 0.12),
        *sided("Shoulder", "upperChest", 0.03, 0.09, 0), *sided("UpperArm", "Shoulder", 0.11, 0, 0), *sided("LowerArm", "UpperArm", 0.26, 0, 0),
        *sided("Hand", "LowerArm", 0.24, 0, 0), *fingers()]


class Skeleton:
    """Nodes for some of the bones; `axis` is the local axis that lies along each bone, so that rest rotations differ."""

    def __init__(self, title, without=(), axis=None, height=1.0, root=None):
        self.scene = Scene(title)
        self.scene.doc["asset"]["generator"] = "tools/make_avatars.py"
        self.nodes, self.world, self.model = {}, {}, {}
        places = {}
        for bone, parent, offset in BODY:
            base = places.get(parent, (0, 0, 0))
            places[bone] = tuple(b + height * o for b, o in zip(base, offset))
        parents = {bone: parent for bone, parent, _ in BODY}
        rotation, scale, above = root or ((0, 0, 0, 1), 1, None)
        self.height, self.unit, self.above = height, scale, rotation
        self.root = self.scene.node("Root", rotation=list(rotation), scale=[scale] * 3) if root else None
        for bone, _, _ in BODY:
            if bone in without:
                continue
            parent = parents[bone]
            while parent in without:
                parent = parents[parent]
            children = [b for b in self.children(bone, parents, without)]
            world = (0, 0, 0, 1)
            if axis and children:
                world = from_to(axis, unit(tuple(a - b for a, b in zip(places[children[0]], places[bone]))))
            elif axis and parent:
                world = self.world[parent]
            above_rotation = self.world[parent] if parent else rotation
            base = places[parent] if parent else (0, 0, 0)
            gap = rotate(conj(above_rotation), tuple(a - b for a, b in zip(places[bone], base)))
            local = mul(conj(above_rotation), world if axis else above_rotation)
            self.world[bone] = world if axis else above_rotation
            self.model[bone] = places[bone]
            self.nodes[bone] = self.scene.node(bone, self.nodes.get(parent, self.root), translation=[c / scale for c in gap],
                                               rotation=list(local))

    @staticmethod
    def children(bone, parents, without):
        order = [b for b, _, _ in BODY if b not in without]
        for other in order:
            above = parents[other]
            while above in without:
                above = parents[above]
            if above == bone:
                yield other

    def bones(self, without=()):
        return {bone: {"node": node} for bone, node in self.nodes.items() if bone not in without}

    def piece(self, name, bone, way, size, material):
        """A prism from the origin of a bone along `way` in model space; size: width, depth, taper."""
        positions, normals, triangles = limb(way, *size)
        back = conj(self.world[bone])
        geometry = ([tuple(c / self.unit for c in rotate(back, p)) for p in positions], [rotate(back, n) for n in normals], triangles)
        return self.scene.mesh(name, geometry, material)

    def dress(self, color, parts=()):
        """A prism on every bone of body and limbs, from the bone to the first one that hangs on it. Bones whose names end
        in one of `parts` get the first third of theirs, and two nodes below for the others; returns these by bone."""
        material = self.scene.material("Skin", color)
        parents = {bone: parent for bone, parent, _ in BODY}
        without = [bone for bone, _, _ in BODY if bone not in self.nodes]
        made = {}
        for bone in self.nodes:
            part = part_of(bone)
            if part is None:
                continue
            width, depth, taper, end = part
            way = tuple(self.height * c for c in end) if end else tuple(
                a - b for a, b in zip(self.model[next(self.children(bone, parents, without))], self.model[bone]))
            count = 3 if bone.endswith(tuple(parts)) and parts else 1
            step = tuple(c / count for c in way)
            for i in range(count):
                here, there = (1 - (1 - taper) * (i + j) / count for j in (0, 1))
                size = self.height * width * here, self.height * depth * here, there / here
                mesh = self.piece(bone if i == 0 else "%s %d" % (bone, i + 1), bone, step, size, material)
                if i == 0:
                    self.scene.doc["nodes"][self.nodes[bone]]["mesh"] = mesh
                    continue
                offset = rotate(conj(self.world[bone]), tuple(c * i / self.unit for c in step))
                made.setdefault(bone, []).append(self.scene.node("%sTwist%d" % (bone, i), self.nodes[bone], mesh=mesh,
                                                                 translation=list(offset)))
        return made

    def write_glb(self, path):
        doc = self.scene.doc
        doc["buffers"] = [{"byteLength": len(self.scene.data)}] if self.scene.data else []
        for name in [n for n in doc if doc[n] == []]:
            del doc[name]
        text = json.dumps(doc, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        data = bytes(self.scene.data) + b"\0" * (-len(self.scene.data) % 4)
        chunks = struct.pack("<II", len(text), 0x4E4F534A) + text
        if data:
            chunks += struct.pack("<II", len(data), 0x004E4942) + data
        with open(path, "wb") as out:
            out.write(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)


def meta(name):
    return {"name": name, "authors": ["Tendon contributors"], "licenseUrl": "https://vrm.dev/licenses/1.0/"}


def lanky(path):
    """All bones but the eyes; Y lies along every bone, as editors like it. Gaze by expressions. Twist bones share the roll
    of the hands, shoulder pads do half of what the upper arms do, and a feather leans towards the right hand."""
    body = Skeleton("Lanky", ("leftEye", "rightEye"), Y, 1.15)
    twists = body.dress((0.35, 0.5, 0.75), ("LowerArm",))
    scene, gold, red = body.scene, body.scene.material("Gold", (0.85, 0.65, 0.25)), body.scene.material("Red", (0.8, 0.2, 0.2))
    for side, sign in (("left", 1), ("right", -1)):
        for i, node in enumerate(twists[side + "LowerArm"]):
            constrain(scene, node, "roll", body.nodes[side + "Hand"], rollAxis="Y", weight=(i + 1) / 3)
        arm = scene.doc["nodes"][body.nodes[side + "UpperArm"]]
        pad = body.piece(side + "Pad", side + "UpperArm", (sign * 0.15, 0, 0), (0.14, 0.13, 0.85), gold)
        node = scene.node(side + "ShoulderPad", body.nodes[side + "Shoulder"], mesh=pad, translation=arm["translation"],
                          rotation=arm["rotation"])
        constrain(scene, node, "rotation", body.nodes[side + "UpperArm"], weight=0.5)
    head = body.world["head"]
    feather = scene.node("Feather", body.nodes["head"], mesh=scene.mesh("Feather", limb((0, 0.26, 0), 0.03, 0.07, 0.2), red),
                         translation=list(rotate(conj(head), (0, 0.2 * body.height, 0))), rotation=list(conj(head)))
    constrain(scene, feather, "aim", body.nodes["rightHand"], aimAxis="PositiveY", weight=0.4)
    ranges = {"inputMaxValue": 45, "outputScale": 1}
    scene.doc["extensionsUsed"] = ["VRMC_vrm", "VRMC_node_constraint"]
    scene.doc["extensions"] = {"VRMC_vrm": {
        "specVersion": "1.0", "meta": meta("Lanky"), "humanoid": {"humanBones": body.bones()},
        "expressions": {"preset": {name: {} for name in ("happy", "blink", "lookLeft", "lookRight", "lookUp", "lookDown")}},
        "lookAt": {"type": "expression", "offsetFromHeadBone": [0, 0.08, 0.08], "rangeMapHorizontalInner": ranges,
                   "rangeMapHorizontalOuter": ranges, "rangeMapVerticalDown": ranges, "rangeMapVerticalUp": ranges}}}
    body.write_glb(path)


def stocky(path):
    """Required bones, eyes and neck alone, no rest rotations but for a root that lies on its back and counts in
    centimetres. Gaze by eye bones."""
    kept = {"neck", "leftEye", "rightEye"} | {b for b, _, _ in BODY if any(b.endswith(n) for n in (
        "hips", "spine", "head", "UpperLeg", "LowerLeg", "Foot", "UpperArm", "LowerArm", "Hand"))}
    body = Skeleton("Stocky", [b for b, _, _ in BODY if b not in kept], None, 0.7, (turn(X, -90), 0.01, None))
    body.dress((0.8, 0.45, 0.3))
    body.scene.doc["extensionsUsed"] = ["VRMC_vrm"]
    sideways, up = {"inputMaxValue": 60, "outputScale": 12}, {"inputMaxValue": 40, "outputScale": 8}
    body.scene.doc["extensions"] = {"VRMC_vrm": {
        "specVersion": "1.0", "meta": meta("Stocky"), "humanoid": {"humanBones": body.bones()},
        "expressions": {"preset": {"happy": {"isBinary": True, "overrideBlink": "block"}, "blink": {}}},
        "lookAt": {"type": "bone", "offsetFromHeadBone": [0, 0.05, 0.06], "rangeMapHorizontalInner": sideways,
                   "rangeMapHorizontalOuter": sideways, "rangeMapVerticalDown": up, "rangeMapVerticalUp": up}}}
    body.write_glb(path)


def stretch(path):
    """A VRM Animation on a third skeleton, X along the bones: a stretch with chest, shoulders and neck at work, a smile
    and a look around. LINEAR, STEP and CUBICSPLINE."""
    body = Skeleton("Stretch", ("leftEye", "rightEye", "jaw"), X)
    scene = body.scene
    smile, look = scene.node("happy"), scene.node("lookAt")
    scene.doc["extensionsUsed"] = ["VRMC_vrm_animation"]
    scene.doc["extensions"] = {"VRMC_vrm_animation": {
        "specVersion": "1.0", "humanoid": {"humanBones": body.bones()},
        "expressions": {"preset": {"happy": {"node": smile}}},
        "lookAt": {"node": look, "offsetFromHeadBone": [0, 0.07, 0.07]}}}
    times = animate_stretch(body)
    scene.channel(smile, "translation", times, [(w, 0, 0) for w in (0, 0.4, 1, 0.6, 0)])
    scene.channel(look, "rotation", times, [mul(turn(Y, yaw), turn(X, pitch)) for yaw, pitch in ((0, 0), (30, -10), (0, 15), (-40, 0), (0, 0))])
    body.write_glb(path)


def mixamo(path):
    """The same stretch as a plain GLB with the joint names of Mixamo, below an armature that lies on its back and counts in
    centimetres, as files are that went through an editor. For tests."""
    body = Skeleton("Mixamo", ("leftEye", "rightEye", "jaw"), Y, 1.0, (turn(X, -90), 0.01, None))
    words = {"hips": "Hips", "spine": "Spine", "chest": "Spine1", "upperChest": "Spine2", "neck": "Neck", "head": "Head",
             "UpperLeg": "UpLeg", "LowerLeg": "Leg", "Toes": "ToeBase", "UpperArm": "Arm", "LowerArm": "ForeArm",
             "ThumbMetacarpal": "HandThumb1", "ThumbProximal": "HandThumb2", "ThumbDistal": "HandThumb3"}
    for finger in ("Index", "Middle", "Ring", "Little"):
        for i, segment in enumerate(("Proximal", "Intermediate", "Distal")):
            words[finger + segment] = "Hand%s%d" % ("Pinky" if finger == "Little" else finger, i + 1)
    for bone, node in body.nodes.items():
        side = next((s for s in ("left", "right") if bone.startswith(s)), "")
        name = bone[len(side):]
        body.scene.doc["nodes"][node]["name"] = "mixamorig:" + side.capitalize() + words.get(name, name)
    body.scene.doc["nodes"][body.root]["name"] = "Armature"
    animate_stretch(body)
    body.write_glb(path)


def animate_stretch(body):
    scene = body.scene
    scene.animation("stretch")
    times = [0, 0.5, 1, 1.5, 2]

    def bone(name, turns, interpolation="LINEAR"):
        # Turns are about model axes, at the bone's own place: local = L W^-1 turn W.
        world = body.world[name]
        rest = tuple(scene.doc["nodes"][body.nodes[name]]["rotation"])
        keys = [mul(mul(mul(rest, conj(world)), t), world) for t in turns]
        if interpolation == "CUBICSPLINE":
            rows = []
            for i, key in enumerate(keys):
                slope = (0,) * 4 if i in (0, len(keys) - 1) else tuple((b - a) / 1.0 for a, b in zip(keys[i - 1], keys[i + 1]))
                rows += [slope, key, slope]
            keys = rows
        scene.channel(body.nodes[name], "rotation", times, keys, interpolation)

    bone("hips", [turn(Y, d) for d in (0, 10, 0, -10, 0)])
    bone("spine", [turn(Z, d) for d in (0, 8, 0, -8, 0)])
    bone("chest", [turn(Z, d) for d in (0, 10, 0, -10, 0)])
    bone("upperChest", [mul(turn(X, -6), turn(Z, d)) if d else turn(X, 0) for d in (0, 12, 1, -12, 0)])
    bone("neck", [turn(Z, d) for d in (0, -10, 0, 10, 0)])
    bone("head", [turn(X, d) for d in (0, -15, -20, -15, 0)], "CUBICSPLINE")
    for side, sign in (("left", 1), ("right", -1)):
        bone(side + "Shoulder", [turn(Z, sign * d) for d in (0, 10, 20, 10, 0)])
        bone(side + "UpperArm", [turn(Z, sign * d) for d in (0, 40, 70, 40, 0)])
        bone(side + "LowerArm", [turn(Y, -sign * d) for d in (0, 20, 60, 30, 0)])
        bone(side + "Hand", [turn(X, d) for d in (0, 30, 30, -20, 0)], "STEP")
        bone(side + "IndexProximal", [turn(Z, -sign * d) for d in (0, 30, 70, 30, 0)])
    bone("leftUpperLeg", [turn(X, d) for d in (0, -6, 0, 6, 0)])
    bone("rightLowerLeg", [turn(X, d) for d in (0, 12, 0, 8, 0)])
    hips = tuple(scene.doc["nodes"][body.nodes["hips"]]["translation"])
    scene.channel(body.nodes["hips"], "translation", times,
                  [tuple(h + c / body.unit for h, c in zip(hips, rotate(conj(body.above), d)))
                   for d in ((0, 0, 0), (0.03, -0.01, 0), (0, 0.03, 0.02), (-0.03, -0.01, 0), (0, 0, 0))])
    return times


# --- a walk

WALK = [  # joint, parent, offset in cm; arms hang, so the zero pose is no T-pose
    ("Hips", None, (0, 92, 0)), ("Spine", "Hips", (0, 10, 0)), ("Spine1", "Spine", (0, 14, 0)), ("Spine2", "Spine1", (0, 12, 0)),
    ("Neck", "Spine2", (0, 13, 0)), ("Head", "Neck", (0, 9, 1)),
    ("LeftShoulder", "Spine2", (3, 9, 0)), ("LeftArm", "LeftShoulder", (13, 0, 0)), ("LeftForeArm", "LeftArm", (0, -28, 0)),
    ("LeftHand", "LeftForeArm", (0, -25, 0)),
    ("RightShoulder", "Spine2", (-3, 9, 0)), ("RightArm", "RightShoulder", (-13, 0, 0)), ("RightForeArm", "RightArm", (0, -28, 0)),
    ("RightHand", "RightForeArm", (0, -25, 0)),
    ("LeftUpLeg", "Hips", (9, -4, 0)), ("LeftLeg", "LeftUpLeg", (0, -41, 0)), ("LeftFoot", "LeftLeg", (0, -39, 0)),
    ("LeftToeBase", "LeftFoot", (0, -7, 13)),
    ("RightUpLeg", "Hips", (-9, -4, 0)), ("RightLeg", "RightUpLeg", (0, -41, 0)), ("RightFoot", "RightLeg", (0, -39, 0)),
    ("RightToeBase", "RightFoot", (0, -7, 13))]
WALK_ENDS = {"Head": (0, 18, 0), "LeftHand": (0, -8, 0), "RightHand": (0, -8, 0), "LeftToeBase": (0, 0, 6), "RightToeBase": (0, 0, 6)}
STRIDE, CYCLE, STANCE = 110.0, 1.0, 0.6  # cm and s for two steps; part of the cycle a foot stands


def ankle(phase):
    """Ankle below the hip joint in the plane of the leg, relative to the hips: forward and up in cm, and the foot's pitch in
    degrees (toes up). Standing, it moves back as fast as the hips move on, so it stays where it is."""
    phase %= 1.0
    reach = STRIDE * STANCE / 2
    if phase < STANCE:
        u = phase / STANCE
        # Heel strike, flat, heel off; the ankle rises over the toes at the end.
        rise = 3.0 * max(0.0, (u - 0.75) / 0.25) ** 2
        return reach - STRIDE * phase, 8 + rise, -12 * max(0.0, (u - 0.75) / 0.25) ** 2 + 10 * max(0.0, 1 - u / 0.15) ** 2
    u = (phase - STANCE) / (1 - STANCE)
    # Swing: a cubic that leaves and lands at the speed of standing, so that the foot is put down without a slip.
    v = -STRIDE * (1 - STANCE)
    h00, h10, h01, h11 = 2 * u ** 3 - 3 * u * u + 1, u ** 3 - 2 * u * u + u, 3 * u * u - 2 * u ** 3, u ** 3 - u * u
    forward = h00 * -reach + h10 * v + h01 * reach + h11 * v
    up = 8 + 3 * (1 - u) ** 3 + 12 * math.sin(math.pi * u) ** 2
    return forward, up, -12 * (1 - u) ** 3 + 10 * u * u + 6 * math.sin(math.pi * u)


def walk(path):
    """Two cycles of a walk at 1.1 m/s, feet placed by inverse kinematics; made up, no captured motion."""
    lines, order = ["HIERARCHY"], []

    def joint(name, depth):
        pad = "\t" * depth
        parent, offset = next((p, o) for n, p, o in WALK if n == name)
        order.append(name)
        lines.append("%s%s %s" % (pad, "ROOT" if parent is None else "JOINT", name))
        lines.append(pad + "{")
        lines.append("%s\tOFFSET %g %g %g" % ((pad,) + offset))
        lines.append(pad + "\tCHANNELS " + ("6 Xposition Yposition Zposition Zrotation Xrotation Yrotation" if parent is None
                                            else "3 Zrotation Xrotation Yrotation"))
        for child, above, _ in WALK:
            if above == name:
                joint(child, depth + 1)
        if name in WALK_ENDS:
            lines.extend([pad + "\tEnd Site", pad + "\t{", "%s\t\tOFFSET %g %g %g" % ((pad,) + WALK_ENDS[name]), pad + "\t}"])
        lines.append(pad + "}")

    joint("Hips", 0)
    frames, rate = 61, 30
    lines += ["MOTION", "Frames: %d" % frames, "Frame Time: %.6f" % (1 / rate)]
    for i in range(frames):
        t = i / rate / CYCLE
        s, c = math.sin(2 * math.pi * t), math.cos(2 * math.pi * t)
        bob = 1.3 * math.cos(4 * math.pi * (t - 0.3))  # highest over each standing leg
        hips = (0.0, 85 + bob, STRIDE * i / rate / CYCLE)
        angles = {name: [0.0, 0.0, 0.0] for name in order}  # Z, X, Y
        for side, start in (("Left", 0.0), ("Right", 0.5)):
            forward, up, pitch = ankle(t - start)
            down = hips[1] - 4 - up
            thigh, shin = 41.0, 39.0
            reach = min(math.hypot(forward, down), thigh + shin - 1e-6)
            knee = math.pi - math.acos((thigh ** 2 + shin ** 2 - reach ** 2) / (2 * thigh * shin))
            lead = math.acos((thigh ** 2 + reach ** 2 - shin ** 2) / (2 * thigh * reach))
            hip = -(math.atan2(forward, down) + lead)
            angles[side + "UpLeg"][1] = math.degrees(hip)
            angles[side + "Leg"][1] = math.degrees(knee)
            angles[side + "Foot"][1] = -math.degrees(hip + knee) - pitch
        angles["Spine"] = [0, 3, 3 * c]
        angles["Spine1"] = [0, 2, 4 * c]
        angles["Spine2"] = [0, 0, 4 * c]
        angles["Head"] = [0, -4, -9 * c]
        for side, sign in (("Left", 1), ("Right", -1)):
            angles[side + "Arm"] = [6 * sign, 20 * sign * c, 0]
            angles[side + "ForeArm"] = [0, -18 + 8 * sign * c, 0]
        row = ["%.4f" % h for h in hips]
        for name in order:
            row += ["%.4f" % a for a in angles[name]]
        lines.append(" ".join(row))
    with open(path, "w") as out:
        out.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "..", "examples")
    for make in (forearm_twist, sleeve, sub_arm, constraint_chain):
        make(os.path.join(folder, make.__name__ + ".gltf"))
    lanky(os.path.join(folder, "lanky.vrm"))
    stocky(os.path.join(folder, "stocky.vrm"))
    stretch(os.path.join(folder, "stretch.vrma"))
    walk(os.path.join(folder, "walk.bvh"))
    mixamo(os.path.join(folder, "..", "test", "data", "humanoid", "mixamo.glb"))
