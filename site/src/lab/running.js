// @ts-check
// running.js — actions that make the solver work: solve, continue, stop, cancel.
// When and what to solve is decided here; runner.js follows the run.

import { replaceAt } from "../document/patch.js";
import { sameModel } from "../document/same.js";
import { changedOptions } from "./presets.js";
import { blockedBy, expected, faultsOf } from "./state.js";
import { following } from "./live.js";
import { Runner } from "./runner.js";

/** @typedef {import("./state.js").Running["auto"]} Unasked */

/** A model that has just come is worked on for this long before a person has asked for anything. */
const ARRIVAL_SECONDS = 5;
/** A large one for so many times what it is expected to take on a machine with nothing else to do, */
const ARRIVAL_PATIENCE = 4;
/** unless that is more than this, when it waits to be asked for. */
const UNASKED_SECONDS = 20;
/** A model that is being edited is solved again for this long. */
const LIVE_SECONDS = 2;

/**
 * @param {import("./core.js").Core} core
 * @param {import("./editing.js").Editing & import("./library.js").Library} given
 */
export function running(core, { checked, reveal, edit, ...library }) {
  const { get, set } = core;
  const runner = new Runner(core, library);
  const stop = () => runner.stop();
  const cancel = () => runner.cancel();
  const live = following(core, { checked, cancel, stop, solve: () => solve({ auto: "live" }) });

  /**
   * Solves the model as it is now, after a check that is going on. A run that nobody
   * asked for is not saved until the person says so, and not spoken of.
   * @param {{ auto?: Unasked }} [choices]
   */
  async function solve({ auto = "" } = {}) {
    if (get().run?.auto) giveWay();
    else if (get().run?.ending === "") return set({ wanted: false });
    if (auto === "") {
      set({ wanted: true });
      await core.settled();
    }
    const { line } = get().history.present;
    if (!core.solver) return; // asked for again when it is there
    await runner.idle;
    const ready = await checked();
    while (auto === "" && get().run?.auto) { // one that began meanwhile
      giveWay();
      await runner.idle;
    }
    set({ wanted: false });
    if (auto !== "" && line !== get().history.present.line) return; // another model has come, which nobody has asked about
    if (!ready || get().run || blockedBy(get()) !== "") return;
    const method = core.algorithm();
    if (!method || (auto === "arrival" && needed(core) > UNASKED_SECONDS)) return;
    const options = { algorithm: method.id, ...changedOptions(method, core.settings()), ...limited(core, auto) };
    const { solver } = core;
    await runner.follow({ problem: core.doc(), options, auto, start: async (signal) => solver.solve(core.doc(), { ...options, signal }) });
  }

  /** What a person asks for goes first, and leaves what was found for this model unasked. */
  function giveWay() {
    const { run } = get();
    if (run?.saidFeasible && sameModel(run.problem, core.doc())) stop();
    else cancel();
  }

  // Another model ends the run: with what it has found when a person had asked for it.
  core.leaving = () => {
    live.rest();
    const { run } = get();
    if (run?.auto) cancel();
    else if (run) stop();
  };

  return {
    solve,
    /** What a press of Solve does. A fault that was mended since the last check is in nobody's way. */
    async askToSolve() {
      set({ wanted: true });
      await core.settled();
      if (blockedBy(get()) !== "") await checked();
      const why = blockedBy(get());
      const [fault] = faultsOf(get());
      if (why) set({ wanted: false });
      if (why && fault) reveal(fault.pointer, fault);
      else if (why) core.say(why);
      else await solve();
    },
    /** Continues a run that was interrupted, with its model and method. @param {string} id */
    async resume(id) {
      if (get().run && !get().run?.auto) return;
      const run = await library.openRun(id, true);
      const { solver } = core;
      if (!run || run.algorithm === "sweep" || !solver) return;
      const { problem, options, name } = run;
      await runner.follow({ problem, options, auto: "", saved: name, start: (signal) => solver.runs.resume(id, { signal }) });
    },
    stop,
    cancel,
    /** A number of the model is turned: the answer follows at once, where the model is small enough. @param {import("./knobs.js").Knob} knob @param {number} value */
    turn({ pointer }, value) {
      live.turned();
      edit((doc) => replaceAt(doc, pointer ?? "", value), pointer);
    },
    setLive: live.setLive,
    dismissCrash: () => set({ crash: null }),
  };
}

/** @typedef {ReturnType<typeof running>} Running */

/** The seconds that the model as it is is expected to take; 0 when nobody can tell. @param {import("./core.js").Core} core */
const needed = (core) => expected(core.get())?.seconds ?? 0;

/** The time that a run may take when nobody asked for it. @param {import("./core.js").Core} core @param {Unasked} auto */
function limited(core, auto) {
  const most = { arrival: Math.max(ARRIVAL_SECONDS, ARRIVAL_PATIENCE * needed(core)), live: LIVE_SECONDS, "": 0 }[auto];
  if (most === 0 || !core.algorithm()?.options.some((o) => o.name === "timeLimit")) return {};
  return { timeLimit: Math.min(Number(core.settings().timeLimit) || most, most) };
}
