// SPDX-License-Identifier: MIT OR Apache-2.0
// Two functions on which the vectors' descriptions depend, as in tests/kat/oracles.h: SHAKE256 is
// Node's; Salsa20 follows Bernstein's specification and is written for brevity, not for speed.
import { createHash } from "node:crypto";

/** Returns the first bytes of SHAKE256 of some bytes. */
export function shake256(data, bytes) {
  return createHash("shake256", { outputLength: bytes }).update(data).digest();
}

function quarterRound(x, a, b, c, d) {
  const add = (to, one, other, count) => {
    const sum = (x[one] + x[other]) >>> 0;
    x[to] ^= (sum << count) | (sum >>> (32 - count));
  };
  add(b, a, d, 7);
  add(c, b, a, 9);
  add(d, c, b, 13);
  add(a, d, c, 18);
}

/** Returns Salsa20's hash, 64 bytes, of the matrix of a 32-byte key and 16 bytes of input. */
export function salsa20Core(key, input) {
  const constants = Buffer.from("expand 32-byte k");
  const start = new Uint32Array(16);
  for (let i = 0; i < 4; i++) {
    start[5 * i] = constants.readUInt32LE(4 * i);
    start[1 + i] = key.readUInt32LE(4 * i);
    start[6 + i] = input.readUInt32LE(4 * i);
    start[11 + i] = key.readUInt32LE(16 + 4 * i);
  }
  const x = start.slice();
  for (let round = 0; round < 20; round += 2) {
    for (let i = 0; i < 4; i++) {
      quarterRound(x, 5 * i, (5 * i + 4) % 16, (5 * i + 8) % 16, (5 * i + 12) % 16);
    }
    for (let i = 0; i < 4; i++) {
      quarterRound(x, 5 * i, 4 * i + (i + 1) % 4, 4 * i + (i + 2) % 4, 4 * i + (i + 3) % 4);
    }
  }
  const out = Buffer.alloc(64);
  x.forEach((word, i) => out.writeUInt32LE((word + start[i]) >>> 0, 4 * i));
  return out;
}

/** Returns the first bytes of Salsa20/20's key stream for a nonce below 2^32. */
export function salsa20Stream(bytes, key, nonce) {
  const blocks = Array.from({ length: Math.ceil(bytes / 64) }, (_, i) => {
    const input = Buffer.alloc(16);
    input.writeUInt32LE(nonce, 0);
    input.writeUInt32LE(i, 8);
    return salsa20Core(key, input);
  });
  return Buffer.concat(blocks, 64 * blocks.length).subarray(0, bytes);
}
