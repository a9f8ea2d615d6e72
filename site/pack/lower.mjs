// @ts-check
// lower.mjs — data where Go's linker has a table that nobody reads any more: what is an address of it is told from a second
// module, which is the same but for where its data is.

import { BLOCK, decoded, encoded, I32_CONST, isMemory } from "./instructions.mjs";
import { image, op, Reader } from "./module.mjs";
import { placed } from "./tables.mjs";

/** Where data begins in the second module: the linker's -D. */
export const ELSEWHERE = 0x4000000;
const PAGE = 4096; // what addresses of data are told apart by, no less than the alignment of anything in it

/** @param {unknown} wanted @param {string} what */
function want(wanted, what) {
  if (!wanted) throw new Error(`data cannot be moved: want ${what}`);
}

/** @param {Buffer} body */
function taken(body) {
  const r = new Reader(body);
  r.list(() => [r.unsigned(), r.byte()]);
  const list = decoded(body, r.at);
  want(list, "instructions that are known");
  return { head: body.subarray(0, r.at), list: /** @type {import("./instructions.mjs").Instruction[]} */ (list) };
}

/**
 * Moves data down to the table that findfunc looked into, with the links of types and interfaces that lie between.
 * @param {import("./module.mjs").Parts} parts whose functions are changed
 * @param {import("./module.mjs").Parts} other the same, linked with its data ELSEWHERE
 * @returns {Buffer} memory
 */
export function lowered(parts, other) {
  const n = parts.functions.length, a = image(parts.data), b = image(other.data);
  want(other.functions.length === n, "the same functions");
  const here = placed(a, n), there = placed(b, n), delta = there.module - here.module, begin = ELSEWHERE - delta;
  const links = 16 * Math.ceil(here.end / 16), to = 16 * Math.ceil(here.lookup / 16), data = PAGE * Math.ceil((to + begin - links) / PAGE);
  want(begin % PAGE === 0 && links <= begin && here.lookup < links && data < begin, "data behind the tables");
  const down = begin - data;
  /** The address from now on of what is one in both, or -1 where it is not. @param {number} x @param {number} y */
  const now = (x, y) => (y - x === delta && x >= begin ? x - down : -1);

  const memory = Buffer.alloc(a.length - down);
  a.copy(memory, 0, 0, here.lookup);
  a.copy(memory, to, links, begin);
  a.copy(memory, data, begin);
  const linked = [here.module + 360, here.module + 384]; // moduledata's typelinks and itablinks
  const starts = new Set(linked.map((at) => Number(a.readBigUInt64LE(at)))); // a number between them is one of a bitmap, or any other
  for (const x of starts) want(x >= links && x < begin, "links between the tables and the data");
  for (let at = 0; at + 8 <= a.length; at += 8) {
    const moved = at >= begin, x = Number(a.readBigUInt64LE(at)), y = Number(b.readBigUInt64LE(moved ? at + delta : at));
    const place = moved ? at - down : at >= links ? at - links + to : at;
    if (x !== y) {
      want(now(x, y) >= 0, `addresses where the two differ, not at ${at}`);
      memory.writeBigUInt64LE(BigInt(now(x, y)), place);
    } else if (at >= links && starts.has(x)) {
      want(linked.includes(at), `nothing else that leads to links, not at ${at}`);
      memory.writeBigUInt64LE(BigInt(x - links + to), place);
    }
  }
  for (const [i, f] of parts.functions.entries()) {
    if (f.body.equals(other.functions[i].body)) continue;
    const { head, list } = taken(f.body), { list: twin } = taken(other.functions[i].body);
    want(list.length === twin.length, "the same instructions");
    for (const [k, one] of list.entries()) {
      const two = twin[k];
      want(one.code === two.code && (one.raw === null || two.raw?.equals(one.raw)), "the same instructions");
      const key = isMemory(one.code) ? "y" : "x";
      if (one[key] === two[key] || one.raw) continue;
      want((isMemory(one.code) || one.code === I32_CONST || one.code === op.i64Const) && now(one[key], two[key]) >= 0, "addresses where the two differ");
      one[key] = now(one[key], two[key]);
    }
    f.body = encoded(list, head);
  }
  return memory;
}
