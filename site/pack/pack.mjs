// @ts-check
// pack.mjs — what becomes of the solver between Go's linker and its file: half of what a visitor downloads.
// The README beside it says what each step leans on, and why that holds for these versions of Go.

import { called, edited, locals, localsOf, op, read, Reader, segments, signed, unsigned, image, write } from "./module.mjs";
import { clearing, moving } from "./few.mjs";
import { lowered } from "./lower.mjs";
import { quietly } from "./quiet.mjs";
import { asked, find, finding, FIRST_PC, layOut, ofGo, renumber, runs } from "./tables.mjs";
import { fewInstructions, helping, neverReturns, tightened } from "./tighten.mjs";

/** The versions of Go that the steps were held against; any other is left as it is linked. */
const VERSIONS = /^go1\.26(\.\d+)?$/;

/**
 * @typedef {import("./module.mjs").Parts} Parts
 * @typedef {object} Packed
 * @property {Buffer} first what is started
 * @property {Buffer | null} second what is added to it when one of its functions is called, or before
 * @property {number} marks where the first function's mark is, of those that are counted; the next are 320 bytes on each
 * @property {import("./tighten.mjs").Place[][]} places the return addresses of each function, by what was linked and now
 * @property {string} names what the functions are called and where they come from, for who reads a stack trace
 */

/** Whether what this version of Go links can be packed. @param {string} go such as go1.26.8 */
export const packable = (go) => VERSIONS.test(go);

/** How the page finds the rest, in a section of its own. @param {Buffer} wasm @param {Record<string, string | number>} files */
export const pointing = (wasm, files) => write({ ...read(wasm), custom: [["rcmdp", Buffer.from(JSON.stringify(files))]] });

/**
 * What is the same whichever functions come first: the module read, its bodies said more shortly, and what is in them.
 * @param {Buffer} wasm as it was linked
 * @param {Buffer | null} [other] the same linked with its data elsewhere (lower.mjs), for less memory at the start
 */
export async function prepared(wasm, other = null) {
  const parts = read(wasm);
  if (parts.imports.some(({ what }) => what[0] !== 0)) throw new Error("want a module that imports nothing but functions");
  const memory = other ? lowered(parts, read(other)) : image(parts.data), tables = find(memory, parts.functions.length);
  parts.pages = Math.ceil(tables.size / 65536); // the linker adds a megabyte; Go asks for more by itself
  const { funcs } = tables;
  const places = tighten(parts, funcs);
  const own = { findfunc: await finding(tables), memmove: await moving(), memclrNoHeapPointers: await clearing() };
  for (const [name, body] of Object.entries(own)) parts.functions[funcs.findIndex((func) => func.name === `runtime.${name}`)].body = body;
  return { parts, memory, tables, places, names: listed(tables), calls: parts.functions.map(({ body }) => called(body)) };
}

/**
 * @param {Awaited<ReturnType<typeof prepared>>} module which stays as it is
 * @param {object} [how]
 * @param {Set<string> | null} [how.early] the functions to begin with, by name; without it all are
 * @param {boolean} [how.counted] whether each function is to leave a mark when it is called, for record.mjs
 * @returns {Promise<Packed>}
 */
export async function pack({ parts, memory: linked, tables, places, names, calls }, { early = null, counted = false } = {}) {
  const { funcs } = tables, imported = parts.imports.length, memory = Buffer.from(linked);
  const late = early ? funcs.map((func, i) => isLate(parts, early, func, i, calls[i])) : funcs.map(() => false);
  const panicwrap = imported + funcs.findIndex(({ name }) => name === "runtime.panicwrap");
  const takenApart = new Set(funcs.filter((_, i) => calls[i].has(panicwrap)).map(({ name }) => name));
  const { blocks, boot } = await layOut(memory, tables, (i) => (late[i] ? 1 : 0), takenApart);
  const mark = counted ? (/** @type {number} */ i) => (i + 1 < funcs.length ? tables.lookup + MARK + 320 * i : 0) : () => 0;
  const bodies = parts.functions.map(({ type, body }, i) => relative(body, parts.types[type], FIRST_PC + i, mark(i)));
  const marks = tables.lookup + MARK;
  if (!early) return { first: write(whole(parts, bodies, segments(memory), boot[0])), second: null, names, marks, places };
  return { ...divided(parts, bodies, late, memory, blocks, boot), names, marks, places };
}

/** All bodies of Go, more shortly, and behind them functions that they call. @param {Parts} parts @param {import("./tables.mjs").Func[]} funcs */
function tighten(parts, funcs) {
  const imported = parts.imports.length, end = imported + funcs.length;
  /** @type {Map<string, number>} */
  const helpers = new Map();
  /** @type {Parts["functions"]} */
  const added = [];
  const nameOf = (/** @type {number} */ to) => funcs[to - imported]?.name ?? "";
  const helper = (/** @type {number} */ to, /** @type {number} */ takes, /** @type {number} */ place) => {
    if (!neverReturns(nameOf(to), place)) return -1;
    const key = `${to} ${takes}`;
    if (!helpers.has(key)) {
      helpers.set(key, end + added.length);
      added.push({ type: typed(parts.types, [takes + 1, ...Array(takes + 1).fill(I64), 1, I32]), body: helping(to, takes) });
    }
    return /** @type {number} */ (helpers.get(key));
  };
  const quiet = quietly(parts, funcs);
  const traps = (/** @type {number} */ to) => nameOf(to) === "runtime.sigpanic", instead = (/** @type {number} */ to) => fewInstructions(nameOf(to));
  const places = parts.functions.map((f, i) => {
    const func = funcs[i];
    if (!ofGo(f.type, func)) return [];
    const { deferReturn } = func, counted = func.id === 0; // trees of what was inlined into wrappers speak of numbers
    const how = { helper, instead, traps, quiet: quiet.has, unchecked: quiet.asks(i), known: asked(func) };
    const { body, places, ...now } = tightened(f.body, { pc: FIRST_PC + i, deferReturn, counted, ...how });
    if (places.length > 0) renumber(func, places, now.deferReturn);
    f.body = body;
    return places;
  });
  parts.functions.push(...added);
  return places;
}

/** Where in a function's share of the look-up table nobody ever reads: it would be for a place of a number that none has. */
const MARK = 304;

/** @param {Parts} parts @param {Set<string>} early @param {import("./tables.mjs").Func} func @param {number} i @param {Set<number>} calls */
function isLate(parts, early, func, i, calls) {
  const { type } = parts.functions[i], imported = parts.imports.length;
  if (early.has(func.name) || /\.init(\.\d+)?$/.test(func.name) || !ofGo(type, func)) return false;
  return ![...calls].some((f) => f < imported) && !parts.exports.some(({ kind, index }) => kind === 0 && index === imported + i);
}

/**
 * A body whose return addresses are so much more than one constant: they differ in five bytes otherwise, and each is new to a compressor.
 * The same numbers are pushed.
 * @param {Buffer} body @param {Buffer} type @param {number} pc of the function @param {number} mark the byte to set, or 0
 */
export function relative(body, type, pc, mark = 0) {
  const marked = mark ? Buffer.concat([Buffer.from([0x41]), signed(mark), Buffer.from([0x41, 1, 0x3a, 0, 0])]) : Buffer.alloc(0);
  const own = (/** @type {number} */ operand) => {
    const value = Number(new Reader(body, operand).signed());
    return value >= 0 && Math.floor(value / 0x10000) === pc ? value % 0x10000 : -1;
  };
  let count = 0;
  edited(body, (code, operand) => {
    if (code === op.i64Const && own(operand) >= 0) count++;
  });
  const groups = localsOf(body);
  const goes = count > 1 && type.equals(Buffer.from([0x60, 1, 0x7f, 1, 0x7f])) && groups[0]?.[0] === 1 && groups[0][1] === 0x7f;
  if (!goes) return mark ? edited(body, () => {}, Buffer.concat([locals(groups), marked])) : body;
  // The parameter, the stack pointer, then the constant: the same number in every function, with the rest moved up.
  const base = 2;
  if (groups[1]?.[1] === 0x7e) groups[1] = [groups[1][0] + 1, 0x7e];
  else groups.splice(1, 0, [1, 0x7e]);
  const begin = Buffer.concat([locals(groups), Buffer.from([op.i64Const]), signed(pc * 0x10000), Buffer.from([op.localSet, base]), marked]);
  return edited(body, (code, operand) => {
    if (code === op.i64Const) {
      const low = own(operand);
      if (low === 0) return Buffer.from([op.localGet, base]);
      return low < 0 ? undefined : Buffer.concat([Buffer.from([op.localGet, base, op.i64Const]), signed(low), Buffer.from([0x7c])]);
    }
    if (code !== op.localGet && code !== op.localSet && code !== op.localTee) return undefined;
    const index = new Reader(body, operand).unsigned();
    return index < base ? undefined : Buffer.concat([Buffer.from([code]), unsigned(index + 1)]);
  }, begin);
}

/** The index of a type, added where it is new. @param {Buffer[]} types @param {number[]} type */
function typed(types, type) {
  const bytes = Buffer.from([0x60, ...type]), found = types.findIndex((t) => t.equals(bytes));
  return found >= 0 ? found : types.push(bytes) - 1;
}

const NOTHING = [0, 0], I32 = 0x7f, I64 = 0x7e;

/** One part. @param {Parts} parts @param {Buffer[]} bodies @param {import("./module.mjs").Segment[]} data @param {Buffer} boot @returns {Parts} */
function whole(parts, bodies, data, boot) {
  const types = [...parts.types];
  const functions = [...parts.functions.map(({ type }, i) => ({ type, body: bodies[i] })), { type: typed(types, NOTHING), body: boot }];
  return { ...parts, types, functions, start: parts.imports.length + functions.length - 1, data, custom: [] };
}

/**
 * Two parts on the same memory, table and globals. In the first a function of the second is a few bytes that see to it
 * that the second is there, and go on in the table, where it is by then.
 * @param {Parts} parts @param {Buffer[]} bodies @param {boolean[]} late
 * @param {Buffer} memory @param {[number, number][]} blocks of the second @param {[Buffer, Buffer]} boot
 */
function divided(parts, bodies, late, memory, blocks, boot) {
  const imported = parts.imports.length, types = [...parts.types];
  const nothing = typed(types, NOTHING), through = typed(types, [2, I32, I32, 1, I32]);
  const here = parts.globals.length; // a new global: whether the second part is here
  const slot = (/** @type {number} */ i) => FIRST_PC + i;
  const call = (/** @type {number} */ i) => Buffer.concat([Buffer.from([op.call]), unsigned(i)]);
  const ensure = imported, go = imported + 1 + bodies.length;
  const stub = (/** @type {number} */ i) => Buffer.concat([Buffer.from([0, op.localGet, 0, 0x41]), signed(slot(i)), call(go), Buffer.from([0x0b])]);
  const never = Buffer.from([0, 0, 0x0b]); // the first part knows no way to it
  const moved = (/** @type {Buffer} */ body) =>
    edited(body, (code, operand) => {
      if (code !== op.call) return undefined;
      const to = new Reader(body, operand).unsigned();
      return to < imported ? undefined : call(to + 1); // one import more
    });
  const second = Buffer.alloc(memory.length);
  for (const [from, to] of blocks) {
    memory.copy(second, from, from, to);
    memory.fill(0, from, to);
  }
  const reached = reachable(parts, late, memory);
  /** @type {Parts} */
  const a = {
    ...parts,
    types,
    imports: [...parts.imports, { module: "rcmdp", name: "second", what: Buffer.concat([Buffer.from([0]), unsigned(nothing)]) }],
    functions: [
      ...parts.functions.map(({ type }, i) => ({ type, body: late[i] ? (reached.has(i) ? stub(i) : never) : moved(bodies[i]) })),
      {
        type: through,
        body: Buffer.concat([
          Buffer.from([0, 0x23, here, 0x45, 0x04, 0x40]), // if it is not here
          call(ensure),
          Buffer.from([0x0b, op.localGet, 0, op.localGet, 1, op.callIndirect, 0, 0, 0x0b]),
        ]),
      },
      { type: nothing, body: boot[0] },
    ],
    globals: [...parts.globals, Buffer.from([I32, 1, 0x41, 0, 0x0b])],
    exports: [
      ...parts.exports.map((e) => (e.kind === 0 ? { ...e, index: e.index + 1 } : e)),
      { name: "table", kind: 1, index: 0 },
      ...[...parts.globals, 0].map((_, index) => ({ name: `global${index}`, kind: 3, index })),
    ],
    start: go + 1,
    elements: parts.elements.map(({ from, functions }) => ({ from, functions: functions.map((f) => f + 1) })),
    data: segments(memory),
    custom: [],
  };

  // Its own, and again those that both call.
  const list = bodies.flatMap((_, i) => (late[i] ?? true ? [i] : [])), index = new Map(list.map((i, j) => [i, j]));
  const crossing = (/** @type {Buffer} */ body) =>
    edited(body, (code, operand) => {
      if (code !== op.call) return undefined;
      const to = new Reader(body, operand).unsigned() - imported, inside = index.get(to);
      if (inside !== undefined) return call(inside);
      return Buffer.concat([Buffer.from([0x41]), signed(slot(to)), Buffer.from([op.callIndirect]), unsigned(parts.functions[to].type), Buffer.from([0])]);
    });
  /** @type {Parts["elements"]} */
  const elements = [];
  for (const [j, i] of list.entries()) {
    if (i >= late.length) break;
    const run = elements.at(-1);
    if (run && run.from + run.functions.length === slot(i)) run.functions.push(j);
    else elements.push({ from: slot(i), functions: [j] });
  }
  const begun = Buffer.concat([boot[1].subarray(0, -1), Buffer.from([0x41, 1, 0x24, here, 0x0b])]);
  const limits = Buffer.concat([Buffer.from([0]), unsigned(parts.pages)]);
  /** @type {Parts} */
  const b = {
    types,
    imports: [
      { module: "first", name: "mem", what: Buffer.concat([Buffer.from([2]), limits]) },
      { module: "first", name: "table", what: Buffer.concat([Buffer.from([1]), /** @type {Buffer} */ (parts.table)]) },
      ...a.globals.map((g, i) => ({ module: "first", name: `global${i}`, what: Buffer.concat([Buffer.from([3]), g.subarray(0, 2)]) })),
    ],
    functions: [...list.map((i) => ({ type: parts.functions[i].type, body: crossing(bodies[i]) })), { type: nothing, body: begun }],
    table: null,
    pages: 0,
    globals: [],
    exports: [],
    start: list.length,
    elements,
    data: segments(second),
    custom: [],
  };
  return { first: write(a), second: write(b) };
}

/**
 * The functions that the first part calls, or whose program counter or index may be a number in its code or data.
 * @param {Parts} parts @param {boolean[]} late @param {Buffer} memory @returns {Set<number>}
 */
function reachable({ functions, imports }, late, memory) {
  const reached = new Set();
  const pc = (/** @type {number} */ value) => {
    if (value % 0x10000 === 0) reached.add(value / 0x10000 - FIRST_PC);
  };
  for (const [i, { body }] of functions.entries()) {
    if (late[i]) continue;
    edited(body, (code, operand) => {
      if (code === op.call) reached.add(new Reader(body, operand).unsigned() - imports.length);
      if (code === op.i64Const) pc(Number(new Reader(body, operand).signed()));
    });
  }
  for (let at = 0; at + 4 <= memory.length; at += 4) {
    const value = memory.readUInt32LE(at);
    reached.add(value - FIRST_PC);
    pc(value);
  }
  return reached;
}

/**
 * What a trace leaves out, a line for each function: its name, its files, and by resume point the line, with
 * the number of its file in front where that is not the first.
 * @param {ReturnType<typeof find>} tables
 */
function listed({ funcs, file }) {
  return funcs.map(({ name, file: inFile, line, unit }) => {
    const numbers = byPoint(inFile), lines = byPoint(line);
    const files = [...new Set(numbers)].filter((n) => n >= 0);
    const places = lines.map((l, i) => (numbers[i] === files[0] ? `${l}` : `${files.indexOf(numbers[i])}:${l}`));
    return [name, files.map((n) => file(unit, n)).join(" "), places.join()].join("\t");
  }).join("\n");
}

/** The values of a table by program counter, one for each. @param {Buffer} table */
function byPoint(table) {
  /** @type {number[]} */
  const values = [];
  for (const [value, end] of runs(table)) while (values.length < Math.min(end, 0x10000)) values.push(value);
  return values;
}
