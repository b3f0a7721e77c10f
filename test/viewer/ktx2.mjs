// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Small KTX2 textures for tests.

/** A Zstandard frame that contains bytes (at most 255) uncompressed. */
const makeZstandard = (bytes) => Buffer.concat([
  Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x20, bytes.length]), // magic; one segment; size of the content
  Buffer.from([((bytes.length << 3) | 1) & 255, bytes.length >> 5, 0]), // the last block, raw
  bytes,
]);

/** A KTX2 texture of 4 x 4 pixels of one colour, as one UASTC block of mode 8; optionally with Zstandard around the block. */
export function makeKtx2(color, { isZstandard = false } = {}) {
  const levels = 80 + 24; // header, level index
  const descriptor = Buffer.alloc(44);
  descriptor.writeUInt32LE(44, 0);
  descriptor.writeUInt32LE((40 << 16) | 2, 8);
  descriptor.set([166, 1, 2, 0, 3, 3, 0, 0, 16], 12); // UASTC, BT.709, sRGB, blocks of 4 x 4, 16 bytes
  descriptor.writeUInt32LE((3 << 24) | (127 << 16), 28); // RGBA in 128 bits
  descriptor.writeUInt32LE(0xffffffff, 40);
  const block = Buffer.alloc(16);
  const bits = color.reduce((sum, value, i) => sum | (BigInt(value) << BigInt(5 + 8 * i)), 0x17n);
  block.writeBigUInt64LE(bits, 0);
  const stored = isZstandard ? makeZstandard(block) : block;
  const data = levels + 44 + 12; // aligned to 16
  const header = Buffer.alloc(levels);
  Buffer.from([0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb, 0x0d, 0x0a, 0x1a, 0x0a]).copy(header);
  [0, 1, 4, 4, 0, 0, 1, 1, isZstandard ? 2 : 0, levels, 44].forEach((word, i) => header.writeUInt32LE(word, 12 + 4 * i));
  [data, stored.length, block.length].forEach((word, i) => header.writeBigUInt64LE(BigInt(word), 80 + 8 * i));
  return Buffer.concat([header, descriptor, Buffer.alloc(12), stored]);
}
