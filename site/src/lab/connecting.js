// @ts-check
// connecting.js — loads the solver, and says how far it has come.

import { defaultMethod, presetsOf, settingsOf } from "./presets.js";
import { said } from "./core.js";

/** @param {import("./core.js").Core} core */
export function connecting(core) {
  const { set, world } = core;
  /** @type {Promise<boolean> | null} */
  let connection = null;

  const phase = (/** @type {Partial<import("./state.js").Engine>} */ part) =>
    set({ engine: { phase: "download", loaded: 0, total: null, message: "", ...part } });

  async function load() {
    phase({});
    try {
      const solver = await world.openSolver((event) => {
        if (event.phase === "download" || event.phase === "compile") phase({ phase: event.phase, ...travelled(event) });
      });
      core.solver = solver;
      const [examples, algorithms] = await Promise.all([solver.examples(), solver.algorithms()]);
      set({
        examples,
        algorithms,
        version: solver.version,
        method: defaultMethod(algorithms),
        settings: Object.fromEntries(algorithms.map((a) => [a.id, settingsOf(a, presetsOf(a.id)[0])])),
      });
      phase({ phase: "ready" });
      return true;
    } catch (error) {
      connection = null;
      phase({ phase: "failed", message: said(error) });
      return false;
    }
  }

  return {
    /** Loads the solver once; again after a failure. @returns {Promise<boolean>} whether it is there */
    connect: () => connection ??= load(),
  };
}

/**
 * A download in bytes that travel, which is what a person pays for and waits for.
 * @param {import("../rcmdp.js").LoadProgress} event
 */
function travelled({ loaded, total, sent }) {
  if (!total) return { loaded: sent ? Math.min(loaded, sent) : 0, total: sent ?? null };
  return sent ? { loaded: Math.round((loaded / total) * sent), total: sent } : { loaded: 0, total: null };
}
