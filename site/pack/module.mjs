// @ts-check
// module.mjs — a WebAssembly module as parts: read, changed, and written again. It knows what Go's linker
// writes and refuses anything else.

/** n in LEB128, unsigned. @param {number} n */
export function unsigned(n) {
  const bytes = [];
  for (;;) {
    const byte = n % 128;
    n = Math.floor(n / 128);
    if (n === 0) return Buffer.from([...bytes, byte]);
    bytes.push(byte | 0x80);
  }
}

/** n in LEB128, signed. @param {number | bigint} n */
export function signed(n) {
  let rest = BigInt(n);
  const bytes = [];
  for (;;) {
    const byte = Number(rest & 0x7fn);
    rest >>= 7n;
    if (byte & 0x40 ? rest === -1n : rest === 0n) return Buffer.from([...bytes, byte]);
    bytes.push(byte | 0x80);
  }
}

/** A place in bytes that moves as it is read. */
export class Reader {
  /** @param {Buffer} bytes */
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  get ended() {
    return this.at >= this.bytes.length;
  }

  byte() {
    return this.bytes[this.at++];
  }

  unsigned() {
    for (let value = 0, scale = 1;; scale *= 128) {
      const byte = this.bytes[this.at++];
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }

  signed() {
    for (let value = 0n, shift = 0n;;) {
      const byte = this.bytes[this.at++];
      value |= BigInt(byte & 0x7f) << shift;
      shift += 7n;
      if (byte < 0x80) return BigInt.asIntN(64, byte & 0x40 ? value | (-1n << shift) : value);
    }
  }

  /** @param {number} n */
  take(n) {
    return this.bytes.subarray(this.at, this.at += n);
  }

  name() {
    return this.take(this.unsigned()).toString();
  }

  /** A vector of what one reads. @template T @param {() => T} one @returns {T[]} */
  list(one) {
    return Array.from({ length: this.unsigned() }, one);
  }
}

/**
 * @typedef {{ module: string, name: string, what: Buffer }} Import what: kind and type, as they are written
 * @typedef {{ name: string, kind: number, index: number }} Export
 * @typedef {{ address: number, bytes: Buffer }} Segment
 * @typedef {object} Parts of a module; an index of a function counts its imports first
 * @property {Buffer[]} types
 * @property {Import[]} imports
 * @property {{ type: number, body: Buffer }[]} functions
 * @property {Buffer | null} table limits and type
 * @property {number} pages of memory at the start; 0 for a module that has none of its own
 * @property {Buffer[]} globals
 * @property {Export[]} exports
 * @property {number | null} start
 * @property {{ from: number, functions: number[] }[]} elements
 * @property {Segment[]} data
 * @property {[name: string, content: Buffer][]} custom
 */

const header = Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);

/** @param {boolean} wanted @param {string} what */
function want(wanted, what) {
  if (!wanted) throw new Error(`the module is not as Go's linker writes it: want ${what}`);
}

/** @param {Buffer} wasm @returns {Parts} */
export function read(wasm) {
  want(wasm.subarray(0, 8).equals(header), "WebAssembly of version 1");
  /** @type {Parts} */
  const parts = { types: [], imports: [], functions: [], table: null, pages: 0, globals: [], exports: [], start: null, elements: [], data: [], custom: [] };
  /** @type {number[]} */
  let types = [];
  const file = new Reader(wasm, 8);
  while (!file.ended) {
    const id = file.byte(), r = new Reader(file.take(file.unsigned()));
    const constant = () => {
      want(r.byte() === 0x41, "a constant");
      const value = Number(r.signed());
      want(r.byte() === 0x0b, "the end of a constant");
      return value;
    };
    /** What is read, as bytes. @param {() => void} past */
    const raw = (past) => {
      const from = r.at;
      past();
      return r.bytes.subarray(from, r.at);
    };
    if (id === 0) parts.custom.push([r.name(), r.take(r.bytes.length)]);
    else if (id === 1) {
      parts.types = r.list(() =>
        raw(() => {
          want(r.byte() === 0x60, "types of functions");
          r.take(r.unsigned());
          r.take(r.unsigned());
        })
      );
    } else if (id === 2) {
      parts.imports = r.list(() => {
        const module = r.name(), name = r.name();
        return {
          module,
          name,
          what: raw(() => {
            const kind = r.byte();
            if (kind === 1) r.byte();
            if (kind === 3) r.take(2);
            else if (kind === 0) r.unsigned();
            else for (let n = r.byte() & 1; n >= 0; n--) r.unsigned();
          }),
        };
      });
    } else if (id === 3) types = r.list(() => r.unsigned());
    else if (id === 4) {
      want(r.unsigned() === 1, "one table");
      parts.table = r.take(r.bytes.length);
    } else if (id === 5) {
      want(r.unsigned() === 1 && r.byte() === 0, "one memory without a limit");
      parts.pages = r.unsigned();
    } else if (id === 6) {
      parts.globals = r.list(() =>
        raw(() => {
          r.take(2);
          want([0x41, 0x42].includes(r.byte()), "globals with constants");
          r.signed();
          r.byte();
        })
      );
    } else if (id === 7) parts.exports = r.list(() => ({ name: r.name(), kind: r.byte(), index: r.unsigned() }));
    else if (id === 8) parts.start = r.unsigned();
    else if (id === 9) {
      parts.elements = r.list(() => {
        want(r.byte() === 0, "elements of the first table");
        return { from: constant(), functions: r.list(() => r.unsigned()) };
      });
    } else if (id === 10) {
      const bodies = r.list(() => r.take(r.unsigned()));
      want(bodies.length === types.length, "a body for each function");
      parts.functions = bodies.map((body, i) => ({ type: types[i], body }));
    } else if (id === 11) {
      parts.data = r.list(() => {
        want(r.byte() === 0, "active segments of the first memory");
        return { address: constant(), bytes: r.take(r.unsigned()) };
      });
    } else want(false, `no section ${id}, such as a count of its data segments`);
  }
  return parts;
}

/** @param {number} length @param {Uint8Array[]} items */
const vector = (length, items) => [unsigned(length), ...items];
/** @param {string} text */
const named = (text) => {
  const bytes = Buffer.from(text);
  return Buffer.concat([unsigned(bytes.length), bytes]);
};
/** @param {number} n */
const constant = (n) => Buffer.concat([Buffer.from([0x41]), signed(n), Buffer.from([0x0b])]);

/** @param {Parts} parts @returns {Buffer} */
export function write({ types, imports, functions, table, pages, globals, exports, start, elements, data, custom }) {
  /** @type {Uint8Array[]} */
  const sections = [header];
  /** @param {number} id @param {boolean} any @param {Uint8Array[]} content */
  const section = (id, any, content) => {
    if (any) sections.push(Buffer.from([id]), unsigned(content.reduce((sum, part) => sum + part.length, 0)), ...content);
  };
  section(1, types.length > 0, vector(types.length, types));
  section(2, imports.length > 0, vector(imports.length, imports.flatMap(({ module, name, what }) => [named(module), named(name), what])));
  section(3, functions.length > 0, vector(functions.length, functions.map(({ type }) => unsigned(type))));
  section(4, table !== null, vector(1, [table ?? header]));
  section(5, pages > 0, vector(1, [Buffer.from([0]), unsigned(pages)]));
  section(6, globals.length > 0, vector(globals.length, globals));
  section(7, exports.length > 0, vector(exports.length, exports.flatMap(({ name, kind, index }) => [named(name), Buffer.from([kind]), unsigned(index)])));
  section(8, start !== null, [unsigned(start ?? 0)]);
  section(
    9,
    elements.length > 0,
    vector(elements.length, elements.flatMap((e) => [Buffer.from([0]), constant(e.from), ...vector(e.functions.length, e.functions.map(unsigned))])),
  );
  section(10, functions.length > 0, vector(functions.length, functions.flatMap(({ body }) => [unsigned(body.length), body])));
  section(11, data.length > 0, vector(data.length, data.flatMap(({ address, bytes }) => [Buffer.from([0]), constant(address), unsigned(bytes.length), bytes])));
  for (const [name, content] of custom) section(0, true, [named(name), content]);
  return Buffer.concat(sections);
}

// ---- memory as it is when the module begins

/** The longest run of zeros to write out, in bytes: what is longer is mostly large tables still empty. */
const LONGEST = 64;

/** @param {Segment[]} data @returns {Buffer} memory up to its last byte that is written */
export function image(data) {
  const inOrder = [...data].sort((a, b) => a.address - b.address);
  for (const [i, { address }] of inOrder.entries()) {
    want(i === 0 || address >= inOrder[i - 1].address + inOrder[i - 1].bytes.length, "data segments that do not overlap");
  }
  const memory = Buffer.alloc(inOrder.reduce((end, { address, bytes }) => Math.max(end, address + bytes.length), 0));
  for (const { address, bytes } of data) bytes.copy(memory, address);
  return memory;
}

/**
 * Segments that make this of an empty memory. Go's linker leaves out every run of more than eight zero bytes and begins a
 * segment behind it: some 85 000 of them, near the 100 000 that browsers accept, each with an address that does
 * not compress. Joined over short runs the module is larger on disk and a tenth smaller to download.
 * @param {Buffer} memory @returns {Segment[]}
 */
export function segments(memory, from = 0, to = memory.length) {
  const list = [];
  for (let at = from; at < to;) {
    if (memory[at] === 0) {
      at++;
      continue;
    }
    let end = at + 1;
    for (let i = end; i < to && i - end <= LONGEST; i++) if (memory[i] !== 0) end = i + 1;
    list.push({ address: at, bytes: memory.subarray(at, end) });
    at = end;
  }
  return list;
}

/** The same module with fewer segments. @param {Buffer} wasm */
export function joined(wasm) {
  const parts = read(wasm);
  return write({ ...parts, data: segments(image(parts.data)) });
}

// ---- instructions

/** What an instruction is made of, by the numbers that it is known by in the specification. */
export const op = { call: 0x10, callIndirect: 0x11, localGet: 0x20, localSet: 0x21, localTee: 0x22, i64Const: 0x42 };

/**
 * Walks over the instructions of a body; what visit returns takes the place of the instruction.
 * @param {Buffer} body @param {(code: number, operand: number, end: number) => Buffer | undefined | void} visit
 * @param {Buffer} [locals] in place of the body's own
 * @returns {Buffer}
 */
export function edited(body, visit, locals) {
  let at = 0;
  const past = () => {
    while (body[at++] & 0x80);
  };
  const count = () => {
    const r = new Reader(body, at), n = r.unsigned();
    at = r.at;
    return n;
  };
  for (let groups = count(); groups > 0; groups--) {
    past();
    at++;
  }
  const out = [locals ?? body.subarray(0, at)];
  let kept = at;
  while (at < body.length) {
    const start = at, code = body[at++], operand = at;
    if (code >= 0x28 && code <= 0x3e) {
      past();
      past();
    } else if (code === 0x0e) {
      for (let n = count(); n >= 0; n--) past();
    } else if (code === 0x11) {
      past();
      past();
    } else if (code === 0x3f || code === 0x40) at++;
    else if (code === 0x43) at += 4;
    else if (code === 0x44) at += 8;
    else if (code === 0xfc) {
      const kind = count();
      want(kind <= 7 || kind === 10 || kind === 11, "no instructions with two bytes but conversions, copy and fill");
      at += kind === 10 ? 2 : kind === 11 ? 1 : 0;
    } else if (
      (code >= 0x02 && code <= 0x04) || code === 0x0c || code === 0x0d || code === 0x10 || (code >= 0x20 && code <= 0x26) || code === 0x41 || code === 0x42
    ) past();
    else want(
        code <= 0x11 || code === 0x1a || code === 0x1b || (code >= 0x45 && code <= 0xc4),
        `instructions of the first version, not 0x${code.toString(16)}`,
      );
    const other = visit(code, operand, at);
    if (!other) continue;
    out.push(body.subarray(kept, start), other);
    kept = at;
  }
  want(at === body.length, "bodies that end with their last instruction");
  out.push(body.subarray(kept));
  return Buffer.concat(out);
}

/** The groups of locals of a body: how many, of which type. @param {Buffer} body @returns {[number, number][]} */
export function localsOf(body) {
  const r = new Reader(body);
  return r.list(() => [r.unsigned(), r.byte()]);
}

/** @param {[number, number][]} groups */
export const locals = (groups) => Buffer.concat(vector(groups.length, groups.flatMap(([n, type]) => [unsigned(n), Buffer.from([type])])));

/** The functions that a body calls directly. @param {Buffer} body @returns {Set<number>} */
export function called(body) {
  const set = new Set();
  edited(body, (code, operand) => {
    if (code === op.call) set.add(new Reader(body, operand).unsigned());
  });
  return set;
}
