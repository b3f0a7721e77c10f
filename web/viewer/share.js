// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The state of a page in its address: #camera=x,y,z,tx,ty,tz&time=1.5&animation=0&theme=dark&embed. Nothing of it leaves the
// browser, as fragments are not sent to servers.

const round = (number) => Number(number.toPrecision(6));

/**
 * @param state camera: six numbers, position and target; time: s; animation: index; theme: "dark" or "light"; embed: boolean.
 *   Absent members are left out.
 */
export function formatState({ camera, time, animation, theme, embed }) {
  const parts = [];
  if (camera) {
    parts.push(`camera=${camera.map(round).join(",")}`);
  }
  if (time > 0) {
    parts.push(`time=${round(time)}`);
  }
  if (Number.isInteger(animation)) {
    parts.push(`animation=${animation}`);
  }
  if (theme) {
    parts.push(`theme=${theme}`);
  }
  if (embed) {
    parts.push("embed");
  }
  return parts.length > 0 ? `#${parts.join("&")}` : "";
}

const toNumber = (text) => (text !== null && /^-?[0-9.]+(e[-+]?[0-9]+)?$/i.test(text) ? Number(text) : NaN);

/** Reads a fragment; members with wrong values are null. */
export function parseState(fragment) {
  const words = new URLSearchParams(fragment.replace(/^#/, ""));
  const camera = (words.get("camera") ?? "").split(",").map(toNumber);
  const isCamera = camera.length === 6 && camera.every(Number.isFinite) && [0, 1, 2].some((i) => camera[i] !== camera[i + 3]);
  const time = toNumber(words.get("time")), animation = toNumber(words.get("animation")), theme = words.get("theme");
  return {
    camera: isCamera ? camera : null,
    time: time >= 0 && time <= 3600 ? time : null,
    animation: Number.isInteger(animation) && animation >= -1 ? animation : null,
    theme: theme === "dark" || theme === "light" ? theme : null,
    embed: words.has("embed"),
  };
}
