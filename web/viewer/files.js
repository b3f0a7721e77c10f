// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Input files of the page: embedded by `tendon view`, dropped, or chosen. A file set has one main file and the files it
// refers to, by relative path.

/**
 * `sleep` is false if the page was made with --sleep off.
 * @typedef {{ name: string, bytes: Uint8Array, beside: Map<string, Uint8Array>, sleep?: boolean }} FileSet
 */

const loadable = /\.(gltf|glb|vrm|vrma|bvh|tdrec)$/i;
const motionOnly = /\.(vrma|bvh)$/i;

export function isRecordingName(name) {
  return /\.tdrec$/i.test(name);
}

export function isMotionName(name) {
  return motionOnly.test(name);
}

function decodeBase64(text) {
  const binary = atob(text.trim());
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) {
    bytes[i] = binary.charCodeAt(i);
  }
  return bytes;
}

export function readEngineBytes(page) {
  return decodeBase64(page.getElementById("engine").textContent);
}

/**
 * @returns {{ main: FileSet | null, motion: FileSet | null, gaze: number | number[] | null }} files that `tendon view` embedded,
 *     and the node or point that the avatar looks at
 */
export function readEmbedded(page) {
  const found = { main: null, motion: null, gaze: null };
  const beside = new Map();
  for (const script of page.querySelectorAll("script[data-role]")) {
    const bytes = decodeBase64(script.textContent);
    const { role, name } = script.dataset;
    if (role === "beside") {
      beside.set(name, bytes);
    } else if (role === "gaze") {
      const numbers = name.split(",").map(Number);
      found.gaze = numbers.length === 3 ? numbers : numbers[0];
    } else {
      found[role] = { name, bytes, beside, sleep: script.dataset.sleep !== "off" };
    }
    script.remove();
  }
  return found;
}

/** Folders and files of a drop, with paths relative to the drop. */
async function readEntry(entry, path, out) {
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    out.set(path + entry.name, new Uint8Array(await file.arrayBuffer()));
  } else if (entry.isDirectory) {
    const reader = entry.createReader();
    for (;;) {
      const entries = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
      if (entries.length === 0) {
        break;
      }
      for (const child of entries) {
        await readEntry(child, `${path}${entry.name}/`, out);
      }
    }
  }
}

async function readList(list) {
  const files = new Map();
  for (const file of list) {
    files.set(file.webkitRelativePath || file.name, new Uint8Array(await file.arrayBuffer()));
  }
  return files;
}

/** Reads the files of a drop, including those in folders. */
export async function readDrop(transfer) {
  // Dropped items are accessible only during this event. Plain files are read as files: pages from disk may not read them
  // through their entries.
  const items = [...(transfer.items ?? [])].filter((item) => item.kind === "file");
  const folders = items.map((item) => item.webkitGetAsEntry?.()).filter((entry) => entry?.isDirectory);
  const plain = folders.length === 0 ? [...transfer.files] : items.filter((item) => !item.webkitGetAsEntry().isDirectory).map((item) => item.getAsFile());
  const files = await readList(plain);
  for (const folder of folders) {
    try {
      await readEntry(folder, "", files);
    } catch {
      throw new Error("The browser does not let a page from disk read folders. Drop the files in it instead.");
    }
  }
  return files;
}

/** The files below a folder without the main file, by relative path. */
function collectBeside(files, folder, path) {
  const beside = new Map();
  for (const [other, bytes] of files) {
    if (other.startsWith(folder) && other !== path) {
      beside.set(other.slice(folder.length), bytes);
    }
  }
  return beside;
}

/**
 * Finds the main files in a list of files: models first, then motions.
 * @returns {{ sets: FileSet[], ignored: string[] }}
 */
export function arrangeFiles(files) {
  const names = [...files.keys()].filter((name) => loadable.test(name));
  const order = (name) => (/\.(vrm|gltf|glb)$/i.test(name) ? 0 : 1);
  names.sort((a, b) => order(a) - order(b));
  const sets = names.map((path) => {
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    let beside = null;
    return {
      name: path.slice(folder.length),
      bytes: files.get(path),
      // Collected on first use: few sets of a large drop are opened.
      get beside() {
        beside ??= collectBeside(files, folder, path);
        return beside;
      },
    };
  });
  return { sets, ignored: sets.length === 0 ? [...files.keys()] : [] };
}

export { readList };
