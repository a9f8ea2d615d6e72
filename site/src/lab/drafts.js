// @ts-check
// drafts.js — what a reload of the tab brings back, and the model of an earlier visit:
// written after edits, read when the page opens.

import { keptHistory, restoredHistory } from "../document/kept.js";
import { sameValue } from "../document/same.js";
import { unreadable } from "../document/shape.js";
import { namesModel } from "../share/fragment.js";
import { isChecked, isOwn, shownAnswer } from "./state.js";

/** @typedef {import("../share/fragment.js").Link} Link */
/**
 * @typedef {{
 *   version: 1, line: number, history?: import("../document/kept.js").Kept, origin?: import("./state.js").Origin, doc?: Doc, method: string,
 *   settings?: Record<string, Record<string, unknown>>, live?: boolean, address?: string, before?: string, answer?: string,
 *   faults?: import("../document/faults.js").Fault[],
 * }} Draft doc: of a model of one's own; an example is made again. address, before: the fragment of the page then, and before the last edit;
 *   answer: the saved run that was shown
 */

/** So many faults of a model are shown at once after a reload, before it is checked again. */
const MOST_KEPT_FAULTS = 20;
/** A longer draft is more than a browser keeps this way. */
const LONGEST_DRAFT = 4_000_000;
/** So many characters of it may be steps of undo and redo. */
const LONGEST_HISTORY = 500_000;

/** Writes drafts. @param {import("./core.js").Core} core */
export function keepingDrafts(core) {
  const { get, set, world } = core;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  /** What a reload of this tab brings back, and what a later visit offers. */
  function keepDraft() {
    clearTimeout(timer);
    const { history, method, settings, live } = get();
    const { doc, origin } = history.present;
    const { answer } = shownAnswer(get());
    const own = isOwn(history.present);
    const line = history.past.length + history.future.length > 0;
    const written = own || line ? JSON.stringify(doc) : "";
    if (written.length > LONGEST_DRAFT) return;
    const text = JSON.stringify({
      version: 1,
      line: history.present.line,
      history: line ? keptHistory(history, Math.min(LONGEST_HISTORY, LONGEST_DRAFT - written.length), written.length) : undefined,
      origin: { ...origin, doc: undefined },
      method,
      settings,
      live,
      address: world.fragment(),
      before: core.addressBefore,
      answer: answer?.saving === "saved" ? answer.id : undefined,
      faults: isChecked(get()) ? get().check?.errors.slice(0, MOST_KEPT_FAULTS) : undefined,
    }).replace(/^\{/, () => (own ? `{"doc":${written},` : "{")); // a large model is written out once
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
    /**
     * The steps of undo and redo of before a reload, around the model that it brought back, and its faults, whose place is kept until they are found again.
     * @param {Draft} kept
     */
    restoreHistory: (kept) =>
      set((s) => {
        const history = restoredHistory(kept.history, s.history.present, kept.line, core.newLine);
        if (!kept.faults?.length) return { history };
        return { history, check: { doc: history.present.doc, errors: kept.faults, warnings: [], summary: null } };
      }),
  };
}

/**
 * Reads drafts.
 * @param {import("./core.js").Core} core
 * @param {import("./editing.js").Editing & import("./methods.js").Methods & import("./running.js").Running & import("./examples.js").Examples} given
 */
export function drafting(core, { start, put, restoreHistory, applyMethod, setAll, setLive, openExample }) {
  const { get, world } = core;

  return {
    /**
     * What this tab held before a reload, unless the address is of something else. A reload that was
     * on its way when the address followed an edit still goes to the one before.
     * @param {Link} link
     * @param {string} damage
     * @returns {Draft | null}
     */
    draftOf(link, damage) {
      const kept = parse(world.draft?.read());
      if (kept?.version !== 1 || damage) return null;
      const own = kept.address === world.fragment() || (world.reloaded?.() && kept.before === world.fragment());
      return !namesModel(link) || own ? kept : null;
    },
    /** @param {Draft} kept @returns {Promise<boolean>} whether its model is there, or another that was asked for meanwhile */
    async restoreDraft(kept) {
      const { origin, doc } = kept;
      if (doc === undefined && origin?.kind === "example") {
        const opened = await openExample(origin.id, origin.parameters);
        if (!opened) return opened === null;
      } else {
        const own = /** @type {Doc} */ (doc);
        if (unreadable(own) !== null) return false;
        await start({ doc: own, origin: { kind: "draft" } });
      }
      restoreHistory(kept);
      return true;
    },
    /** @param {Draft} kept */
    restoreSettings(kept) {
      applyMethod({ algorithm: kept.method });
      for (const [id, values] of Object.entries(kept.settings ?? {}))
        if (core.algorithm(id)) setAll(id, { ...core.settings(id), ...values });
      if (kept.live === false) setLive(false);
    },
    /** A model edited in an earlier visit and perhaps never saved is offered, not opened. @param {() => void} arrive */
    offerLastEdit(arrive) {
      const kept = parse(world.lastEdit?.read());
      if (kept?.version !== 1 || get().notices.length > 0 || unreadable(kept.doc) !== null || sameValue(kept.doc, core.doc())) return;
      core.notify(`The model you last edited here, “${kept.name || "without a name"}”, is kept.`, [
        { label: "Open it", run: () => void put({ doc: kept.doc, origin: { kind: "draft" } }).then(arrive) },
        { label: "Forget it", run: () => world.lastEdit?.write(null) },
      ]);
    },
  };
}

/** JSON that may be damaged or missing; null then. @param {string | null | undefined} text */
export function parse(text) {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}
