// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// MToon, the materials of VRM: plugins of three-vrm for the loader.
import { MToonMaterialLoaderPlugin } from "@pixiv/three-vrm-materials-mtoon";
import { VRMMaterialsV0CompatPlugin } from "@pixiv/three-vrm-materials-v0compat";

/** Draws VRMC_materials_mtoon, and the MToon of VRM 0.x, which the second plugin translates to it. */
export function addToonPlugins(loader) {
  loader.register((parser) => new VRMMaterialsV0CompatPlugin(parser));
  loader.register((parser) => new MToonMaterialLoaderPlugin(parser, { v0CompatShade: parser.json.extensions?.VRM !== undefined }));
}
