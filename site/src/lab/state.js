// @ts-check
// state.js — what the page knows: one state, its first value, and what can be told
// from it by reading. Pure.

import { blankDocument } from "../document/edits.js";
import { count } from "../words/format.js";
import { startHistory } from "../document/history.js";

/**
 * @typedef {{ kind: "example", id: string, parameters: Record<string, number>, doc: any }
 *   | { kind: "blank" } | { kind: "file", name: string } | { kind: "link" } | { kind: "run", id: string, name: string } | { kind: "draft" }} Origin
 *   where a document came from; an example keeps what it was, to tell an edited one
 * @typedef {{ doc: any, origin: Origin }} Version
 * @typedef {{ id: number, tone: "plain" | "bad", text: string, actions: { label: string, run: () => void }[] }} Notice
 * @typedef {{ phase: "waiting" | "download" | "compile" | "ready" | "failed", loaded: number, total: number | null, message: string }} Engine
 * @typedef {{ id: string, problem: any, algorithm: string, options: Record<string, any>, news: any, trace: import("./trace.js").Trace, ending: "" | "stop" | "cancel", saidFeasible: boolean, auto: boolean }} Running
 * @typedef {{ problem: any, result: any, algorithm: string, id: string, name: string, saving: "" | "saving" | "saved" | "failed" }} Answer
 *   saving: "failed" is a run that only this tab keeps
 * @typedef {{ phase: "loading" | "ready" | "memory" | "failed", list: any[], message: string, compare: { id: string, label: string, run: any } | null }} Runs
 * @typedef {{ message: string, details: string[] }} Crash
 * @typedef {{ busy: boolean, ok: boolean, reasons: string[], message: string }} Report what the independent checker says of the answer's proof
 * @typedef {{ policy: number[][], outcome: any, message: string, busy: boolean }} PolicyEdit
 */

/**
 * @typedef {{
 *   history: import("../document/history.js").History<Version>, epoch: number, opened: boolean,
 *   drafts: Record<string, { text: string, message: string }>,
 *   json: { text: string, message: string } | null,
 *   check: { doc: any, errors: import("../document/faults.js").Fault[], warnings: string[], summary: any } | null,
 *   engine: Engine, examples: any[], algorithms: any[], version: any,
 *   method: string, settings: Record<string, Record<string, any>>,
 *   run: Running | null, answer: Answer | null, crash: Crash | null, edit: PolicyEdit | null, report: Report | null,
 *   runs: Runs, notices: Notice[], said: string,
 *   view: { tab: import("../document/faults.js").Tab, cost: number, kernel: number, state: number, open: boolean, settings: boolean, keys: boolean },
 *   focus: { pointer: string, turn: number } | null,
 * }} State opened: a model was opened; before that the first one is a blank that nobody asked for
 */

/** @returns {State} */
export function initialState() {
  return {
    history: startHistory({ doc: blankDocument(), origin: { kind: "blank" } }),
    epoch: 0,
    opened: false,
    drafts: {},
    json: null,
    check: null,
    engine: { phase: "waiting", loaded: 0, total: null, message: "" },
    examples: [],
    algorithms: [],
    version: null,
    method: "",
    settings: {},
    run: null,
    answer: null,
    crash: null,
    edit: null,
    report: null,
    runs: { phase: "loading", list: [], message: "", compare: null },
    notices: [],
    said: "",
    view: { tab: "goal", cost: 0, kernel: 0, state: 0, open: true, settings: false, keys: false },
    focus: null,
  };
}

/**
 * Every fault: fields that hold no number, then what the solver found.
 * @param {State} s
 * @returns {import("../document/faults.js").Fault[]}
 */
export function faultsOf(s) {
  const own = Object.entries(s.drafts).map(([pointer, { message }]) => ({ pointer, message }));
  return [...own, ...(s.check?.errors ?? []).filter((f) => !(f.pointer in s.drafts))];
}

/**
 * Why Solve cannot be pressed; empty when it can.
 * @param {State} s
 */
export function blockedBy(s) {
  if (s.engine.phase === "failed") return "The solver could not be loaded.";
  if (s.engine.phase !== "ready") return "The solver is loading.";
  if (s.run) return "A run is going on.";
  if (s.json) return "The JSON view holds text that is not a model yet.";
  const wrong = faultsOf(s).length;
  if (wrong > 0) return `${count(wrong, "fault")} in the model or the settings.`;
  if (s.check?.doc !== s.history.present.doc) return "The model is being checked.";
  return "";
}

/**
 * Whether the document holds work of the person: not just an example as it came.
 * @param {Version} version
 */
export const isOwn = (version) => !(version.origin.kind === "example" && version.origin.doc === version.doc);
