// @ts-check
// live.js — small models follow their edits: they are solved again when the person pauses.

import { sameModel } from "../document/same.js";
import { blockedBy, shownAnswer } from "./state.js";

/** A model is solved again this long after the last keystroke, */
const LIVE_MS = 250;
/** at once where a slider is turned, */
const TURN_MS = 0;
/** whose last answer but one has so long, */
const TURN_PATIENCE_MS = 250;
/** when it has no more than so many rows of probabilities. */
const LIVE_ROWS = 400;

/**
 * @param {import("./core.js").Core} core
 * @param {{ checked: () => Promise<boolean>, solve: () => Promise<void>, cancel: () => void, stop: () => void }} does
 */
export function following(core, { checked, solve, cancel, stop }) {
  const { get, set } = core;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** The document that was last considered. @type {unknown} */
  let seen = null;
  /** It was edited during a run that a person asked for: it is solved again when that has ended. */
  let owed = false;

  /** After an edit: solves again when the person has paused and the model is small enough. */
  function follows() {
    clearTimeout(timer);
    timer = setTimeout(() => void follow().then((goesOn) => !goesOn && set({ turning: false })), get().turning ? TURN_MS : LIVE_MS);
  }

  /** @returns {Promise<boolean>} whether the answer to what was turned is still to come */
  async function follow() {
    if (!isLive(get()) || shownAnswer(get()).fresh) return false;
    const { run, turning } = get();
    owed = run !== null && (!run.auto || (turning && run.auto === "live"));
    if (owed) {
      // A turn waits for the turn before it, so that there is something to see on the way; but not for long.
      if (turning) setTimeout(() => get().run === run && stop(), TURN_PATIENCE_MS);
      return turning;
    }
    const doc = core.doc();
    if (!(await checked()) || blockedBy(get()) !== "") return false;
    if (doc !== core.doc()) return get().turning;
    if (get().run && sameModel(get().run?.problem, doc)) return get().turning;
    await solve();
    return !shownAnswer(get()).fresh && core.doc() !== doc;
  }

  core.store.subscribe(() => {
    const s = get();
    const { doc } = s.history.present;
    if (owed && s.run === null) {
      owed = false;
      follows();
    }
    if (doc === seen || !s.opened) return;
    const before = seen;
    seen = doc;
    if (before !== null) follows();
  });

  return {
    turned: () => set({ turning: true }),
    /** Whether edits are followed. @param {boolean} live */
    setLive(live) {
      set({ live });
      if (live) follows();
      else if (get().run?.auto === "live") cancel();
    },
    /** The model in hand is left: what was about to be solved is not. */
    rest: () => {
      owed = false;
      clearTimeout(timer);
      set({ turning: false });
    },
  };
}

/**
 * Whether the model is small enough to be solved again while it is edited.
 * @param {import("./state.js").State} s
 */
function isLive({ live, history, engine }) {
  const { doc } = history.present;
  if (!live || engine.phase !== "ready") return false;
  const kernels = doc?.uncertainty?.kernels?.length ?? 1;
  return (doc?.states?.length ?? Infinity) * (doc?.actions?.length ?? 1) * kernels <= LIVE_ROWS;
}
