// @ts-check
// sweep-run.js — keeps a curve as one saved run; fetched when somebody asks for it.

import { solverOf } from "./parts.js";

/** @typedef {import("../lab/knobs.js").Knob} Knob */
/** @typedef {import("../lab/tradeoff.js").SweepPoint} SweepPoint */
/** @typedef {import("../lab/state.js").Origin} Origin */
/** @typedef {import("./parts.js").Lab} Lab */
/** @typedef {import("../rcmdp.js").Problem} Problem */

/** All points as one run. @param {Lab} lab @param {Problem} problem @param {Origin} origin @param {Knob} knob @param {number[]} values @param {(SweepPoint | null)[]} points */
export async function saveSweep(lab, problem, origin, knob, values, points) {
  const example = origin.kind === "example" ? { id: origin.id, parameters: origin.parameters } : undefined;
  const along = knob.pointer ? { pointer: knob.pointer } : { parameter: knob.parameter, example };
  const options = { algorithm: "sweep", ...along, values };
  /** @type {import("../rcmdp.js").SweepResult} */
  const result = {
    status: points.includes(null) ? "stopped" : "finished",
    algorithm: "sweep",
    options,
    seed: "",
    feasible: points.some((p) => p?.feasible),
    objective: { name: problem.objective.name, sense: problem.objective.sense ?? "minimize", value: null },
    maxViolation: null,
    policy: [],
    trace: {},
    pointer: knob.pointer ?? "",
    points,
    seconds: 0,
  };
  const id = crypto.randomUUID?.() ?? `${Date.now()}`;
  await lab.attempt("The trade-off is not saved: ", async () => {
    await solverOf(lab).runs.put({
      id,
      name: `${problem.name ?? "Model"}: trade-off along ${knob.label}`,
      problem,
      options,
      result,
    });
    lab.notify("The trade-off is saved as one run.");
    await lab.loadRuns();
  });
}
