// @ts-check
// editing.js — actions on the document: edits with undo, fields that do not hold a
// value yet, the JSON view, faults and their fixes, the draft that survives a reload.

import { unreadable } from "../document/shape.js";
import { placeOf } from "../document/faults.js";
import { edited, redone, settled, startHistory, undone } from "../document/history.js";
import { keptHistory, restoredHistory } from "../document/kept.js";
import { applyPatch } from "../document/patch.js";
import { parseDocument } from "../document/pretty.js";
import { shownAnswer, taken } from "./answers.js";
import { isChecked, isOwn } from "./state.js";

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
/** So many faults of a model are shown at once after a reload, before it is checked again. */
const MOST_KEPT_FAULTS = 20;
/** A longer draft is more than a browser keeps this way. */
const LONGEST_DRAFT = 4_000_000;
/** So many characters of it may be steps of undo and redo. */
const LONGEST_HISTORY = 500_000;

/**
 * @param {import("./core.js").Core} core
 */
export function editing(core) {
  const { get, set, world } = core;
  /** @type {any} */
  let checkTimer;
  /** @type {any} */
  let draftTimer;
  let checks = 0;
  let turns = 0;

  /** The first document of a visit: there is nothing to undo to. @param {Incoming} version */
  function start(version) {
    const first = withLine(version);
    set((s) => ({ history: startHistory(first), answers: taken(s.answers, first.doc, first.line), epoch: s.epoch + 1, opened: true, empty: false }));
    return check();
  }

  /** Another document takes the place of the one before, which stays one undo away. @param {Incoming} version */
  function put(version) {
    const next = withLine(version);
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
      view: { ...s.view, cost: 0, kernel: 0, state: 0, tab: s.view.tab === "json" ? "json" : "goal" },
    }));
    later();
    return check();
  }

  /** A version without a line of its own begins a new one. @param {Incoming} version @returns {Version} */
  const withLine = ({ line = core.newLine(), ...rest }) => ({ ...rest, line });

  /**
   * Changes the document. Edits in a row with one key are one step of undo.
   * @param {any | ((doc: Doc) => any)} change
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

  /** An edit after which fields may stand for other places. @param {(doc: Doc) => any} change */
  function reshape(change) {
    edit(change);
    fresh();
  }

  /** Fields forget what was typed into them and show the document. @param {Partial<State>} [more] */
  const fresh = (more = {}) => set((s) => ({ epoch: s.epoch + 1, drafts: {}, ...more }));

  function later() {
    clearTimeout(checkTimer);
    checkTimer = setTimeout(check, core.doc()?.states?.length > LARGE ? LARGE_CHECK_MS : CHECK_MS);
    clearTimeout(draftTimer);
    draftTimer = setTimeout(keepDraft, core.doc()?.states?.length > LARGE ? LARGE_CHECK_MS : DRAFT_MS);
  }

  /** Asks the solver for every fault; only the newest answer counts. */
  async function check() {
    clearTimeout(checkTimer);
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

  /** Waits until the document has been looked at as it is. @returns {Promise<boolean>} false when it cannot be */
  async function checked() {
    for (let tries = 0; tries < 20 && core.solver; tries++) {
      if (isChecked(get())) return true;
      await check();
    }
    return isChecked(get());
  }

  /** What a reload of this tab brings back, and what a later visit offers. */
  function keepDraft() {
    clearTimeout(draftTimer);
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

  /**
   * The steps of undo and redo of before a reload, around the model that it brought back, and its faults, whose place is kept until they are found again.
   * @param {any} kept the draft
   */
  const restoreHistory = (kept) =>
    set((s) => {
      const history = restoredHistory(kept.history, s.history.present, kept.line, core.newLine);
      if (!kept.faults?.length) return { history };
      return { history, check: { doc: history.present.doc, errors: kept.faults, warnings: [], summary: null } };
    });

  /**
   * What a field holds while it holds no value; null when it does again.
   * @param {string} pointer
   * @param {{ text: string, message: string } | null} draft
   */
  function setDraft(pointer, draft) {
    set((s) => {
      if (draft === null && !(pointer in s.drafts)) return {};
      const { [pointer]: _, ...rest } = s.drafts;
      return { drafts: draft ? { ...rest, [pointer]: draft } : rest };
    });
  }

  /** The text of the JSON view: the document follows as soon as it is one. @param {string} text */
  function setJson(text) {
    const parsed = parseDocument(text);
    const message = parsed.ok ? unreadable(parsed.value) : parsed.message;
    if (message !== null) {
      set({ json: { text, message } });
      return;
    }
    edit(/** @type {any} */ (parsed).value, "json");
    fresh({ json: null });
  }

  const undo = () => step(undone);
  const redo = () => step(redone);

  /** @param {typeof undone<Version>} move */
  function step(move) {
    const after = move(get().history);
    if (after.present.line !== get().history.present.line) core.leaving();
    set({ history: after, empty: false, report: null });
    fresh({ json: null });
    later();
  }

  /** @param {import("../document/faults.js").Fault} fault */
  function applyFix(fault) {
    if (!fault.fix) return;
    const { patch, label } = fault.fix;
    try {
      reshape((doc) => applyPatch(doc, patch));
      core.say(`Done: ${label}.`);
    } catch {
      core.notify(`“${label}” no longer fits the model.`, [], "bad");
    }
  }

  /** Shows a place of the document, or a setting, and asks its panel to focus it. @param {string} pointer @param {import("../document/faults.js").Fault} [fault] */
  function reveal(pointer, fault) {
    const focus = { pointer, turn: ++turns };
    if (pointer.startsWith("option:")) {
      set((s) => ({ view: { ...s.view, settings: true }, focus }));
      return;
    }
    const { tab, ...place } = placeOf(pointer, core.doc(), fault);
    set((s) => ({ view: { ...s.view, ...place, tab, open: true }, focus }));
  }

  return {
    start,
    put,
    edit,
    reshape,
    later,
    check,
    checked,
    keepDraft,
    restoreHistory,
    setDraft,
    setJson,
    undo,
    redo,
    applyFix,
    reveal,
    discardJson: () => fresh({ json: null }),
    /** The next edit starts a new step of undo. */
    settle: () => set((s) => ({ history: settled(s.history) })),
    /** @param {Partial<State["view"]>} part */
    look: (part) => set((s) => ({ view: { ...s.view, ...part } })),
    /** What a panel of the answer keeps, under the panel's id. @param {string} id @param {Record<string, any>} part */
    keep: (id, part) => set((s) => ({ panels: { ...s.panels, [id]: { ...s.panels[id], ...part } } })),
  };
}

/** @typedef {ReturnType<typeof editing>} Editing */
