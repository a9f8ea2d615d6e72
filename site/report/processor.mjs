// @ts-check
// processor.mjs — what of the processor a browser has taken, all its processes together: other work on the machine does not change it much.

import fs from "node:fs";

/** The fields of a stat file after the name, or none when what it is of has ended. @param {string} file */
function fields(file) {
  try {
    return fs.readFileSync(file, "utf8").replace(/^.*\) /s, "").split(" ");
  } catch {
    return [];
  }
}

/** Processor seconds. @param {string[]} stat */
const spent = (stat) => (Number(stat[11]) + Number(stat[12])) / 100;

/** A process and all below it. @param {number} root */
function below(root) {
  /** @type {Map<number, number[]>} */
  const children = new Map();
  for (const name of fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const parent = Number(fields(`/proc/${name}/stat`)[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  /** @param {number} id @returns {number[]} */
  const all = (id) => [id, ...(children.get(id) ?? []).flatMap(all)];
  return all(root);
}

/** Processor seconds of a process and all below it. @param {number} root */
export const processor = (root) => below(root).reduce((sum, id) => sum + (spent(fields(`/proc/${id}/stat`)) || 0), 0);

/** Processor seconds of each worker of the pages below a process, the busiest first. @param {number} root */
export function workerSeconds(root) {
  const seconds = [];
  for (const id of below(root)) {
    const tasks = `/proc/${id}/task`;
    for (const task of fs.existsSync(tasks) ? fs.readdirSync(tasks) : []) {
      const stat = `${tasks}/${task}/stat`;
      if (fs.existsSync(stat) && /DedicatedWorker/.test(fs.readFileSync(stat, "utf8"))) seconds.push(spent(fields(stat)));
    }
  }
  return seconds.sort((a, b) => b - a);
}
