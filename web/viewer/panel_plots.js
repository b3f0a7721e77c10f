// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Plots over the recorded time: energy, time per step, contacts. Drawn on plain canvases, the last seconds only.

const shownSeconds = 10;
const leastSeconds = 2;

const plots = [
  {
    id: "energy", title: "Energy", unit: "J",
    lines: [
      { label: "total", color: "--text", read: (frame) => frame.kinetic + frame.potential },
      { label: "kinetic", color: "--accent", read: (frame) => frame.kinetic },
      { label: "potential", color: "--quiet", read: (frame) => frame.potential },
    ],
  },
  { id: "step-time", title: "Step time", unit: "ms", fromZero: true, isSpiky: true, meanOver: 30, lines: [{ label: "", color: "--accent", read: (frame) => frame.stepTime }] },
  { id: "contacts", title: "Contacts", unit: "", isWhole: true, fromZero: true, lines: [{ label: "", color: "--accent", read: (frame) => frame.touchCount }] },
];

const format = (value) => (value === 0 ? "0" : Math.abs(value) >= 1000 || Math.abs(value) < 0.001 ? value.toExponential(2) : value.toPrecision(3));

export class PlotPanel {
  constructor(page) {
    this.page = page;
    this.cards = plots.map((plot) => {
      const card = document.createElement("div");
      card.className = "plot";
      card.innerHTML = "<header><span></span><span></span></header><canvas></canvas><div class=legend></div>";
      const [title, value] = card.querySelectorAll("header span");
      title.textContent = plot.title;
      const legend = card.querySelector(".legend");
      for (const line of plot.lines.filter((entry) => entry.label)) {
        const word = document.createElement("span");
        word.textContent = `${line.label}  `;
        word.style.color = `var(${line.color})`;
        legend.append(word);
      }
      page.append(card);
      return { plot, value, canvas: card.querySelector("canvas") };
    });
  }

  update(recording, time) {
    if (this.page.hidden || recording.length === 0) {
      return;
    }
    const end = Math.max(time, recording.oldest.time + Math.min(shownSeconds, recording.newest.time - recording.oldest.time));
    const start = Math.max(recording.oldest.time, end - shownSeconds);
    const span = Math.max(leastSeconds, end - start);
    const first = recording.find(start).position;
    const last = recording.find(end).position;
    const style = getComputedStyle(document.documentElement);
    for (const card of this.cards) {
      this.#draw(card, recording, { start, span, first, last, time }, style);
    }
  }

  #draw({ plot, value, canvas }, recording, { start, span, first, last, time }, style) {
    const ratio = Math.min(devicePixelRatio, 2);
    const width = Math.round(canvas.clientWidth * ratio);
    const height = Math.round(canvas.clientHeight * ratio);
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    const draw = canvas.getContext("2d");
    draw.clearRect(0, 0, width, height);
    let low = plot.fromZero ? 0 : Infinity;
    let high = plot.fromZero ? 1e-6 : -Infinity;
    for (let i = first; i <= last; ++i) {
      for (const line of plot.lines) {
        const y = line.read(recording.at(i));
        low = Math.min(low, y);
        high = Math.max(high, y);
      }
    }
    if (high - low < 1e-9) {
      high = low + 1;
    }
    if (plot.isSpiky) {
      high = Math.min(high, this.#mostly(plot, recording, first, last));
    }
    const pad = 6 * ratio;
    const toX = (t) => pad + ((t - start) / span) * (width - 2 * pad);
    const toY = (y) => height - pad - ((y - low) / (high - low)) * (height - 2 * pad);
    draw.lineWidth = 1.5 * ratio;
    draw.lineJoin = "round";
    for (const line of plot.lines) {
      draw.strokeStyle = style.getPropertyValue(line.color);
      draw.beginPath();
      for (let i = first; i <= last; ++i) {
        const frame = recording.at(i);
        draw.lineTo(toX(frame.time), toY(line.read(frame)));
      }
      draw.stroke();
    }
    // Labels of the bounds on a background that keeps them readable.
    draw.font = `${10 * ratio}px ${style.getPropertyValue("--mono")}`;
    draw.textBaseline = "top";
    for (const [bound, y] of [[high, 4 * ratio], [low, height - 14 * ratio]]) {
      const text = plot.isWhole ? `${Math.round(bound)}` : format(bound);
      draw.fillStyle = style.getPropertyValue("--ground");
      draw.globalAlpha = 0.8;
      draw.fillRect(4 * ratio, y - ratio, draw.measureText(text).width + 4 * ratio, 12 * ratio);
      draw.globalAlpha = 1;
      draw.fillStyle = style.getPropertyValue("--quiet");
      draw.fillText(text, 6 * ratio, y);
    }
    draw.strokeStyle = style.getPropertyValue("--line");
    draw.lineWidth = ratio;
    draw.beginPath();
    draw.moveTo(toX(time), 0);
    draw.lineTo(toX(time), height);
    draw.stroke();
    value.textContent = `${this.#read(plot, recording, time)} ${plot.unit}`.trim();
  }

  /** Upper bound of a spiky plot: twice the 95th percentile, so that outliers do not flatten the rest. */
  #mostly(plot, recording, first, last) {
    const values = Array.from({ length: last + 1 - first }, (_, i) => plot.lines[0].read(recording.at(first + i))).sort((a, b) => a - b);
    return 2 * Math.max(values[Math.floor(0.95 * (values.length - 1))], 1e-3);
  }

  /** The current value; for coarse clocks the mean of the last steps. */
  #read(plot, recording, time) {
    const { position } = recording.find(time);
    const from = Math.max(0, position + 1 - (plot.meanOver ?? 1));
    let sum = 0;
    for (let i = from; i <= position; ++i) {
      sum += plot.lines[0].read(recording.at(i));
    }
    const value = sum / (position + 1 - from);
    return plot.isWhole ? `${value}` : format(value);
  }
}
