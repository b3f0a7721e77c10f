#!/usr/bin/env python3
# SPDX-FileCopyrightText: Tendon contributors
# SPDX-License-Identifier: MIT
#
# Draws contact sheets of retargeted example motions.
"""Draws contact sheets of retargeted example motions: the source skeleton above the avatar at eight instants.

usage: tools/make_contact_sheets.py TENDON FOLDER

TENDON is the program, FOLDER receives sheet_MOTION_AVATAR.png. The avatars are drawn by `tendon render`, the skeletons
from `tendon trace` by this script, both in the same direction and without horizontal travel. Needs Python's standard
library alone.
"""
import json
import math
import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"
SHEETS = [
    ("walk.bvh", "lanky.vrm", 60),
    ("walk.bvh", "stocky.vrm", 60),
    ("wave.bvh", "stocky.vrm", 20),
    ("stretch.vrma", "lanky.vrm", 20),
    ("dance.vrma", "mira.vrm", 20),
]
INSTANTS = 8
WIDTH, HEIGHT = 104, 150  # of a picture, pixels
SCALE = 3  # samples per side of a pixel of the skeletons
PITCH = 8  # degrees


def read_png(path):
    """Pixels of an 8-bit RGB or RGBA file as rows of RGB bytes."""
    data = path.read_bytes()
    at, parts, width, height, channels = 8, b"", 0, 0, 3
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, _, colour = struct.unpack(">IIBB", body[:10])
            channels = {2: 3, 6: 4}[colour]
        elif kind == b"IDAT":
            parts += body
        at += 12 + size
    raw, rows, before = zlib.decompress(parts), [], bytearray(width * channels)
    for y in range(height):
        line = bytearray(raw[y * (width * channels + 1):(y + 1) * (width * channels + 1)])
        kind, line = line[0], line[1:]
        for x in range(len(line)):
            left = line[x - channels] if x >= channels else 0
            corner = before[x - channels] if x >= channels else 0
            up = before[x]
            guess = left + up - corner
            paeth = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
            line[x] = (line[x] + (0, left, up, (left + up) // 2, paeth)[kind]) & 255
        before = line
        rows.append(b"".join(bytes(line[x:x + 3]) for x in range(0, len(line), channels)))
    return rows


def write_png(path, rows):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", len(rows[0]) // 3, len(rows), 8, 2, 0, 0, 0)
    body = zlib.compress(b"".join(b"\0" + row for row in rows), 9)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b""))


def project(point, yaw):
    """A point of the world on the picture: right and up, in metres."""
    c, s = math.cos(math.radians(yaw)), math.sin(math.radians(yaw))
    right, depth = c * point[0] - s * point[2], s * point[0] + c * point[2]
    c, s = math.cos(math.radians(PITCH)), math.sin(math.radians(PITCH))
    return right, c * point[1] - s * depth


def draw_skeleton(points, parents, names, yaw, extent):
    """Rows of a picture of the bones. The left side is red, the right side blue."""
    w, h = WIDTH * SCALE, HEIGHT * SCALE
    canvas = [[(242, 243, 245)] * w for _ in range(h)]
    size = 0.86 * h / extent
    hips = points[0]
    flat = [project((p[0] - hips[0], p[1], p[2] - hips[2]), yaw) for p in points]
    for node, parent in enumerate(parents):
        if parent < 0:
            continue
        name = names[node].lower()
        colour = (200, 50, 50) if name.startswith("left") else (40, 90, 200) if name.startswith("right") else (60, 60, 70)
        (x0, y0), (x1, y1) = flat[parent], flat[node]
        steps = max(2, int(2 * size * math.hypot(x1 - x0, y1 - y0)))
        for i in range(steps + 1):
            t = i / steps
            cx, cy = w / 2 + size * (x0 + t * (x1 - x0)), 0.95 * h - size * (y0 + t * (y1 - y0))
            for y in range(int(cy - 3), int(cy + 4)):
                for x in range(int(cx - 3), int(cx + 4)):
                    if 0 <= x < w and 0 <= y < h and (x - cx) ** 2 + (y - cy) ** 2 <= 9:
                        canvas[y][x] = colour
    rows = []
    for y in range(HEIGHT):
        row = bytearray()
        for x in range(WIDTH):
            cells = [canvas[SCALE * y + j][SCALE * x + i] for j in range(SCALE) for i in range(SCALE)]
            row += bytes(sum(cell[k] for cell in cells) // len(cells) for k in range(3))
        rows.append(bytes(row))
    return rows


def make_sheet(tendon, folder, motion, avatar, yaw):
    source = EXAMPLES / motion
    described = json.loads(subprocess.run([tendon, "inspect", "--json", source], check=True, capture_output=True).stdout)
    duration = described["animations"][0]["duration"]
    times = [duration * i / INSTANTS for i in range(INSTANTS)]
    text = subprocess.run([tendon, "trace", source, "--times", ",".join(map(repr, times)), "-q"], check=True,
                          capture_output=True, text=True).stdout
    frames = [json.loads(line) for line in text.splitlines()]
    parents = [node["parent"] for node in described["nodes"]]
    names = [node["name"] for node in described["nodes"]]
    root = next(i for i, name in enumerate(names) if name.lower() == "hips")
    # Nodes above the hips are no bones.
    kept = [i for i in range(len(names)) if i == root or any_above(parents, i, root)]
    index = {node: i for i, node in enumerate(kept)}
    tree = [-1 if node == root else index[parents[node]] for node in kept]
    extent = 1.08 * max(frame["nodes"][node][1] for frame in frames for node in kept)
    above = [draw_skeleton([frame["nodes"][node] for node in kept], tree, [names[node] for node in kept], yaw, extent)
             for frame in frames]
    below = []
    with tempfile.TemporaryDirectory() as scratch:
        picture = pathlib.Path(scratch) / "picture.png"
        for time in times:
            subprocess.run([tendon, "render", EXAMPLES / avatar, "--motion", source, "--contacts", "auto", "--root", "in-place",
                            "--seconds", repr(time), "--size", f"{WIDTH}x{HEIGHT}", "--orbit", f"{yaw},{PITCH},1", "-q",
                            "-o", picture], check=True, capture_output=True)
            below.append(read_png(picture))
    rows = [b"".join(picture[y] for picture in above) for y in range(HEIGHT)]
    rows += [b"".join(picture[y] for picture in below) for y in range(HEIGHT)]
    name = f"sheet_{source.stem}_{pathlib.Path(avatar).stem}.png"
    write_png(folder / name, rows)
    print(folder / name)


def any_above(parents, node, wanted):
    while node >= 0 and node != wanted:
        node = parents[node]
    return node == wanted


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for motion, avatar, yaw in SHEETS:
        make_sheet(sys.argv[1], folder, motion, avatar, yaw)


if __name__ == "__main__":
    main()
