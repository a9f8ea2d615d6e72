// @ts-check
// editing.js — actions on the document: edits with undo, fields that do not hold a
// value yet, the JSON view, faults and their fixes.

import { unreadable } from "../document/shape.js";
import { placeOf } from "../document/faults.js";
import { edited, redone, settled, startHistory, undone } from "../document/history.js";
import { applyPatch } from "../document/patch.js";
import { keepingDrafts } from "./drafts.js";
import { isChecked, taken } from "./state.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").Version} Version */
/** @typedef {import("./state.js").Origin} Origin */

/** @typedef {Omit<Version, "line"> & { line?: number }} Incoming */

/** The solver is asked for the faults this long after a keystroke. */
const CHECK_MS = 120;
/** A model of this many states takes a tenth of a second to hand over: that waits until the typing pauses. */
const LARGE = 2000;
const LARGE_CHECK_MS = 600;
const DRAFT_MS = 400;

/**
 * @param {import("./core.js").Core} core
 */
export function editing(core) {
  const checks = checking(core);
  const drafts = keepingDrafts(core);
  const { check, checked } = checks;

  /** After an edit: the document is looked at and kept when the typing pauses. */
  function later() {
    const large = core.doc()?.states?.length > LARGE;
    checks.after(large ? LARGE_CHECK_MS : CHECK_MS);
    drafts.keepAfter(large ? LARGE_CHECK_MS : DRAFT_MS);
  }

  const versions = versioning(core, { later, check });
  const { start, put, edit, reshape, undo, redo, settle } = versions;
  return {
    start,
    put,
    edit,
    reshape,
    undo,
    redo,
    settle,
    later,
    check,
    checked,
    keepDraft: drafts.keepDraft,
    ...fields(core, versions),
    ...places(core, versions),
  };
}

/** @typedef {ReturnType<typeof editing>} Editing */

/** What the solver says of the document. @param {import("./core.js").Core} core */
function checking(core) {
  const { get, set } = core;
  let checks = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  /** Asks the solver for every fault; only the newest answer counts. */
  async function check() {
    clearTimeout(timer);
    if (!core.solver) return;
    const doc = core.doc();
    const mine = ++checks;
    try {
      const { errors, warnings, summary } = await core.solver.validate(doc);
      if (mine === checks) set({ check: { doc, errors, warnings: warnings ?? [], summary } });
    } catch (error) {
      if (mine === checks) core.failed(error);
    }
  }

  return {
    check,
    /** Waits until the document has been looked at as it is. @returns {Promise<boolean>} false when it cannot be */
    async checked() {
      for (let tries = 0; tries < 20 && core.solver; tries++) {
        if (isChecked(get())) return true;
        await check();
      }
      return isChecked(get());
    },
    /** @param {number} ms */
    after(ms) {
      clearTimeout(timer);
      timer = setTimeout(check, ms);
    },
  };
}

/**
 * The document and the ones before it.
 * @param {import("./core.js").Core} core
 * @param {{ later: () => void, check: () => Promise<void> }} checks
 */
function versioning(core, { later, check }) {
  const { get, set } = core;

  /** A version without a line of its own begins a new one. @param {Incoming} version @returns {Version} */
  const withLine = ({ line = core.newLine(), ...rest }) => ({ ...rest, line });

  /**
   * Changes the document. Edits in a row with one key are one step of undo.
   * @param {Doc | ((doc: Doc) => Doc)} change
   * @param {string | null} [key]
   */
  function edit(change, key = null) {
    set((s) => {
      const { doc, ...rest } = s.history.present;
      const after = typeof change === "function" ? change(doc) : change;
      return after === doc ? {} : { history: edited(s.history, { doc: after, ...rest }, key), empty: false };
    });
    later();
  }

  /** Fields forget what was typed into them and show the document. @param {Partial<State>} [more] */
  const fresh = (more = {}) => set((s) => ({ epoch: s.epoch + 1, drafts: {}, ...more }));

  /** @param {typeof undone<Version>} move */
  function step(move) {
    const after = move(get().history);
    if (after.present.line !== get().history.present.line) core.leaving();
    set({ history: after, empty: false, report: null });
    fresh({ json: null });
    later();
  }

  return {
    /** The first document of a visit: there is nothing to undo to. @param {Incoming} version */
    start(version) {
      const first = withLine(version);
      core.came();
      set((s) => ({ history: startHistory(first), answers: taken(s.answers, first.doc, first.line), epoch: s.epoch + 1, opened: true, empty: false }));
      return check();
    },
    /** Another document takes the place of the one before, which stays one undo away. @param {Incoming} version */
    put(version) {
      const next = withLine(version);
      core.came();
      if (next.line !== get().history.present.line) core.leaving();
      set((s) => ({
        history: edited(s.history, next),
        answers: taken(s.answers, next.doc, next.line),
        epoch: s.epoch + 1,
        opened: true,
        empty: false,
        drafts: {},
        json: null,
        edit: null,
        report: null,
        view: { ...s.view, cost: 0, kernel: 0, state: 0, tab: s.view.tab === "json" ? "json" : "" },
      }));
      later();
      return check();
    },
    edit,
    /** An edit after which fields may stand for other places. @param {(doc: Doc) => Doc} change */
    reshape(change) {
      edit(change);
      fresh();
    },
    fresh,
    undo: () => step(undone),
    redo: () => step(redone),
    /** The next edit starts a new step of undo. */
    settle: () => set((s) => ({ history: settled(s.history) })),
  };
}

/** @typedef {ReturnType<typeof versioning>} Versioning */

/** Fields and texts that hold no value yet. @param {import("./core.js").Core} core @param {Versioning} versions */
function fields({ set }, { edit, fresh }) {
  return {
    /**
     * What a field holds while it holds no value; null when it does again.
     * @param {string} pointer
     * @param {{ text: string, message: string } | null} draft
     */
    setDraft(pointer, draft) {
      set((s) => {
        if (draft === null && !(pointer in s.drafts)) return {};
        const { [pointer]: _, ...rest } = s.drafts;
        return { drafts: draft ? { ...rest, [pointer]: draft } : rest };
      });
    },
    /** The text of the JSON view, and what it is read as: the document follows as soon as it is one. @param {string} text @param {import("../document/json.js").Parsed} parsed */
    setJson(text, parsed) {
      const message = parsed.ok ? unreadable(parsed.value) : parsed.message;
      if (!parsed.ok || message !== null) {
        set({ json: { text, message: message ?? "" } });
        return;
      }
      edit(parsed.value, "json");
      fresh({ json: null });
    },
    discardJson: () => fresh({ json: null }),
  };
}

/** Faults and where they are, and what is looked at. @param {import("./core.js").Core} core @param {Versioning} versions */
function places(core, { reshape }) {
  const { set } = core;
  /** Tells one request to focus from the next of the same place. */
  let turns = 0;

  return {
    /** @param {import("../document/faults.js").Fault} fault */
    applyFix(fault) {
      if (!fault.fix) return;
      const { patch, label } = fault.fix;
      try {
        reshape((doc) => applyPatch(doc, patch));
        core.say(`Done: ${label}.`);
      } catch {
        core.notify(`“${label}” no longer fits the model.`, [], "bad");
      }
    },

    /** Shows a place of the document, or a setting, and asks its panel to focus it. @param {string} pointer @param {import("../document/faults.js").Fault} [fault] */
    reveal(pointer, fault) {
      const focus = { pointer, turn: ++turns };
      if (pointer.startsWith("option:")) {
        set((s) => ({ view: { ...s.view, settings: true }, focus }));
        return;
      }
      const { tab, ...place } = placeOf(pointer, core.doc(), fault);
      set((s) => ({ view: { ...s.view, ...place, tab, open: true }, focus }));
    },
    /** @param {Partial<State["view"]>} part */
    look: (part) => set((s) => ({ view: { ...s.view, ...part } })),
    /** What a panel of the answer keeps, under the panel's id. @param {string} id @param {Record<string, any>} part */
    keep: (id, part) => set((s) => ({ panels: { ...s.panels, [id]: { ...s.panels[id], ...part } } })),
  };
}
