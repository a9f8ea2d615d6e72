// @ts-check
// tighten.mjs — bodies as Go's compiler writes them, said more shortly and with less to run: the same loads, stores and calls
// in the same order. The README beside it says what each change leans on.

import {
  BR_IF,
  decoded,
  ELSE,
  encoded,
  END,
  EXTEND,
  GLOBAL_GET,
  GLOBAL_SET,
  I32_ADD,
  I32_CONST,
  I32_EQZ,
  I32_SUB,
  I64_ADD,
  I64_AND,
  I64_STORE,
  IF,
  instruction,
  isLoad,
  isStore,
  RETURN,
  SP,
  UNREACHABLE,
  WRAP,
} from "./instructions.mjs";
import { direct } from "./jumps.mjs";
import { op, Reader } from "./module.mjs";

/** @typedef {import("./instructions.mjs").Instruction} Instruction */

// ---- expressions

/** How many values an instruction takes from the stack; it gives one, or none where GIVES_NONE; -1 for what has to do with more than values. @param {Instruction} i */
function takes({ code, x }) {
  if (code === op.localGet || code === GLOBAL_GET || (code >= I32_CONST && code <= 0x44)) return 0;
  if (isLoad(code) || code === op.localTee || code === I32_EQZ || code === 0x50) return 1;
  if (isStore(code)) return 2;
  if (code === op.localSet || code === GLOBAL_SET || code === 0x1a) return 1;
  if (code === 0x1b) return 3;
  if (code === 0xfc) return x <= 7 ? 1 : 3;
  if (
    (code >= 0x67 && code <= 0x69) || (code >= 0x79 && code <= 0x7b) || (code >= 0x8b && code <= 0x91) || (code >= 0x99 && code <= 0x9f) ||
    (code >= 0xa7 && code <= 0xc4)
  ) return 1;
  if (code >= 0x46 && code <= 0xa6) return 2;
  return -1;
}
const GIVES_NONE = (/** @type {Instruction} */ { code, x }) =>
  isStore(code) || code === op.localSet || code === GLOBAL_SET || code === 0x1a || (code === 0xfc && x > 7);

/** Where the store is whose address is on the stack before list[from]. @param {Instruction[]} list @param {number} from */
function storeOf(list, from) {
  for (let i = from, above = 0; i < list.length; i++) {
    const n = takes(list[i]);
    if (n < 0) return -1;
    if (n > above) return isStore(list[i].code) && above === 1 ? i : -1;
    above += (GIVES_NONE(list[i]) ? 0 : 1) - n;
  }
  return -1;
}

/** Comparisons of integers, and what they are when they are not. @type {Record<number, number>} */
const inverse = { 0x46: 0x47, 0x48: 0x4e, 0x49: 0x4f, 0x4a: 0x4c, 0x4b: 0x4d, 0x51: 0x52, 0x53: 0x59, 0x54: 0x5a, 0x55: 0x57, 0x56: 0x58 };
for (const [a, b] of Object.entries(inverse)) inverse[b] = Number(a);

/** Loads with a sign, by the bits that are kept of them: the loads without one. @type {Record<number, [mask: number, load: number]>} */
const masked = { 0x30: [0xff, 0x31], 0x31: [0xff, 0x31], 0x32: [0xffff, 0x33], 0x33: [0xffff, 0x33], 0x34: [0xffffffff, 0x35], 0x35: [0xffffffff, 0x35] };
/** Loads of 64 bits of which 32 are kept. @type {Record<number, number>} */
const halved = { 0x29: 0x28, 0x30: 0x2c, 0x31: 0x2d, 0x32: 0x2e, 0x33: 0x2f, 0x34: 0x28, 0x35: 0x28 };
const NEAR = 4096; // bytes at the bottom of memory in which nothing is

/** @param {Instruction[]} list @returns {Instruction[]} */
function folded(list) {
  /** @type {Instruction[]} */
  const out = [];
  const ends = (/** @type {number[]} */ ...codes) => codes.every((code, i) => out[out.length - codes.length + i]?.code === code);
  for (let k = 0; k < list.length; k++) {
    const i = list[k], last = out.at(-1);
    // An address that is a constant more: of the stack pointer, or of anything else.
    if (i.code === WRAP && ends(op.i64Const, I64_ADD)) {
      const more = out[out.length - 2].x,
        base = out[out.length - 3],
        ofStack = base?.code === EXTEND && out[out.length - 4]?.code === op.localGet && out[out.length - 4].x === SP;
      const at = more >= 0 && more < (ofStack ? 0x100000 : NEAR) ? (isLoad(list[k + 1]?.code) ? k + 1 : storeOf(list, k + 1)) : -1;
      if (at >= 0) {
        list[at] = instruction(list[at].code, list[at].x, list[at].y + more);
        out.length -= ofStack ? 3 : 2;
        if (!ofStack) k--; // the wrap once more, of what is left
        continue;
      }
      if (ofStack && more >= 0 && more < 0x100000) {
        out.length -= 3;
        out.push(instruction(I32_CONST, more), instruction(I32_ADD));
        continue;
      }
    }
    if (i.code === WRAP && last?.code === EXTEND) {
      out.pop();
      continue;
    }
    if (i.code === WRAP && last && halved[last.code]) {
      out[out.length - 1] = instruction(halved[last.code], Math.min(last.x, 2), last.y);
      continue;
    }
    if (i.code === I64_AND && last?.code === op.i64Const && masked[out[out.length - 2]?.code]?.[0] === last.x) {
      const load = out[out.length - 2];
      out.length -= 2;
      out.push(instruction(masked[load.code][1], load.x, load.y));
      continue;
    }
    if (i.code === I32_EQZ && last && inverse[last.code]) {
      out[out.length - 1] = instruction(inverse[last.code]);
      continue;
    }
    if (i.code === op.localGet && last?.code === op.localSet && last.x === i.x) {
      out[out.length - 1] = instruction(op.localTee, i.x);
      continue;
    }
    // The end of a frame and of the return address, at once.
    if (i.code === GLOBAL_SET && i.x === 0 && ends(I32_ADD, op.localTee, GLOBAL_SET, op.localGet, I32_CONST, I32_ADD, op.localTee)) {
      const frame = out[out.length - 8];
      if (
        frame.code === I32_CONST && out[out.length - 6].x === SP && out[out.length - 4].x === SP && list[k + 1]?.code === I32_CONST &&
        list[k + 2]?.code === RETURN
      ) {
        const all = frame.x + out[out.length - 3].x;
        out.length -= 8;
        out.push(instruction(I32_CONST, all), instruction(I32_ADD), i);
        continue;
      }
    }
    out.push(i);
  }
  return out;
}

// ---- calls that never come back

/** What a call is: room for the return address, the address, the call, the stack pointer again, and out where the goroutine is another. */
const CALLED = [
  op.localGet,
  I32_CONST,
  I32_SUB,
  op.localTee,
  GLOBAL_SET,
  op.localGet,
  op.i64Const,
  I64_STORE,
  I32_CONST,
  op.call,
  GLOBAL_GET,
  op.localSet,
  BR_IF,
];
const isCall = (/** @type {Instruction[]} */ list, /** @type {number} */ at) => CALLED.every((code, k) => list[at + k]?.code === code);

/** How many instructions of a value are before list[end]: one that takes nothing, or what it loads from the stack above the two numbers. @param {Instruction[]} list @param {number} end */
function short(list, end) {
  const last = list[end - 1], at = list[end - 2];
  if (!last || takes(last) === 0) return last ? 1 : 0;
  return isLoad(last.code) && last.y >= 16 && at?.code === op.localGet && at.x === SP ? 2 : 0;
}

/**
 * Calls of what panics, or begins the function again on a larger stack, each a few bytes.
 * @param {Instruction[]} list @param {(to: number, takes: number, place: number) => number} helper the function to call instead, or -1; place: the number of the address
 * @returns {Instruction[]}
 */
function outlined(list, helper) {
  /** @type {Instruction[]} */
  const out = [];
  for (let k = 0; k < list.length; k++) {
    const to = isCall(list, k) ? list[k + 9].x : -1, place = to < 0 ? 0 : list[k + 6].x % 0x10000;
    if (to < 0 || helper(to, 0, place) < 0) {
      out.push(list[k]);
      continue;
    }
    // Two numbers on the stack, as an index that is out of range has them.
    const n = out.length, b = out[n - 1]?.code === I64_STORE && out[n - 1].y === 8 ? short(out, n - 1) : 0, a = n - b - 3;
    const first = b > 0 && out[a + 1].code === op.localGet && out[a + 1].x === SP && out[a].code === I64_STORE && out[a].y === 0 ? short(out, a) : 0;
    const both = first > 0 && out[a - first - 1].code === op.localGet && out[a - first - 1].x === SP;
    if (both) out.splice(a - first - 1, n, ...out.slice(a - first, a), ...out.slice(a + 2, n - 1));
    out.push(list[k + 6], instruction(op.call, helper(to, both ? 2 : 0, place)), instruction(RETURN));
    k += CALLED.length - 1;
  }
  return out;
}

/** A body without the question, at its beginning, whether its stack is large enough. @param {Instruction[]} list */
function withoutCheck(list) {
  const at = list.findIndex((_, k) => list[k].code === IF && isCall(list, k + 1) && list[k + 1 + PUSHES].x % 0x10000 === 0);
  const asked = [op.localGet, GLOBAL_GET, WRAP, 0x28, I32_CONST, I32_ADD, 0x4d], small = asked.toSpliced(4, 2);
  const before = [asked, small].find((codes) => codes.every((code, k) => list[at - codes.length + k]?.code === code));
  const end = at + CALLED.length + 1;
  if (at < 0 || !before || list[end]?.code !== END) throw new Error("a function asks for a larger stack in another way");
  return list.toSpliced(at - before.length, end + 1 - at + before.length);
}

/**
 * A function that calls what never comes back, for those that call it: (a, b and) the return address -> 1.
 * @param {number} to @param {number} takes
 */
export function helping(to, takes) {
  const list = [];
  const sp = instruction(GLOBAL_GET, 0);
  for (let i = 0; i < takes; i++) list.push(sp, instruction(op.localGet, i), instruction(I64_STORE, 3, 8 * i));
  list.push(sp, instruction(I32_CONST, 8), instruction(I32_SUB), instruction(GLOBAL_SET, 0));
  list.push(sp, instruction(op.localGet, takes), instruction(I64_STORE, 3, 0), instruction(I32_CONST, 0), instruction(op.call, to));
  list.push(instruction(IF, 0x7f), instruction(I32_CONST, 1), instruction(ELSE), instruction(UNREACHABLE), instruction(END), instruction(END));
  return encoded(list, Buffer.from([0]));
}

/** Whether a function never comes back to where it was called, or begins its caller again. @param {string} name @param {number} place */
export const neverReturns = (name, place) =>
  /^runtime\.(sigpanic|goPanic\w+|gopanic|throw|panic(divide|shift|rangestate))$/.test(name) || (place === 0 && /^runtime\.morestack(_noctxt)?$/.test(name));

/** A call of a function that is a few instructions, on what lies on the stack. @param {Instruction[]} list @param {(to: number) => Instruction[] | null} instead @returns {Instruction[]} */
function said(list, instead) {
  /** @type {Instruction[]} */
  const out = [];
  for (let k = 0; k < list.length; k++) {
    const few = isCall(list, k) ? instead(list[k + 9].x) : null;
    out.push(...few ?? [list[k]]);
    if (few) k += CALLED.length - 1;
  }
  return out;
}

/** By how a number lies in memory: how it is loaded, stored, added, and taken bit by bit. @type {Record<string, Record<"load" | "store" | "Xadd" | "And" | "Or", number>>} */
const lying = {
  byte: { load: 0x2d, store: 0x3a, Xadd: I32_ADD, And: 0x71, Or: 0x72 },
  half: { load: 0x28, store: 0x36, Xadd: I32_ADD, And: 0x71, Or: 0x72 },
  whole: { load: 0x29, store: I64_STORE, Xadd: I64_ADD, And: I64_AND, Or: 0x84 },
};
/** Functions of internal/runtime/atomic, by what they do and how what they do it to lies. @type {Record<string, Record<string, string>>} */
const atomic = {
  Load: { byte: "8", half: " Acq int32", whole: "64 int64 uintptr uint p Acq64 Acquintptr" },
  Store: { byte: "8", half: " Rel int32", whole: "64 int64 uintptr Rel64 Reluintptr" },
  Xadd: { half: " int32", whole: "64 int64 uintptr" },
  And: { byte: "8", half: "" },
  Or: { byte: "8", half: "" },
};

/**
 * What a function does that is a few instructions, said where it is called; null of others. Go's compiler calls one for the larger and the
 * smaller of two floats, and for loads, stores and sums that are atomic elsewhere: where there is one thread all are.
 * @param {string} name @returns {Instruction[] | null}
 */
export function fewInstructions(name) {
  const sp = instruction(op.localGet, SP);
  /** An argument. */
  const at = (/** @type {number} */ offset, /** @type {number} */ load) => [sp, instruction(load, 0, offset)];
  const ordered = { "runtime.fmax64": 0xa5, "runtime.fmin64": 0xa4 }[name];
  if (ordered) return [sp, ...at(0, 0x2b), ...at(8, 0x2b), instruction(ordered), instruction(0x39, 0, 16)];
  if (name === "runtime.publicationBarrier") return [];
  const [, does, of] = /^internal\/runtime\/atomic\.(Load|Store|Xadd|And|Or)(\w*)$/.exec(name) ?? [];
  const [how] = Object.entries(atomic[does] ?? {}).find(([, kinds]) => kinds.split(" ").includes(of)) ?? [];
  if (!how) return null;
  const { load, store, ...sums } = lying[how], there = [...at(0, lying.whole.load), instruction(WRAP)];
  const is = [...there, instruction(load)], given = at(8, load);
  if (does === "Load") return [sp, ...is, instruction(store, 0, 8)];
  if (does === "Store") return [...there, ...given, instruction(store)];
  const changed = [...there, ...is, ...given, instruction(sums[/** @type {"Xadd" | "And" | "Or"} */ (does)]), instruction(store)];
  return does === "Xadd" ? [...changed, sp, ...is, instruction(store, 0, 16)] : changed;
}

// ---- the numbers of places

/**
 * A return address: its number as the compiler has it, and from now on.
 * @typedef {{ old: number, now: number, panics: boolean, trap: boolean }} Place
 *
 * @typedef {object} Owner what is known of the function that a body is of
 * @property {number} pc
 * @property {number} deferReturn the number of the call of deferreturn, 0: none
 * @property {boolean} counted whether its places may have other numbers
 * @property {(to: number, takes: number, place: number) => number} helper the function to call instead of one that never comes back, or -1
 * @property {(to: number) => Instruction[] | null} instead what is said for a call of it, or null
 * @property {(to: number) => boolean} traps whether it is sigpanic, whose return address is of the instruction itself
 * @property {(to: number) => boolean} quiet whether no goroutine goes on behind a call of it (quiet.mjs)
 * @property {boolean} unchecked whether it asks for a larger stack and need not
 * @property {(place: number) => string} known what tables say of a return address
 */

/**
 * Numbers for return addresses, without gaps: first those that a goroutine may go on from, in their order, which the dispatch then counts
 * through; then those of quiet functions, and those of panics, of which one stands for all of which the tables say the same.
 * @param {Instruction[]} list is changed @param {Owner} owner
 * @returns {{ places: Place[], begins: Map<number, number> }} begins: numbers that the runtime may begin at
 */
function numbered(list, { pc, deferReturn, counted, helper, traps, quiet, known }) {
  const begins = new Map([[0, 0]]), panics = new Map();
  /** @type {Place[]} */
  const places = [];
  const sites = [...list.entries()].filter(([, { code, x }]) => code === op.i64Const && x > pc * 0x10000 && x < (pc + 1) * 0x10000).map(([k, { x }]) => ({
    k,
    old: x % 0x10000,
    pushed: isPushed(list, k - PUSHES),
    never: isCall(list, k - PUSHES) && helper(list[k + 3].x, 0, x % 0x10000) >= 0,
    passing: isCall(list, k - PUSHES) && quiet(list[k + 3].x),
  }));
  if (!counted || sites.some(({ pushed }) => !pushed)) {
    for (const { old, never } of sites) if (!never) begins.set(old, old);
    return { places, begins: deferReturn ? begins.set(deferReturn, deferReturn) : begins };
  }
  let next = 1;
  const staying = sites.filter(({ never }) => !never);
  for (const { k, old, passing } of [...staying.filter(({ passing }) => !passing), ...staying.filter(({ passing }) => passing)]) {
    if (!passing) {
      if (deferReturn && old === deferReturn + 1 && !begins.has(deferReturn)) begins.set(deferReturn, next++);
      begins.set(old, next);
    }
    places.push({ old, now: next, panics: false, trap: false });
    list[k] = instruction(op.i64Const, pc * 0x10000 + next++);
  }
  if (deferReturn && begins.get(deferReturn) !== (begins.get(deferReturn + 1) ?? 0) - 1) throw new Error("the call of deferreturn is not behind its place");
  for (const { k, old, never } of sites) {
    if (!never) continue;
    const trap = traps(list[k + 3].x), what = `${trap} ${known(old)}`;
    if (!panics.has(what)) {
      panics.set(what, next);
      next += trap ? 2 : 1; // tables are asked about the one before, of a trap about itself
    }
    places.push({ old, now: panics.get(what), panics: true, trap });
    list[k] = instruction(op.i64Const, pc * 0x10000 + panics.get(what));
  }
  return { places, begins };
}
/** Where in a call its return address is. */
const PUSHES = CALLED.indexOf(op.i64Const);
const isPushed = (/** @type {Instruction[]} */ list, /** @type {number} */ at) =>
  CALLED.slice(0, PUSHES + 2).every((code, k) => k === 0 || list[at + k]?.code === code) && list[at + 1].x === 8 && list[at + PUSHES + 1].y === 0;

/** @param {Buffer} body @param {Owner} owner @returns {{ body: Buffer, places: Place[], deferReturn: number }} deferReturn: its number from now on */
export function tightened(body, owner) {
  const r = new Reader(body);
  r.list(() => [r.unsigned(), r.byte()]);
  const head = body.subarray(0, r.at), code = decoded(body, r.at);
  if (!code) return { body, places: [], deferReturn: owner.deferReturn };
  const linked = folded(code), list = said(owner.unchecked ? withoutCheck(linked) : linked, owner.instead);
  const { places, begins } = numbered(list, owner), out = outlined(list, owner.helper), now = direct(out, begins);
  if (!now && owner.counted && (begins.size > 1 || out.some(({ labels }) => labels))) return tightened(body, { ...owner, counted: false });
  return { body: encoded(folded(now ?? out), head), places, deferReturn: begins.get(owner.deferReturn) ?? 0 };
}
