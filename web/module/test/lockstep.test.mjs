// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Lockstep of two peers in WebAssembly, one with and one without SIMD, and a native server (examples/lockstep_server.c),
// over a network that delays and loses packets. TENDON_LOCKSTEP gives the number of steps.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { loadTendon, top } from "./common.mjs";

const STEPS = Number(process.env.TENDON_LOCKSTEP ?? 3000);
const RING = 32; // steps that a peer may run ahead of the inputs it knows
const DELAY = 6; // longest delay of a packet, ticks
const LOSS = 0.25;

const server = process.env.TENDON_LOCKSTEP_SERVER ?? join(top, "build/optimised/test/example_lockstep_server");

/** Numbers from 0 to 1, the same in every run (xorshift). */
function makeRandom(seed) {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

class Peer {
  constructor(tendon, self) {
    this.self = self;
    this.stage = tendon.createStage();
    const { world } = this.stage;
    world.createBody({ motion: "static", shapes: [{ type: "plane", sizeX: 100, sizeZ: 100 }] });
    this.pucks = [-1, 1].map((x) => world.createBody({ position: [x, 0.11, 0], shapes: [{ type: "cylinder", height: 0.2, radius: 0.3 }] }));
    this.history = this.stage.createHistory(RING);
    this.known = [[], []]; // inputs by player and step
    this.hashes = []; // by step, after it
    this.repeated = 0;
  }

  apply = (stage, step) => {
    if (step > 0) this.hashes[step - 1] = stage.stateHash;
    for (const player of [0, 1]) {
      const input = this.known[player][step] ?? 0;
      if (input !== 0) this.pucks[player].applyImpulse([20 * input, 0, player === 0 ? 5 : -5]);
    }
  };

  /** Takes the first `count` inputs of the other player; steps that were made without them are repeated. */
  receive(inputs, count) {
    const known = this.known[1 - this.self];
    const first = known.length;
    known.push(...inputs.slice(first, count));
    const late = this.stage.stepCount - first;
    if (known.length === first || late <= 0) return;
    this.history.rollback(late, this.apply);
    this.repeated += late;
  }

  /** Makes a step with an input of its own, if it is not too far ahead. */
  step(input) {
    const { stepCount } = this.stage;
    if (stepCount >= STEPS || stepCount >= this.known[1 - this.self].length + RING) return;
    this.known[this.self].push(input);
    this.history.step(this.apply);
  }
}

test(`two peers in WebAssembly and a native server agree on every one of ${STEPS} steps`, {
  skip: existsSync(server) ? false : "needs the target example_lockstep_server of the preset optimised",
}, async () => {
  const random = makeRandom(23);
  const peers = [new Peer(await loadTendon(), 0), new Peer(await loadTendon(undefined, { simd: false }), 1)];
  const native = spawn(server, [], { stdio: ["pipe", "pipe", "inherit"] });
  const printed = [];
  native.stdout.on("data", (bytes) => printed.push(bytes));
  const ended = new Promise((resolve, reject) => native.on("error", reject).on("close", resolve));
  const atServer = [0, 0]; // inputs that have arrived there, by player
  let confirmed = 0;
  // { arrival, to, from, count }: to 2 is the server. A packet has all inputs that the receiver does not know yet.
  const packets = [];
  for (let tick = 0; confirmed < STEPS || peers.some(({ stage, known }) => stage.stepCount < STEPS || known.some(({ length }) => length < STEPS)); ++tick) {
    for (const packet of packets.splice(0)) {
      if (packet.arrival > tick) packets.push(packet);
      else if (packet.to < 2) peers[packet.to].receive(peers[packet.from].known[packet.from], packet.count);
      else atServer[packet.from] = Math.max(atServer[packet.from], packet.count);
    }
    for (const peer of peers) {
      peer.step(Math.floor(3 * random()) - 1);
      for (const to of [1 - peer.self, 2]) {
        const arrival = tick + 1 + Math.floor(DELAY * random());
        if (random() >= LOSS) packets.push({ arrival, to, from: peer.self, count: peer.known[peer.self].length });
      }
    }
    for (; confirmed < Math.min(...atServer); ++confirmed) {
      native.stdin.write(`${peers[0].known[0][confirmed]} ${peers[1].known[1][confirmed]}\n`);
    }
    if (tick % 1000 === 0) await new Promise((resolve) => setTimeout(resolve, 0)); // the pipes go on
  }
  native.stdin.end();
  assert.equal(await ended, 0);
  const lines = Buffer.concat(printed).toString().trim().split("\n");
  assert.equal(lines.length, STEPS + 1);
  assert.equal(lines[STEPS], `${STEPS} steps`);
  for (const { stage, hashes, repeated, self } of peers) {
    hashes[STEPS - 1] = stage.stateHash;
    assert.ok(repeated > STEPS / 2, `peer ${self} repeated ${repeated} steps`);
    const different = hashes.findIndex((hash, step) => hash !== lines[step]);
    assert.equal(different, -1, `peer ${self} differs from the server after step ${different}`);
    assert.equal(hashes.length, STEPS);
    stage.destroy();
  }
});
