// @ts-check
// answers.js — which answer belongs beside the document: it is told from the
// document each time, never remembered, so that no step can leave a wrong one. Pure.

import { sameModel } from "../document/same.js";
import { isJudged, unjudged } from "../engine/claims.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").Answer} Answer */

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
