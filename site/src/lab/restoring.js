// @ts-check
// restoring.js — a visit that goes on with what its tab held before a reload: the model with its answer and
// its history, the settings, a run that was cut off. Loaded where there is a draft.

import { restoredHistory } from "../document/restored.js";
import { unreadable } from "../document/shape.js";
import { readAnswer } from "../share/share.js";

/**
 * @param {import("./core.js").Core} core
 * @param {import("./opening.js").Doors} given
 * @param {import("./drafts.js").Draft} kept
 */
export function restoring(core, { start, offer, resume, applyMethod, setAll, setLive, openExample }, kept) {
  const { get, set } = core;
  const { doc, origin = { kind: "draft" } } = kept;

  /** Shows the answer of before as one that was kept, whose claims are checked anew. @param {number} line of the model */
  function offerAnswer(line) {
    try {
      const { id, name, saving, source, problem = /** @type {Doc} */ (doc), result } = /** @type {import("./drafts.js").KeptAnswer} */ (kept.answer);
      if (unreadable(problem) !== null) return;
      const from = source === "run" ? "saved" : source;
      offer({ problem, result: readAnswer(problem, result), id, name, line, source: from, saving: saving === "saved" ? saving : "" });
    } catch { /* there was none, or it is of another build: it is found again */ }
  }

  return {
    /** @returns {Promise<boolean>} whether its model is there, or another that was asked for meanwhile */
    async openDraft() {
      const line = core.newLine();
      offerAnswer(line); // first: it is drawn together with its model
      set((s) => ({ view: { ...s.view, ...kept.view } })); // before the model: what is opened beside it stays open
      if (doc === undefined && origin.kind === "example") {
        const opened = await openExample(origin.id, origin.parameters, line);
        if (!opened) return opened === null;
      } else {
        const own = /** @type {Doc} */ (doc);
        if (unreadable(own) !== null) return false;
        void start({ doc: own, origin, line });
      }
      // Undo and redo around it, and its faults and remarks, whose place is kept until they are found again.
      set((s) => {
        const history = restoredHistory(kept.history, s.history.present, kept.line, core.newLine);
        return { history, json: kept.json ?? null, check: kept.check ? { doc: history.present.doc, ...kept.check, summary: null } : s.check };
      });
      return true;
    },
    restoreSettings() {
      applyMethod({ algorithm: kept.method });
      for (const [id, values] of Object.entries(kept.settings ?? {}))
        if (core.algorithm(id)) setAll(id, { ...core.settings(id), ...values });
      if (kept.live === false) setLive(false);
    },
    /** A run that the reload has cut off, once the saved runs are listed. */
    offerToContinue() {
      const run = get().runs.list.find(({ id, status }) => id === kept.run && status === "running");
      if (run) core.notify(`The run “${run.name}” was interrupted.`, [{ label: "Continue it", run: () => void resume(run.id) }]);
    },
  };
}
