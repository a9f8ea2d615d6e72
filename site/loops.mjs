// @ts-check
// loops.mjs — assembles core/vector/*.wat and writes the script that is put in front of worker.js.

import fs from "node:fs";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import wabt from "wabt";

/** @param {string} name @returns {Promise<string>} the module, in base64 */
async function assembled(name) {
  const file = fileURLToPath(new URL(`../core/vector/${name}`, import.meta.url));
  const module = (await wabt()).parseWat(name, fs.readFileSync(file, "utf8"), { simd: true });
  return Buffer.from(module.toBinary({}).buffer).toString("base64");
}

/** The script as text, for a classic worker. @returns {Promise<string>} */
export async function loops() {
  const source = fs.readFileSync(new URL("src/loops.js", import.meta.url), "utf8");
  const { code } = await esbuild.transform(source, {
    minify: true,
    charset: "utf8",
    define: {
      __LOOPS__: JSON.stringify(await assembled("vector.wat")),
      __LOOPS_SYSTEMS__: JSON.stringify(await assembled("systems.wat")),
      __LOOPS_TILT__: JSON.stringify(await assembled("tilt.wat")),
      __LOOPS_SPARSE__: JSON.stringify(await assembled("sparse.wat")),
      __LOOPS_ROWS__: JSON.stringify(await assembled("rows.wat")),
      __LOOPS_PROJECT__: JSON.stringify(await assembled("project.wat")),
      __LOOPS_TABLE__: JSON.stringify(await assembled("table.wat")),
    },
  });
  return code;
}
