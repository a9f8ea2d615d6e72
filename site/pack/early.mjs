// @ts-check
// early.mjs — the functions that first solves run, by name: the list in first.txt, by package. ./build.sh record writes it.

import fs from "node:fs";

const file = new URL("first.txt", import.meta.url);

/** A name as its package and the rest. @param {string} name @returns {[string, string]} */
function apart(name) {
  const path = /^[^[({]*\//.exec(name)?.[0] ?? "", dot = name.indexOf(".", path.length);
  return dot < 0 ? ["", name] : [name.slice(0, dot), name.slice(dot + 1)];
}

/** @returns {Set<string>} */
export function earlyNames() {
  const names = new Set();
  let inside = "";
  for (const line of fs.readFileSync(file, "utf8").split("\n")) {
    if (line.startsWith("\t")) names.add(inside === "" ? line.slice(1) : `${inside}.${line.slice(1)}`);
    else inside = line;
  }
  return names;
}

/** @param {Iterable<string>} names */
export function keep(names) {
  /** @type {Map<string, Set<string>>} */
  const packages = new Map();
  for (const name of [...names].sort()) {
    const [inside, rest] = apart(name);
    packages.set(inside, (packages.get(inside) ?? new Set()).add(rest));
  }
  fs.writeFileSync(file, [...packages].map(([inside, rest]) => [inside, ...[...rest].map((name) => `\t${name}`), ""].join("\n")).join(""));
}
