// @ts-check
// instructions.mjs — the instructions of a body, read and written.

import { op, Reader, signed, unsigned } from "./module.mjs";

/**
 * An instruction with its operands as numbers where they are small, else as bytes.
 * @typedef {{ code: number, x: number, y: number, raw: Buffer | null, labels: number[] | null }} Instruction
 */

export const BLOCK = 0x02, LOOP = 0x03, IF = 0x04, ELSE = 0x05, END = 0x0b, BR = 0x0c, BR_IF = 0x0d, BR_TABLE = 0x0e, RETURN = 0x0f;
export const GLOBAL_GET = 0x23,
  GLOBAL_SET = 0x24,
  I32_CONST = 0x41,
  I32_EQZ = 0x45,
  I32_ADD = 0x6a,
  I32_SUB = 0x6b,
  I64_ADD = 0x7c,
  I64_AND = 0x83,
  I64_STORE = 0x37;
export const WRAP = 0xa7, EXTEND = 0xad, UNREACHABLE = 0x00;
export const SP = 1; // the local that follows the stack pointer; the parameter, 0, is where to begin

/** @param {number} code @param {number} [x] @param {number} [y] @returns {Instruction} */
export const instruction = (code, x = 0, y = 0) => ({ code, x, y, raw: null, labels: null });

export const isMemory = (/** @type {number} */ code) => code >= 0x28 && code <= 0x3e;
export const isLoad = (/** @type {number} */ code) => code >= 0x28 && code <= 0x35;
export const isStore = (/** @type {number} */ code) => code >= 0x36 && code <= 0x3e;

/** The instructions of a body behind its locals, or null where there is one that this does not know. @param {Buffer} body @param {number} from @returns {Instruction[] | null} */
export function decoded(body, from) {
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
export function encoded(list, head) {
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
