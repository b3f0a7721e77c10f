#!/usr/bin/env python3
# SPDX-FileCopyrightText: Tendon contributors
# SPDX-License-Identifier: MIT
#
# Makes test/data/png: small images of every colour type, depth and filter, interlaced or not, each with its pixels as
# NAME.rgba. Needs Python 3 and no packages.
import random
import struct
import zlib
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "png"
WIDTH, HEIGHT = 13, 9
CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
PASSES = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def pack_row(samples, depth):
    if depth == 16:
        return b"".join(struct.pack(">H", s) for s in samples)
    out, bits, count = bytearray(), 0, 0
    for sample in samples:
        bits = bits << depth | sample
        count += depth
        if count == 8:
            out.append(bits)
            bits = count = 0
    if count:
        out.append(bits << (8 - count))
    return bytes(out)


def paeth(a, b, c):
    p = a + b - c
    da, db, dc = abs(p - a), abs(p - b), abs(p - c)
    return a if da <= db and da <= dc else b if db <= dc else c


def filter_row(row, above, size, kind):
    out = bytearray([kind])
    for i, byte in enumerate(row):
        left = row[i - size] if i >= size else 0
        up = above[i] if above else 0
        corner = above[i - size] if above and i >= size else 0
        guess = [0, left, up, (left + up) // 2, paeth(left, up, corner)][kind]
        out.append((byte - guess) & 255)
    return bytes(out)


def make(name, kind, depth, interlaced, level, key):
    rng = random.Random(name)
    channels, top = CHANNELS[kind], (1 << depth) - 1
    pixels = [[[rng.randint(0, top) for _ in range(channels)] for _ in range(WIDTH)] for _ in range(HEIGHT)]
    palette = [[rng.randint(0, 255) for _ in range(3)] for _ in range(1 << depth)] if kind == 3 else []
    alphas = [rng.randint(0, 255) for _ in range(min(len(palette), 5))]
    raw = b""
    for x0, y0, dx, dy in PASSES if interlaced else [(0, 0, 1, 1)]:
        above = None
        for number, y in enumerate(range(y0, HEIGHT, dy)):
            samples = [s for x in range(x0, WIDTH, dx) for s in pixels[y][x]]
            if not samples:
                continue
            row = pack_row(samples, depth)
            raw += filter_row(row, above, max(channels * depth // 8, 1), number % 5)
            above = row
    data = zlib.compress(raw, level)
    out = b"\x89PNG\r\n\x1a\n"
    out += chunk(b"IHDR", struct.pack(">IIBBBBB", WIDTH, HEIGHT, depth, kind, 0, 0, int(interlaced)))
    if palette:
        out += chunk(b"PLTE", bytes(v for color in palette for v in color)) + chunk(b"tRNS", bytes(alphas))
    if key:
        out += chunk(b"tRNS", b"".join(struct.pack(">H", s) for s in pixels[2][3]))
    half = len(data) // 2
    out += chunk(b"tEXt", b"Comment\0two parts") + chunk(b"IDAT", data[:half]) + chunk(b"IDAT", data[half:])
    out += chunk(b"IEND", b"")
    rgba = bytearray()
    for row in pixels:
        for p in row:
            byte = [v >> 8 if depth == 16 else v * 255 // top for v in p]
            if kind == 3:
                rgba += bytes(palette[p[0]] + [alphas[p[0]] if p[0] < len(alphas) else 255])
            elif kind in (4, 6):
                rgba += bytes((byte[:1] * 3 if kind == 4 else byte[:3]) + byte[-1:])
            else:
                rgba += bytes((byte * 3 if kind == 0 else byte) + [0 if key and p == pixels[2][3] else 255])
    (FOLDER / f"{name}.png").write_bytes(out)
    (FOLDER / f"{name}.rgba").write_bytes(rgba)


FOLDER.mkdir(exist_ok=True)
for kind, depths in {0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16]}.items():
    for depth in depths:
        make(f"type{kind}_depth{depth}", kind, depth, False, 9, False)
make("interlaced", 6, 8, True, 9, False)
make("interlaced_bits", 0, 1, True, 9, False)
make("stored", 2, 8, False, 0, False)
make("fast", 2, 8, False, 1, False)
make("key", 2, 8, False, 9, True)
