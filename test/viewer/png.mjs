// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Small PNGs: reads what Chromium writes (8 bits, RGB or RGBA, not interlaced) and writes it again with a palette of its
// most important colours, found by median cut.
import zlib from "node:zlib";

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function crc32(bytes) {
  if (zlib.crc32) {
    return zlib.crc32(bytes); // since Node 20.15
  }
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; ++bit) {
      crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    }
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** @returns {{ width: number, height: number, pixels: Uint8Array }} RGB */
export function readPng(bytes) {
  if (!bytes.subarray(0, 8).equals(signature)) {
    throw new Error("no PNG");
  }
  const data = [];
  let width = 0;
  let height = 0;
  let channels = 0;
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const kind = bytes.toString("latin1", at + 4, at + 8);
    const body = bytes.subarray(at + 8, at + 8 + length);
    if (kind === "IHDR") {
      width = body.readUInt32BE(0);
      height = body.readUInt32BE(4);
      channels = { 2: 3, 6: 4 }[body[9]];
      if (body[8] !== 8 || channels === undefined || body[12] !== 0) {
        throw new Error("a kind of PNG that is not read here");
      }
    } else if (kind === "IDAT") {
      data.push(body);
    }
    at += 12 + length;
  }
  return { width, height, pixels: unfilter(zlib.inflateSync(Buffer.concat(data)), width, height, channels) };
}

/** Undoes the filters of PNG 9.2 and drops alpha. */
function unfilter(raw, width, height, channels) {
  const stride = width * channels;
  const pixels = new Uint8Array(3 * width * height);
  let above = new Uint8Array(stride);
  for (let y = 0; y < height; ++y) {
    const filter = raw[y * (stride + 1)];
    const row = new Uint8Array(raw.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1)));
    for (let i = 0; i < stride; ++i) {
      const left = i >= channels ? row[i - channels] : 0;
      const up = above[i];
      const corner = i >= channels ? above[i - channels] : 0;
      row[i] += [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
    }
    for (let x = 0; x < width; ++x) {
      pixels.set(row.subarray(x * channels, x * channels + 3), 3 * (y * width + x));
    }
    above = row;
  }
  return pixels;
}

function paeth(left, up, corner) {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

/** Splits the box with the largest spread of colours, weighted by pixels, until there are enough. */
function choosePalette(histogram, size) {
  const boxes = [measure([...histogram].map(([color, count]) => ({ rgb: [color >> 16, (color >> 8) & 255, color & 255], count })))];
  while (boxes.length < size) {
    const widest = boxes.reduce((best, box) => (box.error > best.error ? box : best));
    if (widest.error <= 0) {
      break;
    }
    const { colors, axis, mean } = widest;
    const low = colors.filter(({ rgb }) => rgb[axis] <= mean[axis]);
    const high = colors.filter(({ rgb }) => rgb[axis] > mean[axis]);
    boxes.splice(boxes.indexOf(widest), 1, measure(low), measure(high));
  }
  return boxes;
}

function measure(colors) {
  const mean = [0, 0, 0];
  const spread = [0, 0, 0];
  const total = colors.reduce((sum, { count }) => sum + count, 0);
  for (const axis of [0, 1, 2]) {
    mean[axis] = colors.reduce((sum, { rgb, count }) => sum + count * rgb[axis], 0) / total;
    spread[axis] = colors.reduce((sum, { rgb, count }) => sum + Math.sqrt(count) * (rgb[axis] - mean[axis]) ** 2, 0);
  }
  const axis = spread.indexOf(Math.max(...spread));
  return { colors, mean, axis, error: colors.length > 1 ? spread[axis] : 0 };
}

/** @returns {Buffer} an indexed PNG with at most `size` colours */
export function quantisePng(bytes, size = 160) {
  const { width, height, pixels } = readPng(bytes);
  const histogram = new Map();
  for (let i = 0; i < pixels.length; i += 3) {
    const color = (pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2];
    histogram.set(color, (histogram.get(color) ?? 0) + 1);
  }
  const boxes = choosePalette(histogram, size);
  const indices = new Map(boxes.flatMap(({ colors }, index) => colors.map(({ rgb }) => [(rgb[0] << 16) | (rgb[1] << 8) | rgb[2], index])));
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x) {
      const i = 3 * (y * width + x);
      rows[y * (width + 1) + 1 + x] = indices.get((pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2]);
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  const palette = Buffer.from(boxes.flatMap(({ mean }) => mean.map(Math.round)));
  const chunk = (kind, body) => {
    const out = Buffer.alloc(12 + body.length);
    out.writeUInt32BE(body.length, 0);
    out.write(kind, 4, "latin1");
    body.copy(out, 8);
    out.writeUInt32BE(crc32(out.subarray(4, 8 + body.length)), 8 + body.length);
    return out;
  };
  return Buffer.concat([signature, chunk("IHDR", head), chunk("PLTE", palette), chunk("IDAT", zlib.deflateSync(rows, { level: 9 })), chunk("IEND", Buffer.alloc(0))]);
}
