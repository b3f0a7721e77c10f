#!/usr/bin/env python3
# SPDX-FileCopyrightText: Tendon contributors
# SPDX-License-Identifier: MIT
#
# Writes the example character: mira.vrm, a fox girl with MToon materials, a face of morph targets and spring bones in hair,
# ears, skirt and tail; dance.vrma, eight seconds of dancing; sing.vrma, a face alone. The same script gives the same bytes.
import math
import os
import struct
import sys
import zlib

from make_avatars import BODY, Skeleton, X, Y, Z, conj, from_to, mul, rotate, unit
from make_examples import turn

HEAD = (0, 1.44, 0)  # place of the head bone, m


def add(a, b):
    return tuple(p + q for p, q in zip(a, b))


def sub(a, b):
    return tuple(p - q for p, q in zip(a, b))


def scale(a, s):
    return tuple(p * s for p in a)


def cross(u, v):
    return (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])


def length(v):
    return math.sqrt(sum(c * c for c in v))


def mix(a, b, t):
    return tuple(p + (q - p) * t for p, q in zip(a, b))


def curve(points, parts=2):
    """A Catmull-Rom curve through points, each gap in `parts`."""
    out = []
    for i, (a, b) in enumerate(zip(points, points[1:])):
        before, after = points[max(i - 1, 0)], points[min(i + 2, len(points) - 1)]
        for k in range(parts):
            t = k / parts
            out.append(tuple(0.5 * (2 * q + (r - p) * t + (2 * p - 5 * q + 4 * r - s) * t * t + (3 * q - p - 3 * r + s) * t ** 3)
                             for p, q, r, s in zip(before, a, b, after)))
    return out + [points[-1]]


def smooth(t):
    t = min(max(t, 0.0), 1.0)
    return t * t * (3 - 2 * t)


def table(rows, x):
    """Values at x of rows (x, values...), joined by monotone cubic pieces."""
    if x <= rows[0][0]:
        return rows[0][1:]
    if x >= rows[-1][0]:
        return rows[-1][1:]
    i = next(k for k in range(1, len(rows)) if x <= rows[k][0])
    a, b = rows[i - 1], rows[i]
    t = (x - a[0]) / (b[0] - a[0])

    def slope(k, c):
        if k in (0, len(rows) - 1):
            return 0.0
        before = (rows[k][c] - rows[k - 1][c]) / (rows[k][0] - rows[k - 1][0])
        after = (rows[k + 1][c] - rows[k][c]) / (rows[k + 1][0] - rows[k][0])
        return 0.0 if before * after <= 0 else 2 * before * after / (before + after)

    out = []
    for c in range(1, len(a)):
        m0, m1 = slope(i - 1, c) * (b[0] - a[0]), slope(i, c) * (b[0] - a[0])
        out.append((2 * t ** 3 - 3 * t * t + 1) * a[c] + (t ** 3 - 2 * t * t + t) * m0 + (3 * t * t - 2 * t ** 3) * b[c] + (t ** 3 - t * t) * m1)
    return tuple(out)


# --- surfaces

class Patch:
    """A surface with skin weights: each vertex has a list of (joint, weight). `shapes` are morphed positions by name."""

    def __init__(self):
        self.positions, self.uvs, self.weights, self.triangles, self.shapes = [], [], [], [], {}

    def vertex(self, position, weights, uv=(0, 0)):
        self.positions.append(tuple(position))
        self.weights.append(weights)
        self.uvs.append(uv)
        return len(self.positions) - 1

    def quad(self, a, b, c, d):
        self.triangles += [(a, b, c), (a, c, d)]

    def normals(self):
        """Area-weighted; vertices in one place (seams, poles) share theirs."""
        sums = {}
        keys = [tuple(round(c, 6) for c in p) for p in self.positions]
        for a, b, c in self.triangles:
            n = cross(sub(self.positions[b], self.positions[a]), sub(self.positions[c], self.positions[a]))
            for i in (a, b, c):
                sums[keys[i]] = add(sums.get(keys[i], (0, 0, 0)), n)
        return [unit(sums[k]) if length(sums.get(k, (0, 0, 0))) > 0 else (0.0, 0.0, 1.0) for k in keys]


def grid(rings, sides, place, weigh, uv=lambda i, j: (0, 0), is_closed=True):
    """Rings of vertices joined to a surface; a seam is doubled where the surface closes."""
    patch = Patch()
    columns = sides + 1
    for i in range(rings):
        for j in range(columns):
            p = place(i, j % sides if is_closed else j)
            patch.vertex(p, weigh(i, j, p), uv(i, j))
    for i in range(rings - 1):
        for j in range(sides):
            a, b = i * columns + j, (i + 1) * columns + j
            patch.quad(a, a + 1, b + 1, b)
    patch.triangles = [t for t in patch.triangles if length(cross(sub(patch.positions[t[1]], patch.positions[t[0]]),
                                                                  sub(patch.positions[t[2]], patch.positions[t[0]]))) > 1e-12]
    return patch


def tube(path, radii, weigh, sides=12, front=(0, 0, 1), round_start=True, round_end=True):
    """A tube along points. radii: (across, along front) per point; round ends close it. The frame is carried along the path
    without twist. weigh(t, position): weights at the fraction t of the path."""
    points, sizes, fractions = [], [], []
    total = sum(length(sub(b, a)) for a, b in zip(path, path[1:]))
    gone = 0.0
    for i, p in enumerate(path):
        gone += length(sub(p, path[i - 1])) if i else 0.0
        points.append(p)
        sizes.append(radii[i])
        fractions.append(gone / total)
    rings = list(zip(points, sizes, fractions))

    def cap(end, inner, size, fraction):
        way = scale(unit(sub(end, inner)), min(size))
        return [(add(end, scale(way, math.sin(a))), (size[0] * math.cos(a), size[1] * math.cos(a)), fraction)
                for a in (math.pi / 4, math.pi / 2)]

    if round_start:
        rings = cap(points[0], points[1], sizes[0], 0.0)[::-1] + rings
    if round_end:
        rings = rings + cap(points[-1], points[-2], sizes[-1], 1.0)
    frames = []
    normal = front
    for i in range(len(rings)):
        a, b = rings[max(i - 1, 0)][0], rings[min(i + 1, len(rings) - 1)][0]
        way = unit(sub(b, a))
        normal = unit(sub(normal, scale(way, sum(p * q for p, q in zip(normal, way)))))
        frames.append((cross(normal, way), normal))

    def place(i, j):
        (p, (across, along), _), (side, ahead) = rings[i], frames[i]
        angle = 2 * math.pi * j / sides
        return add(p, add(scale(side, across * math.cos(angle)), scale(ahead, along * math.sin(angle))))

    return grid(len(rings), sides, place, lambda i, j, p: weigh(rings[i][2], p))


def lathe(rows, rings, sides, weigh, uv=None):
    """A body of ellipses. rows: (y, half width, half depth, middle z)."""
    low, high = rows[0][0], rows[-1][0]

    def place(i, j):
        y = low + (high - low) * i / (rings - 1)
        a, b, z = table(rows, y)
        angle = 2 * math.pi * j / sides
        return (a * math.sin(angle), y, z + b * math.cos(angle))

    return grid(rings, sides, place, lambda i, j, p: weigh(p), uv or (lambda i, j: (j / sides, 1 - i / (rings - 1))))


def ellipsoid(center, sizes, weigh, rings=9, sides=14, tilt=(0, 0, 0, 1)):
    def place(i, j):
        a, b = math.pi * i / (rings - 1) - math.pi / 2, 2 * math.pi * j / sides
        p = (sizes[0] * math.cos(a) * math.sin(b), sizes[1] * math.sin(a), sizes[2] * math.cos(a) * math.cos(b))
        return add(center, rotate(tilt, p))

    return grid(rings, sides, place, lambda i, j, p: weigh(p))


# --- the head: its surface carries the face

SKULL = [(-0.030, 0.006, 0.010, 0.062), (-0.026, 0.022, 0.026, 0.055), (-0.012, 0.050, 0.052, 0.036), (0.015, 0.075, 0.078, 0.022),
         (0.050, 0.090, 0.096, 0.014), (0.090, 0.099, 0.106, 0.010), (0.130, 0.100, 0.107, 0.004), (0.170, 0.088, 0.094, 0.0),
         (0.205, 0.058, 0.062, -0.002), (0.220, 0.026, 0.028, -0.003), (0.226, 0.001, 0.001, -0.003)]


def face_point(x, y, lift):
    """A point above the front of the head; x and y are measured from the head bone."""
    def at(u, v):
        a, b, z = table(SKULL, v)
        return (u, v, z + b * math.sqrt(max(1 - (u / a) ** 2, 0.02)))

    p = at(x, y)
    n = unit(cross(sub(at(x + 1e-3, y), p), sub(at(x, y + 1e-3), p)))
    return add(HEAD, add(p, scale(n, lift)))


def disc(place, weights, rings=4, sides=16, names=()):
    """A disc over the unit circle. place(u, v, name) is a point of the face; name None is the face at rest."""
    patch = Patch()
    spots = [(0.0, 0.0)] + [(r / rings * math.cos(2 * math.pi * j / sides), r / rings * math.sin(2 * math.pi * j / sides))
                            for r in range(1, rings + 1) for j in range(sides)]
    for u, v in spots:
        patch.vertex(place(u, v, None), weights, (0.5 + 0.5 * u, 0.5 - 0.5 * v))
    for name in names:
        patch.shapes[name] = [place(u, v, name) for u, v in spots]
    for j in range(sides):
        a, b = 1 + j, 1 + (j + 1) % sides
        patch.triangles.append((0, a, b))
        for r in range(rings - 1):
            patch.quad(a + r * sides, a + (r + 1) * sides, b + (r + 1) * sides, b + r * sides)
    return patch


def strip(place, weights, columns=10, names=()):
    """A band over u in -1..1 and v in -1..1."""
    patch = Patch()
    spots = [(-1 + 2 * i / columns, v) for i in range(columns + 1) for v in (-1, 0, 1)]
    for u, v in spots:
        patch.vertex(place(u, v, None), weights)
    for name in names:
        patch.shapes[name] = [place(u, v, name) for u, v in spots]
    for i in range(columns):
        for k in range(2):
            a, b = 3 * i + k, 3 * (i + 1) + k
            patch.quad(a, b, b + 1, a + 1)
    return patch


SHAPES = ["blinkLeft", "blinkRight", "aa", "ih", "ou", "ee", "oh", "happy", "angry", "sad", "relaxed", "surprised"]
EYE = (0.042, 0.078, 0.0225, 0.0285)  # middle x and y, half width and height

# Mouth by shape: half width, half height, lift of the corners, shift down.
MOUTHS = {None: (0.0145, 0.0011, 0.0025, 0), "aa": (0.0165, 0.0150, 0.002, 0.006), "ih": (0.0200, 0.0055, 0.003, 0.001),
          "ou": (0.0065, 0.0065, 0.0, 0.001), "ee": (0.0215, 0.0080, 0.004, 0.002), "oh": (0.0110, 0.0125, 0.0, 0.005),
          "happy": (0.0200, 0.0065, 0.0085, 0.001), "angry": (0.0135, 0.0014, -0.005, 0), "sad": (0.0115, 0.0012, -0.0045, 0.001),
          "relaxed": (0.0165, 0.0012, 0.0055, 0), "surprised": (0.0085, 0.0120, -0.001, 0.005)}
# Brows by shape: rise, rise of the inner end over the outer one.
BROWS = {"happy": (0.004, 0), "angry": (-0.005, -0.010), "sad": (0.001, 0.010), "relaxed": (-0.001, 0.002), "surprised": (0.010, 0.002)}
# Lids by shape: how far they close, and where: -1 the lower lid's curve, 1 an arch.
LIDS = {"blink": (1, -1), "happy": (1, 1), "angry": (0.22, 0), "sad": (0.3, 0), "relaxed": (0.42, 0), "surprised": (-0.16, 0)}


def lid_of(name, side):
    if name in ("blinkLeft", "blinkRight"):
        return LIDS["blink"] if name == "blink" + side.capitalize() else None
    return LIDS.get(name)


def eye_spot(u, v, side, name, lift, size=1.0):
    """A point of the eye: the lids press it towards a line, and under the skin when they meet."""
    sign = 1 if side == "left" else -1
    x, y = u * EYE[2] * size, v * EYE[3] * size
    lid = lid_of(name, side)
    if lid is not None:
        close, arch = lid
        w = x / EYE[2]
        line = (-0.35 - 0.22 * (1 - w * w)) * EYE[3] if arch < 0 else (-0.12 + 0.42 * (1 - w * w)) * EYE[3]
        if close >= 1:
            y, lift = line, -0.004
        elif close > 0:
            top = (1 - 2 * close) * EYE[3] * math.sqrt(max(1 - w * w, 0.0))
            y = min(y, top)
        else:
            y *= 1 - close
    return face_point(sign * (EYE[0] + sign * x), EYE[1] + y, lift)


def lash_spot(u, v, side, name):
    """The upper lid: a line over the eye that becomes the closed eye."""
    sign = 1 if side == "left" else -1
    x = u * EYE[2] * 1.06
    w = x / (EYE[2] * 1.06)
    open_y = EYE[3] * 1.03 * math.sqrt(max(1 - w * w, 0.0))
    thick = 0.0031 * (0.5 + 0.5 * (1 - w * w)) + 0.0012 * max(0.0, w * sign)
    y = open_y
    lid = lid_of(name, side)
    if lid is not None:
        close, arch = lid
        if close >= 1:
            y = (-0.35 - 0.22 * (1 - w * w)) * EYE[3] if arch < 0 else (-0.12 + 0.42 * (1 - w * w)) * EYE[3]
        elif close > 0:
            y = (1 - 2 * close) * open_y
        else:
            y = open_y * (1 - close)
    return face_point(sign * (EYE[0] + sign * x), EYE[1] + y + v * thick, 0.0019)


def brow_spot(u, v, side, name):
    sign = 1 if side == "left" else -1
    rise, inner = BROWS.get(name, (0, 0))
    x = 0.024 * u
    towards = -u * sign  # 1 at the inner end
    y = 0.130 + rise + inner * 0.5 * (1 + towards) - 0.0045 * u * u + v * 0.0021 * (1 - 0.6 * abs(u) ** 3)
    return face_point(sign * (0.043 + sign * x), y, 0.0018)


def mouth_spot(u, v, name, lift, size=1.0, drop=0.0):
    width, height, corners, shift = MOUTHS.get(name, MOUTHS[None])
    x = u * width * size
    y = 0.012 - shift + height * (v * size - drop) + corners * (u * size) ** 2
    return face_point(x, y, lift)


# --- the character

SPRING_DEFAULTS = {"gravityDir": [0, -1, 0]}


class Character:
    def __init__(self):
        self.body = Skeleton("Mira", ("jaw",))
        self.scene = self.body.scene
        self.scene.doc["asset"]["generator"] = "tools/make_character.py"
        self.places = dict(self.body.model)
        self.joints = dict(self.body.nodes)  # names of bones and of nodes with springs, by node
        self.springs, self.colliders, self.groups = [], [], []
        self.meshes = {}
        self.materials = {}

    # Nodes have no rest rotation: a translation is the difference of places.
    def chain(self, name, parent, points):
        """Nodes at points, each below the one before. @return their names"""
        names, above = [], parent
        for i, p in enumerate(points):
            made = "%s %d" % (name, i + 1)
            self.joints[made] = self.scene.node(made, self.joints[above], translation=list(sub(p, self.places[above])))
            self.places[made] = p
            names.append(made)
            above = made
        return names

    def spring(self, name, joints, groups, stiffness, drag, gravity, radius):
        """Values are numbers or pairs: at the first joint and at the last."""
        def at(value, t):
            return round(value[0] + (value[1] - value[0]) * t if isinstance(value, tuple) else value, 4)

        rows = []
        for i, joint in enumerate(joints):
            t = i / (len(joints) - 1)
            rows.append({"node": self.joints[joint], "hitRadius": at(radius, t), "stiffness": at(stiffness, t),
                         "gravityPower": at(gravity, t), "gravityDir": [0, -1, 0], "dragForce": at(drag, t)})
        self.springs.append({"name": name, "joints": rows, "colliderGroups": groups})

    def group(self, name, colliders):
        first = len(self.colliders)
        for bone, shape in colliders:
            self.colliders.append({"node": self.joints[bone], "shape": shape})
        self.groups.append({"name": name, "colliders": list(range(first, len(self.colliders)))})
        return len(self.groups) - 1

    def put(self, mesh, material, patch):
        self.meshes.setdefault(mesh, {}).setdefault(material, []).append(patch)

    def along(self, chain):
        """Weights of a surface along a chain: a vertex follows the joint above it, blended around joints."""
        places = [self.places[name] for name in chain]
        steps = [length(sub(b, a)) for a, b in zip(places, places[1:])]
        total = sum(steps)
        marks = [sum(steps[:i]) / total for i in range(len(chain))]

        def weigh(t, _):
            for i in range(1, len(chain) - 1):
                reach = 0.5 * min(marks[i] - marks[i - 1], marks[i + 1] - marks[i])
                if t < marks[i] + reach:
                    if t <= marks[i] - reach:
                        return [(chain[i - 1], 1.0)]
                    w = smooth((t - marks[i] + reach) / (2 * reach))
                    return [(chain[i - 1], 1 - w), (chain[i], w)]
            return [(chain[-2], 1.0)]

        return weigh


def limb_weights(stops):
    """stops: (t, joint) in order; between two the joints are blended over the last part of the way."""
    def weigh(t, _):
        for (a, first), (b, second) in zip(stops, stops[1:]):
            if t < b:
                w = smooth((t - a) / (b - a)) if second != first else 0.0
                return [(first, 1 - w), (second, w)] if w > 0 else [(first, 1.0)]
        return [(stops[-1][1], 1.0)]

    return weigh


def png(width, height, pixel):
    """A PNG of RGBA pixels."""
    rows = b"".join(b"\0" + bytes(c for x in range(width) for c in pixel(x, y)) for y in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    # Stored, not packed: the bytes do not depend on the version of zlib.
    packed = zlib.compressobj(0)
    data = packed.compress(rows) + packed.flush()
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def iris_pixel(x, y):
    u, v = (x + 0.5) / 16 - 1, 1 - (y + 0.5) / 16
    r = math.hypot(u, v)
    if math.hypot(u + 0.32, v - 0.42) < 0.22 or math.hypot(u - 0.30, v + 0.38) < 0.11:
        return 255, 255, 255, 255
    if r < 0.40:
        return 34, 22, 60, 255
    if r > 0.86:
        return 44, 30, 84, 255
    low = 0.5 - 0.5 * v  # lighter below
    return int(70 + 110 * low), int(90 + 120 * low), int(190 + 60 * low), 255


def ribbon_pixel(x, y):
    """Diagonal stripes that repeat in both directions."""
    return (255, 214, 92, 255) if (x + y) % 32 < 10 else (226, 74, 98, 255)


def skirt_pixel(x, y):
    """Plain above, two bands at the hem."""
    if 52 <= y < 55 or y >= 58:
        return 250, 246, 238, 255
    shade = 1 - 0.12 * (y / 52)
    return int(62 * shade), int(84 * shade), int(148 * shade), 255


def add_materials(c):
    doc = c.scene.doc
    doc["images"], doc["textures"] = [], []
    doc["samplers"] = [{"magFilter": 9729, "minFilter": 9987, "wrapS": 33071, "wrapT": 33071},
                       {"magFilter": 9729, "minFilter": 9987, "wrapS": 10497, "wrapT": 10497}]
    textures = {}
    for name, pixel, size, sampler in (("iris", iris_pixel, 32, 0), ("ribbon", ribbon_pixel, 32, 1), ("skirt", skirt_pixel, (4, 64), 1)):
        width, height = size if isinstance(size, tuple) else (size, size)
        data = png(width, height, pixel)
        c.scene.data += b"\0" * (-len(c.scene.data) % 4)
        doc["bufferViews"].append({"buffer": 0, "byteOffset": len(c.scene.data), "byteLength": len(data)})
        c.scene.data += data
        doc["images"].append({"name": name, "mimeType": "image/png", "bufferView": len(doc["bufferViews"]) - 1})
        doc["textures"].append({"sampler": sampler, "source": len(doc["images"]) - 1})
        textures[name] = len(doc["textures"]) - 1

    def material(name, color, shade, texture=None, outline=0.0022, rim=(0.10, 0.10, 0.12), shift=-0.05, toony=0.9, alpha=None, **more):
        mtoon = {"specVersion": "1.0", "transparentWithZWrite": False, "renderQueueOffsetNumber": 0,
                 "shadeColorFactor": list(shade), "shadingShiftFactor": shift, "shadingToonyFactor": toony, "giEqualizationFactor": 0.9,
                 "matcapFactor": [0, 0, 0], "parametricRimColorFactor": list(rim), "parametricRimFresnelPowerFactor": 4.0,
                 "parametricRimLiftFactor": 0.05, "rimLightingMixFactor": 0.6}
        if outline > 0:
            mtoon.update({"outlineWidthMode": "worldCoordinates", "outlineWidthFactor": outline,
                          "outlineColorFactor": [round(0.28 * s, 4) for s in shade], "outlineLightingMixFactor": 0.6})
        else:
            mtoon["outlineWidthMode"] = "none"
        mtoon.update(more)
        made = {"name": name, "pbrMetallicRoughness": {"baseColorFactor": list(color) + [1 if alpha is None else alpha],
                                                       "metallicFactor": 0, "roughnessFactor": 0.9},
                "extensions": {"VRMC_materials_mtoon": mtoon}}
        if texture is not None:
            made["pbrMetallicRoughness"]["baseColorTexture"] = {"index": textures[texture]}
            mtoon["shadeMultiplyTexture"] = {"index": textures[texture]}
        if alpha is not None:
            made["alphaMode"] = "BLEND"
        doc["materials"].append(made)
        c.materials[name] = len(doc["materials"]) - 1

    material("Skin", (1.0, 0.80, 0.69), (0.86, 0.52, 0.44), shift=-0.12)
    material("Hair", (0.93, 0.47, 0.20), (0.60, 0.21, 0.12), rim=(0.35, 0.22, 0.10))
    material("Fur", (0.98, 0.93, 0.86), (0.74, 0.62, 0.58))
    material("Dress", (0.16, 0.23, 0.45), (0.07, 0.09, 0.24), rim=(0.12, 0.14, 0.22))
    material("Skirt", (1, 1, 1), (0.50, 0.47, 0.66), "skirt", rim=(0.12, 0.14, 0.22))
    doc["materials"][-1]["doubleSided"] = True
    material("Collar", (0.97, 0.95, 0.91), (0.66, 0.64, 0.74))
    material("Socks", (0.96, 0.95, 0.93), (0.64, 0.62, 0.72))
    material("Shoes", (0.34, 0.15, 0.13), (0.16, 0.06, 0.07), rim=(0.2, 0.14, 0.1))
    material("Ribbon", (1, 1, 1), (0.7, 0.5, 0.5), "ribbon", uvAnimationScrollXSpeedFactor=0.25, uvAnimationScrollYSpeedFactor=0.0,
             uvAnimationRotationSpeedFactor=0.0)
    plain = {"outline": 0, "rim": (0, 0, 0), "shift": 0.4}
    material("Eye white", (0.98, 0.98, 0.99), (0.82, 0.82, 0.90), **plain)
    material("Iris", (1, 1, 1), (0.85, 0.85, 0.95), "iris", **plain)
    material("Line", (0.21, 0.10, 0.12), (0.16, 0.07, 0.10), **plain)
    material("Mouth", (0.52, 0.13, 0.14), (0.42, 0.09, 0.11), **plain)
    material("Tongue", (0.90, 0.42, 0.42), (0.74, 0.30, 0.32), **plain)
    material("Blush", (0.96, 0.38, 0.36), (0.92, 0.34, 0.34), alpha=0.0, **plain)


def add_torso(c):
    torso = [(0.81, 0.04, 0.035, -0.005), (0.83, 0.088, 0.070, -0.006), (0.88, 0.128, 0.094, -0.010), (0.93, 0.130, 0.094, -0.010),
             (1.00, 0.110, 0.080, -0.004), (1.06, 0.096, 0.072, 0.0), (1.13, 0.106, 0.079, 0.002), (1.20, 0.122, 0.094, 0.006),
             (1.27, 0.128, 0.084, -0.004), (1.315, 0.112, 0.070, -0.012), (1.345, 0.066, 0.054, -0.014), (1.36, 0.040, 0.042, -0.012)]

    def weigh(p):
        return limb_weights([(0.90, "hips"), (1.02, "spine"), (1.08, "spine"), (1.16, "chest"), (1.20, "chest"), (1.28, "upperChest")])(p[1], p)

    c.put("Body", "Dress", lathe(torso, 26, 28, weigh))
    # A sailor collar: a wide ring about the neck.
    collar = [(1.272, 0.134, 0.092, -0.006), (1.30, 0.124, 0.084, -0.010), (1.332, 0.096, 0.068, -0.013), (1.358, 0.055, 0.050, -0.013), (1.372, 0.042, 0.043, -0.012)]
    c.put("Body", "Collar", lathe(collar, 7, 28, lambda p: [("upperChest", 1.0)]))
    c.put("Body", "Ribbon", ellipsoid((0.030, 1.268, 0.098), (0.030, 0.018, 0.012), lambda p: [("upperChest", 1.0)], 7, 12, turn(Z, 15)))
    c.put("Body", "Ribbon", ellipsoid((-0.030, 1.268, 0.098), (0.030, 0.018, 0.012), lambda p: [("upperChest", 1.0)], 7, 12, turn(Z, -15)))
    c.put("Body", "Ribbon", ellipsoid((0, 1.268, 0.102), (0.011, 0.013, 0.011), lambda p: [("upperChest", 1.0)], 7, 10))
    neck = [(0, y, z) for y, z in ((1.32, -0.012), (1.36, -0.008), (1.40, 0.0), (1.45, 0.008))]
    c.put("Body", "Skin", tube(neck, [(0.042, 0.042), (0.037, 0.038), (0.036, 0.038), (0.038, 0.040)],
                               limb_weights([(0.1, "upperChest"), (0.45, "neck"), (0.6, "neck"), (0.95, "head")]), 16))


def add_limbs(c):
    for side, sign in (("left", 1), ("right", -1)):
        def at(x, y, z):
            return (sign * x, y, z)

        leg = [(0.085, 0.90), (0.088, 0.82), (0.089, 0.70), (0.090, 0.57)]
        upper = limb_weights([(0.0, "hips"), (0.3, side + "UpperLeg")])
        c.put("Body", "Skin", tube([at(x, y, 0) for x, y in leg], [(0.078, 0.082), (0.078, 0.082), (0.067, 0.072), (0.054, 0.058)], upper, 16))
        rows = [(0.605, 0.0610, 0.0645), (0.595, 0.0600, 0.0635), (0.55, 0.0545, 0.0575), (0.50, 0.0485, 0.051), (0.45, 0.0465, 0.0485), (0.40, 0.0475, 0.050),
                (0.32, 0.0490, 0.0525), (0.22, 0.0405, 0.043), (0.13, 0.0315, 0.034), (0.085, 0.0300, 0.033)]
        top, low = rows[0][0], rows[-1][0]
        knee, ankle = (top - 0.45) / (top - low), (top - 0.09) / (top - low)
        weigh = limb_weights([(knee - 0.10, side + "UpperLeg"), (knee + 0.10, side + "LowerLeg"), (ankle - 0.07, side + "LowerLeg"), (1.0, side + "Foot")])
        c.put("Body", "Socks", tube([at(0.09, y, -0.004 if y < 0.4 else 0) for y, _, _ in rows], [r[1:] for r in rows], weigh, 16))
        shoe = [(-0.050, 0.046, 0.026, 0.036), (-0.025, 0.048, 0.035, 0.046), (0.02, 0.042, 0.038, 0.042), (0.07, 0.032, 0.042, 0.031),
                (0.11, 0.026, 0.041, 0.026), (0.145, 0.024, 0.030, 0.022)]
        weigh = limb_weights([(0.72, side + "Foot"), (0.90, side + "Toes")])
        c.put("Body", "Shoes", tube([at(0.09, y, z) for z, y, _, _ in shoe], [(w, h) for _, _, w, h in shoe], weigh, 14, (0, 1, 0)))

        puff = [(0.085, 1.322, 0.046), (0.115, 1.328, 0.058), (0.155, 1.330, 0.066), (0.200, 1.330, 0.064), (0.232, 1.330, 0.050)]
        weigh = limb_weights([(0.05, "upperChest"), (0.45, side + "UpperArm")])
        c.put("Body", "Dress", tube([at(x, y, -0.004) for x, y, _ in puff], [(r, r * 0.95) for _, _, r in puff], weigh, 14))
        c.put("Body", "Collar", tube([at(x, 1.33, -0.004) for x in (0.226, 0.238, 0.248)], [(0.050, 0.048)] * 3, lambda t, p, s=side: [(s + "UpperArm", 1.0)], 14))
        arm = [(0.20, 0.040), (0.27, 0.0385), (0.34, 0.035), (0.40, 0.033), (0.47, 0.032), (0.55, 0.028), (0.62, 0.0235), (0.655, 0.024)]
        elbow = (0.40 - 0.20) / 0.455
        weigh = limb_weights([(elbow - 0.11, side + "UpperArm"), (elbow + 0.11, side + "LowerArm"), (0.86, side + "LowerArm"), (1.0, side + "Hand")])
        c.put("Body", "Skin", tube([at(x, 1.33, 0) for x, _ in arm], [(r, r) for _, r in arm], weigh, 12))
        palm = [(0.648, 0.023, 0.018), (0.67, 0.033, 0.0165), (0.70, 0.040, 0.0150), (0.725, 0.040, 0.0130)]
        c.put("Body", "Skin", tube([at(x, 1.33, 0.0) for x, _, _ in palm], [(d, h) for _, d, h in palm], lambda t, p, s=side: [(s + "Hand", 1.0)], 12, (0, 1, 0)))
        for finger, reach, radius in (("Index", 0.024, 0.0088), ("Middle", 0.026, 0.0090), ("Ring", 0.023, 0.0086), ("Little", 0.017, 0.0076)):
            bones = [side + finger + part for part in ("Proximal", "Intermediate", "Distal")]
            points = [c.places[b] for b in bones]
            points.append(add(points[-1], at(reach, 0, 0)))
            points.insert(0, add(points[0], at(-0.015, 0, 0)))
            total = points[-1][0] - points[0][0]
            marks = [(c.places[b][0] - points[0][0]) / total for b in bones]
            weigh = limb_weights([(marks[0] - 0.08, side + "Hand"), (marks[0] + 0.08, bones[0]), (marks[1] - 0.08, bones[0]), (marks[1] + 0.08, bones[1]),
                                  (marks[2] - 0.08, bones[1]), (marks[2] + 0.08, bones[2])])
            sizes = [(radius * k, radius * k) for k in (1.05, 1.0, 0.95, 0.88, 0.74)]
            c.put("Body", "Skin", tube(points, sizes, weigh, 7, (0, 1, 0)))
        bones = [side + "Thumb" + part for part in ("Metacarpal", "Proximal", "Distal")]
        points = [c.places[b] for b in bones]
        points.append(add(points[-1], at(0.016, 0, 0.016)))
        weigh = limb_weights([(0.25, bones[0]), (0.45, bones[1]), (0.6, bones[1]), (0.78, bones[2])])
        c.put("Body", "Skin", tube(points, [(0.0125, 0.0125), (0.0110, 0.0110), (0.0100, 0.0100), (0.0082, 0.0082)], weigh, 7, (0, 1, 0)))


def add_head(c):
    head = [("head", 1.0)]
    rows = [(HEAD[1] + y, a, b, z) for y, a, b, z in SKULL]
    c.put("Body", "Skin", lathe(rows, 26, 28, lambda p: head))
    c.put("Body", "Skin", ellipsoid(face_point(0, 0.040, -0.0035), (0.0055, 0.0065, 0.0075), lambda p: head, 7, 10))
    for side, sign in (("left", 1), ("right", -1)):
        eye = [(side + "Eye", 1.0)]
        c.put("Face", "Eye white", disc(lambda u, v, n, s=side: eye_spot(u, v, s, n, 0.0006), head, 3, 18, SHAPES))
        c.put("Face", "Iris", disc(lambda u, v, n, s=side: eye_spot(u, v, s, n, 0.0013, 0.74), eye, 3, 18, SHAPES))
        c.put("Face", "Line", strip(lambda u, v, n, s=side: lash_spot(u, v, s, n), head, 14, SHAPES))
        c.put("Face", "Line", strip(lambda u, v, n, s=side: brow_spot(u, v, s, n), head, 8, SHAPES))
        c.put("Face", "Blush", disc(lambda u, v, n, g=sign: face_point(g * 0.056 + 0.017 * u, 0.036 + 0.009 * v, 0.0009), head, 2, 14, SHAPES))
    c.put("Face", "Mouth", disc(lambda u, v, n: mouth_spot(u, v, n, 0.0012), head, 3, 20, SHAPES))
    c.put("Face", "Tongue", disc(lambda u, v, n: mouth_spot(u, v, n, 0.0016, 0.55, 0.42), head, 2, 14, SHAPES))


def add_hair(c, head_group, body_group):
    head = [("head", 1.0)]

    def at(x, y, z):
        return add(HEAD, (x, y, z))

    # The cap is an ellipsoid that the face breaks through below the hairline.
    c.put("Hair", "Hair", ellipsoid(at(0, 0.128, -0.022), (0.110, 0.112, 0.118), lambda p: head, 17, 28))
    # Fringe: tapered locks on the forehead.
    for i in range(7):
        a = math.radians(-54 + 18 * i)
        top = at(0.070 * math.sin(a), 0.205, 0.060 * math.cos(a) - 0.005)
        mid = at(0.108 * math.sin(a), 0.172, 0.116 * math.cos(a) - 0.006)
        low = at(0.113 * math.sin(a * 1.04), 0.142 - 0.004 * (i % 2), 0.119 * math.cos(a) + 0.004)
        tip = at(0.107 * math.sin(a * 1.05) + (0.006 if i % 2 else -0.006), 0.119 - 0.026 * (i in (0, 6)), 0.119 * math.cos(a) + 0.003)
        names = c.chain("Fringe %d" % (i + 1), "head", [mid, low, tip])
        path = [top, mix(top, mid, 0.55), mid, mix(mid, low, 0.55), low, mix(low, tip, 0.6), tip]
        sizes = [(0.016, 0.008), (0.023, 0.012), (0.025, 0.012), (0.023, 0.010), (0.017, 0.008), (0.009, 0.005), (0.002, 0.002)]
        outward = unit((math.sin(a), 0, math.cos(a)))
        weigh = limb_weights([(0.45, "head"), (0.62, names[0]), (0.72, names[0]), (0.85, names[1])])
        c.put("Hair", "Hair", tube(path, sizes, weigh, 8, outward))
        c.spring("Fringe %d" % (i + 1), names, [head_group], 2.2, 0.5, 0.05, 0.008)
    for side, sign in (("left", 1), ("right", -1)):
        # Side locks before the ears.
        points = [at(sign * x, y, z) for x, y, z in ((0.101, 0.120, 0.040), (0.108, 0.060, 0.046), (0.106, 0.000, 0.050), (0.098, -0.060, 0.056), (0.090, -0.110, 0.060))]
        names = c.chain("Lock " + side, "head", points)
        path = [at(sign * 0.088, 0.175, 0.030)] + [p for a, b in zip(points, points[1:]) for p in (a, mix(a, b, 0.5))] + [points[-1]]
        sizes = [(0.012, 0.010), (0.020, 0.014), (0.022, 0.015), (0.022, 0.015), (0.021, 0.014), (0.019, 0.013), (0.016, 0.011), (0.012, 0.009), (0.007, 0.005), (0.001, 0.001)]
        weigh = limb_weights([(0.12, "head"), (0.28, names[0]), (0.36, names[0]), (0.48, names[1]), (0.56, names[1]), (0.68, names[2]), (0.76, names[2]), (0.86, names[3])])
        c.put("Hair", "Hair", tube(path, sizes, weigh, 8, (sign, 0, 0)))
        c.spring("Lock " + side, names, [head_group, body_group], (1.1, 0.7), 0.35, (0.25, 0.45), 0.016)
        # Twin tails, with a ribbon.
        points = [at(sign * x, y, z) for x, y, z in ((0.112, 0.150, -0.060), (0.170, 0.120, -0.085), (0.210, 0.030, -0.100), (0.222, -0.075, -0.105),
                                                     (0.216, -0.180, -0.100), (0.202, -0.275, -0.090), (0.190, -0.350, -0.080))]
        names = c.chain("Twintail " + side, "head", points)
        path = curve(points)
        radii = (0.020, 0.030, 0.040, 0.047, 0.050, 0.051, 0.050, 0.047, 0.043, 0.037, 0.028, 0.015, 0.002)
        c.put("Hair", "Hair", tube(path, [(r, r * 0.86) for r in radii], c.along(names), 14, (0, 0, 1)))
        c.spring("Twintail " + side, names, [head_group, body_group], (1.0, 0.45), (0.25, 0.3), (0.3, 0.6), 0.035)
        for tilt in (35, -35):
            knot = add(points[0], (sign * 0.012, 0.006, -0.004))
            c.put("Hair", "Ribbon", ellipsoid(add(knot, rotate(turn(X, tilt), (0, 0.030 if tilt > 0 else -0.030, 0))), (0.011, 0.030, 0.021),
                                              lambda p: head, 7, 12, turn(X, tilt)))
        c.put("Hair", "Ribbon", ellipsoid(add(points[0], (sign * 0.012, 0.004, -0.004)), (0.014, 0.014, 0.014), lambda p: head, 7, 10))
        # Fox ears.
        points = [at(sign * x, y, z) for x, y, z in ((0.062, 0.205, -0.005), (0.080, 0.262, -0.012), (0.092, 0.318, -0.022))]
        names = c.chain("Ear " + side, "head", points)
        root = at(sign * 0.050, 0.170, 0.0)
        path = [root, points[0], mix(points[0], points[1], 0.5), points[1], mix(points[1], points[2], 0.5), points[2]]
        weigh = limb_weights([(0.30, "head"), (0.45, names[0]), (0.55, names[0]), (0.75, names[1])])
        c.put("Hair", "Hair", tube(path, [(0.040, 0.020), (0.041, 0.020), (0.037, 0.018), (0.028, 0.014), (0.015, 0.009), (0.002, 0.002)], weigh, 12, (0, 0, 1)))
        inner = [add(p, (0, -0.004, 0.0125)) for p in path[1:-1]]
        c.put("Hair", "Fur", tube(inner, [(0.024, 0.008), (0.024, 0.009), (0.017, 0.007), (0.006, 0.004)], weigh, 10, (0, 0, 1)))
        c.spring("Ear " + side, names, [], 3.0, 0.45, 0, 0.01)
    # Back: a curtain of locks down to the shoulder blades.
    for i in range(7):
        a = math.radians(108 + 24 * i)
        s, k = math.sin(a), math.cos(a)
        points = [at(0.104 * s, 0.060, -0.022 + 0.112 * k), at(0.106 * s, -0.010, -0.024 + 0.114 * k), at(0.100 * s, -0.080, -0.034 + 0.104 * k),
                  at(0.090 * s, -0.150 - 0.012 * (i % 2), -0.042 + 0.094 * k)]
        names = c.chain("Back %d" % (i + 1), "head", points)
        path = [at(0.096 * s, 0.125, -0.022 + 0.104 * k)] + [p for a, b in zip(points, points[1:]) for p in (a, mix(a, b, 0.5))] + [points[-1]]
        sizes = [(0.020, 0.010), (0.029, 0.015), (0.030, 0.016), (0.030, 0.016), (0.028, 0.015), (0.024, 0.013), (0.015, 0.009), (0.002, 0.002)]
        weigh = limb_weights([(0.18, "head"), (0.32, names[0]), (0.42, names[0]), (0.60, names[1]), (0.68, names[1]), (0.84, names[2])])
        c.put("Hair", "Hair", tube(path, sizes, weigh, 8, (s, 0, k)))
        c.spring("Back %d" % (i + 1), names, [head_group, body_group], (1.2, 0.7), 0.35, (0.3, 0.5), 0.018)


def add_skirt(c, groups):
    count, sides, rings = 12, 48, 14
    rows = [(1.055, 0.099, 0.075, 0.0), (1.02, 0.112, 0.088, -0.002), (0.97, 0.140, 0.117, -0.006), (0.90, 0.178, 0.158, -0.010),
            (0.82, 0.214, 0.196, -0.012), (0.74, 0.244, 0.228, -0.014), (0.675, 0.266, 0.252, -0.014)]
    levels = (0.985, 0.885, 0.780, 0.675)

    def surface(angle, y):
        a, b, z = table(rows[::-1], y)
        return (a * math.sin(angle), y, z + b * math.cos(angle))

    chains = []
    for i in range(count):
        angle = 2 * math.pi * (i + 0.5) / count
        chains.append(c.chain("Skirt %d" % (i + 1), "hips", [surface(angle, y) for y in levels]))
        c.spring("Skirt %d" % (i + 1), chains[-1], groups, (1.3, 0.9), 0.4, (0.25, 0.4), (0.02, 0.026))

    def weigh(i, j, p):
        y = p[1]
        place = count * ((j % sides) / sides) - 0.5
        first, part = math.floor(place), place - math.floor(place)
        if y > levels[0] + 0.035:
            w = smooth((1.06 - y) / 0.06)
            return [("spine", 1 - w), ("hips", w)]
        found = []
        for chain, share in ((chains[first % count], 1 - part), (chains[(first + 1) % count], part)):
            for k in range(3):
                low = levels[k] - 0.035
                high = levels[k] + 0.035
                above = "hips" if k == 0 else chain[k - 1]
                if low <= y <= high:
                    w = smooth((high - y) / 0.07)
                    found += [(above, share * (1 - w)), (chain[k], share * w)]
                    break
                if y < low and (k == 2 or y > levels[k + 1] + 0.035):
                    found.append((chain[k], share))
                    break
        return found

    def place(i, j):
        y = 0.675 + (1.055 - 0.675) * i / (rings - 1)
        fold = 1 + 0.035 * smooth((1.0 - y) / 0.3) * math.cos(2 * math.pi * j * 12 / sides)
        x, _, z = surface(2 * math.pi * j / sides, y)
        return (x * fold, y, z * fold)

    c.put("Body", "Skirt", grid(rings, sides, place, weigh, lambda i, j: (4 * j / sides, 1 - i / (rings - 1))))
    belt = [(1.035, 0.108, 0.083, -0.001), (1.05, 0.104, 0.080, 0.0), (1.07, 0.101, 0.077, 0.0)]
    c.put("Body", "Ribbon", lathe(belt, 4, 28, lambda p: [("spine", 1.0)], lambda i, j: (8 * j / 28, 0.2 * i)))


def add_tail(c, groups):
    points = [(0, 0.950, -0.100), (0, 0.925, -0.165), (0, 0.900, -0.245), (0, 0.895, -0.330), (0, 0.925, -0.410), (0, 0.985, -0.465), (0, 1.055, -0.490), (0, 1.120, -0.490)]
    names = c.chain("Tail", "hips", points)
    path = curve(points)
    radii = (0.018, 0.024, 0.031, 0.040, 0.050, 0.060, 0.068, 0.074, 0.077, 0.077, 0.073, 0.065, 0.053, 0.035, 0.004)
    weigh = c.along(names)
    c.put("Tail", "Hair", tube(path, [(r, r) for r in radii], weigh, 16, (1, 0, 0)))
    # The white tip is a cover, a little wider than the tail.
    start = 10
    total = sum(length(sub(b, a)) for a, b in zip(path, path[1:]))
    before = sum(length(sub(b, a)) for a, b in zip(path[:start + 1], path[1:start + 1])) / total
    sizes = [(r + 0.0025, r + 0.0025) for r in radii[start:]]
    c.put("Tail", "Fur", tube(path[start:], sizes, lambda t, p: weigh(before + t * (1 - before), p), 16, (1, 0, 0), False))
    c.spring("Tail", names, groups, (1.6, 0.8), (0.25, 0.3), (0.02, 0.05), (0.03, 0.06))


def add_colliders(c):
    def capsule(offset, tail, radius):
        return {"capsule": {"offset": list(offset), "tail": list(tail), "radius": radius}}

    def sphere(offset, radius):
        return {"sphere": {"offset": list(offset), "radius": radius}}

    hips = c.group("Hips", [("hips", sphere((0, 0.0, -0.010), 0.115))])
    legs = c.group("Legs", [(side + bone, capsule((0, 0, 0), (0, -0.37, 0), radius)) for side in ("left", "right")
                            for bone, radius in (("UpperLeg", 0.078), ("LowerLeg", 0.050))])
    body = c.group("Body", [("spine", capsule((0, 0, 0), (0, 0.10, 0), 0.085)), ("upperChest", capsule((0.05, 0.03, 0), (-0.05, 0.03, 0), 0.080)),
                            ("neck", sphere((0, 0.02, 0), 0.045))])
    head = c.group("Head", [("head", sphere((0, 0.105, -0.002), 0.100)), ("head", sphere((0, 0.035, 0.012), 0.076))])
    arms = c.group("Arms", [(side + "UpperArm", capsule((0, 0, 0), (sign * 0.24, 0, 0), 0.042)) for side, sign in (("left", 1), ("right", -1))])
    return hips, legs, body, head, arms


def write_meshes(c):
    scene, doc = c.scene, c.scene.doc
    used = sorted({joint for parts in c.meshes.values() for patches in parts.values() for patch in patches
                   for weights in patch.weights for joint, _ in weights}, key=lambda name: c.joints[name])
    slots = {name: i for i, name in enumerate(used)}
    matrices = []
    for name in used:
        p = c.places[name]
        matrices.append((1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -p[0], -p[1], -p[2], 1))
    doc["skins"] = [{"name": "Mira", "joints": [c.joints[name] for name in used], "skeleton": c.joints["hips"],
                     "inverseBindMatrices": scene.accessor(matrices, "MAT4")}]

    def quantize(weights):
        """Four weights of 255 in all."""
        sums = {}
        for name, w in weights:
            sums[name] = sums.get(name, 0.0) + w
        best = sorted(sums.items(), key=lambda w: -w[1])[:4]
        total = sum(w for _, w in best)
        counts = [int(round(255 * w / total)) for _, w in best]
        counts[0] += 255 - sum(counts)
        rows = [(slots[name], n) for (name, _), n in zip(best, counts) if n > 0]
        rows += [(0, 0)] * (4 - len(rows))
        return tuple(s for s, _ in rows), tuple(n for _, n in rows)

    nodes = {}
    for mesh, parts in c.meshes.items():
        primitives = []
        for material, patches in parts.items():
            positions, normals, uvs, weights, triangles = [], [], [], [], []
            for patch in patches:
                start = len(positions)
                positions += patch.positions
                normals += patch.normals()
                uvs += patch.uvs
                weights += patch.weights
                triangles += [(start + a, start + b, start + d) for a, b, d in patch.triangles]
            pairs = [quantize(w) for w in weights]
            attributes = {"POSITION": scene.accessor(positions, "VEC3", target=34962), "NORMAL": scene.accessor(normals, "VEC3", target=34962),
                          "JOINTS_0": scene.accessor([p[0] for p in pairs], "VEC4", 5121, 34962),
                          "WEIGHTS_0": scene.accessor([p[1] for p in pairs], "VEC4", 5121, 34962)}
            doc["accessors"][attributes["WEIGHTS_0"]]["normalized"] = True
            if "baseColorTexture" in doc["materials"][c.materials[material]]["pbrMetallicRoughness"]:
                attributes["TEXCOORD_0"] = scene.accessor(uvs, "VEC2", target=34962)
            primitive = {"attributes": attributes, "material": c.materials[material],
                         "indices": scene.accessor([(i,) for t in triangles for i in t], "SCALAR", 5123, 34963)}
            if patches[0].shapes:
                primitive["targets"] = []
                for name in SHAPES:
                    moved = [p for patch in patches for p in patch.shapes[name]]
                    primitive["targets"].append({"POSITION": scene.accessor([sub(q, p) for p, q in zip(positions, moved)], "VEC3", target=34962)})
            primitives.append(primitive)
        made = {"name": mesh, "primitives": primitives}
        if "targets" in primitives[0]:
            made["weights"] = [0] * len(SHAPES)
            made["extras"] = {"targetNames": SHAPES}
        doc["meshes"].append(made)
        nodes[mesh] = scene.node(mesh, mesh=len(doc["meshes"]) - 1, skin=0)
    return nodes


def describe_face(c, face):
    def binds(*names):
        return [{"node": face, "index": SHAPES.index(name), "weight": 1.0} for name in names]

    def color(material, kind, value):
        return {"material": c.materials[material], "type": kind, "targetValue": list(value)}

    blush = [color("Blush", "color", (0.96, 0.38, 0.36, 0.55))]
    preset = {"blink": {"morphTargetBinds": binds("blinkLeft", "blinkRight")}, "blinkLeft": {"morphTargetBinds": binds("blinkLeft")},
              "blinkRight": {"morphTargetBinds": binds("blinkRight")}}
    for name in ("aa", "ih", "ou", "ee", "oh", "happy", "angry", "sad", "relaxed", "surprised"):
        preset[name] = {"morphTargetBinds": binds(name)}
    preset["happy"].update({"materialColorBinds": blush, "overrideBlink": "block", "overrideLookAt": "blend", "overrideMouth": "none"})
    preset["angry"].update({"materialColorBinds": [color("Blush", "color", (0.90, 0.20, 0.18, 0.35))]})
    preset["relaxed"].update({"overrideBlink": "blend"})
    # The pupils shrink: the texture is drawn smaller, about the middle.
    preset["surprised"].update({"textureTransformBinds": [{"material": c.materials["Iris"], "scale": [1.35, 1.35], "offset": [-0.175, -0.175]}],
                                "overrideMouth": "blend"})
    preset["neutral"] = {}
    return {"preset": preset}


def mira(path):
    """53 bones, all at rest without rotation; gaze by eye bones."""
    c = Character()
    add_materials(c)
    hips, legs, body, head, arms = add_colliders(c)
    add_torso(c)
    add_limbs(c)
    add_head(c)
    add_skirt(c, [hips, legs])
    add_hair(c, head, body)
    for spring in c.springs:
        if spring["name"].startswith(("Twintail", "Lock")):
            spring["colliderGroups"].append(arms)
    add_tail(c, [hips, legs])
    nodes = write_meshes(c)
    sideways, upright = {"inputMaxValue": 60, "outputScale": 13}, {"inputMaxValue": 40, "outputScale": 8}
    c.scene.doc["extensionsUsed"] = ["VRMC_vrm", "VRMC_springBone", "VRMC_materials_mtoon"]
    c.scene.doc["extensions"] = {
        "VRMC_vrm": {
            "specVersion": "1.0",
            "meta": {"name": "Mira", "version": "1.0", "authors": ["Tendon contributors"], "copyrightInformation": "Tendon contributors, MIT",
                     "contactInformation": "see the project that this file is an example of", "references": ["tools/make_character.py"],
                     "thirdPartyLicenses": "none", "licenseUrl": "https://vrm.dev/licenses/1.0/", "avatarPermission": "everyone",
                     "allowExcessivelyViolentUsage": False, "allowExcessivelySexualUsage": False, "commercialUsage": "corporation",
                     "allowPoliticalOrReligiousUsage": False, "allowAntisocialOrHateUsage": False, "creditNotation": "unnecessary",
                     "allowRedistribution": True, "modification": "allowModificationRedistribution"},
            "humanoid": {"humanBones": c.body.bones()},
            "firstPerson": {"meshAnnotations": [{"node": nodes["Body"], "type": "auto"}, {"node": nodes["Face"], "type": "thirdPersonOnly"},
                                                {"node": nodes["Hair"], "type": "thirdPersonOnly"}, {"node": nodes["Tail"], "type": "both"}]},
            "expressions": describe_face(c, nodes["Face"]),
            "lookAt": {"type": "bone", "offsetFromHeadBone": [0, 0.078, 0.08], "rangeMapHorizontalInner": sideways,
                       "rangeMapHorizontalOuter": sideways, "rangeMapVerticalDown": upright, "rangeMapVerticalUp": upright}},
        "VRMC_springBone": {"specVersion": "1.0", "colliders": c.colliders, "colliderGroups": c.groups, "springs": c.springs}}
    c.body.write_glb(path)


# --- motions

def window(t, start, end, edge):
    """1 between start and end, with soft edges."""
    return smooth((t - start) / edge + 0.5) * smooth((end - t) / edge + 0.5)


SECONDS, RATE, BEAT = 8.0, 20, 0.5


def pose(t):
    """The dance at a time: places of hips and ankles, and turns of bones about model axes. The end equals the start."""
    beat = t / BEAT
    sway, bounce = math.sin(math.pi * beat / 2), math.cos(2 * math.pi * beat)
    spin = 360 * smooth((t - 4.0) / 1.6)
    side, whirl, hop = window(t, 0, 4.0, 0.6), window(t, 4.0, 5.6, 0.5), window(t, 5.7, 7.6, 0.5)
    if t < 0.3 or t > 7.7:
        side = smooth((t if t < 4 else 8 - t) / 0.3) if t < 4 else 0.0
    jump = hop * max(0.0, math.sin(math.pi * beat)) ** 2 * 0.07
    lean = side * sway
    hips = (0.055 * lean, 0.865 - 0.012 * bounce - 0.01 * whirl + jump, 0.012 * side * math.sin(math.pi * beat))
    heading = spin + 9 * side * math.sin(math.pi * beat / 2 + 0.6) + 16 * hop * math.sin(math.pi * beat)
    feet = {}
    for name, sign in (("left", 1), ("right", -1)):
        lift = 0.06 * side * max(0.0, -sign * math.sin(math.pi * beat / 2)) ** 2 * (0.5 - 0.5 * math.cos(2 * math.pi * beat))
        lift += 0.035 * whirl * max(0.0, sign * math.sin(2 * math.pi * beat)) + jump
        out = 0.105 + 0.035 * side + 0.03 * hop
        place = rotate(turn(Y, spin), (sign * out, 0.08 + lift, 0.02 * sign * whirl))
        feet[name] = (add(place, (0.0, 0, 0)), spin + sign * 8)
    turns = {"spine": mul(turn(Z, -5 * lean), turn(Y, 5 * side * math.sin(math.pi * beat / 2))), "chest": turn(Z, -6 * lean),
             "upperChest": mul(turn(Z, 4 * lean), turn(X, -3 * hop - 2 * whirl)), "neck": turn(Z, 4 * lean),
             "head": mul(turn(Y, -10 * side * math.sin(math.pi * beat / 2) + 18 * whirl * math.sin(math.pi * (t - 4) / 1.6)), turn(Z, 9 * lean + 8 * hop * math.sin(math.pi * beat)))}
    for name, sign in (("left", 1), ("right", -1)):
        wave = math.sin(math.pi * beat / 2 + (0 if sign > 0 else math.pi))
        # Angles of the upper arm: raised (90 is a T-pose) and swung forward; bend of the elbow.
        up = 22 + side * (38 + 42 * wave) + whirl * 62 + hop * (78 + 16 * math.sin(math.pi * beat))
        forward = 6 + side * (22 - 10 * wave) + hop * 22 - whirl * 6
        bend = 16 + side * (52 - 30 * wave) + whirl * 8 + hop * (62 - 30 * math.sin(math.pi * beat))
        turns[name + "Shoulder"] = turn(Z, sign * max(0.0, (up - 60) * 0.12))
        turns[name + "UpperArm"] = mul(mul(turn(Y, -sign * forward), turn(Z, sign * (up - 90))), turn(X, -12 - 35 * hop - 20 * side))
        turns[name + "LowerArm"] = turn(Y, -sign * bend)
        turns[name + "Hand"] = mul(turn(Z, sign * (8 - 14 * side * wave)), turn(X, 6 * wave))
        curl = 14 + 16 * (1 - whirl) * (0.5 + 0.5 * wave * side)
        for finger in ("Index", "Middle", "Ring", "Little"):
            turns[name + finger + "Proximal"] = turn(Z, -sign * curl)
            turns[name + finger + "Intermediate"] = turn(Z, -sign * curl)
    return hips, heading, feet, turns


def stand(hips, heading, feet, places):
    """Turns of the legs, by inverse kinematics: ankles at their places, knees forward, feet level."""
    turns = {"hips": turn(Y, heading)}
    for name in ("left", "right"):
        place, yaw = feet[name]
        root = sub(places[name + "UpperLeg"], places["hips"])
        thigh, shin = length(sub(places[name + "LowerLeg"], places[name + "UpperLeg"])), length(sub(places[name + "Foot"], places[name + "LowerLeg"]))
        way = rotate(conj(turns["hips"]), sub(place, add(hips, rotate(turns["hips"], root))))
        reach = min(length(way), thigh + shin - 1e-4)
        knee = math.degrees(math.pi - math.acos((thigh ** 2 + shin ** 2 - reach ** 2) / (2 * thigh * shin)))
        lead = math.degrees(math.acos((thigh ** 2 + reach ** 2 - shin ** 2) / (2 * thigh * reach)))
        turns[name + "UpperLeg"] = mul(from_to((0, -1, 0), unit(way)), turn(X, -lead))
        turns[name + "LowerLeg"] = turn(X, knee)
        world = mul(mul(turns["hips"], turns[name + "UpperLeg"]), turns[name + "LowerLeg"])
        turns[name + "Foot"] = mul(conj(world), turn(Y, yaw))
    return turns


def same_side(quaternions):
    """Signs chosen so that neighbours lie close to each other."""
    out = [quaternions[0]]
    for q in quaternions[1:]:
        out.append(q if sum(a * b for a, b in zip(q, out[-1])) >= 0 else scale(q, -1))
    return out


def make_animation(title, bones):
    body = Skeleton(title, [b for b, _, _ in BODY if b not in bones])
    scene = body.scene
    scene.doc["asset"]["generator"] = "tools/make_character.py"
    scene.doc["extensionsUsed"] = ["VRMC_vrm_animation"]
    scene.doc["extensions"] = {"VRMC_vrm_animation": {"specVersion": "1.0", "humanoid": {"humanBones": body.bones()}}}
    return body


def add_weights(scene, weights):
    """weights: keys (time, weight) by expression; one node per expression, its translation's x is the weight."""
    nodes = {}
    for name, keys in weights.items():
        node = scene.node(name)
        nodes[name] = {"node": node}
        scene.channel(node, "translation", [k[0] for k in keys], [(k[1], 0, 0) for k in keys])
    scene.doc["extensions"]["VRMC_vrm_animation"]["expressions"] = {"preset": nodes}


def blinks(times, end):
    keys = [(0, 0)]
    for t in times:
        keys += [(t, 0), (t + 0.07, 1), (t + 0.11, 1), (t + 0.22, 0)]
    return keys + [(end, 0)]


def dance(path):
    count = round(SECONDS * RATE)
    times = [i / RATE for i in range(count + 1)]
    names = ["hips", "spine", "chest", "upperChest", "neck", "head"] + [side + bone for side in ("left", "right") for bone in (
        "UpperLeg", "LowerLeg", "Foot", "Shoulder", "UpperArm", "LowerArm", "Hand", "IndexProximal", "IndexIntermediate", "MiddleProximal",
        "MiddleIntermediate", "RingProximal", "RingIntermediate", "LittleProximal", "LittleIntermediate")]
    body = make_animation("Dance", names)
    rows = {name: [] for name in names}
    places = []
    for i in range(count + 1):
        hips, heading, feet, turns = pose(times[i] if i < count else 0.0)
        turns.update(stand(hips, heading, feet, body.model))
        places.append(hips)
        for name in names:
            rows[name].append(turns[name])
    body.scene.animation("dance")
    for name in names:
        body.scene.channel(body.nodes[name], "rotation", times, same_side(rows[name]))
    body.scene.channel(body.nodes["hips"], "translation", times, places)
    add_weights(body.scene, {"happy": [(0, 0), (5.6, 0), (5.9, 1), (7.4, 1), (7.8, 0), (8, 0)], "relaxed": [(0, 0.4), (3.6, 0.4), (4, 0), (7.8, 0), (8, 0.4)],
                             "blink": blinks((1.1, 2.9, 4.6), 8), "aa": [(0, 0), (5.9, 0), (6.2, 0.5), (7.2, 0.5), (7.5, 0), (8, 0)]})
    body.write_glb(path)


def sing(path):
    """A face alone: vowels to a melody, blinks, looks and five moods. No bone is animated but the neck and the head."""
    names = ["hips", "spine", "neck", "head"] + [side + bone for side in ("left", "right") for bone in (
        "UpperLeg", "LowerLeg", "Foot", "UpperArm", "LowerArm", "Hand")]
    body = make_animation("Sing", names)
    scene = body.scene
    look = scene.node("lookAt")
    scene.animation("sing")
    vowels = ("aa", "oh", "ee", "aa", "ou", "ih", "aa", "oh", "ou", "ee", "ih", "aa")
    weights = {name: [(0, 0)] for name in ("aa", "ih", "ou", "ee", "oh")}
    for i, vowel in enumerate(vowels):
        t = 0.5 + 0.5 * i
        weights[vowel] += [(t, 0), (t + 0.12, 0.9), (t + 0.34, 0.75), (t + 0.48, 0)]
    for keys in weights.values():
        keys.append((12, 0))
    for i, mood in enumerate(("happy", "surprised", "sad", "angry", "relaxed")):
        t = 6.8 + i
        weights[mood] = [(0, 0), (t, 0), (t + 0.25, 1), (t + 0.75, 1), (t + 0.98, 0), (12, 0)]
    weights["blink"] = blinks((0.3, 2.2, 4.1, 5.9, 9.6), 12)
    add_weights(scene, weights)
    times = [0, 1, 2, 3, 4, 5, 6, 7, 8.2, 9.2, 10.2, 11.2, 12]
    gaze = ((0, 0), (25, -5), (25, 0), (-25, 5), (-10, -12), (20, 10), (0, 0), (0, -5), (0, -10), (0, 22), (0, 4), (-15, 8), (0, 0))
    scene.channel(look, "rotation", times, [mul(turn(Y, yaw), turn(X, pitch)) for yaw, pitch in gaze])
    scene.channel(body.nodes["head"], "rotation", times, [mul(turn(Y, 0.3 * yaw), mul(turn(X, 0.4 * pitch), turn(Z, (-1) ** i * 4 if 0 < i < 12 else 0)))
                                                          for i, (yaw, pitch) in enumerate(gaze)])
    scene.channel(body.nodes["neck"], "rotation", times, [turn(Y, 0.2 * yaw) for yaw, _ in gaze])
    for side, sign in (("left", 1), ("right", -1)):
        scene.channel(body.nodes[side + "UpperArm"], "rotation", [0, 12], [turn(Z, -sign * 68)] * 2)
        scene.channel(body.nodes[side + "LowerArm"], "rotation", [0, 12], [turn(Y, -sign * 12)] * 2)
    scene.doc["extensions"]["VRMC_vrm_animation"]["lookAt"] = {"node": look, "offsetFromHeadBone": [0, 0.078, 0.08]}
    body.write_glb(path)


if __name__ == "__main__":
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "..", "examples")
    mira(os.path.join(folder, "mira.vrm"))
    dance(os.path.join(folder, "dance.vrma"))
    sing(os.path.join(folder, "sing.vrma"))
