// @ts-check
// lab.js — everything a person can do on the page, over one state. No DOM: the
// panels draw the state and call these actions; the solver, the clock and the
// small storage come in from outside. Each group of actions takes what it
// needs, by name, of those before it.

import { createCore } from "./lab/core.js";
import { editing } from "./lab/editing.js";
import { gallery } from "./lab/gallery.js";
import { judging } from "./lab/judging.js";
import { library } from "./lab/library.js";
import { linking } from "./lab/linking.js";
import { methods } from "./lab/methods.js";
import { opening } from "./lab/opening.js";
import { running } from "./lab/running.js";
import { blockedBy, faultsOf, remarksOf, shownAnswer } from "./lab/state.js";

/** @typedef {import("./lab/core.js").World} World */
/** @typedef {import("./lab/importing.js").Importer} Importer */

/**
 * @param {World} world
 */
export function createLab(world) {
  const core = createCore(world);
  const edits = editing(core);
  const choices = methods(core, edits);
  const solved = gallery(core);
  const judge = judging(core, solved);
  /** Runs side by side: loaded for whoever sets some. */
  const board = async () => (await import("./lab/board.js")).board(core, edits);
  const runs = library(core, { ...edits, ...choices, ...judge });
  const runner = running(core, { ...edits, ...runs });
  const links = linking(core);
  const doors = opening(core, { ...edits, ...choices, ...runs, ...runner, ...solved, ...links, ...judge });
  /** Loaded with the first model that is begun or comes from another tool. @type {Promise<Importer> | undefined} */
  let imports;
  /** @template {keyof Importer} K @param {K} name @returns {(...args: Parameters<Importer[K]>) => Promise<Awaited<ReturnType<Importer[K]>>>} */
  const imported = (name) => async (...args) => {
    imports ??= import("./lab/importing.js").then(({ importing }) => importing(core, edits, () => void doors.arrive()));
    return /** @type {any} */ ((await imports)[name])(...args);
  };
  const importer = {
    consider: imported("consider"),
    answerImport: imported("answerImport"),
    cancelImport: imported("cancelImport"),
    takeImport: imported("takeImport"),
    takeEstimate: imported("takeEstimate"),
    useCounts: imported("useCounts"),
    nameImport: imported("nameImport"),
    newModel: imported("newModel"),
    newGrid: imported("newGrid"),
    exportAs: imported("exportAs"),
    looksLike: imported("looksLike"),
    formats: imported("formats"),
  };
  const filed = async () => (await import("./lab/files.js")).files(core, { ...edits, ...runs, ...judge, ...importer, ...doors });
  const { store, get, set, doc, algorithm, methodOf, settings, attempt, notify, dismiss, say, succeeded } = core;
  return {
    store,
    get,
    set,
    doc,
    algorithm,
    methodOf,
    settings,
    attempt,
    notify,
    dismiss,
    say,
    succeeded,
    ...edits,
    ...choices,
    ...runs,
    ...runner,
    ...judge,
    ...solved,
    ...links,
    ...doors,
    ...importer,
    /** What was pasted or dropped, whatever it is. @param {string} text @param {string} name */
    openText: async (text, name) => (await filed()).openText(text, name),
    /** @param {Iterable<File>} files */
    openFiles: async (files) => (await filed()).openFiles(files),
    /** The answer beside the document, if there is one that may be. */
    answer: (s = get()) => shownAnswer(s).answer,
    shown: (s = get()) => shownAnswer(s),
    blocked: (s = get()) => blockedBy(s),
    faults: (s = get()) => faultsOf(s),
    remarks: (s = get()) => remarksOf(s),
    /** Opens a dialog; null closes it. @param {import("./lab/state.js").State["dialog"]} dialog */
    ask: (dialog) => set({ dialog }),
    compareMethods: async () => (await board()).compareMethods(),
    priceRobustness: async () => (await board()).priceRobustness(),
    /** The plan that another is compared with. @param {Doc} problem @param {string} id of a run, or "nominal" */
    rivalOf: async (problem, id) => (await board()).rivalOf(problem, id),
    /** For a panel whose plan changes the model, and for what is done with the model that was asked for. */
    bring: core.bring,
    settled: core.settled,
    /** For a panel that asks the solver something of its own; null before it is loaded. */
    solver: () => core.solver,
  };
}

/** @typedef {ReturnType<typeof createLab>} Lab */
