// @ts-check
// kept.mjs — what was packed last, beside what was linked. To pack takes four fifths of a build, and of builds that follow
// each other most differ in the page alone.

import { createHash } from "node:crypto";
import fs from "node:fs";
import { deserialize, serialize } from "node:v8";
import { earlyNames } from "./early.mjs";
import { pack, prepared } from "./pack.mjs";

/** What the outcome depends on beside what was linked: all that is in this folder. */
const recipe = () => fs.readdirSync(new URL(".", import.meta.url)).sort().map((name) => fs.readFileSync(new URL(name, import.meta.url)));

/**
 * The solver in two parts, and in one for a page that carries it all.
 * @param {string} file as it was linked @param {Buffer | null} other the same linked with its data elsewhere
 * @returns {Promise<Pick<import("./pack.mjs").Packed, "first" | "second" | "names"> & { undivided: Buffer }>}
 */
export async function solverParts(file, other) {
  const linked = fs.readFileSync(file), kept = `${file}.packed`;
  const digest = createHash("sha256");
  for (const part of [linked, other ?? "", ...recipe()]) digest.update(`${part.length} `).update(part);
  const of = digest.digest("hex");
  if (fs.existsSync(kept)) {
    const last = deserialize(fs.readFileSync(kept));
    if (last.of === of) return last.parts;
  }
  const module = await prepared(linked, other), { first, second, names } = await pack(module, { early: earlyNames() });
  const parts = { first, second, names, undivided: (await pack(module)).first };
  fs.writeFileSync(`${kept}.part`, serialize({ of, parts }));
  fs.renameSync(`${kept}.part`, kept);
  return parts;
}
