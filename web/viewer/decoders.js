// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Draco meshes and KTX2 textures: loaders with the decoders that the page carries. three.js' loader of Draco asks for files by
// name; it gets the page's own blocks.
import * as THREE from "three";
import { DRACOLoader } from "three/addons/loaders/DRACOLoader.js";
import { packedExtensions } from "./drawable.js";
import { Ktx2Loader } from "./ktx2.js";

/** The block of a decoder; null where the page carries none, and outside a page. */
const find = (file) => globalThis.document?.querySelector(`script[data-decoder="${file}"]`) ?? null;
const types = { js: "text/javascript", wasm: "application/wasm" };
const addresses = new Map();

const readBlock = (file) => Uint8Array.from(atob(find(file).textContent.trim()), (c) => c.charCodeAt(0));

/** The address of a block of the page, as the loaders fetch it. */
function getAddress(file) {
  if (!addresses.has(file)) {
    addresses.set(file, URL.createObjectURL(new Blob([readBlock(file)], { type: types[file.split(".").pop()] })));
  }
  return addresses.get(file);
}

const hasDraco = () => find("draco_decoder.wasm") !== null;
const hasKtx2 = () => find("basis_transcoder.wasm") !== null;

/** Extensions that the page does not draw because it does not carry their decoders. */
export const findUndrawn = () => packedExtensions.filter((name) => !(name === "KHR_draco_mesh_compression" ? hasDraco() : hasKtx2()));

let draco = null;
let ktx2 = null;

const makeManager = () => {
  const manager = new THREE.LoadingManager();
  return manager.setURLModifier((url) => (find(url) !== null ? getAddress(url) : url));
};

/** Gives a GLTFLoader the decoders of the page. */
export function addDecoders(loader) {
  if (hasDraco()) {
    draco ??= new DRACOLoader(makeManager());
    loader.setDRACOLoader(draco);
  }
  if (hasKtx2()) {
    ktx2 ??= new Ktx2Loader(getAddress("basis_transcoder.js"), () => readBlock("basis_transcoder.wasm"));
    loader.setKTX2Loader(ktx2);
  }
}

/** The number of KTX2 textures that could not be read since the last call. */
export const takeTextureFailures = () => ktx2?.takeFailures() ?? 0;

/** The licences of the decoders in the page, as text. */
export const readDecoderLicences = () => [...document.querySelectorAll("script[data-licence]")].map((block) => block.textContent.trim());
