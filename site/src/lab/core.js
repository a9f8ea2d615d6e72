// @ts-check
// core.js — what every group of actions stands on: the state, the outside world,
// the solver once it is there, and a voice.

import { sentence } from "../words/format.js";
import { createStore } from "./store.js";
import { initialState } from "./state.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").Notice} Notice */

/**
 * @typedef {{
 *   openSolver: (onProgress: (event: import("../rcmdp.js").LoadProgress) => void) => Promise<import("../rcmdp.js").Solver>,
 *   fragment: () => string,
 *   labUrl: () => string,
 *   embedUrl: () => string,
 *   stores: boolean,
 *   draft?: Keeper,
 *   reloaded?: () => boolean,
 *   lastEdit?: Keeper,
 *   address?: Address,
 *   kept?: () => Kept | null,
 *   gallery?: () => Promise<import("./gallery.js").GalleryItem[]>,
 *   file?: (path: string) => Promise<unknown>,
 * }} World address: writes the page's own address; kept: what the history has beside it; gallery: what was solved when the page was built; file: JSON that lies beside the page; stores: whether runs are saved here (not in an embed); fragment: of the page's own address; reloaded: whether this visit is a reload of the page before
 * @typedef {{ read: () => string | null, write: (text: string | null) => void }} Keeper
 * @typedef {{ sum: string, text: string }} Kept a model that is too long for the address, in the tab's history beside it
 * @typedef {{ replace: (fragment: string, kept?: Kept) => void, push: (fragment: string, kept?: Kept) => void }} Address
 */

/**
 * @param {World} world
 */
export function createCore(world) {
  const store = createStore(initialState());
  const { get, set } = store;
  let ids = 0;
  let lines = 0;
  /** Models asked for so far. */
  let asked = 0;
  /** Ends when the model that was asked for last is there, or will not come. @type {Promise<unknown>} */
  let coming = Promise.resolve();

  /**
   * A quiet sentence at the edge of the page, with what can be done about it. There
   * is one at a time; the next success takes a complaint away.
   * @param {string} text
   * @param {Notice["actions"]} [actions]
   * @param {Notice["tone"]} [tone]
   */
  function notify(text, actions = [], tone = "plain") {
    const id = ++ids;
    set({ notices: [{ id, tone, text, actions }] });
  }

  /**
   * A model is asked for that has yet to be fetched, made or read. Only the one asked for last takes the place of the document.
   * @template T
   * @param {(wanted: () => boolean) => Promise<T>} come puts it there, if it is still wanted then
   * @returns {Promise<T | null>} null when it could not come and nobody wants it any more
   */
  function bring(come) {
    const mine = ++asked;
    const wanted = () => mine === asked;
    const there = come(wanted).catch((error) => {
      if (wanted()) throw error;
      return null;
    });
    coming = there.catch(() => {}); // who asked for it says why it did not come
    return there;
  }

  /** Something went well: a complaint about how it went before has had its time. */
  const succeeded = () => set((s) => (s.notices.some((n) => n.tone === "bad") ? { notices: s.notices.filter((n) => n.tone !== "bad") } : {}));

  return {
    world,
    store,
    get,
    set,
    notify,
    /** The solver, once loaded. @type {import("../rcmdp.js").Solver | null} */
    solver: null,
    /** The page's address before it followed the last edit of the same model. */
    addressBefore: "",
    /** What has to end when another model takes the place of this one. */
    leaving: () => {},
    /** Tells a model from what it is edited to. */
    newLine: () => ++lines,

    bring,
    /**
     * Brings a model and waits until the solver has looked at it; says so where that fails.
     * @template {{ checked: Promise<unknown> }} T
     * @param {(wanted: () => boolean) => Promise<T | null | false>} come
     * @param {string} [failing] what then stands before the reason
     * @returns {Promise<T | null | false>} false when it could not come
     */
    async bringIn(come, failing = "") {
      try {
        const came = await bring(come);
        if (!came) return came;
        await came.checked;
        succeeded();
        return came;
      } catch (error) {
        notify(failing + said(error), [], "bad");
        return false;
      }
    },
    /**
     * Does what a person asked for; says so where that fails. A fault is said after what has failed.
     * @param {string} failing as "The runs were not imported: "
     * @param {() => Promise<unknown>} work
     */
    async attempt(failing, work) {
      try {
        await work();
      } catch (error) {
        notify(failing + said(error), [], "bad");
      }
    },
    /** Another model is there: what was asked for before it is no longer wanted. */
    came: () => void asked++,
    /** How many models were asked for: another number than before, and a newer one was. */
    asked: () => asked,
    /** Ends when no model is on its way: what is done to the document is then done to the one that was asked for. */
    async settled() {
      for (let last = null; last !== coming; await last) last = coming;
    },

    doc: () => get().history.present.doc,
    origin: () => get().history.present.origin,
    algorithm: (id = get().method) => get().algorithms.find((a) => a.id === id),
    /** A method's title and shape. Before the solver is there answers are those of the default method. @param {string} id @returns {Pick<import("../rcmdp.js").Algorithm, "title" | "shape">} */
    methodOf: (id) => get().algorithms.find((a) => a.id === id) ?? { title: id === "solve" ? "Search and proof" : id, shape: "search" },
    settings: (id = get().method) => get().settings[id] ?? {},

    succeeded,

    /** @param {number} id */
    dismiss: (id) => set((s) => ({ notices: s.notices.filter((n) => n.id !== id) })),

    /** Says a milestone to a screen reader. @param {string} text */
    say: (text) => set((s) => ({ said: s.said === text ? `${text}\u00a0` : text })),

    /** Shows what went wrong with a call of the solver. @param {unknown} error */
    failed(error) {
      const { code, details = [] } = /** @type {Partial<import("../rcmdp.js").RcmdpError>} */ (error ?? {});
      if (code === "crashed") set({ crash: { message: said(error), details: [...details] } });
      else if (code !== "closed") notify(said(error), [], "bad");
    },
  };
}

/** @typedef {ReturnType<typeof createCore>} Core */

/** What a text from the clipboard is called. */
export const PASTED = "The pasted text";

/** @param {unknown} error */
export const said = (error) => sentence(error instanceof Error ? error.message : String(error));
