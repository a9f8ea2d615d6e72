// @ts-check
// jumps.mjs — a body whose jumps go where they want to be, with loops where the program has loops: Go's compiler has every
// jump go round by one dispatch. The README beside it says what this leans on.

import { BLOCK, BR, BR_IF, BR_TABLE, ELSE, END, I32_CONST, IF, instruction, LOOP, RETURN, UNREACHABLE } from "./instructions.mjs";
import { op } from "./module.mjs";

/** @typedef {import("./instructions.mjs").Instruction} Instruction */

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
 * An instruction of a segment, in so many conditions; one that jumps to a segment gets its depth when it is known where all are.
 * @typedef {{ i: Instruction, depth: number, to: number | null }} Item
 */

/**
 * What each segment does, with its jumps by the segment that they lead to.
 * @param {Skeleton} body
 * @returns {Item[][] | null} null where there is another jump than the compiler writes
 */
function resolved({ unwinds, loops, table, segments }) {
  const n = segments.length - 1, last = table.length - 1;
  let known = true;
  const items = segments.map((segment, s) => {
    /** @type {Item[]} */
    const out = [];
    let depth = 0;
    const plain = (/** @type {Instruction} */ i) => out.push({ i, depth, to: null });
    /** The jump whose number is at k. @param {number} code @param {number} k @param {number} inIfs */
    const jump = (code, k, inIfs) => {
      const [number, set, br] = segment.slice(k, k + 3);
      if (!loops || number?.code !== I32_CONST || set?.code !== op.localSet || set.x !== 0 || br?.code !== BR || br.x !== inIfs + n - s) return false;
      out.push({ i: instruction(code), depth, to: table[Math.min(number.x, last)] });
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
  return known ? items : null;
}
const ENDS = (/** @type {number} */ code) => code === RETURN || code === BR || code === UNREACHABLE;
const ended = (/** @type {Item[]} */ items) => items.length > 0 && items[items.length - 1].depth === 0 && ENDS(items[items.length - 1].i.code);

/**
 * Empties the segments that nothing gets to, and moves those to which there is one way, on a condition, and none out, to where the condition is.
 * Those that are left end with a jump, if only to the next.
 * @param {Item[][]} items @param {Set<number>} entered
 * @returns {number[]} those that are left, in their order
 */
function nested(items, entered) {
  const found = new Set(), open = [...entered];
  while (open.length > 0) {
    const s = /** @type {number} */ (open.pop());
    if (found.has(s)) continue;
    found.add(s);
    for (const { to } of items[s]) if (to !== null) open.push(to);
    if (s + 1 < items.length && !ended(items[s])) open.push(s + 1);
  }
  for (const s of items.keys()) if (!found.has(s)) items[s] = [];
  for (let t = items.length - 1; t > 0; t--) {
    if (entered.has(t) || !ended(items[t]) || (items[t - 1].length > 0 ? !ended(items[t - 1]) : found.has(t - 1))) continue;
    const ways = items.flatMap((list, s) => list.flatMap((item, k) => (item.to === t ? [{ s, k, item }] : [])));
    if (ways.length !== 1 || ways[0].item.i.code !== BR_IF || ways[0].s >= t) continue;
    const [{ s, k, item: { depth } }] = ways;
    const inside = items[t].map((item) => ({ ...item, depth: item.depth + depth + 1 }));
    items[s].splice(k, 1, { i: instruction(IF, 0x40), depth: depth + 1, to: null }, ...inside, { i: instruction(END), depth, to: null });
    items[t] = [];
    found.delete(t);
  }
  const list = [...found].sort((a, b) => a - b);
  for (const [k, s] of list.entries()) {
    if (!ended(items[s])) items[s].push({ i: instruction(k + 1 < list.length ? BR : UNREACHABLE), depth: 0, to: list[k + 1] ?? null });
  }
  return list;
}

// ---- loops

/**
 * Of each segment the nearest one that every way to it goes through; -1 where it begins, or ways from two beginnings meet.
 * @param {number[]} order in which what is before something on every way comes before it @param {Map<number, number[]>} ways to each @param {Set<number>} entered
 */
function dominators(order, ways, entered) {
  const at = new Map(order.map((s, i) => [s, i])), near = new Map([...entered].map((s) => [s, -1]));
  const common = (/** @type {number} */ a, /** @type {number} */ b) => {
    while (a !== b) {
      if (a === -1 || b === -1) return -1;
      if (/** @type {number} */ (at.get(a)) > /** @type {number} */ (at.get(b))) a = /** @type {number} */ (near.get(a));
      else b = /** @type {number} */ (near.get(b));
    }
    return a;
  };
  for (let changed = true; changed;) {
    changed = false;
    for (const s of order) {
      if (entered.has(s)) continue;
      const now = (ways.get(s) ?? []).filter((w) => near.has(w)).reduce(common);
      changed ||= near.get(s) !== now;
      near.set(s, now);
    }
  }
  return near;
}

/** What can be reached, each behind what comes before it on every way. @param {Set<number>} entered @param {Map<number, number[]>} after */
function ordered(entered, after) {
  /** @type {number[]} */
  const order = [], seen = new Set();
  for (const root of entered) {
    const open = seen.has(root) ? [] : [{ s: root, k: 0 }];
    seen.add(root);
    while (open.length > 0) {
      const top = open[open.length - 1], t = after.get(top.s)?.[top.k++];
      if (t === undefined) {
        order.push(top.s);
        open.pop();
      } else if (!seen.has(t)) {
        seen.add(t);
        open.push({ s: t, k: 0 });
      }
    }
  }
  return order.reverse();
}

/**
 * Loops that are only ever entered at their beginning: by it, what belongs to them.
 * @param {number[]} list @param {Item[][]} items @param {Set<number>} entered
 */
function loopsOf(list, items, entered) {
  /** @type {Map<number, number[]>} */
  const ways = new Map(), after = new Map(list.map((s) => [s, [...new Set(items[s].flatMap(({ to }) => (to === null ? [] : [to])))]]));
  for (const [s, to] of after) for (const t of to) ways.set(t, [...(ways.get(t) ?? []), s]);
  const near = dominators(ordered(entered, after), ways, entered);
  const over = (/** @type {number} */ h, /** @type {number} */ s) => {
    while (s !== -1 && s !== h) s = near.get(s) ?? -1;
    return s === h;
  };
  /** @type {Map<number, Set<number>>} */
  const loops = new Map();
  for (const [s, to] of after) {
    for (const h of to) {
      if (!over(h, s)) continue;
      const inside = loops.get(h) ?? new Set([h]);
      loops.set(h, inside);
      for (const open = [s]; open.length > 0;) {
        const x = /** @type {number} */ (open.pop());
        if (inside.has(x)) continue;
        inside.add(x);
        open.push(...(ways.get(x) ?? []));
      }
    }
  }
  return loops;
}

/**
 * Segments in the order in which they are written; those of a loop stand together, the one that begins it first.
 * @typedef {number | { loop: Unit[] }} Unit
 */
/** @param {Unit} unit @returns {number} */
const firstOf = (unit) => (typeof unit === "number" ? unit : firstOf(unit.loop[0]));
/** @param {Unit} unit @returns {number[]} */
const flat = (unit) => (typeof unit === "number" ? [unit] : unit.loop.flatMap(flat));

/** @param {number[]} list @param {[number, Set<number>][]} loops the largest first @returns {Unit[]} */
function together(list, loops) {
  /** @type {Unit[]} */
  const units = [];
  const here = new Set(list), done = new Set();
  for (const s of list) {
    if (done.has(s)) continue;
    const around = loops.findIndex(([h, inside]) => here.has(h) && inside.has(s));
    if (around < 0) {
      units.push(s);
      continue;
    }
    const [h, inside] = loops[around], own = list.filter((x) => inside.has(x) && x !== h);
    for (const x of inside) done.add(x);
    units.push({ loop: [h, ...together([...own.filter((x) => x > h), ...own.filter((x) => x < h)], loops.toSpliced(around, 1))] });
  }
  return units;
}

// ---- written

const DISPATCH = -1;

/** A body being written: blocks and loops around segments, so that jumps find where they lead. */
class Written {
  /**
   * @param {Unit[]} units @param {Item[][]} items
   * @param {Map<number, number>} numbers of the segments that the dispatch leads to, by segment
   * @param {number[]} labels the segment of each number
   * @param {boolean} back whether something jumps back to the dispatch
   */
  constructor(units, items, numbers, labels, back) {
    this.items = items;
    this.numbers = numbers;
    this.labels = labels;
    /** @type {Instruction[]} */
    this.list = [];
    /** What is around, by what is jumped to with it. @type {number[]} */
    this.around = [];
    /** Where the dispatch would have to lead to as well. @type {Set<number>} */
    this.wanted = new Set();
    this.order = units.flatMap(flat);
    /** @type {Map<number, number>} */
    this.place = new Map(this.order.map((s, k) => [s, k]));
    this.dispatches = back || labels.length > 1;
    /** Segments that something jumps ahead to, other than by going on. @type {Set<number>} */
    this.ahead = new Set();
    for (const [p, s] of this.order.entries()) {
      for (const [k, { to }] of items[s].entries()) if (to !== null && this.#at(to) > p && !this.#goesOn(s, k)) this.ahead.add(to);
    }
    if (back) this.#inside(LOOP, DISPATCH, () => this.#units(units, true));
    else this.#units(units, true);
    this.list.push(instruction(UNREACHABLE), instruction(END));
  }

  /** Where among all a segment is written. @param {number} s */
  #at(s) {
    return this.place.get(s) ?? -1;
  }

  /** Whether the k-th instruction of a segment jumps to what is written next. @param {number} s @param {number} k @returns {boolean} */
  #goesOn(s, k) {
    const { i, depth, to } = this.items[s][k];
    return k === this.items[s].length - 1 && i.code === BR && depth === 0 && this.order[this.#at(s) + 1] === to;
  }

  /** @param {number} code @param {number} to @param {() => void} write */
  #inside(code, to, write) {
    this.around.push(to);
    this.list.push(instruction(code, 0x40));
    write();
    this.around.pop();
    this.list.push(instruction(END));
  }

  /** How many blocks are between here and the end, or the beginning of the loop, that leads there; -1: none does. @param {number} to */
  #depth(to) {
    const k = this.around.lastIndexOf(to);
    return k < 0 ? -1 : this.around.length - 1 - k;
  }

  /** @param {Unit[]} units @param {boolean} whole */
  #units(units, whole) {
    const dispatches = whole && this.dispatches;
    const led = units.map(firstOf).filter((s, k) => (dispatches && this.numbers.has(s)) || (this.ahead.has(s) && (whole || k > 0)));
    for (const s of led.toReversed()) {
      this.around.push(s);
      this.list.push(instruction(BLOCK, 0x40));
    }
    if (dispatches) {
      const labels = this.labels.map((s) => this.#depth(s)), end = labels.at(-1);
      while (labels.length > 1 && labels.at(-2) === end) labels.pop();
      this.list.push(instruction(op.localGet, 0), { ...instruction(BR_TABLE), labels });
    }
    for (const unit of units) {
      const first = firstOf(unit);
      if (first === led[0]) {
        led.shift();
        this.around.pop();
        this.list.push(instruction(END));
      }
      if (typeof unit === "number") this.#segment(unit);
      else this.#inside(LOOP, first, () => this.#units(unit.loop, false));
    }
  }

  /** @param {number} s */
  #segment(s) {
    for (const [k, { i, depth, to }] of this.items[s].entries()) {
      if (to === null) this.list.push(i);
      else if (!this.#goesOn(s, k)) {
        const d = this.#depth(to);
        if (d >= 0) this.list.push(instruction(i.code, depth + d));
        else {
          this.wanted.add(to);
          const number = instruction(I32_CONST, this.numbers.get(to) ?? 0);
          this.list.push(number, instruction(op.localSet, 0), instruction(i.code, depth + this.#depth(DISPATCH)));
        }
      }
    }
  }
}

/**
 * A body without what its jumps do not need: the dispatch has the places that a goroutine goes on from, and those that are jumped back to
 * other than as a loop.
 * @param {Instruction[]} body
 * @param {Map<number, number>} places numbers that the runtime may begin at, and what they are from now on
 * @returns {Instruction[] | null} null where it is not as the compiler writes it
 */
export function direct(body, places) {
  const known = skeleton(body), items = known && resolved(known);
  if (!known || !items) return null;
  /** @type {number[]} */
  const labels = [];
  for (const [old, number] of places) labels[number] = known.table[Math.min(old, known.table.length - 1)];
  if (labels[0] !== 0) return null;
  for (let n = labels.length - 2; n >= 0; n--) labels[n] ??= labels[n + 1]; // none begins there
  const numbers = new Map([...labels.entries()].map(([n, s]) => [s, n])), list = nested(items, new Set(labels));
  for (let back = false;; back = true) {
    const loops = [...loopsOf(list, items, new Set(labels))].sort((a, b) => b[1].size - a[1].size);
    const { list: written, wanted } = new Written(together(list, loops), items, numbers, labels, back);
    if (wanted.size === 0 || (back && [...wanted].every((s) => numbers.has(s)))) return [...known.before, ...written];
    for (const s of wanted) if (!numbers.has(s)) numbers.set(s, labels.push(s) - 1);
  }
}
