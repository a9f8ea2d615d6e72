// @ts-check
// drafts.js — what a reload of the tab brings back (restoring.js), and the model of an earlier visit:
// written after edits, looked for when the page opens.

import { keptHistory } from "../document/kept.js";
import { sameValue } from "../document/same.js";
import { unreadable } from "../document/shape.js";
import { namesModel } from "../share/fragment.js";
import { leanAnswer } from "../share/share.js";
import { isChecked, isOwn, shownAnswer } from "./state.js";

/** @typedef {import("../share/fragment.js").Link} Link */
/**
 * @typedef {{
 *   version: 1, line: number, history?: import("../document/kept.js").Kept, origin?: import("./state.js").Origin, doc?: Doc, method: string,
 *   settings?: Record<string, Record<string, unknown>>, live?: boolean, address?: string, before?: string, answer?: KeptAnswer, run?: string,
 *   check?: { errors: import("../document/faults.js").Fault[], warnings: string[] }, view?: import("./state.js").State["view"], json?: import("./state.js").State["json"],
 * }} Draft doc: of a model of one's own; an example is made again. address, before: the fragment of the page then, and before the last edit;
 *   answer: the one that was shown; run: the id of the one that a person had asked for and that was going on
 * @typedef {Pick<import("./state.js").Answer, "id" | "name" | "saving" | "source"> & { problem?: Doc, result: unknown }} KeptAnswer problem: where it is not the draft's document
 */

/** So many faults of a model are shown at once after a reload, before it is checked again. */
const MOST_KEPT_FAULTS = 20;
/** A longer draft is more than a browser keeps this way. */
const LONGEST_DRAFT = 4_000_000;
/** So many characters of it may be steps of undo and redo, or a text that is no model yet, */
const LONGEST_HISTORY = 500_000;
/** and so many the answer; a longer one goes without its proof, or is found again. */
const LONGEST_ANSWER = 1_000_000;

/** Writes drafts. @param {import("./core.js").Core} core */
export function keepingDrafts(core) {
  const { get, world } = core;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  /** What a reload of this tab brings back, and what a later visit offers. */
  function keepDraft() {
    clearTimeout(timer);
    const { opened, history, method, settings, live, run, check, view, json } = get();
    if (!opened || (method === "" && timer === undefined)) return; // a reload that has not brought back everything yet, or anything
    const { doc, origin } = history.present;
    const own = isOwn(history.present);
    const line = history.past.length + history.future.length > 0;
    const written = own || line ? JSON.stringify(doc) : "";
    if (written.length > LONGEST_DRAFT) return;
    const answer = answerText(shownAnswer(get()), own, Math.min(LONGEST_ANSWER, LONGEST_DRAFT - written.length - LONGEST_HISTORY));
    const text = JSON.stringify({
      version: 1,
      line: history.present.line,
      history: line ? keptHistory(history, Math.min(LONGEST_HISTORY, LONGEST_DRAFT - written.length - answer.length), written.length) : undefined,
      origin: { ...origin, doc: undefined },
      method,
      settings,
      live,
      view,
      json: json && json.text.length <= LONGEST_HISTORY ? json : undefined,
      address: world.fragment(),
      before: core.addressBefore,
      run: run && !run.auto && run.ending !== "cancel" ? run.id : undefined,
      check: isChecked(get()) && check ? { errors: check.errors.slice(0, MOST_KEPT_FAULTS), warnings: check.warnings } : undefined,
    }).replace(/^\{/, () => `{${own ? `"doc":${written},` : ""}${answer && `"answer":${answer},`}`); // what is large is written out once
    if (text.length > LONGEST_DRAFT) return;
    world.draft?.write(text);
    if (own && history.past.length > 0) world.lastEdit?.write(`{"version":1,"name":${JSON.stringify(doc?.name)},"doc":${written}}`);
  }

  return {
    keepDraft,
    /** @param {number} ms */
    keepAfter(ms) {
      clearTimeout(timer);
      timer = setTimeout(keepDraft, ms);
    },
  };
}

/**
 * The answer that is shown as text of at most so many characters, with its proof if that fits; "" when there is none.
 * @param {import("./state.js").Shown} shown @param {boolean} own the draft has the document @param {number} most
 */
function answerText({ answer, fresh }, own, most) {
  if (!answer) return "";
  const { id, name, saving, source, problem, result } = answer;
  const { certificate, ...lean } = leanAnswer(result);
  const worst = result.worst?.map(({ kernel }) => ({ kernel }));
  const text = (/** @type {object} */ proof) =>
    JSON.stringify({ id, name, saving, source, problem: own && fresh ? undefined : problem, result: { ...lean, worst, ...proof } });
  return [{ certificate }, {}].map(text).find(({ length }) => length <= most) ?? "";
}

/**
 * What this tab held before a reload, unless the address is of something else. A reload that was
 * on its way when the address followed an edit still goes to the one before.
 * @param {import("./core.js").Core} core
 * @param {Link} link
 * @param {string} damage
 * @returns {Draft | null}
 */
export function draftOf({ world }, link, damage) {
  const kept = parse(world.draft?.read());
  if (kept?.version !== 1 || damage) return null;
  const own = kept.address === world.fragment() || (world.reloaded?.() && kept.before === world.fragment());
  return !namesModel(link) || own ? kept : null;
}

/**
 * A model edited in an earlier visit and perhaps never saved is offered, not opened.
 * @param {import("./core.js").Core} core
 * @param {import("./editing.js").Editing} editing
 * @param {() => void} arrive
 */
export function offerLastEdit({ get, doc, notify, world }, { put }, arrive) {
  const kept = parse(world.lastEdit?.read());
  if (kept?.version !== 1 || get().notices.length > 0 || unreadable(kept.doc) !== null || sameValue(kept.doc, doc())) return;
  notify(`The model you last edited here, “${kept.name || "without a name"}”, is kept.`, [
    { label: "Open it", run: () => void put({ doc: kept.doc, origin: { kind: "draft" } }).then(arrive) },
    { label: "Forget it", run: () => world.lastEdit?.write(null) },
  ]);
}

/** JSON that may be damaged or missing; null then. @param {string | null | undefined} text */
export function parse(text) {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}
