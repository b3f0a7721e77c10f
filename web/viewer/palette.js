// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Colours of the scene for the dark and the light theme. Colours of the page are in style.css.

const dark = {
  ground: "#15171a",
  zenith: "#0f1114",
  horizon: "#2b3038",
  grid: "#8b949e",
  sky: "#dfe6ee",
  earth: "#3a3733",
  accent: "#ff8a5b",
  static: "#8b949e",
  kinematic: "#58a6ff",
  dynamic: "#56d364",
  sleeping: "#b392f0",
  trigger: "#e3b341",
  joint: "#ffa657",
  jointFill: "#ffa657",
  core: "#ff6b6b",
  contact: "#ff7b9c",
  centre: "#f0f6fc",
  roll: "#79c0ff",
  aim: "#ffa657",
  rotation: "#7ee787",
  spring: "#f778ba",
  springCollider: "#39c5cf",
  springInside: "#e3b341",
  bone: "#d2dae3",
  axes: ["#f4706b", "#6fcf72", "#5aa9f8"],
};

const light = {
  ground: "#eef0f2",
  zenith: "#cfd8e2",
  horizon: "#fbfcfd",
  grid: "#6b7580",
  sky: "#ffffff",
  earth: "#b9b4ad",
  accent: "#bd4817",
  static: "#6e7781",
  kinematic: "#0969da",
  dynamic: "#1a7f37",
  sleeping: "#8250df",
  trigger: "#9a6700",
  joint: "#bc4c00",
  jointFill: "#e16f24",
  core: "#c42b1c",
  contact: "#cf2260",
  centre: "#24292f",
  roll: "#0969da",
  aim: "#bc4c00",
  rotation: "#1a7f37",
  spring: "#bf3989",
  springCollider: "#1b7c83",
  springInside: "#9a6700",
  bone: "#3b434b",
  axes: ["#d1242f", "#1a7f37", "#0969da"],
};

export const palettes = { dark, light };

/** In the order of the engine's shape states. */
export const shapeStates = ["static", "kinematic", "dynamic", "sleeping", "trigger"];
