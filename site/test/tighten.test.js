// tighten.test.js — bodies that are said more shortly do what they did, wherever they begin: loads, stores, jumps, and the order of all.

import assert from "node:assert/strict";
import { test } from "node:test";
import wabt from "wabt";
import { clearing, moving } from "../pack/few.mjs";
import { read, write } from "../pack/module.mjs";
import { FIRST_PC } from "../pack/tables.mjs";
import { fewInstructions, helping, tightened } from "../pack/tighten.mjs";

const pc = FIRST_PC + 5;

/** Numbers that seem random. @param {number} seed */
function random(seed) {
  let state = seed + 1;
  return (/** @type {number} */ n) => ((state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff) >>> 8) % n;
}

/** @param {string} text @returns {Promise<Buffer>} */
async function assembled(text) {
  const module = (await wabt()).parseWat("f.wat", text);
  try {
    module.validate();
    return Buffer.from(module.toBinary({}).buffer);
  } finally {
    module.destroy();
  }
}

/**
 * The same module with its function f tightened, and what that calls of what never comes back; and its places.
 * @param {Buffer} wasm @param {boolean} [counted] @param {number} [deferReturn]
 */
function tight(wasm, counted = false, deferReturn = 0) {
  const parts = read(wasm), types = [...parts.types];
  /** @type {typeof parts.functions} */
  const added = [];
  const helper = (/** @type {number} */ to, /** @type {number} */ takes) => {
    if (to !== 1) return -1;
    added.push({ type: types.push(Buffer.from([0x60, takes + 1, ...Array(takes + 1).fill(0x7e), 1, 0x7f])) - 1, body: helping(to, takes) });
    return 2 + added.length;
  };
  const { body, ...now } = tightened(parts.functions[0].body, {
    pc,
    deferReturn,
    counted,
    helper,
    instead: () => null,
    traps: () => counted,
    quiet: () => false,
    unchecked: false,
    known: (place) => `${place >> 1}`,
  });
  return { after: write({ ...parts, types, functions: [{ type: parts.functions[0].type, body }, ...added] }), ...now };
}

/** @param {Buffer} wasm @param {number} place @param {number} seed what f(place) gives, the stack pointer and memory after it */
async function run(wasm, place, seed) {
  const sp = new WebAssembly.Global({ value: "i32", mutable: true }, 8192), bits = new WebAssembly.Global({ value: "i64", mutable: true }, BigInt(seed));
  let calls = 0;
  const { instance: { exports } } = await WebAssembly.instantiate(/** @type {BufferSource} */ (wasm), {
    go: {
      sp,
      bits,
      other: () => ((calls = Math.imul(calls + sp.value, 31)), calls % 7 === 3 ? 1 : 0),
      panic: () => ((calls = Math.imul(calls + sp.value, 37)), 1),
    },
  });
  const { mem, f } = /** @type {any} */ (exports);
  const some = random(seed);
  new Uint8Array(mem.buffer, 4096, 9000).forEach((_, i, bytes) => (bytes[i] = some(256)));
  let value = 0;
  try {
    value = f(place);
  } catch (e) {
    value = /** @type {Error} */ (e) instanceof WebAssembly.RuntimeError ? -1 : NaN;
  }
  return [value, sp.value, calls, Buffer.from(mem.buffer).toString("latin1")];
}

/** What stands before and behind a function as the compiler writes it. @param {string} body */
const module_ = (body) =>
  `(module (import "go" "other" (func $other (param i32) (result i32))) (import "go" "panic" (func $panic (param i32) (result i32))) (import "go" "sp" (global $sp (mut i32))) (import "go" "bits" (global $bits (mut i64)))
    (memory (export "mem") 1)
    (func (export "f") (param $place i32) (result i32) (local $l i32) (local $a i64) (local $b i64) (local $c f64)
      global.get $bits local.set $a global.get $sp local.set $l
      ${body}))`;

/** A value of 64 bits, as instructions. @param {(n: number) => number} r @param {number} depth @returns {string} */
function value(r, depth) {
  if (depth === 0) return [`i64.const ${r(300) - 20}`, "local.get $a", "local.get $b", `local.get $l i64.load offset=${8 * r(20)}`][r(4)];
  const one = () => value(r, depth - 1), address = `${inside(r, one())} `;
  const load = ["i64.load", "i64.load8_s", "i64.load8_u", "i64.load16_s", "i64.load16_u", "i64.load32_s", "i64.load32_u"][r(7)];
  return [
    () => `${one()} ${one()} i64.add`,
    () => `${one()} ${one()} i64.xor`,
    () => `${address} i64.const ${8 * r(9)} i64.add i32.wrap_i64 ${load} offset=${r(5)}`,
    () => `${address} i64.const ${r(200)} i64.add i32.wrap_i64 f64.load offset=16 i64.reinterpret_f64`,
    () => `local.get $l i64.extend_i32_u i64.const ${8 * r(30)} i64.add i32.wrap_i64 ${load}`,
    () => `local.get $l i64.extend_i32_u i64.const ${8 * r(30)} i64.add`,
    () => `${address} i32.wrap_i64 ${load} offset=8 i64.const ${[255, 65535, 4294967295, 127][r(4)]} i64.and`,
    () => `${address} i32.wrap_i64 ${load} offset=${r(9)} i32.wrap_i64 i64.extend_i32_u`,
    () => `${one()} local.set $b local.get $b`,
    () =>
      `${one()} ${one()} i64.${["lt_s", "lt_u", "gt_s", "gt_u", "le_s", "le_u", "ge_s", "ge_u", "eq", "ne"][r(10)]} ${r(2) ? "i32.eqz" : ""} i64.extend_i32_u`,
    () => `${one()} i64.eqz i32.eqz i64.extend_i32_u`,
    () => `${one()} ${one()} ${one()} i32.wrap_i64 select`,
  ][r(12)]();
}
/** An address in what the test writes, from any value. @param {(n: number) => number} r @param {string} any */
const inside = (r, any) => `${any} i64.const 1023 i64.and i64.const ${4096 + 1024 * r(8)} i64.or`;

/** @param {(n: number) => number} r @returns {string} */
function statement(r) {
  const address = r(2)
    ? `local.get $l i64.extend_i32_u i64.const ${8 * r(30)} i64.add i32.wrap_i64`
    : `${inside(r, value(r, 1))} i64.const ${r(90)} i64.add i32.wrap_i64`;
  return [
    () => `${address} ${value(r, 2)} ${["i64.store", "i64.store8", "i64.store16", "i64.store32 offset=4"][r(4)]}`,
    () => `${address} ${value(r, 1)} f64.convert_i64_s f64.store offset=8`,
    () => `${value(r, 2)} local.set $a`,
    () => `${address} i32.const 0 i32.const ${r(60)} memory.fill`,
    () => `${value(r, 1)} i64.eqz if ${address} ${value(r, 1)} i64.store end`,
  ][r(5)]();
}

/**
 * A function in segments, as the compiler writes it: a dispatch by the parameter in front, calls after each of which is a place to go on
 * from, jumps by way of the dispatch.
 * @param {(n: number) => number} r @param {(number: number, panics: boolean) => number} [pushed] the number that a call pushes
 * @returns {{ text: string, places: number[], deferReturn: number }}
 */
function made(r, pushed = (number) => number) {
  const n = 1 + r(9);
  // Places: some numbers lead to no segment of their own.
  /** @type {number[]} */
  const table = [];
  for (let s = 0; s <= n; s++) for (let k = s < n ? 1 + (r(4) === 0 ? 1 : 0) : 1; k > 0; k--) table.push(s);
  const number = (/** @type {number} */ s) => table.lastIndexOf(s);
  const unwinds = r(4) > 0, loops = r(5) > 0, places = [0];
  let deferReturn = 0;
  /** @type {string[]} */
  const segments = [];
  for (let s = 0; s <= n; s++) {
    const out = [], jump = (/** @type {number} */ inIfs) => `i32.const ${number(r(n + 1))} local.set $place br ${inIfs + n - s}`;
    for (let k = r(4); k > 0; k--) out.push(statement(r));
    if (loops) out.push("global.get $bits i64.const 1 i64.sub global.set $bits global.get $bits i64.const -900 i64.lt_s if unreachable end"); // no longer than so
    const panics = (/** @type {number} */ inIfs) =>
      `local.get $l i32.const 8 i32.sub local.tee $l global.set $sp local.get $l i64.const ${pc * 65536 + pushed(number(s), true)} i64.store
      i32.const 0 call $panic global.get $sp local.set $l br_if ${inIfs + n - s + (loops ? 1 : 0)}`;
    if (unwinds && r(3) === 0) out.push(`${value(r, 1)} i64.eqz if ${panics(1)} end`);
    const how = r(8);
    if (unwinds && how > 5) {
      if (r(3) > 0) out.push(`local.get $l ${value(r, 0)} i64.store local.get $l i64.extend_i32_u i64.const 8 i64.add i32.wrap_i64 ${value(r, 0)} i64.store`);
      out.push(panics(0), "unreachable");
    }
    if (unwinds && s < n && how < 2) {
      places.push(number(s + 1));
      if (s > 0 && !deferReturn && number(s + 1) === number(s) + 1 && r(2)) places.push(deferReturn = number(s));
      out.push(
        `local.get $l i32.const 8 i32.sub local.tee $l global.set $sp local.get $l i64.const ${pc * 65536 + pushed(number(s + 1), false)} i64.store`,
        `i32.const 0 call $other global.get $sp local.set $l br_if ${n - s + (loops ? 1 : 0)}`,
      );
    } else if (loops && how < 4) {
      out.push(`${value(r, 1)} i64.const ${r(50)} i64.lt_s ${r(2) ? "i32.eqz" : ""} if ${jump(1)} end`);
      if (r(3) === 0) out.push(jump(0));
    } else if (how === 4 || s === n) {
      out.push("local.get $l i32.const 40 i32.add local.tee $l global.set $sp local.get $l i32.const 8 i32.add local.tee $l global.set $sp i32.const 0 return");
    }
    segments.push(out.join("\n"));
  }
  let text = `${"block ".repeat(n + 1)} local.get $place br_table ${table.map((s) => s).join(" ")} end\n${segments.join("\nend\n")}`;
  if (loops) text = `loop ${text} end`;
  text = unwinds ? `block ${text} unreachable end i32.const 1` : `${text} unreachable`;
  return { text: module_(text), places, deferReturn };
}

test("random functions do what they did from every place that a goroutine can go on from", async () => {
  let shorter = 0, traps = 0, gone = 0;
  for (let seed = 0; seed < 200; seed++) {
    const { text, places, deferReturn } = made(random(seed)), plain = await assembled(text), counted = seed % 2 > 0;
    const { after, places: given, deferReturn: called } = tight(plain, counted, deferReturn);
    // The same function but for what it pushes.
    const now = (/** @type {number} */ old, /** @type {boolean} */ panics) => given.find((p) => p.old === old && p.panics === panics)?.now ?? old;
    const before = given.length > 0 ? await assembled(made(random(seed), now).text) : plain;
    shorter += Number(after.length < plain.length);
    gone += given.length;
    const counts = given.filter(({ panics }) => !panics).map((place) => place.now);
    if (deferReturn) assert.ok(called === now(deferReturn + 1, false) - 1, `seed ${seed}`);
    if (deferReturn && given.length > 0 && !counts.includes(called)) counts.push(called);
    assert.deepEqual(counts.sort((a, b) => a - b), counts.map((_, k) => k + 1), `seed ${seed}: without gaps`);
    for (const place of places) {
      const want = await run(before, place, seed);
      traps += Number(want[0] === -1);
      assert.deepEqual(await run(after, place === deferReturn ? called : now(place, false), seed), want, `seed ${seed} from ${place}:\n${text}`);
    }
  }
  assert.ok(shorter > 100 && traps < 500 && gone > 100, `${shorter} are shorter, ${traps} end in a trap, ${gone} have other numbers`);
});

/** What a function jumps with, in order. @param {string} body @param {(to: number) => number} [helper] @param {boolean} [quiet] whether what it calls is, and so it is itself */
async function jumps(body, helper = () => -1, quiet = false) {
  const parts = read(await assembled(module_(body)));
  const { body: now } = tightened(parts.functions[0].body, {
    pc,
    deferReturn: 0,
    counted: true,
    helper,
    instead: () => null,
    traps: () => true,
    quiet: () => quiet,
    unchecked: quiet,
    known: String,
  });
  const wasm = write({ ...parts, functions: [{ ...parts.functions[0], body: now }] });
  const module = (await wabt()).readWasm(Uint8Array.from(wasm), {});
  return (module.toText({}).match(/\b(loop|block|br_table|br_if|br|if|return|call \d+)\b/g) ?? []).join(" ");
}

test("jumps ahead need no dispatch, and what nothing jumps back to has no loop", async () => {
  const where = (/** @type {number} */ to) =>
    jumps(`loop block block block local.get $place br_table 0 1 2 end
      local.get $a i64.eqz if i32.const 2 local.set $place br 3 end end
      i32.const ${to} local.set $place br 1 end
      i32.const 7 return end unreachable`);
  assert.equal(await where(2), "block br_if return");
  assert.equal(await where(1), "if return loop br");
});

test("what panics is called where it is found out, by a function for all of its kind", async () => {
  const text = `block loop block block block block local.get $place br_table 0 1 2 3 end
      local.get $a i64.const 4 i64.lt_u i32.eqz if i32.const 2 local.set $place br 4 end end
      i32.const 7 return end
      local.get $l local.get $a i64.store local.get $l i64.const 4 i64.store offset=8
      local.get $l i32.const 8 i32.sub local.tee $l global.set $sp local.get $l i64.const ${pc * 65536 + 3} i64.store
      i32.const 0 call $panic global.get $sp local.set $l br_if 2 end unreachable end unreachable end i32.const 1`;
  assert.equal(await jumps(text), "block block block br_table br_if return call 1 if return");
  assert.equal(await jumps(text, (to) => 8 * (to + 1)), "if call 16 return return");
});

test("behind a call of a quiet function nothing begins, so that a loop around it is one, and what need not ask for a larger stack does not", async () => {
  const call = (/** @type {number} */ place, /** @type {string} */ to) =>
    `local.get $l i32.const 8 i32.sub local.tee $l global.set $sp local.get $l i64.const ${pc * 65536 + place} i64.store
      i32.const 0 call ${to} global.get $sp local.set $l`;
  const text = `block loop block block block local.get $place br_table 0 1 2 end
      local.get $l global.get $bits i32.wrap_i64 i32.load offset=16 i32.le_u if ${call(0, "$panic")} br_if 4 end
      ${call(1, "$other")} br_if 3 end
      local.get $a i64.eqz if i32.const 0 local.set $place br 2 end i32.const 7 return end unreachable end unreachable end i32.const 1`;
  const asks = (/** @type {number} */ to) => (to === 1 ? 9 : -1);
  assert.match(await jumps(text, asks), /br_table/);
  assert.equal(await jumps(text, asks, true), "loop call 0 if return br_if return");
});

/**
 * What a function says for a call of one of the runtime, with the stack pointer at 64 and memory to look at.
 * @param {string} name
 */
async function instead(name) {
  const text = `block block block local.get $place br_table 0 1 end
      local.get $l i32.const 8 i32.sub local.tee $l global.set $sp local.get $l i64.const ${pc * 65536 + 1} i64.store
      i32.const 0 call $other global.get $sp local.set $l br_if 1 end
      i32.const 7 return unreachable end i32.const 1`;
  const parts = read(await assembled(module_(text)));
  const owner = {
    pc,
    deferReturn: 0,
    counted: true,
    helper: () => -1,
    instead: () => fewInstructions(name),
    traps: () => false,
    quiet: () => false,
    unchecked: false,
    known: String,
  };
  const { body } = tightened(parts.functions[0].body, owner), sp = new WebAssembly.Global({ value: "i32", mutable: true }, 64);
  const wasm = write({ ...parts, functions: [{ ...parts.functions[0], body }] });
  const go = { sp, bits: new WebAssembly.Global({ value: "i64", mutable: true }, 0n), other: () => assert.fail(), panic: () => assert.fail() };
  const { mem, f } = /** @type {any} */ ((await WebAssembly.instantiate(/** @type {BufferSource} */ (wasm), { go })).instance.exports);
  return { call: () => assert.equal(f(0), 7), memory: new DataView(mem.buffer) };
}

test("the larger and the smaller of two floats are instructions, whatever they are", async () => {
  for (const name of ["runtime.fmax64", "runtime.fmin64"]) {
    const { call, memory } = await instead(name);
    for (const a of [NaN, -Infinity, -2.5, -0, 0, 1e-320, 3, Infinity]) {
      for (const b of [NaN, -Infinity, -2.5, -0, 0, 7, Infinity]) {
        memory.setFloat64(64, a, true);
        memory.setFloat64(72, b, true);
        call();
        assert.ok(Object.is(memory.getFloat64(80, true), name === "runtime.fmax64" ? Math.max(a, b) : Math.min(a, b)), `${name} of ${a} and ${b}`);
      }
    }
  }
});

test("what is atomic elsewhere is instructions: as many bytes as it has, and nothing beside them", async () => {
  const there = 0xf0e1d2c3b4a59687n, more = 0x7766554433221109n;
  /** By what it makes of what is there and what is given: width and names. @type {[(is: bigint, given: bigint) => bigint, Record<number, string>][]} */
  const all = [
    [(is) => is, { 8: "Load8", 32: "Load LoadAcq Loadint32", 64: "Load64 Loadp Loadint64 Loaduintptr LoadAcquintptr" }],
    [(_, given) => given, { 8: "Store8", 32: "Store Storeint32", 64: "Store64 Storeuintptr" }],
    [(is, given) => is + given, { 32: "Xadd Xaddint32", 64: "Xadd64 Xadduintptr" }],
    [(is, given) => is & given, { 8: "And8", 32: "And" }],
    [(is, given) => is | given, { 8: "Or8", 32: "Or" }],
  ];
  const cases = all.flatMap(([does, widths]) =>
    Object.entries(widths).flatMap(([w, names]) => names.split(" ").map((name) => ({ name, width: Number(w), does })))
  );
  for (const { name, width, does } of cases) {
    const { call, memory } = await instead(`internal/runtime/atomic.${name}`), wide = BigInt(width);
    memory.setBigUint64(64, 200n, true); // the pointer, above which the stack may have anything
    memory.setBigUint64(72, more, true);
    memory.setBigUint64(80, more, true);
    memory.setBigUint64(200, there, true);
    call();
    const result = BigInt.asUintN(width, does(BigInt.asUintN(width, there), BigInt.asUintN(width, more))),
      beside = (/** @type {bigint} */ x) => (x >> wide) << wide;
    const gives = name.startsWith("Load") ? 72 : name.startsWith("Xadd") ? 80 : 0;
    assert.equal(memory.getBigUint64(200, true), name.startsWith("Load") ? there : beside(there) | result, name);
    for (const place of [72, 80]) assert.equal(memory.getBigUint64(place, true), place === gives ? beside(more) | result : more, `${name}: the stack`);
  }
  assert.deepEqual(fewInstructions("runtime.publicationBarrier"), []);
  for (const other of ["Cas", "Xchg", "And64", "Or32", "StorepNoWB", "Casp1", "constructor"])
    assert.equal(fewInstructions(`internal/runtime/atomic.${other}`), null, other);
  assert.equal(fewInstructions("sync/atomic.Load"), null);
});

test("memory is moved and cleared as far as is said, whatever lies over what", async () => {
  const bytes = new Uint8Array(65536);
  bytes.forEach((_, i) => (bytes[i] = (i * 37) >> 3));
  /** @param {Buffer} own */
  const runs = async (own) => {
    const wasm = await assembled(`(module (import "go" "sp" (global $sp (mut i32))) (memory (export "mem") 1)
      (func $f (param i32) (result i32) (i32.const 0)) (export "f" (func $f)))`);
    const parts = read(wasm), sp = new WebAssembly.Global({ value: "i32", mutable: true }, 0);
    const { mem, f } = /** @type {any} */ ((await WebAssembly.instantiate(
      /** @type {BufferSource} */ (write({ ...parts, functions: [{ ...parts.functions[0], body: own }] })),
      { go: { sp } },
    )).instance.exports);
    return (/** @type {number[]} */ ...args) => {
      sp.value = 64;
      new Uint8Array(mem.buffer).set(bytes);
      args.forEach((x, i) => new DataView(mem.buffer).setBigUint64(72 + 8 * i, BigInt(x), true));
      assert.equal(f(0), 0);
      assert.equal(sp.value, 72, "behind the return address");
      return Buffer.from(mem.buffer, 128);
    };
  };
  const [move, clear] = [await runs(await moving()), await runs(await clearing())];
  const sizes = [...Array(70).keys(), 127, 128, 129, 130, 300];
  for (const n of sizes) {
    assert.deepEqual(clear(1001, n), Buffer.from(bytes).fill(0, 1001, 1001 + n).subarray(128), `${n} cleared`);
    for (const by of [-200, -33, -9, -8, -3, -1, 0, 1, 2, 7, 8, 31, 40, 500]) {
      assert.deepEqual(move(1000 + by, 1000, n), Buffer.from(bytes.slice().copyWithin(1000 + by, 1000, 1000 + n)).subarray(128), `${n} moved by ${by}`);
    }
  }
});

test("what is not as the compiler writes it stays as it is", async () => {
  for (
    const text of [
      "local.get $a i32.wrap_i64",
      "block loop local.get $place br_if 1 i32.const 1 local.set $place br 0 end end i32.const 4",
      "block block local.get $place br_table 0 1 end loop local.get $place i32.eqz br_if 1 end end i32.const 3",
    ]
  ) {
    const plain = await assembled(module_(text));
    assert.deepEqual(tight(plain, true), { after: plain, places: [], deferReturn: 0 });
  }
});
