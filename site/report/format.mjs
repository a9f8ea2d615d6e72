// @ts-check
// format.mjs — one look for every script: dprint's TypeScript plugin with the settings of dprint.json.
//
//   node report/format.mjs            says which files are not formatted, and fails when one is
//   node report/format.mjs --write    formats them

import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { createContext } from "@dprint/formatter";
import { getPath } from "@dprint/typescript";

const site = fileURLToPath(new URL("..", import.meta.url));
const { typescript, ...global } = JSON.parse(fs.readFileSync(path.join(site, "dprint.json"), "utf8"));
const context = createContext(global);
context.addPlugin(fs.readFileSync(getPath()), typescript);

const write = process.argv.includes("--write");
let off = 0;
for (const name of fs.readdirSync(site, { recursive: true, encoding: "utf8" }).sort()) {
  if (/(^|[\\/])node_modules[\\/]/.test(name) || !/\.(js|mjs|ts)$/.test(name)) continue;
  const file = path.join(site, name);
  const text = fs.readFileSync(file, "utf8");
  const formatted = context.formatText({ filePath: file, fileText: text });
  if (formatted === text) continue;
  if (write) {
    fs.writeFileSync(file, formatted);
  } else {
    off++;
    console.log(name);
  }
}
if (off > 0) {
  console.log("not formatted, run (cd site && npm run format) on the above");
  process.exitCode = 1;
}
