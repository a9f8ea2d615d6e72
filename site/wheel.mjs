// @ts-check
// wheel.mjs — the Python package of site/python as a wheel, which is a zip with a few texts in it (PEP 427): the same
// input gives the same bytes, and no Python is needed to make it.

import { createHash } from "node:crypto";
import { zipSync } from "fflate";

/**
 * @param {string} version
 * @param {{ module: string, widget: Uint8Array, license: string }} parts module: rcmdp_lab.py, with VERSION where it says its own
 * @returns {{ name: string, content: Buffer }}
 */
export function wheel(version, { module, widget, license }) {
  const info = `rcmdp_lab-${version}.dist-info`;
  const text = (/** @type {string} */ s) => new TextEncoder().encode(s);
  /** @type {Record<string, Uint8Array>} */
  const files = {
    "rcmdp_lab.py": text(module.replace("\"VERSION\"", JSON.stringify(version))),
    "rcmdp_lab.mjs": widget,
    [`${info}/METADATA`]: text(
      `Metadata-Version: 2.1\nName: rcmdp-lab\nVersion: ${version}\nSummary: Robust constrained Markov decision processes in a notebook: solved and proved in the browser\nLicense: MIT\nRequires-Python: >=3.9\nRequires-Dist: anywidget>=0.9\n`,
    ),
    [`${info}/LICENSE`]: text(license),
    [`${info}/WHEEL`]: text("Wheel-Version: 1.0\nGenerator: rcmdp-lab\nRoot-Is-Purelib: true\nTag: py3-none-any\n"),
  };
  const digest = (/** @type {Uint8Array} */ bytes) => createHash("sha256").update(bytes).digest("base64url");
  const record = Object.entries(files).map(([name, bytes]) => `${name},sha256=${digest(bytes)},${bytes.length}\n`).join("");
  files[`${info}/RECORD`] = text(`${record}${info}/RECORD,,\n`);
  return { name: `rcmdp_lab-${version}-py3-none-any.whl`, content: Buffer.from(zipSync(files, { mtime: new Date(1980, 0, 1), level: 9 })) };
}
