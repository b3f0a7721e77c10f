// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The script of the worker that transcodes KTX2 textures (ktx2.js). The build puts the transcoder's wrapper, which defines
// BASIS, before it.

/** Index of uncompressed RGBA among the transcoder's formats. */
const rgba32 = 13;
/** Pixels of the largest texture: 16,384 squared. */
const mostPixels = 1 << 28;

let basis = null;

/** Transcodes the first image of a texture. @returns {{ width: number, height: number, data: Uint8Array }} */
function transcode(bytes) {
  const file = new basis.KTX2File(bytes);
  try {
    const isValid = file.isValid() && file.getWidth() > 0 && file.getHeight() > 0 && file.getLevels() > 0;
    if (!isValid || file.getWidth() * file.getHeight() > mostPixels || !file.startTranscoding()) {
      throw new Error("no KTX2 texture that the transcoder reads");
    }
    const data = new Uint8Array(file.getImageTranscodedSizeInBytes(0, 0, 0, rgba32));
    if (!file.transcodeImage(data, 0, 0, 0, rgba32, 0, -1, -1)) {
      throw new Error("the texture is damaged");
    }
    return { width: file.getWidth(), height: file.getHeight(), data };
  } finally {
    file.close();
    file.delete();
  }
}

async function start(wasmBinary) {
  const module = { wasmBinary };
  await new Promise((resolve) => {
    module.onRuntimeInitialized = resolve;
    BASIS(module); // eslint-disable-line no-undef
  });
  module.initializeBasis();
  basis = module;
}

let ready = null;

self.addEventListener("message", async ({ data: { id, engine, bytes } }) => {
  try {
    ready ??= start(engine);
    await ready;
    const image = transcode(bytes);
    self.postMessage({ id, image }, [image.data.buffer]);
  } catch (error) {
    self.postMessage({ id, failure: `${error?.message ?? error}` });
  }
});
