// @ts-check
// gallery.js — models with answers that were found when the page was built, or by
// whoever sent a link: shown at once, without their claims until the checker of this
// page has judged them (judging.js).

import { sameModel } from "../document/same.js";
import { withAnswer } from "./state.js";

/**
 * @typedef {import("../rcmdp.js").Result} Result
 * @typedef {import("../rcmdp.js").Problem} Problem
 * @typedef {{
 *   id: string, title: string, group: string, teaches: string, size: string, description: string,
 *   parameters: import("../rcmdp.js").Example["parameters"],
 *   problem: Problem, options: import("../rcmdp.js").SolveOptions, result: Result, thumbnail: string, curve?: { pointer: string, points: unknown[] },
 * }} Solved
 * @typedef {Omit<Solved, "problem" | "result"> & { problem?: Problem, result?: Result, file?: string, certificate?: string }} GalleryItem file: what has problem and result, where they are not here; the result is without its certificate, which is in a file of its own, and without its trace's clock
 */

/**
 * @param {import("./core.js").Core} core
 */
export function gallery(core) {
  const { get, set, world } = core;
  /** @type {GalleryItem[]} */
  let items = [];
  /** Those that were fetched ahead, or could not be. @type {Set<string>} */
  const tried = new Set();

  /** @param {GalleryItem} item */
  async function fetchItem(item) {
    if (!item.file || item.problem) return;
    try {
      Object.assign(item, await world.file?.(item.file));
    } catch { /* out of reach: the solver makes it */ }
  }

  /** Fetches the items one after the other, so that one that is chosen later is there at once. @param {(then: () => void) => void} whenIdle */
  function fetchAhead(whenIdle) {
    const next = items.find((item) => item.file && !item.problem && !tried.has(item.id));
    if (!next) return;
    tried.add(next.id);
    whenIdle(() => void fetchItem(next).then(() => fetchAhead(whenIdle)));
  }

  /**
   * Shows an answer that was found elsewhere.
   * @param {Pick<import("./state.js").Answer, "problem" | "result" | "id" | "name" | "line" | "source"> & { saving?: "saved" | "" }} found
   */
  function offer(found) {
    set((s) => ({ answers: withAnswer(s.answers, { saving: "", ...found, algorithm: found.result.algorithm }) }));
  }

  return {
    /** Reads what the page was built with; a page without it works, only not at once. */
    async loadGallery() {
      if (items.length > 0 || !world.gallery) return;
      try {
        items = await world.gallery();
        if (get().examples.length === 0) set({ examples: items.map(({ id, title, description, parameters }) => ({ id, title, description, parameters })) });
      } catch { /* not there, or of another build */ }
    },
    fetchAhead,
    /**
     * The item of an example with these parameters, its own, if it has an answer.
     * @param {string | undefined} id
     * @param {Record<string, number>} parameters
     * @returns {Promise<Solved | null>}
     */
    async itemOf(id, parameters) {
      const item = items.find((one) => one.id === id && one.parameters.every((p) => (parameters[p.name] ?? p.default) === p.default));
      if (item) await fetchItem(item);
      return item?.problem ? /** @type {Solved} */ (item) : null;
    },
    /** Puts the answer of an item beside its model. @param {Solved} item @param {number} line */
    showItem(item, line) {
      if (get().answers.some((a) => sameModel(a.problem, item.problem))) return; // one's own is newer
      offer({ problem: item.problem, result: item.result, id: `gallery:${item.id}`, name: item.title, line, source: "gallery" });
    },
    offer,
    /** The proof of an answer that was found when the page was built. @param {string} id of the answer @returns {Promise<any>} */
    async proofOf(id) {
      const file = items.find((item) => id === `gallery:${item.id}`)?.certificate;
      return file && world.file?.(file);
    },
    galleryItems: () => items,
  };
}

/** @typedef {ReturnType<typeof gallery>} Gallery */
