// @ts-check
// tighten.mjs — bodies as Go's compiler writes them, said more shortly and with less to run: the same loads, stores and calls
// in the same order. The README beside it says what each change leans on.

import { op, Reader, signed, unsigned } from "./module.mjs";

/**
 * An instruction with its operands as numbers where they are small, else as bytes.
 * @typedef {{ code: number, x: number, y: number, raw: Buffer | null, labels: number[] | null }} Instruction
 */

const BLOCK = 0x02, LOOP = 0x03, IF = 0x04, ELSE = 0x05, END = 0x0b, BR = 0x0c, BR_IF = 0x0d, BR_TABLE = 0x0e, RETURN = 0x0f;
const GLOBAL_GET = 0x23, GLOBAL_SET = 0x24, I32_CONST = 0x41, I32_EQZ = 0x45, I32_ADD = 0x6a, I32_SUB = 0x6b, I64_ADD = 0x7c, I64_AND = 0x83, I64_STORE = 0x37;
const WRAP = 0xa7, EXTEND = 0xad, UNREACHABLE = 0x00;
const SP = 1; // the local that follows the stack pointer; the parameter, 0, is where to begin

/** @param {number} code @param {number} [x] @param {number} [y] @returns {Instruction} */
const instruction = (code, x = 0, y = 0) => ({ code, x, y, raw: null, labels: null });

const isMemory = (/** @type {number} */ code) => code >= 0x28 && code <= 0x3e;
const isLoad = (/** @type {number} */ code) => code >= 0x28 && code <= 0x35;
const isStore = (/** @type {number} */ code) => code >= 0x36 && code <= 0x3e;

/** The instructions of a body behind its locals, or null where there is one that this does not know. @param {Buffer} body @param {number} from @returns {Instruction[] | null} */
function decoded(body, from) {
  const r = new Reader(body, from), list = [];
  while (!r.ended) {
    const code = r.byte(), at = r.at, i = instruction(code);
    if (isMemory(code)) {
      i.x = r.unsigned();
      i.y = r.unsigned();
    } else if (code === BR_TABLE) i.labels = [...r.list(() => r.unsigned()), r.unsigned()];
    else if (code === op.callIndirect) {
      i.x = r.unsigned();
      i.y = r.unsigned();
    } else if (code === I32_CONST) i.x = Number(r.signed());
    else if (code === op.i64Const) {
      const value = r.signed();
      i.x = Number(value);
      if (!Number.isSafeInteger(i.x)) {
        i.x = NaN;
        i.raw = body.subarray(at, r.at);
      }
    } else if (code === 0x43) i.raw = r.take(4);
    else if (code === 0x44) i.raw = r.take(8);
    else if (code === 0xfc) {
      const kind = r.unsigned();
      r.take(kind === 10 ? 2 : kind === 11 ? 1 : 0);
      i.x = kind;
      i.raw = body.subarray(at, r.at);
    } else if (code === 0x3f || code === 0x40) i.raw = r.take(1);
    else if ((code >= BLOCK && code <= IF) || code === BR || code === BR_IF || code === op.call || (code >= op.localGet && code <= GLOBAL_SET))
      i.x = r.unsigned();
    else if (code > 0x11 && code !== 0x1a && code !== 0x1b && (code < 0x45 || code > 0xc4)) return null;
    list.push(i);
  }
  return list;
}

/** @param {Instruction[]} list @param {Buffer} head @returns {Buffer} */
function encoded(list, head) {
  const out = [head];
  for (const { code, x, y, raw, labels } of list) {
    if (labels) out.push(Buffer.from([code]), unsigned(labels.length - 1), ...labels.map(unsigned));
    else if (raw) out.push(Buffer.from([code]), raw);
    else if (isMemory(code) || code === op.callIndirect) out.push(Buffer.from([code]), unsigned(x), unsigned(y));
    else if (code === I32_CONST || code === op.i64Const) out.push(Buffer.from([code]), signed(x));
    else if ((code >= BLOCK && code <= IF) || code === BR || code === BR_IF || code === op.call || (code >= op.localGet && code <= GLOBAL_SET)) {
      out.push(Buffer.from([code]), unsigned(x));
    } else out.push(Buffer.from([code]));
  }
  return Buffer.concat(out);
}

// ---- jumps

/**
 * A body between its dispatch and its end, cut where places begin to which the dispatch can go.
 * @typedef {object} Skeleton
 * @property {Instruction[]} before up to the blocks
 * @property {boolean} unwinds whether a block around all of it ends with 1
 * @property {boolean} loops whether there is one to jump back to the dispatch
 * @property {number[]} table the segment of each number of a place; the last is of every other
 * @property {Instruction[][]} segments
 * @property {Instruction[]} after the last segment
 */

/** @param {Instruction[]} list @returns {Skeleton | null} */
function skeleton(list) {
  const dispatch = list.findIndex(({ code }) => code === BR_TABLE), table = list[dispatch]?.labels;
  if (!table || dispatch < 2 || list[dispatch - 1].code !== op.localGet || list[dispatch - 1].x !== 0) return null;
  const n = /** @type {number} */ (table.at(-1));
  let at = dispatch - 1;
  for (let i = 0; i <= n; i++) if (list[--at]?.code !== BLOCK) return null;
  const loops = list[at - 1]?.code === LOOP;
  if (loops) at--;
  const unwinds = list[at - 1]?.code === BLOCK;
  if (unwinds) at--;
  const before = list.slice(0, at);
  if (before.some(({ code }) => code >= BLOCK && code <= RETURN)) return null;
  /** @type {Instruction[][]} */
  const segments = [[]];
  let depth = 0, i = dispatch + 1;
  if (list[i++].code !== END) return null;
  for (; segments.length <= n || depth > 0 || !(list[i].code === (loops ? END : UNREACHABLE)); i++) {
    const { code } = list[i];
    if (code === LOOP || code === BLOCK) return null; // assembly
    if (code === IF) depth++;
    if (code === END && --depth < 0) {
      depth = 0;
      segments.push([]);
    } else segments[segments.length - 1].push(list[i]);
    if (i + 1 >= list.length) return null;
  }
  const after = list.slice(i + (loops ? 1 : 0)), wanted = unwinds ? [UNREACHABLE, END, I32_CONST, END] : [UNREACHABLE, END];
  if (segments.length !== n + 1 || after.length !== wanted.length || after.some(({ code }, k) => code !== wanted[k])) return null;
  return { before, unwinds, loops, table, segments, after };
}

/**
 * An instruction of a segment, in so many conditions; one that jumps to a segment gets its depth when it is known which are left.
 * @typedef {{ i: Instruction, depth: number, to: number | null }} Item
 */
const AGAIN = -1; // to the dispatch

/**
 * Jumps without the way by the dispatch, where they go ahead; which segments it goes to, and whether anything jumps back to it.
 * @param {Skeleton} body @param {number[]} resumed numbers of places that the runtime may begin at
 * @returns {{ items: Item[][], entered: Set<number>, back: boolean } | null} null where there is another jump than the compiler writes
 */
function resolved({ unwinds, loops, table, segments }, resumed) {
  const n = segments.length - 1, last = table.length - 1;
  const placeOf = (/** @type {number} */ number) => table[Math.min(number, last)];
  const entered = new Set([0, ...resumed.map(placeOf)]);
  let back = false, known = true;
  const items = segments.map((segment, s) => {
    /** @type {Item[]} */
    const out = [];
    let depth = 0;
    const plain = (/** @type {Instruction} */ i) => out.push({ i, depth, to: null });
    /** The jump whose number is at k. @param {number} code @param {number} k @param {number} inIfs */
    const jump = (code, k, inIfs) => {
      const [number, set, br] = segment.slice(k, k + 3);
      if (!loops || number?.code !== I32_CONST || set?.code !== op.localSet || set.x !== 0 || br?.code !== BR || br.x !== inIfs + n - s) return false;
      const to = placeOf(number.x);
      if (to <= s) {
        entered.add(to);
        back = true;
        plain(number);
        plain(set);
      }
      out.push({ i: instruction(code), depth, to: to <= s ? AGAIN : to });
      return true;
    };
    for (let k = 0; k < segment.length; k++) {
      const i = segment[k], { code } = i;
      if (code === IF && segment[k + 4]?.code === END && jump(BR_IF, k + 1, depth + 1)) k += 4;
      else if (code === I32_CONST && jump(BR, k, depth)) k += 2;
      else if (code === BR || code === BR_IF) {
        // Out of the function, where the goroutine is another: said there, it is the same everywhere.
        if (!unwinds || i.x !== depth + n - s + (loops ? 1 : 0) || code === BR) known = false;
        for (const leave of [instruction(IF, 0x40), instruction(I32_CONST, 1), instruction(RETURN), instruction(END)]) plain(leave);
      } else {
        if (code === IF) depth++;
        if (code === END) depth--;
        plain(i);
        if (depth === 0 && ENDS(code)) break; // nothing gets behind it
      }
      if (depth === 0 && out.at(-1)?.i.code === BR) break;
    }
    return out;
  });
  return known ? { items, entered, back } : null;
}
const ENDS = (/** @type {number} */ code) => code === RETURN || code === BR || code === UNREACHABLE;
const ended = (/** @type {Item[]} */ items) => items.length > 0 && items[items.length - 1].depth === 0 && ENDS(items[items.length - 1].i.code);

/**
 * Empties the segments that nothing gets to, and moves those to which there is one way, on a condition, and none out, to where the condition is.
 * @param {Item[][]} items @param {Set<number>} entered
 */
function nested(items, entered) {
  const found = new Set(), open = [...entered];
  while (open.length > 0) {
    const s = /** @type {number} */ (open.pop());
    if (found.has(s)) continue;
    found.add(s);
    for (const { to } of items[s]) if (to !== null && to !== AGAIN) open.push(to);
    if (s + 1 < items.length && !ended(items[s])) open.push(s + 1);
  }
  for (const s of items.keys()) if (!found.has(s)) items[s] = [];
  for (let t = items.length - 1; t > 0; t--) {
    if (entered.has(t) || !ended(items[t]) || (items[t - 1].length > 0 ? !ended(items[t - 1]) : found.has(t - 1))) continue;
    const ways = items.flatMap((list, s) => list.flatMap((item, k) => (item.to === t ? [{ s, k, item }] : [])));
    if (ways.length !== 1 || ways[0].item.i.code !== BR_IF) continue;
    const [{ s, k, item: { depth } }] = ways;
    const inside = items[t].map((item) => ({ ...item, depth: item.depth + depth + 1 }));
    items[s].splice(k, 1, { i: instruction(IF, 0x40), depth: depth + 1, to: null }, ...inside, { i: instruction(END), depth, to: null });
    items[t] = [];
    found.delete(t);
  }
  return found;
}

/**
 * A body without what its jumps do not need: the dispatch has the places that a goroutine goes on from and those that are jumped back to.
 * @param {Skeleton} body @param {number[]} resumed numbers of places that the runtime may begin at
 * @returns {Instruction[] | null}
 */
function direct({ before, unwinds, loops, table, segments, after }, resumed) {
  const jumps = resolved({ before, unwinds, loops, table, segments, after }, resumed);
  if (!jumps) return null;
  const { items, entered, back } = jumps, found = nested(items, entered);
  const next = (/** @type {number} */ s) => {
    do s++; while (s < items.length && !found.has(s));
    return s;
  };
  // A jump to what comes next is none.
  for (const [s, list] of items.entries()) {
    const last = list.at(-1);
    if (found.has(s) && last?.i.code === BR && last.depth === 0 && last.to === next(s)) list.pop();
  }
  const wanted = new Set(items.flatMap((list) => list.map(({ to }) => to)));
  const begins = [...segments.keys()].filter((s) => s === 0 || entered.has(s) || wanted.has(s));
  const index = segments.map((_, s) => begins.findLastIndex((b) => b <= s));
  const dispatches = back || entered.size > 1, blocks = begins.length - (dispatches ? 0 : 1);
  /** @type {Instruction[]} */
  const list = [...before];
  if (back) list.push(instruction(LOOP, 0x40));
  for (let b = 0; b < blocks; b++) list.push(instruction(BLOCK, 0x40));
  if (dispatches) {
    // A number that none begins at goes with the next one up.
    const labels = table.map((s) => begins.findIndex((b) => b >= s && (b === 0 || entered.has(b))));
    for (let i = labels.length - 1; i >= 0; i--) if (labels[i] < 0) labels[i] = i + 1 < labels.length ? labels[i + 1] : 0;
    const end = /** @type {number} */ (labels.at(-1));
    while (labels.length > 1 && labels.at(-2) === end) labels.pop();
    list.push(instruction(op.localGet, 0), { ...instruction(BR_TABLE), labels }, instruction(END));
  }
  for (const [s, segment] of items.entries()) {
    if (s > 0 && begins[index[s]] === s) list.push(instruction(END));
    const open = begins.length - 1 - index[s];
    for (const { i, depth, to } of segment) {
      list.push(to === null ? i : instruction(i.code, depth + (to === AGAIN ? open : index[to] - index[s] - 1)));
    }
  }
  if (back) list.push(instruction(END));
  list.push(instruction(UNREACHABLE), instruction(END));
  return list;
}

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

/**
 * @param {Buffer} body @param {number} pc of the function @param {number[]} more numbers of places that the runtime may begin at, besides those behind calls
 * @param {(to: number, takes: number, place: number) => number} helper see outlined
 * @returns {Buffer}
 */
export function tightened(body, pc, more, helper = () => -1) {
  const r = new Reader(body);
  r.list(() => [r.unsigned(), r.byte()]);
  const head = body.subarray(0, r.at), code = decoded(body, r.at);
  if (!code) return body;
  const list = outlined(folded(code), helper);
  const resumed = [...more];
  for (const [k, { code, x }] of list.entries()) {
    if (code === op.i64Const && x >= 0 && Math.floor(x / 0x10000) === pc && list[k + 2]?.code !== RETURN) resumed.push(x % 0x10000);
  }
  const parts = skeleton(list);
  return encoded(folded((parts && direct(parts, resumed)) ?? list), head);
}
