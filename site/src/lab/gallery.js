// @ts-check
// gallery.js — models with answers that were found when the page was built, or by
// whoever sent a link: shown at once, and looked at by the checker of this page as
// soon as it is there. What does not hold is taken away.

import { sameModel } from "../document/same.js";
import { withAnswer } from "./answers.js";

/**
 * @typedef {import("../rcmdp.js").Result} Result
 * @typedef {import("../rcmdp.js").Problem} Problem
 * @typedef {{
 *   id: string, title: string, group: string, teaches: string, size: string, description: string,
 *   parameters: import("../rcmdp.js").Example["parameters"],
 *   problem: Problem, options: import("../rcmdp.js").SolveOptions, result: Result, thumbnail: string, curve?: { pointer: string, points: unknown[] },
 * }} Solved
 * @typedef {Omit<Solved, "problem" | "result"> & { problem?: Problem, result?: Result, file?: string }} GalleryItem file: what has problem and result, where they are not here; the result is without its certificate, which is in a file of its own, and without its trace's clock
 */

/** A value that is checked may differ from one that was found by this share of its size. */
const CLOSE = 1e-6;

/**
 * @param {import("./core.js").Core} core
 */
export function gallery(core) {
  const { get, set, world } = core;
  /** @type {GalleryItem[]} */
  let items = [];
  /** Those that were fetched ahead, or could not be. @type {Set<string>} */
  const tried = new Set();

  /** Reads what the page was built with; a page without it works, only not at once. */
  async function loadGallery() {
    if (items.length > 0 || !world.gallery) return;
    try {
      items = await world.gallery();
      if (get().examples.length === 0) set({ examples: items.map(({ id, title, description, parameters }) => ({ id, title, description, parameters })) });
    } catch { /* not there, or of another build */ }
  }

  /**
   * The item of an example with these parameters, its own, if it has an answer.
   * @param {string | undefined} id
   * @param {Record<string, number>} parameters
   * @returns {Promise<Solved | null>}
   */
  async function itemOf(id, parameters) {
    const item = items.find((one) => one.id === id && one.parameters.every((p) => (parameters[p.name] ?? p.default) === p.default));
    if (item) await fetchItem(item);
    return item?.problem ? /** @type {Solved} */ (item) : null;
  }

  /** @param {GalleryItem} item */
  async function fetchItem(item) {
    if (!item.file || item.problem) return;
    try {
      Object.assign(item, await world.galleryFile?.(item.file));
    } catch { /* out of reach: the solver makes it */ }
  }

  /** Fetches the items one after the other, so that one that is chosen later is there at once. @param {(then: () => void) => void} whenIdle */
  function fetchAhead(whenIdle) {
    const next = items.find((item) => item.file && !item.problem && !tried.has(item.id));
    if (!next) return;
    tried.add(next.id);
    whenIdle(() => void fetchItem(next).then(() => fetchAhead(whenIdle)));
  }

  /** Puts the answer of an item beside its model. @param {Solved} item @param {number} line */
  function showItem(item, line) {
    if (get().answers.some((a) => sameModel(a.problem, item.problem))) return; // one's own is newer
    offer({ problem: item.problem, result: item.result, id: `gallery:${item.id}`, name: item.title, line, source: "gallery" });
  }

  /**
   * Shows an answer that was found elsewhere, until it is checked.
   * @param {Pick<import("./state.js").Answer, "problem" | "result" | "id" | "name" | "line" | "source">} found
   */
  function offer(found) {
    set((s) => ({ answers: withAnswer(s.answers, { ...found, algorithm: found.result.algorithm, saving: "", checked: "waiting" }) }));
  }

  return { loadGallery, fetchAhead, itemOf, showItem, offer, confirmAnswers: () => confirmAnswers(core), galleryItems: () => items };
}

/**
 * Has the checker look at what was found elsewhere.
 * @param {import("./core.js").Core} core
 * @returns {Promise<boolean>} false when something did not hold and was taken away
 */
async function confirmAnswers(core) {
  const { get, set, world, solver } = core;
  if (!solver) return true;
  let held = true;
  for (const answer of get().answers.filter((a) => a.checked === "waiting")) {
    const { problem, result, id } = answer;
    let holds = false;
    try {
      const certificate = result.certificate ?? (id.startsWith("gallery:") ? await world.certificate?.(id.slice("gallery:".length)) : null) ?? null;
      const report = await solver.check(problem, certificate, result.feasible ? result.policy : null);
      holds = report.ok && agrees(result, report);
      if (holds) amend(core, id, { checked: "holds", result: certificate === null ? result : { ...result, certificate } });
    } catch { /* what cannot be checked does not hold */ }
    if (holds) continue;
    held = false;
    set((s) => ({ answers: s.answers.filter((a) => a.id !== id) }));
  }
  return held;
}

/** @param {import("./core.js").Core} core @param {string} id @param {Partial<import("./state.js").Answer>} part */
const amend = ({ set }, id, part) => set(({ answers }) => ({ answers: answers.map((a) => (a.id === id ? { ...a, ...part } : a)) }));

/**
 * Whether a result says no more than the checker has seen.
 * @param {Result} result
 * @param {import("../rcmdp.js").Report} report
 */
function agrees(result, report) {
  const { value, lowerBound, upperBound } = result.objective;
  if (result.status === "proved-infeasible") return report.infeasible;
  const close = (/** @type {number | null} */ a, /** @type {number | null} */ b) =>
    a !== null && b !== null && Math.abs(a - b) <= CLOSE * Math.max(Math.abs(a), Math.abs(b));
  if (result.feasible && !close(value, report.objective) && !(value === 0 && Math.abs(report.objective ?? 1) <= CLOSE)) return false;
  for (const [said, seen] of [[lowerBound, report.lowerBound], [upperBound, report.upperBound]])
    if (said !== null && said !== seen && !close(said, seen)) return false;
  return result.status !== "proved-optimal" ||
    (report.gap !== null && report.gap <= 1e-6 * Math.max(Math.abs(value ?? 0), 1e-12) + CLOSE * Math.abs(value ?? 0));
}

/** @typedef {ReturnType<typeof gallery>} Gallery */
