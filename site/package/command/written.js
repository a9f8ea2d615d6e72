// @ts-check
// written.js — files that the command writes. Nothing of a person's is destroyed: a file is replaced or
// added to only when it is none of the inputs, no link, and holds what the command itself wrote. What is new
// is written beside it under a name that was not there, and takes its place whole.

import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { UsageError } from "./arguments.js";

/** @typedef {(text: string) => boolean} Ours whether a text is one that the command wrote */

/** @param {string} file @returns {fs.Stats | null} of the name itself, not of what a link leads to */
const named = (file) => fs.lstatSync(file, { throwIfNoEntry: false }) ?? null;

/**
 * @param {string} file that may not be there yet
 * @param {string[]} inputs files that are read
 * @param {Ours} ours
 * @throws {UsageError} when writing there would destroy something
 */
export function assertFree(file, inputs, ours) {
  const there = named(file);
  if (there === null) return;
  const another = "Name another file, or remove this one.";
  if (there.isSymbolicLink()) throw new UsageError(`${file} is a link, and none is followed to write. ${another}`);
  if (!there.isFile()) throw new UsageError(`${file} is not a file. Name one.`);
  const same = inputs.find((input) => {
    const of = input === "-" ? null : fs.statSync(input, { throwIfNoEntry: false });
    return of && of.ino === there.ino && of.dev === there.dev;
  });
  if (same !== undefined) throw new UsageError(`${file} is an input (${same}), which would be lost. Name another file.`);
  if (there.size > 0 && !ours(fs.readFileSync(file, "utf8")))
    throw new UsageError(`${file} is there and rcmdp did not write it: it is left as it is. ${another}`);
}

/**
 * A file that appears whole, once all of it is there.
 * @param {string} file @param {string[]} inputs @param {Ours} ours
 * @returns {{ write: (text: string) => void, end: () => void, drop: () => void }} drop: nothing of it is wanted
 */
export function whole(file, inputs, ours) {
  assertFree(file, inputs, ours);
  const part = path.join(path.dirname(file), `.${path.basename(file)}.${randomBytes(6).toString("hex")}.part`);
  const to = fs.openSync(part, "wx"); // fails where the name is taken, by a link too
  return {
    write: (text) => void fs.writeSync(to, text),
    end() {
      fs.closeSync(to);
      try {
        assertFree(file, inputs, ours); // another may have come meanwhile
      } catch (error) {
        throw error instanceof UsageError ? new UsageError(`${error.message} What was found is in ${part}.`) : error;
      }
      fs.renameSync(part, file);
    },
    drop() {
      fs.closeSync(to);
      fs.rmSync(part, { force: true });
    },
  };
}

/** One text as such a file. @param {string} file @param {string} text @param {Ours} ours */
export function writeWhole(file, text, ours) {
  const out = whole(file, [], ours);
  out.write(text);
  out.end();
}

/**
 * A file that lines are added to, one whole line at a time.
 * @param {string} file @param {string[]} inputs
 * @param {(line: string, place: string) => void} assertLine throws what is wrong with a whole line
 * @param {(cut: string) => boolean} isCut whether a text is how a line begins: one that was cut off is taken away
 * @returns {{ lines: string[], add: (text: string) => void, end: () => void }} lines: those that are there
 */
export function growing(file, inputs, assertLine, isCut) {
  const fault = (/** @type {string} */ text) => {
    const [cut, ...lines] = text.split("\n").reverse();
    lines.reverse().forEach((line, k) => line.trim() !== "" && assertLine(line, `${file}, line ${k + 1}`));
    return cut === "" || isCut(cut)
      ? null
      : `${file} is there and does not end in a line that batch wrote: it is left as it is. Name another file, or remove this one.`;
  };
  assertFree(file, inputs, () => true);
  const text = named(file) ? fs.readFileSync(file, "utf8") : "";
  const why = fault(text);
  if (why) throw new UsageError(why);
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW = 0 } = fs.constants;
  const to = fs.openSync(file, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW);
  const end = text.lastIndexOf("\n") + 1;
  if (end < text.length) fs.ftruncateSync(to, Buffer.byteLength(text.slice(0, end)));
  return { lines: text.slice(0, end).split("\n"), add: (line) => void fs.writeSync(to, line), end: () => fs.closeSync(to) };
}
