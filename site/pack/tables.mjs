// @ts-check
// tables.mjs — the tables in which Go's runtime looks up its functions: found in a linked module, and laid out anew
// without what only stack traces read. The README beside it says why each step is sound.

import wabt from "wabt";
import { read, Reader, unsigned } from "./module.mjs";

/** A program counter's function is in its upper bits; index 0 has this one. */
export const FIRST_PC = 0x1000;
const HEADER = 44; // bytes of runtime._func before its lists
const NONE = 0xffffffff;
const INLINED = 3; // FUNCDATA_InlTree, which pcdata of index 2 speaks of
const MOST_PCDATA = 2; // unsafe points, of which a wasm has none, and the index of the stack map
const MOST_FUNCDATA = 5; // those behind are the arguments of stack traces
const WRAPPER = 23; // FuncIDWrapper, the last of the ids
const ASSEMBLY = 4; // FuncFlagAsm

/**
 * @typedef {object} Func of runtime._func
 * @property {string} name
 * @property {number} args @property {number} deferReturn @property {number} id @property {number} flag
 * @property {Buffer} sp how far the stack pointer has moved, by program counter
 * @property {Buffer[]} pcdata @property {(Buffer | null)[]} funcdata
 * @property {Buffer} file @property {Buffer} line
 * @property {number} unit of its files
 *
 * @typedef {{ at: number, bytes: number }} Slice where in memory, with the place of its length
 */

const magic = Buffer.from([0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8]);

/** @param {unknown} wanted @param {string} what */
function want(wanted, what) {
  if (!wanted) throw new Error(`the runtime's tables are not those of the Go version that they are packed for: want ${what}`);
}

/** Where the tables are, and what says so. @param {Buffer} memory @param {number} functions in the module */
export function placed(memory, functions) {
  const u64 = (/** @type {number} */ at) => Number(memory.readBigUInt64LE(at));
  let header = -1;
  for (let at = 0; header < 0 && (at = memory.indexOf(magic, at)) >= 0; at++) if (u64(at + 8) === functions) header = at;
  want(header >= 0, "pclntab");
  const address = Buffer.alloc(16);
  address.writeBigUInt64LE(BigInt(header), 0);
  address.writeBigUInt64LE(BigInt(header + u64(header + 32)), 8);
  const module = memory.indexOf(address);
  want(module >= 0 && module % 8 === 0 && memory.indexOf(address, module + 1) < 0, "one moduledata");
  return { header, module, lookup: u64(module + 152), end: u64(module + 152 + 8 * 22) };
}

/** Finds and reads the tables. @param {Buffer} changing memory @param {number} functions in the module @param {boolean} [partly] where a second part may be missing */
export function find(changing, functions, partly = false) {
  const memory = Buffer.from(changing);
  const u32 = (/** @type {number} */ at) => memory.readUInt32LE(at), u64 = (/** @type {number} */ at) => Number(memory.readBigUInt64LE(at));
  const { header, module } = placed(memory, functions);
  const slice = (/** @type {number} */ i) => u64(module + i);
  const [names, units, files, pcs, funcs, index] = [8, 32, 56, 80, 104, 128].map(slice);
  const [lookup, low, , text] = [152, 160, 168, 176].map(slice);
  const gofunc = u64(module + 152 + 8 * 21), end = u64(module + 152 + 8 * 22);
  want(
    header < names && names < units && units <= files && files <= pcs && pcs < funcs && funcs === index && index < gofunc && gofunc < lookup,
    "tables in their order",
  );
  want(
    low === FIRST_PC << 16 && text === 0 && u64(module + 136) === functions + 1 && lookup + 320 * (functions - 1) + 4 <= end,
    "program counters by function",
  );
  /** A table by program counter, with its end. @param {number} offset */
  const pcTable = (offset) => {
    if (offset === 0) return Buffer.alloc(0);
    const r = new Reader(memory, pcs + offset);
    for (let first = true;; first = false) {
      if (r.unsigned() === 0 && !first) break;
      r.unsigned();
    }
    return memory.subarray(pcs + offset, r.at);
  };
  const places = [];
  for (let i = 0; i < functions; i++) {
    const at = funcs + u32(index + 8 * i + 4);
    want(u32(index + 8 * i) === FIRST_PC + i && (partly || u32(at) === FIRST_PC + i), "functions by their index");
    places.push(at);
  }
  /** Where what functions point at begins, in order: each ends where the next begins. */
  const begins = [
    ...new Set(places.flatMap((at) => {
      const pcdata = u32(at + 28), list = [];
      for (let k = 0; k < memory[at + 43]; k++) list.push(u32(at + HEADER + 4 * (pcdata + k)));
      return list.filter((offset) => offset !== NONE);
    })),
  ].sort((a, b) => a - b);
  const ends = new Map(begins.map((offset, i) => [offset, begins[i + 1] ?? lookup - gofunc]));

  const list = places.map((at) => {
    const pcdata = u32(at + 28), from = names + memory.readInt32LE(at + 4);
    /** @type {Func} */
    const func = {
      name: memory.toString("latin1", from, memory.indexOf(0, from)),
      args: u32(at + 8),
      deferReturn: u32(at + 12),
      sp: pcTable(u32(at + 16)),
      file: pcTable(u32(at + 20)),
      line: pcTable(u32(at + 24)),
      unit: u32(at + 32),
      id: memory[at + 40],
      flag: memory[at + 41],
      pcdata: Array.from({ length: pcdata }, (_, k) => pcTable(u32(at + HEADER + 4 * k))),
      funcdata: Array.from({ length: memory[at + 43] }, (_, k) => {
        const offset = u32(at + HEADER + 4 * (pcdata + k));
        return offset === NONE ? null : memory.subarray(gofunc + offset, gofunc + /** @type {number} */ (ends.get(offset)));
      }),
    };
    want(func.id <= WRAPPER, "ids of functions up to wrappers");
    return func;
  });
  /** The file of a function's table of files. @param {number} unit @param {number} number */
  const file = (unit, number) => {
    const from = files + u32(units + 4 * (unit + number));
    return memory.toString("utf8", from, memory.indexOf(0, from));
  };
  return { header, module, lookup, end, size: u64(module + 152 + 8 * 15), funcs: list, file };
}

/** Functions whose program counter the runtime uses without a call of theirs: ends of stacks, places of switches. @param {Func} func */
export const fabricated = ({ id, flag }) => (id !== 0 && id !== WRAPPER) || (flag & ASSEMBLY) !== 0;

/** Whether the compiler wrote it. @param {number} type @param {Func} func */
export const ofGo = (type, func) => type === 0 && !fabricated(func);

/** The values of a table by program counter: each with the number behind the last that has it. @param {Buffer} table @returns {[value: number, end: number][]} */
export function runs(table) {
  const r = new Reader(table);
  /** @type {[number, number][]} */
  const list = [];
  for (let value = -1, end = 0; !r.ended;) {
    const up = r.unsigned();
    if (up === 0 && list.length > 0) break;
    value += up & 1 ? -((up + 1) / 2) : up / 2;
    list.push([value, end += r.unsigned()]);
  }
  return list;
}

/** What a table says of a number; -1: nothing. @param {[number, number][]} runs @param {number} place */
const valueAt = (runs, place) => runs.find(([, end]) => place < end)?.[0] ?? runs.at(-1)?.[0] ?? -1;

const LAST = 127; // the least of the numbers that a table's last value is for, so that most end with the same

/** A table of these values; where there is none the one before goes on. @param {(number | undefined)[]} values @param {number} least of the last value's numbers */
function byPlace(values, least) {
  const out = [];
  let last = -1;
  for (let at = 0; at < values.length;) {
    const value = values[at] ?? values.find((v, k) => k > at && v !== undefined) ?? last;
    let end = at + 1;
    while (end < values.length && (values[end] ?? value) === value) end++;
    const up = value - last;
    out.push(...unsigned(up < 0 ? -2 * up - 1 : 2 * up), ...unsigned(end < values.length ? end - at : Math.max(end - at, least)));
    last = value;
    at = end;
  }
  return Buffer.from([...out, 0]);
}

/**
 * What tables say of a return address: how far the stack pointer has moved where it leads, and what is asked about the one before, which is in
 * the call; of a trap both. One text for all that is the same.
 * @param {Func} func
 */
export function asked({ sp, pcdata, file, line }) {
  const [moved, ...others] = [sp, pcdata[1] ?? Buffer.alloc(0), file, line].map(runs);
  return (/** @type {number} */ place) => [valueAt(moved, place), ...others.flatMap((table) => [valueAt(table, place - 1), valueAt(table, place)])].join();
}

/**
 * The tables of a function by other numbers.
 * @param {Func} func @param {import("./tighten.mjs").Place[]} places @param {number} deferReturn its number from now on
 */
export function renumber(func, places, deferReturn) {
  const moved = runs(func.sp), values = [valueAt(moved, 0)];
  for (const { old, now } of places) values[now] = valueAt(moved, old);
  if (deferReturn) values[deferReturn] = valueAt(moved, func.deferReturn);
  const inCall = (/** @type {Buffer | undefined} */ table, least = LAST) => {
    if (!table?.length) return table ?? Buffer.alloc(0);
    const before = runs(table), values = [];
    for (const { old, now, trap } of places) {
      values[now - 1] = valueAt(before, old - 1);
      if (trap) values[now] = valueAt(before, old);
    }
    return byPlace(Array.from(values), least);
  };
  const pcdata = func.pcdata.map((table, i) => (i === 1 ? inCall(table) : Buffer.alloc(0)));
  Object.assign(func, {
    deferReturn,
    sp: func.sp.length ? byPlace(Array.from(values), LAST) : func.sp,
    pcdata,
    file: inCall(func.file, 1),
    line: inCall(func.line, 1),
  });
}

/** Names that the runtime compares with, and those that it takes apart. @param {Func} func @param {Set<string>} takenApart */
const kept = ({ name }, takenApart) => ["runtime.gopanic", "reflect.makeFuncStub", "reflect.methodValueCall"].includes(name) || takenApart.has(name);

const NAME = 14; // bytes of "runtime.#aaaa" with its end; of other packages from the dot on
const DOT = 7;
const UNKNOWN = 0x80000000; // ArgsSizeUnknown
const COLUMNS = 15; // gap, name, arguments, place of deferreturn, lengths, id and flag, stack, three tables, five that are pointed at

/**
 * Lays the tables out anew in their place, for each part a block of its own that begins as zeros in the other's file.
 * @param {Buffer} memory that is changed
 * @param {ReturnType<typeof find>} tables
 * @param {(index: number) => 0 | 1} part of each function
 * @param {Set<string>} takenApart names that stay
 * @returns {Promise<{ blocks: [from: number, to: number][], boot: [Buffer, Buffer] }>} the second part's bytes, and what each writes when it starts
 */
export async function layOut(memory, { header, module, lookup, end, funcs }, part, takenApart) {
  memory.fill(0, header + 72, lookup);
  /** @type {[number, number][]} */
  const blocks = [];
  let at = header + 72;
  const put = (/** @type {number} */ i, /** @type {number} */ value) => memory.writeBigUInt64LE(BigInt(value), module + i);

  // Names: those that are written when the program starts, and those that are kept.
  const names = at, own = new Map();
  at += NAME * (funcs.length + 1);
  for (const func of funcs) {
    if (!kept(func, takenApart)) continue;
    own.set(func, at - names);
    at += memory.write(func.name, at, "latin1") + 1;
  }
  put(8, names);
  for (const i of [16, 24]) put(i, at - names);
  for (const i of [32, 56]) { // units of files, of which none is left
    put(i, at);
    put(i + 8, 0);
  }

  /** Puts what the functions of both parts point at, each once, the second's alone behind. @param {(func: Func) => (Buffer | null)[]} of @param {number} align @param {Buffer} [begin] */
  const pool = (of, align, begin = Buffer.alloc(0)) => {
    const base = at, offsets = new Map(), begins = [];
    at += begin.copy(memory, at);
    for (const p of [0, 1]) {
      const from = at;
      begins.push(from - base);
      for (const [i, func] of funcs.entries()) {
        if (part(i) !== p) continue;
        for (const bytes of of(func)) {
          if (!bytes || bytes.length === 0) continue;
          const key = bytes.toString("latin1");
          if (offsets.has(key)) continue;
          at = align * Math.ceil(at / align);
          offsets.set(key, at - base);
          at += bytes.copy(memory, at);
        }
      }
      if (p === 1) blocks.push([from, at]);
    }
    at = 8 * Math.ceil(at / 8);
    return { base, begins, length: at - base, offset: (/** @type {Buffer | null} */ bytes) => offsets.get(bytes?.toString("latin1")) };
  };
  const pcdata = (/** @type {Func} */ func) => func.pcdata.map((table, i) => (i === 1 || (i === 2 && func.id === WRAPPER) ? table : null));
  const funcdata = (/** @type {Func} */ func) =>
    func.funcdata.slice(0, MOST_FUNCDATA).map((d, i) => (i === INLINED && func.id !== WRAPPER ? null : d && (i === INLINED ? nameless(d) : d)));
  // The first byte is of no table, and behind it is one that says that nothing is on the stack at any program counter.
  const still = Buffer.from([0, 2, 0xff, 0xff, 0xff, 0xff, 0x0f, 0]);
  const pcs = pool((func) => [func.sp, ...pcdata(func)], 1, still);
  put(80, pcs.base);
  put(88, pcs.length);
  put(96, pcs.length);

  // Of each function in the order of its part: a row of numbers, from which its entry is made when the program starts.
  const index = at;
  at += 8 * (funcs.length + 1);
  const missing = at; // stands for functions of the second part before it is there
  memory.writeUInt32LE(FIRST_PC, at);
  memory.writeUInt32LE(1, at + 16);
  at += HEADER;
  /** @type {{ entries: number, rows: number, scratch: number, fresh: number, list: number[] }[]} */
  const made = [];
  for (const p of [0, 1]) {
    const list = [...funcs.keys()].filter((i) => part(i) === p);
    const entries = at;
    for (const i of list) at += HEADER + 4 * (shortened(pcdata(funcs[i])).length + shortened(funcdata(funcs[i])).length);
    made.push({ entries, rows: at, scratch: at + 3 * COLUMNS * list.length, fresh: pcs.begins[p], list });
    at += 3 * COLUMNS * list.length + 4 * COLUMNS;
  }
  for (const i of [112, 120]) put(i, at - index);
  put(104, index);
  put(128, index);
  at = 8 * Math.ceil(at / 8);
  const points = pool(funcdata, 4);
  put(152 + 8 * 21, points.base);
  if (module >= end) memory.fill(0, lookup, end);
  const own0 = names + NAME * (funcs.length + 1);
  const boot = [];
  for (const [p, { entries, rows: from, scratch, fresh, list }] of made.entries()) {
    const seen = new Set();
    /** A table by program counter: 1 for the next one, or where it is. @param {Buffer | null} table */
    const table = (table) => {
      const offset = pcs.offset(table);
      if (offset === undefined) return 0;
      if (offset < fresh || seen.has(offset)) return offset;
      seen.add(offset);
      return 1;
    };
    const rows = list.map((i, j) => {
      const func = funcs[i], pc = shortened(pcdata(func)), data = shortened(funcdata(func));
      const name = own.get(func) ?? (func.name.startsWith("runtime.") ? 0 : DOT);
      const sp = table(func.sp), by = pc.map(table);
      return [
        ...[
          i - (list[j - 1] ?? -1) - 1,
          own.has(func) ? name - NAME * (funcs.length + 1) + NAME : name,
          func.args === UNKNOWN ? 0xffff : func.args,
          func.deferReturn,
        ],
        ...[pc.length + 4 * data.length, func.id + 32 * func.flag, sp],
        ...[0, 1, 2].map((k) => by[k] ?? 0),
        ...[0, 1, 2, 3, 4].map((k) => (data[k] ? points.offset(data[k]) / 4 + 1 : 0)),
      ];
    });
    // Byte by byte: the lowest of all numbers of a column, then the next.
    const m = list.length;
    for (const [j, row] of rows.entries()) {
      for (const [c, value] of row.entries()) {
        want(value < 0x1000000 && c !== 2 || value <= 0xffff, "small numbers in the entries of functions");
        for (let b = 0; b < 3; b++) memory[from + (3 * c + b) * m + j] = value >> (8 * b);
      }
    }
    if (p === 1) blocks.push([from, scratch]);
    const first = p === 0 ? beginning({ n: funcs.length, names, index, missing: missing - index }) : "";
    boot.push(await assembled({ first, rows: from, m, scratch, names, own: own0 - names - NAME, index, entries, pcs: pcs.base, fresh }));
  }
  want(at <= lookup, "room for the tables where they were");
  return { blocks: blocks.filter(([from, to]) => to > from), boot: /** @type {[Buffer, Buffer]} */ (boot) };
}

/** Without what is not there at its end. @param {(Buffer | null)[]} list */
function shortened(list) {
  let n = list.length;
  while (n > 0 && !list[n - 1]?.length) n--;
  return list.slice(0, n);
}

/** Inlined calls of a wrapper, without names: 16 bytes each, the name in the second four. @param {Buffer} tree */
function nameless(tree) {
  const copy = Buffer.from(tree);
  for (let i = 4; i + 4 <= copy.length; i += 16) copy.writeInt32LE(0, i);
  return copy;
}

/** What is regular and begins the tables. @param {{ n: number, names: number, index: number, missing: number }} at */
const beginning = ({ n, names, index, missing }) => `
  (loop $functions
    (local.set $p (i32.add (i32.const ${index}) (i32.mul (local.get $i) (i32.const 8))))
    (i32.store (local.get $p) (i32.add (local.get $i) (i32.const ${FIRST_PC})))
    (if (i32.lt_u (local.get $i) (i32.const ${n})) (then (i32.store offset=4 (local.get $p) (i32.const ${missing}))))
    (local.set $p (i32.add (i32.const ${names}) (i32.mul (local.get $i) (i32.const ${NAME}))))
    (i64.store (local.get $p) (i64.const 0x2e656d69746e7572)) ;; "runtime."
    (i32.store8 offset=8 (local.get $p) (i32.const 35))
    (i32.store8 offset=9 (local.get $p) (i32.add (i32.const 97) (i32.shr_u (local.get $i) (i32.const 12))))
    (i32.store8 offset=10 (local.get $p) (i32.add (i32.const 97) (i32.and (i32.shr_u (local.get $i) (i32.const 8)) (i32.const 15))))
    (i32.store8 offset=11 (local.get $p) (i32.add (i32.const 97) (i32.and (i32.shr_u (local.get $i) (i32.const 4)) (i32.const 15))))
    (i32.store8 offset=12 (local.get $p) (i32.add (i32.const 97) (i32.and (local.get $i) (i32.const 15))))
    (br_if $functions (i32.le_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const ${n}))))`;

/**
 * The body of runtime.findfunc: (the return address,) a program counter -> where its function's entry is, and moduledata; or nothing. Since each function
 * has an index of its own in program counters, it need not look for the place of the entry.
 * @param {ReturnType<typeof find>} tables
 */
export async function finding({ module }) {
  const field = (/** @type {number} */ i) => `(i64.load (i32.const ${module + i}))`;
  const text = `(module (memory 1) (global $sp (mut i32) (i32.const 0)) (func (param i32) (result i32) (local $sp i32) (local $pc i64) (local $index i32)
    (local.set $pc (i64.load offset=8 (local.tee $sp (global.get $sp))))
    (i64.store offset=16 (local.get $sp) (i64.const 0))
    (i64.store offset=24 (local.get $sp) (i64.const 0))
    (if (i32.and (i64.ge_u (local.get $pc) ${field(160)}) (i64.lt_u (local.get $pc) ${field(168)})) (then
      (local.set $index (i32.wrap_i64 ${field(128)}))
      (i64.store offset=16 (local.get $sp) (i64.add ${field(104)} (i64.load32_u offset=4 (i32.add (local.get $index)
        (i32.shl (i32.sub (i32.wrap_i64 (i64.shr_u (local.get $pc) (i64.const 16))) (i32.const ${FIRST_PC})) (i32.const 3))))))
      (i64.store offset=24 (local.get $sp) (i64.const ${module}))))
    (global.set $sp (i32.add (local.get $sp) (i32.const 8)))
    (i32.const 0)))`;
  return body(text);
}

/** @param {string} text of a module with one function */
export async function body(text) {
  const { buffer } = (await wabt()).parseWat("f.wat", text, { bulk_memory: true }).toBinary({});
  return read(Buffer.from(buffer)).functions[0].body;
}

/**
 * The body of a function that writes the entries of functions, and what is regular: as instructions and numbers by
 * column they are shorter than as they are.
 * @param {{ first: string, rows: number, m: number, scratch: number, names: number, own: number, index: number, entries: number, pcs: number, fresh: number }} at
 */
async function assembled({ first, rows, m, scratch, own, index, entries, pcs, fresh }) {
  const column = (/** @type {number} */ c) => `(i32.load (i32.const ${scratch + 4 * c}))`;
  const set = (/** @type {number} */ offset, /** @type {string} */ value) => `(i32.store offset=${offset} (local.get $p) ${value})`;
  /** Past one number. */
  const past =
    "(loop $more (local.set $t (i32.add (local.get $t) (i32.const 1))) (br_if $more (i32.and (i32.load8_u offset=0xffffffff (local.get $t)) (i32.const 128))))"
      .replace("i32.load8_u offset=0xffffffff (local.get $t)", "i32.load8_u (i32.sub (local.get $t) (i32.const 1))");
  /** The table that a column says: the next when it is 1, whose end is then looked for. @param {number} c */
  const table = (c) => `
    (if (i32.eq ${column(c)} (i32.const 1)) (then
      (i32.store (i32.const ${scratch + 4 * c}) (local.get $fresh))
      (local.set $t (i32.add (i32.const ${pcs}) (local.get $fresh)))
      (local.set $begun (i32.const 0))
      (block $end (loop $steps
        (if (i32.and (local.get $begun) (i32.eqz (i32.load8_u (local.get $t)))) (then (br $end)))
        ${past} ${past}
        (local.set $begun (i32.const 1))
        (br $steps)))
      (local.set $fresh (i32.sub (i32.add (local.get $t) (i32.const 1)) (i32.const ${pcs})))))`;
  const text = `(module (memory 1) (func (local $i i32) (local $p i32) (local $j i32) (local $c i32) (local $t i32) (local $begun i32) (local $fresh i32)
    ${first}
    (local.set $i (i32.const -1))
    (local.set $fresh (i32.const ${fresh}))
    (local.set $p (i32.const ${entries}))
    (block $done (loop $rows
      (br_if $done (i32.ge_u (local.get $j) (i32.const ${m})))
      (local.set $c (i32.const 0))
      (local.set $t (i32.add (i32.const ${rows}) (local.get $j)))
      (loop $columns
        (i32.store (i32.add (i32.const ${scratch}) (i32.shl (local.get $c) (i32.const 2)))
          (i32.or (i32.load8_u (local.get $t)) (i32.or
            (i32.shl (i32.load8_u (i32.add (local.get $t) (i32.const ${m}))) (i32.const 8))
            (i32.shl (i32.load8_u (i32.add (local.get $t) (i32.const ${2 * m}))) (i32.const 16)))))
        (local.set $t (i32.add (local.get $t) (i32.const ${3 * m})))
        (br_if $columns (i32.lt_u (local.tee $c (i32.add (local.get $c) (i32.const 1))) (i32.const ${COLUMNS}))))
      (local.set $i (i32.add (i32.add (local.get $i) (i32.const 1)) ${column(0)}))
      ${set(0, `(i32.add (local.get $i) (i32.const ${FIRST_PC}))`)}
      ${
    set(
      4,
      `(select (i32.add ${column(1)} (i32.mul (local.get $i) (i32.const ${NAME}))) (i32.add ${column(1)} (i32.const ${own}))
        (i32.lt_u ${column(1)} (i32.const ${NAME})))`,
    )
  }
      ${set(8, `(select (i32.const ${UNKNOWN}) ${column(2)} (i32.eq ${column(2)} (i32.const 0xffff)))`)}
      ${set(12, column(3))}
      ${table(6)}
      ${set(16, column(6))}
      ${set(28, `(i32.and ${column(4)} (i32.const 3))`)}
      (i32.store8 offset=40 (local.get $p) (i32.and ${column(5)} (i32.const 31)))
      (i32.store8 offset=41 (local.get $p) (i32.shr_u ${column(5)} (i32.const 5)))
      (i32.store8 offset=43 (local.get $p) (i32.shr_u ${column(4)} (i32.const 2)))
      (i32.store offset=4 (i32.add (i32.const ${index}) (i32.shl (local.get $i) (i32.const 3))) (i32.sub (local.get $p) (i32.const ${index})))
      (local.set $p (i32.add (local.get $p) (i32.const ${HEADER})))
      ${
    [7, 8, 9].map((c) =>
      `(if (i32.gt_u (i32.and ${column(4)} (i32.const 3)) (i32.const ${c - 7})) (then ${table(c)} ${
        set(0, column(c))
      } (local.set $p (i32.add (local.get $p) (i32.const 4)))))`
    ).join("\n")
  }
      ${
    [10, 11, 12, 13, 14].map((c) =>
      `(if (i32.gt_u (i32.shr_u ${column(4)} (i32.const 2)) (i32.const ${c - 10})) (then
        ${
        set(0, `(select (i32.shl (i32.sub ${column(c)} (i32.const 1)) (i32.const 2)) (i32.const -1) ${column(c)})`)
      } (local.set $p (i32.add (local.get $p) (i32.const 4)))))`
    ).join("\n")
  }
      (local.set $j (i32.add (local.get $j) (i32.const 1)))
      (br $rows)))))`;
  return body(text);
}
