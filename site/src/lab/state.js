// @ts-check
// state.js — what the page knows: one state, its first value, and what can be told from it by reading; which answer
// belongs beside the document among that: it is told from the document each time, never remembered, so that no step
// can leave a wrong one. Pure.

import { blankDocument } from "../document/reading.js";
import { sameModel, sameValue } from "../document/same.js";
import { count } from "../words/format.js";
import { startHistory } from "../document/history.js";
import { isJudged, unjudged } from "../engine/claims.js";

/**
 * @typedef {import("../rcmdp.js").Problem} Problem
 * @typedef {import("../rcmdp.js").Result} Result
 * @typedef {import("../rcmdp.js").Progress} Progress
 * @typedef {import("../rcmdp.js").Algorithm} Algorithm
 */

/**
 * @typedef {{ kind: "example", id: string, parameters: Record<string, number>, doc: Problem }
 *   | { kind: "blank" } | { kind: "file", name: string, imported?: { title: string, report: string[], warnings: string[] } } | { kind: "link" } | { kind: "run", id: string, name: string } | { kind: "draft" }} Origin
 *   where a document came from; an example keeps what it was, to tell an edited one
 * @typedef {{ doc: Doc, origin: Origin, line: number }} Version line: the same for a model and what it is edited to, another
 *   for another model; the document is `any` because it may be in the middle of an edit
 * @typedef {{ id: number, tone: "plain" | "bad", text: string, actions: { label: string, run: () => void }[] }} Notice
 * @typedef {{ phase: "waiting" | "download" | "compile" | "ready" | "failed", loaded: number, total: number | null, message: string }} Engine
 * @typedef {{
 *   id: string, name: string, problem: Problem, line: number, algorithm: string, options: import("../rcmdp.js").SolveOptions, news: Progress | null, policy: import("../rcmdp.js").Policy | null,
 *   trace: import("./trace.js").Trace, ending: "" | "stop" | "cancel", saidFeasible: boolean, auto: "" | "arrival" | "live",
 * }} Running auto: nobody asked for it: it solves a model that has just come, or follows its edits
 * @typedef {{
 *   problem: Problem, result: Result, algorithm: string, id: string, name: string, line: number, saving: "" | "saving" | "saved" | "failed",
 *   source: "run" | "saved" | "gallery" | "link",
 * }} Answer saving: "failed" is a run that only this tab keeps; source: where it came from. Whether it claims anything is `isJudged(result)`:
 *   one that was not found here is "unchecked" until the checker of this page has judged it
 * @typedef {{ phase: "loading" | "ready" | "memory" | "failed", list: import("../rcmdp.js").RunSummary[], message: string, persisted: boolean | null }} Runs persisted: whether the browser promised not to clear them by itself
 * @typedef {{ message: string, details: string[] }} Crash
 * @typedef {{ busy: boolean, ok: boolean, reasons: string[], message: string }} Report what the independent checker says of the answer's proof
 * @typedef {{ policy: import("../rcmdp.js").Policy, outcome: import("../rcmdp.js").Evaluation | null, message: string, busy: boolean }} PolicyEdit
 */

/**
 * @typedef {{ kind: "examples" | "trouble" | "keys" } | { kind: "new", door: "" | "table" | "logs" } | { kind: "share", link: string }
 *   | { kind: "address", url: string } | { kind: "import", names: string }} Dialog link: to the model as it is; url: that a link asks for, "" where a person types one
 * @typedef {{
 *   history: import("../document/history.js").History<Version>, epoch: number, opened: boolean, empty: boolean,
 *   drafts: Record<string, { text: string, message: string }>,
 *   json: { text: string, message: string, looks?: string } | null,
 *   check: { doc: Doc, errors: import("../document/faults.js").Fault[], warnings: string[], summary: import("../rcmdp.js").Summary | null | undefined } | null,
 *   engine: Engine, examples: import("../rcmdp.js").Example[], algorithms: Algorithm[], version: import("../rcmdp.js").Version | null,
 *   method: string, settings: Record<string, Record<string, unknown>>,
 *   run: Running | null, wanted: boolean, live: boolean, turning: boolean, answers: Answer[], crash: Crash | null, edit: PolicyEdit | null, report: Report | null,
 *   runs: Runs, compared: string[], import: import("./importing.js").Importing | null, notices: Notice[], said: string,
 *   view: { tab: import("../document/faults.js").Tab | "", cost: number, kernel: number, state: number, matrix: boolean, open: boolean, settings: boolean, panel: string },
 *   panels: Record<string, any>, dialog: Dialog | null,
 *   focus: { pointer: string, turn: number } | null,
 * }} State opened: a model was opened; before that the first one is a blank that nobody asked for. empty: a link could not be read and
 *   there is nothing to show in its place. wanted: Solve was pressed and waits for a check or for the solver. live: small models are solved
 *   again while they are edited. turning: a slider has been moved, and its answer is on its way. compared: the saved runs on the
 *   board, by id. panels: what a panel of the answer keeps, by the panel's id. view: what is looked at; tab and panel are empty until one is chosen:
 *   then a grid is shown as one. dialog: which is open, but for that of files that are looked at
 */

/** @returns {State} */
export function initialState() {
  return {
    history: startHistory({ doc: blankDocument(), origin: { kind: "blank" }, line: 0 }),
    epoch: 0,
    opened: false,
    empty: false,
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
    wanted: false,
    live: true,
    turning: false,
    answers: [],
    crash: null,
    edit: null,
    report: null,
    runs: { phase: "loading", list: [], message: "", persisted: null },
    compared: [],
    import: null,
    notices: [],
    said: "",
    view: { tab: "", cost: 0, kernel: 0, state: 0, matrix: false, open: false, settings: false, panel: "" },
    panels: {},
    dialog: null,
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
 * Why Solve cannot be pressed; empty when it can, if only after a check that is
 * going on.
 * @param {State} s
 */
export function blockedBy(s) {
  if (s.engine.phase === "failed") return "The solver could not be loaded.";
  if (s.empty) return "There is no model.";
  if (s.json) return "The JSON view holds text that is not a model yet.";
  const wrong = faultsOf(s).length;
  if (wrong > 0) return `${count(wrong, "fault")} in the model or the settings.`;
  return unfit(s, s.method);
}

/**
 * Why a method cannot run on the model; empty when it can, or when the model has
 * not been looked at.
 * @param {Pick<State, "check">} s
 * @param {string} method
 * @returns {string}
 */
export const unfit = ({ check }, method) => check?.summary?.unfit?.find((u) => u.algorithm === method)?.reason ?? "";

/**
 * What the default method is expected to need for the model as it is; null when that is not known: of a small model, or of another method.
 * @param {State} s
 * @returns {{ seconds: number, bytes: number } | null}
 */
export const expected = (s) => isChecked(s) && (s.method === "" || s.method === "solve") && s.check?.summary?.seconds ? needs(s.check.summary) : null;

/** @param {import("../rcmdp.js").Summary} summary */
const needs = ({ seconds = 0, bytes = 0 }) => ({ seconds, bytes });

/** Whether what is known of the faults is of the document as it is. @param {State} s */
export const isChecked = (s) => s.check !== null && s.check.doc === s.history.present.doc;

/** A remark about arrays typed elsewhere: our tables name what their rows and columns are. @param {string} remark */
const isAboutAxes = (remark) => remark.startsWith("there are as many states as actions");

/**
 * The remarks on the model that tell its reader something. The order of axes is in doubt where a document was written
 * by hand: not in our tables, and what another tool's file leaves open was asked when it was imported.
 * @param {State} s
 * @returns {string[]}
 */
export function remarksOf(s) {
  const { origin } = s.history.present;
  const typed = s.view.tab === "json" || (origin.kind === "file" && !origin.imported);
  return (s.check?.warnings ?? []).filter((remark) => typed || !isAboutAxes(remark));
}

/**
 * What a result says beside its numbers, without what is said of the model already.
 * @param {Pick<Result, "warnings">} result
 * @param {State} s
 */
export const remarksOnResult = (result, s) => result.warnings.filter((remark) => !isAboutAxes(remark) && !s.check?.warnings.includes(remark));

/**
 * Whether the document holds work of the person: not just an example as it came.
 * @param {Version} version
 */
export const isOwn = (version) => !(version.origin.kind === "example" && (version.origin.doc === version.doc || sameValue(version.origin.doc, version.doc)));

/** So many answers are at hand for undo and for going back. */
const KEPT = 12;

/**
 * With another answer in front; one of the same run gives way to it. This is the only way in: what was
 * not found or judged in this page comes in without its claims.
 * @param {Answer[]} answers
 * @param {Answer} answer
 */
export const withAnswer = (answers, answer) => [admitted(answer), ...answers.filter((a) => a.id !== answer.id)].slice(0, KEPT);

/** @param {Answer} answer */
const admitted = (answer) => (isJudged(answer.result) ? answer : { ...answer, result: unjudged(answer.problem, answer.result) });

/** With an answer changed where it stands. @param {Answer[]} answers @param {string} id @param {Partial<Answer>} part */
export const withPart = (
  answers,
  id,
  part,
) => (answers.some((a) => a.id === id) ? answers.map((a) => (a.id !== id ? a : part.result ? admitted({ ...a, ...part }) : { ...a, ...part })) : answers);

/**
 * A model that is opened again takes its answers with it: edited, it is they that are
 * out of date.
 * @param {Answer[]} answers
 * @param {unknown} doc
 * @param {number} line
 */
export const taken = (answers, doc, line) =>
  answers.some((a) => a.line !== line && sameModel(a.problem, doc)) ? answers.map((a) => (sameModel(a.problem, doc) ? { ...a, line } : a)) : answers;

/**
 * What may be shown beside the document.
 * @typedef {{
 *   answer: Answer | null, fresh: boolean, aside: Answer | null,
 * }} Shown fresh: the answer is of exactly this model; if not, of the model before it was edited.
 *   aside: the newest answer, when it is of another model
 */

/** @type {{ answers: Answer[], doc: unknown, line: number, shown: Shown } | null} */
let last = null;

/** @type {Shown} */
const NOTHING = { answer: null, fresh: false, aside: null };

/**
 * @param {Pick<State, "answers" | "history" | "empty">} s
 * @returns {Shown}
 */
export function shownAnswer({ answers, history, empty }) {
  if (empty) return NOTHING; // the document is of before a link that could not be opened
  const { doc, line } = history.present;
  if (last && last.answers === answers && last.doc === doc && last.line === line) return last.shown;
  const exact = answers.find((a) => sameModel(a.problem, doc));
  const answer = exact ?? answers.find((a) => a.line === line) ?? null;
  const shown = { answer, fresh: exact !== undefined, aside: answer === null ? answers[0] ?? null : null };
  last = { answers, doc, line, shown };
  return shown;
}
