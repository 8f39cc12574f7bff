// Work that the box asks of strangers before it looks at a PIN, while somebody tries many: a number whose SHA-256 with
// the puzzle begins with zero bits. Written out, for browsers give `crypto.subtle` to pages over HTTPS only.

/** @import { Puzzle } from "../../../documents.js" */

/** Numbers tried before the page may do something else. */
const AT_ONCE = 20000;

const K = new Int32Array(64);
const START = new Int32Array(8);
for (let candidate = 2, found = 0; found < 64; candidate += 1) {
  if (!isPrime(candidate)) continue;
  if (found < 8) START[found] = fraction(candidate ** (1 / 2));
  K[found] = fraction(candidate ** (1 / 3));
  found += 1;
}

/** @param {number} number */
function isPrime(number) {
  for (let divisor = 2; divisor * divisor <= number; divisor += 1) if (number % divisor === 0) return false;
  return true;
}

/**
 * The first 32 bits after the point.
 * @param {number} root
 */
function fraction(root) {
  return Math.floor((root - Math.floor(root)) * 2 ** 32);
}

/**
 * Take a block of 64 bytes into a hash.
 * @param {Int32Array} hash
 * @param {Int32Array} words 64 of them, of which the first 16 are the block's
 */
function mix(hash, words) {
  for (let i = 16; i < 64; i += 1) {
    const before = words[i - 15];
    const last = words[i - 2];
    const small = ((before >>> 7) | (before << 25)) ^ ((before >>> 18) | (before << 14)) ^ (before >>> 3);
    const large = ((last >>> 17) | (last << 15)) ^ ((last >>> 19) | (last << 13)) ^ (last >>> 10);
    words[i] = words[i - 16] + small + words[i - 7] + large;
  }
  let a = hash[0];
  let b = hash[1];
  let c = hash[2];
  let d = hash[3];
  let e = hash[4];
  let f = hash[5];
  let g = hash[6];
  let h = hash[7];
  for (let i = 0; i < 64; i += 1) {
    const turnedE = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const one = (h + turnedE + ((e & f) ^ (~e & g)) + K[i] + words[i]) | 0;
    const turnedA = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const two = (turnedA + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  hash[0] += a;
  hash[1] += b;
  hash[2] += c;
  hash[3] += d;
  hash[4] += e;
  hash[5] += f;
  hash[6] += g;
  hash[7] += h;
}

/**
 * Give what tells the first 32 bits of the SHA-256 of a text and what is put after it. Both are of ASCII.
 * @param {string} text
 * @returns {(rest: string) => number}
 */
export function beginning(text) {
  const words = new Int32Array(64);
  const hash = new Int32Array(8);
  const whole = text.length - (text.length % 64); // what fills blocks by itself is taken in once
  const known = START.slice();
  for (let at = 0; at < whole; at += 64) {
    words.fill(0, 0, 16);
    for (let i = 0; i < 64; i += 1) words[i >> 2] |= text.charCodeAt(at + i) << (24 - 8 * (i & 3));
    mix(known, words);
  }
  const left = text.slice(whole);
  return (rest) => {
    const end = left + rest;
    hash.set(known);
    for (let at = 0; at < end.length + 9; at += 64) {
      words.fill(0, 0, 16);
      const upTo = Math.min(64, end.length - at);
      for (let i = 0; i < upTo; i += 1) words[i >> 2] |= end.charCodeAt(at + i) << (24 - 8 * (i & 3));
      if (upTo >= 0 && upTo < 64) words[upTo >> 2] |= 0x80 << (24 - 8 * (upTo & 3));
      if (at + 64 >= end.length + 9) words[15] = (whole + end.length) * 8;
      mix(hash, words);
    }
    return hash[0] >>> 0;
  };
}

/**
 * Solve a puzzle; others have their turn in between.
 * @param {Puzzle} puzzle
 * @returns {Promise<{ puzzle: string, number: number }>}
 */
export async function solve({ puzzle, bits }) {
  const hashed = beginning(`${puzzle}:`);
  for (let number = 0; ; number += 1) {
    if (Math.clz32(hashed(String(number))) >= bits) return { puzzle, number };
    if (number % AT_ONCE === AT_ONCE - 1) await new Promise((resolve) => setTimeout(resolve, 0));
  }
}
