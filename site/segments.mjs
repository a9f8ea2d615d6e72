// @ts-check
// segments.mjs — joins the data segments of a linked wasm module; nothing that runs changes.
//
// Go's linker leaves out every run of more than eight zero bytes and begins a segment behind it:
// some 85 000 of them, near the 100 000 that browsers accept, each with an address that does not
// compress. Joined over short runs the module is larger on disk and a tenth smaller to download.

/** The longest run of zeros to write out, in bytes: what is longer is mostly large tables still empty. */
const LONGEST = 64;

/** @param {Buffer} wasm */
export function joinSegments(wasm) {
  let at = 8; // behind magic and version
  /** An integer in LEB128; its sign counts where asked for. */
  const integer = (signed = false) => {
    let value = 0, shift = 0, byte;
    do {
      byte = wasm[at++];
      value |= (byte & 0x7f) << shift;
      shift += 7;
    } while (byte & 0x80);
    return signed && shift < 32 && byte & 0x40 ? value | (-1 << shift) : signed ? value : value >>> 0;
  };
  const parts = [wasm.subarray(0, at)];
  while (at < wasm.length) {
    const start = at, id = wasm[at++], length = integer(), end = at + length;
    if (id === 11) {
      const section = join(segments(end));
      parts.push(Buffer.from([id]), leb(section.length), section);
    } else if (id !== 12) parts.push(wasm.subarray(start, end));
    else throw new Error("the module counts its data segments; joining them would make the count wrong");
    at = end;
  }
  return Buffer.concat(parts);

  /** The segments of the data section that ends at end. @param {number} end */
  function segments(end) {
    /** @type {{ address: number, bytes: Buffer }[]} */
    const list = [];
    for (let left = integer(); left > 0; left--) {
      if (integer() !== 0 || wasm[at++] !== 0x41) throw new Error("want active segments of the first memory at constant addresses");
      const address = integer(true);
      if (wasm[at++] !== 0x0b) throw new Error("want the end of an address");
      const size = integer();
      list.push({ address, bytes: wasm.subarray(at, at += size) });
    }
    if (at !== end) throw new Error("the data section ends elsewhere than it says");
    return list;
  }
}

/** The contents of a data section with these segments. @param {{ address: number, bytes: Buffer }[]} segments */
function join(segments) {
  /** @type {{ address: number, end: number, parts: Buffer[] }[]} */
  const joined = [];
  for (const { address, bytes } of segments) {
    const last = joined.at(-1), gap = last ? address - last.end : -1;
    if (last && gap >= 0 && gap <= LONGEST) {
      last.parts.push(Buffer.alloc(gap), bytes);
      last.end = address + bytes.length;
    } else joined.push({ address, end: address + bytes.length, parts: [bytes] });
  }
  // What was left out must have been zeros, not what an earlier segment wrote.
  const byAddress = [...joined].sort((a, b) => a.address - b.address);
  if (byAddress.some((s, i) => i > 0 && s.address < byAddress[i - 1].end)) throw new Error("data segments overlap");
  return Buffer.concat([
    leb(joined.length),
    ...joined.flatMap((s) => [Buffer.from([0, 0x41]), leb(s.address, true), Buffer.from([0x0b]), leb(s.end - s.address), ...s.parts]),
  ]);
}

/** n in LEB128. @param {number} n */
function leb(n, signed = false) {
  const bytes = [];
  for (;;) {
    const byte = n & 0x7f;
    n = signed ? n >> 7 : n >>> 7;
    if (signed ? (n === 0 && !(byte & 0x40)) || (n === -1 && byte & 0x40) : n === 0) return Buffer.from([...bytes, byte]);
    bytes.push(byte | 0x80);
  }
}
