// pack.test.js — what happens to the solver after Go's linker changes nothing that runs: memory begins with the same,
// the runtime finds of each function what it found, and the same return addresses are pushed.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import fs from "node:fs";
import path from "node:path";
import wabt from "wabt";
import { called, image, joined, read, write } from "../pack/module.mjs";
import { earlyNames } from "../pack/early.mjs";
import { lowered } from "../pack/lower.mjs";
import { pack, packable, prepared, relative } from "../pack/pack.mjs";
import { quietly } from "../pack/quiet.mjs";
import { find, FIRST_PC, placed } from "../pack/tables.mjs";
import { openSolver } from "../src/engine.js";
import { build, fixture, root } from "./engine-build.js";

/** @param {number} n @param {boolean} [signed] @returns {number[]} */
const leb = (n, signed) => {
  /** @type {number[]} */
  const out = [];
  for (;;) {
    const byte = n & 0x7f;
    n = signed ? n >> 7 : n >>> 7;
    if (signed ? (n === 0 && !(byte & 0x40)) || (n === -1 && byte & 0x40) : n === 0) return [...out, byte];
    out.push(byte | 0x80);
  }
};
/** @param {number} id @param {number[]} bytes */
const section = (id, bytes) => [id, ...leb(bytes.length), ...bytes];
const name = [...new TextEncoder().encode("memory")];

/** A module of two pages with the segments [address, bytes], some custom sections around. @param {[number, number[]][]} segments */
function module_(segments) {
  const data = segments.flatMap(([address, bytes]) => [0, 0x41, ...leb(address, true), 0x0b, ...leb(bytes.length), ...bytes]);
  return Buffer.from([
    0,
    0x61,
    0x73,
    0x6d,
    1,
    0,
    0,
    0,
    ...section(5, [1, 0, 2]),
    ...section(7, [1, name.length, ...name, 2, 0]),
    ...section(11, [...leb(segments.length), ...data]),
    ...section(0, [1, 0x61, 7]),
    ...section(0, [1, 0x62, 8, 9]),
  ]);
}

/** @param {BufferSource} bytes */
const memory = async (bytes) => {
  const { instance } = await WebAssembly.instantiate(bytes);
  return Buffer.from(/** @type {WebAssembly.Memory} */ (instance.exports.memory).buffer);
};

test("the memory is the same, whatever the gaps and the order", async () => {
  let seed = 7;
  const random = (/** @type {number} */ n) => ((seed = (seed * 1103515245 + 12345) & 0x7fffffff) >>> 8) % n;
  for (let round = 0; round < 12; round++) { // twice each: gaps of two sizes, in three orders
    /** @type {[number, number[]][]} */
    const segments = [];
    for (let at = random(200); at < 120000; at += 1 + random(round % 2 ? 100 : 5000)) {
      const bytes = Array.from({ length: random(90) }, () => random(256));
      segments.push([at, bytes]);
      at += bytes.length;
    }
    if (round % 3 === 0) segments.push(...segments.splice(0, 1));
    const before = module_(segments), after = joined(before);
    assert.ok((await memory(before)).equals(await memory(/** @type {BufferSource} */ (after))));
    assert.ok(joined(after).equals(after), "joining twice joins no more");
  }
});

test("short gaps are joined, long ones stay", async () => {
  const short = joined(module_([[0, [1]], [65, [2]], [131, [3]], [70000, [4]]]));
  assert.deepEqual(short, module_([[0, [1, ...Array(64).fill(0), 2]], [131, [3]], [70000, [4]]]));
});

test("a module that it does not understand is refused, not changed", () => {
  assert.throws(() => joined(module_([[0, [1, 2, 3]], [2, [4]]])), /overlap/);
  const counted = module_([[0, [1]]]);
  assert.throws(() => joined(Buffer.concat([counted, Buffer.from(section(12, [1]))])), /count/);
  const passive = module_([[0, [1]]]);
  passive[passive.indexOf(Buffer.from([0, 0x41]))] = 1;
  assert.throws(() => joined(passive), /active/);
});

test("a module without data stays as it is", () => {
  const empty = Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...section(5, [1, 0, 2])]);
  assert.ok(joined(empty).equals(empty));
});

const { folder, ...files } = build();
const linked = fs.readFileSync(path.join(root, "bin/rcmdp.wasm"));
const { go } = JSON.parse(fs.readFileSync(path.join(root, "dist/build.json"), "utf8"));
/** Prepared once for both tests of it. @type {ReturnType<typeof prepared> | undefined} */
let once;
const preparedOnce = () => (once ??= prepared(linked));
const skip = packable(go) ? false : `the solver is built plainly with ${go}`;

/** A module when its start function has run. @param {Buffer} wasm */
async function begun(wasm) {
  const module = new WebAssembly.Module(/** @type {BufferSource} */ (wasm));
  /** @type {Record<string, Record<string, any>>} */
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) (imports[from] ??= {})[name] = () => 0;
  return WebAssembly.instantiate(module, imports);
}

/** Its memory, as it is. @param {WebAssembly.Instance} instance */
const memoryOf = ({ exports }) => Buffer.from(new Uint8Array(/** @type {WebAssembly.Memory} */ (exports.mem).buffer));

/** Whether one is the other, and zeros up to where the next thing begins. @param {Buffer | null | undefined} a @param {Buffer | null | undefined} b */
function same(a, b) {
  const [x, y] = [a ?? Buffer.alloc(0), b ?? Buffer.alloc(0)].sort((p, q) => p.length - q.length);
  return x.equals(y.subarray(0, x.length)) && y.subarray(x.length).every((byte) => byte === 0);
}

/** What a table by program counter says of a number, as runtime.pcvalue finds it. @param {Buffer | undefined} table @param {number} place */
function said(table, place) {
  let at = 0;
  const next = () => {
    for (let value = 0, scale = 1;; scale *= 128) {
      const byte = /** @type {Buffer} */ (table)[at++];
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  if (!table?.length) return -1;
  for (let value = -1, pc = 0;;) {
    const up = next();
    assert.ok(up > 0 || at === 1, `a table ends before ${place}`);
    value += up & 1 ? -(up + 1) / 2 : up / 2;
    if (place < (pc += next())) return value;
  }
}

/**
 * Holds what the runtime finds to what the linker wrote.
 * @param {Buffer} memory @param {Awaited<ReturnType<typeof pack>>} packed @param {(i: number) => boolean} here whether a function's tables are there yet
 */
function assertTables(memory, { names, places }, here = () => true) {
  const before = read(linked), n = before.functions.length;
  const { funcs } = find(image(before.data), n), { funcs: after } = find(memory, n, true);
  const lines = names.split("\n");
  assert.equal(lines.length, n);
  let named = 0;
  for (const [i, func] of funcs.entries()) {
    const got = after[i], where = func.name;
    assert.equal(lines[i].split("\t")[0], where);
    if (!here(i)) {
      assert.deepEqual([got.args, got.id, got.funcdata.length, got.sp.subarray(0, 1)], [0, 0, 0, Buffer.from([2])], `${where} is not there`);
      continue;
    }
    for (const what of /** @type {const} */ (["args", "id", "flag"])) assert.equal(got[what], func[what], `${what} of ${where}`);
    if (places[i].length === 0) {
      assert.equal(got.deferReturn, func.deferReturn, where);
      assert.ok(same(got.sp, func.sp) && same(got.pcdata[1], func.pcdata[1]), `tables of ${where}`);
    } else {
      // The place of deferreturn is that of its call; stacks are scanned with what is said of the number before an address.
      const called = places[i].find(({ old, panics }) => old === func.deferReturn + 1 && !panics);
      assert.equal(got.deferReturn, func.deferReturn && /** @type {import("../pack/tighten.mjs").Place} */ (called).now - 1, `deferreturn of ${where}`);
      assert.equal(said(got.sp, got.deferReturn), said(func.sp, func.deferReturn), `the stack of ${where} at its deferreturn`);
      for (const { old, now } of places[i]) {
        assert.equal(said(got.sp, now), said(func.sp, old), `the stack of ${where} at ${old}, now ${now}`);
        assert.equal(said(got.pcdata[1], now - 1), said(func.pcdata[1], old - 1), `pointers of ${where} at ${old}, now ${now}`);
      }
    }
    for (const k of [0, 1, 2, 4]) assert.ok(same(got.funcdata[k], func.funcdata[k]), `data ${k} of ${where}`);
    if (func.id === 23) assert.equal(Boolean(got.funcdata[3]), Boolean(func.funcdata[3]), `calls inlined into the wrapper ${where}`);
    assert.ok(got.file.length === 0 && got.line.length === 0);
    const letters = [12, 8, 4, 0].map((shift) => String.fromCharCode(97 + ((i >> shift) & 15))).join("");
    if (got.name === where) named++;
    else assert.equal(got.name, `${where.startsWith("runtime.") ? "runtime" : ""}.#${letters}`);
  }
  assert.ok(named > 0 && named < n / 20, `${named} names are kept`);
  for (const name of ["runtime.gopanic", "reflect.makeFuncStub"])
    assert.equal(
      after.some((func) => func.name === name),
      funcs.some((func) => func.name === name),
      name,
    );
}

test("the runtime finds of each function what it found, and its number instead of its name", { skip }, async () => {
  const packed = await pack(await preparedOnce());
  assertTables(memoryOf(await begun(packed.first)), packed);
});

test("of a solver in two parts it finds the second's when that is there, and each function is in the table before and after", { skip }, async () => {
  const early = earlyNames(), packed = await pack(await preparedOnce(), { early }), { first, second, names } = packed;
  const list = names.split("\n").map((line) => line.split("\t")[0]), instance = await begun(first);
  const table = /** @type {WebAssembly.Table} */ (instance.exports.table);
  const before = list.map((_, i) => table.get(FIRST_PC + i));
  assert.ok(before.every(Boolean));
  const module = new WebAssembly.Module(/** @type {BufferSource} */ (second));
  const late = read(/** @type {Buffer} */ (second)).elements.reduce((sum, { functions }) => sum + functions.length, 0);
  assert.ok(late > list.length / 5 && late < list.length / 1.5, `${late} of ${list.length} functions come later`);
  const memory = memoryOf(instance);
  new WebAssembly.Instance(module, { first: instance.exports });
  const moved = new Set(list.flatMap((_, i) => (table.get(FIRST_PC + i) === before[i] ? [] : [i])));
  assert.equal(moved.size, late);
  assert.ok([...moved].every((i) => !early.has(list[i]) && !/\.init$/.test(list[i])));
  for (const [i, name] of list.entries())
    if (/^rcmdplab\/core\/(interchange|estimate)\./.test(name) && !/init/.test(name)) assert.ok(moved.has(i), `${name} comes later`);
  assertTables(memory, packed, (i) => !moved.has(i));
  assertTables(memoryOf(instance), packed);
});

test("who calls what does not ask for stack any more has asked for its own, or is one of them", { skip }, () => {
  const { functions, data, imports } = read(linked), { funcs } = find(image(data), functions.length), quiet = quietly(read(linked), funcs);
  const name = (/** @type {number} */ to) => funcs[to - imports.length]?.name ?? "";
  let calls = 0;
  for (const [i, { body }] of functions.entries()) {
    const all = called(body), asks = [...all].some((to) => /^runtime\.morestack/.test(name(to)));
    for (const to of all) {
      if (!quiet.asks(to - imports.length)) continue;
      calls++;
      assert.ok(asks || quiet.has(i + imports.length), `${funcs[i].name} calls ${name(to)}`);
    }
  }
  assert.ok(calls > 500, `${calls} calls`);
});

test("first solves are answered by the first part alone, whatever the kind of set", { skip }, async () => {
  for (const name of fs.readdirSync(folder)) if (/^rcmdp-second-/.test(name)) fs.rmSync(path.join(folder, name));
  const solver = await openSolver({ ...files, workers: 1 });
  after(() => solver.close());
  const kinds = ["", "_l1", "_linf", "_tv", "_chi2", "_kl", "_kl_regularized", "_contamination"].map((kind) => fixture(`machine_repair${kind}`));
  const l2 = { ...kinds[1], uncertainty: { ...kinds[1].uncertainty, kind: "l2" } };
  for (const problem of [...kinds, l2]) {
    const answer = await solver.solve(problem).result.catch((error) => error);
    assert.equal(answer.status, "proved-optimal", `${problem.name}: ${answer.message}; site/pack/first.txt lacks a name, which ./build.sh record finds`);
  }
});

test("a body pushes the same return addresses when they are sums", async () => {
  const pc = FIRST_PC + 7,
    text = `(module (memory (export "mem") 1) (func (export "f") (param i32) (result i32) (local i32) (local i64 i64) (local f64)
    (local.set 1 (local.get 0)) (local.set 2 (i64.const ${pc * 65536 + 3})) (local.set 3 (i64.const ${pc * 65536 + 65535}))
    (local.set 4 (f64.const 2.5))
    (i64.store (local.get 1) (local.get 2)) (i64.store offset=8 (local.get 1) (i64.add (local.get 3) (i64.const ${pc * 65536 + 65536})))
    (f64.store offset=16 (local.get 1) (local.get 4))
    (i32.add (local.get 1) (i32.const 1))))`;
  const { buffer } = (await wabt()).parseWat("f.wat", text).toBinary({}), plain = Buffer.from(buffer);
  const { functions: [{ body }], types: [type] } = read(plain);
  const other = relative(body, type, pc);
  assert.notDeepEqual(other, body);
  const run = async (/** @type {Buffer} */ wasm) => {
    const { instance: { exports } } = await WebAssembly.instantiate(/** @type {BufferSource} */ (wasm));
    const value = /** @type {any} */ (exports).f(32);
    return [value, Buffer.from(/** @type {WebAssembly.Memory} */ (exports.mem).buffer).subarray(0, 64)];
  };
  assert.deepEqual(await run(write({ ...read(plain), functions: [{ type: 0, body: other }] })), await run(plain));
});

test("what is not as the supported versions write it is refused", async () => {
  assert.deepEqual(["go1.26", "go1.26.8", "go1.25.9", "go1.27.0", "go1.27-devel", "unknown"].map(packable), [true, true, false, false, false, false]);
  if (skip) return;
  const broken = Buffer.from(linked), at = broken.indexOf(Buffer.from([0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8]));
  broken[at] ^= 1;
  await assert.rejects(prepared(broken), /want pclntab/);
});

const solvers = ["rcmdp.wasm", "rcmdp-elsewhere.wasm"].map((name) => path.join(root, "bin", name));

test("a number that is read only stays what it is, one of the data that could lead to the links is refused", {
  skip: solvers.every((file) => fs.existsSync(file)) ? false : "the solver is not built",
}, () => {
  const [a, b] = solvers.map((file) => read(fs.readFileSync(file)));
  const memory = image(a.data), elsewhere = image(b.data), n = a.functions.length;
  const here = placed(memory, n), delta = placed(elsewhere, n).module - here.module;
  const links = Number(memory.readBigUInt64LE(here.module + 360)), far = links + 5;
  /** Data moved with a number put in it, at the same place of both. @param {number} at @param {number} to @param {number} x */
  const moved = (at, to, x) => {
    const put = (/** @type {Buffer} */ of, /** @type {number} */ where) => {
      const bytes = Buffer.from(of);
      bytes.writeBigUInt64LE(BigInt(x), where);
      return [{ address: 0, bytes }];
    };
    return lowered({ ...a, data: put(memory, at) }, { ...b, functions: a.functions, data: put(elsewhere, to) });
  };
  const still = [...Array(1000).keys()].map((k) => here.header - 8 * (k + 1)).find((at) => memory.readBigUInt64LE(at) === 0n) ?? assert.fail("no word");
  for (const x of [far, links]) assert.equal(Number(moved(still, still, x).readBigUInt64LE(still)), x);
  const word = [...Array(1000).keys()].map((k) => here.module + 1024 + 8 * k).find((at) => memory.readBigUInt64LE(at) === 0n) ?? assert.fail("no word");
  assert.ok(moved(word, word + delta, far));
  assert.throws(() => moved(word, word + delta, links), /nothing else that leads to links/);
});
