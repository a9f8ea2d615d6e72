// @ts-check
// lab.js — everything a person can do on the page, over one state. No DOM: the
// panels draw the state and call these actions; the solver, the clock and the
// small storage come in from outside. Each group of actions knows only those
// before it.

import { createCore, said } from "./lab/core.js";
import { editing } from "./lab/editing.js";
import { library } from "./lab/library.js";
import { methods } from "./lab/methods.js";
import { opening } from "./lab/opening.js";
import { running } from "./lab/running.js";
import { blockedBy, faultsOf } from "./lab/state.js";

/** @typedef {import("./lab/core.js").World} World */

/**
 * @param {World} world
 */
export function createLab(world) {
  const core = createCore(world);
  const edits = editing(core);
  const choices = methods(core, edits);
  const runs = library(core, edits, choices);
  const runner = running(core, edits, runs);
  const doors = opening(core, edits, choices, runs, runner);
  const { store, get, set, doc, algorithm, settings, notify, dismiss, say } = core;
  return {
    store,
    get,
    set,
    doc,
    algorithm,
    settings,
    notify,
    dismiss,
    say,
    ...edits,
    ...choices,
    ...runs,
    ...runner,
    ...doors,
    blocked: (s = get()) => blockedBy(s),
    faults: (s = get()) => faultsOf(s),
  };
}

/** @typedef {ReturnType<typeof createLab>} Lab */

export { said };
