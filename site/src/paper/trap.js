// @ts-check
// trap.js — the counterexample: a problem of two kernels on which EpiRC-PGS stops
// at a strict local minimum, although a far better policy exists.
// The method itself runs from the starts that the reader picks.

import { html, useEffect, useState } from "../view.js";
import { count, fixed } from "../words/format.js";
import { Figure, Slider, useComputed } from "./figure.js";
import { gridData, Landscape, point, SIDE, Start } from "./landscape.js";

const axes = { x: { state: "left gate", from: "bail", to: "go" }, y: { state: "right gate", from: "bail", to: "go" } };
const names = { xLabel: "π(go | left gate)", yLabel: "π(go | right gate)" };
const options = { algorithm: "epirc-pgs", outerIterations: 16, innerIterations: 400, stepSize: 5e-3 };
/** Starts along one edge of the map of ends. */
const STARTS = 11;
const GAMMA = 0.9;
/**
 * Where the cost along p = q is largest, which is where the trap ends: there
 * V = γH(1 − p)(γp + loss), up to the small initial probabilities.
 * @param {number} loss
 */
const crest = (loss) => (GAMMA - loss) / (2 * GAMMA);

/**
 * The problem's policy with these chances of going; the other states have one choice that matters not.
 * @param {Doc} problem
 * @param {number} p
 * @param {number} q
 */
const policy = (problem, p, q) =>
  problem.states.map((/** @type {string} */ s) => (s === "left gate" ? [p, 1 - p] : s === "right gate" ? [q, 1 - q] : [0.5, 0.5]));

/** Runs the method from a start; where it ended and what that costs. @param {import("../rcmdp.js").Solver} s @param {Doc} problem @param {number} p @param {number} q */
async function endFrom(s, problem, p, q) {
  const result = await s.solve(problem, { ...options, initialPolicy: policy(problem, p, q) }).result;
  const go = problem.actions.indexOf("go");
  const at = (/** @type {string} */ gate) => result.policy[problem.states.indexOf(gate)][go];
  return {
    start: /** @type {[number, number]} */ ([p, q]),
    end: /** @type {[number, number]} */ ([at("left gate"), at("right gate")]),
    cost: /** @type {number} */ (result.objective.value),
  };
}

/** @param {import("./figure.js").FigureProps} props */
export function Trap({ solver, tell }) {
  const [start, setStart] = useState(/** @type {[number, number]} */ ([0.12, 0.05]));
  const [loss, setLoss] = useState(0.7);
  const [ends, setEnds] = useState(/** @type {Awaited<ReturnType<typeof endFrom>>[]} */ ([]));

  const { value: map } = useComputed(
    solver,
    async (s) => {
      const problem = await s.example("local-minimum", { loss });
      return { problem, surface: await s.landscape(problem, { ...axes, epigraph: true, b0: 0, side: SIDE }) };
    },
    loss,
    tell,
  );
  const { value: run, current } = useComputed(
    solver,
    async (s) => {
      const problem = await s.example("local-minimum", { loss });
      const [end, path] = await Promise.all([
        endFrom(s, problem, ...start),
        // Without constraints Δ is J less a constant, so a descent walks the same way at every threshold.
        s.descent(problem, { ...axes, epigraph: true, b0: 0, start, step: 5e-3, steps: 3000 }),
      ]);
      return { ...end, path: path.points };
    },
    [start, loss],
    tell,
  );

  const reach = Math.min(1, Math.max(0.1, Math.ceil(30 * crest(loss)) / 10));
  useEffect(() => {
    let live = true;
    setEnds([]);
    (async () => {
      const s = await solver();
      const problem = await s.example("local-minimum", { loss });
      const at = (/** @type {number} */ i) => (reach * i) / (STARTS - 1);
      for (let k = 0; k < STARTS * STARTS && live; k++) {
        const end = endFrom(s, problem, at(k % STARTS), at(Math.floor(k / STARTS)));
        end.then((e) => live && setEnds((seen) => [...seen, e]), tell);
        if (k % 2) await end; // two at a time: what the reader asks for comes between
      }
    })().catch(tell);
    return () => {
      live = false;
    };
  }, [loss]);

  const corner = (/** @type {0 | 1} */ i) => map?.surface.value[i * (SIDE * SIDE - 1)] ?? NaN;
  const trapped = (/** @type {number} */ cost) => cost > 0.5 * (corner(0) + corner(1));
  const stuck = ends.filter((e) => trapped(e.cost)).length;
  return html`<${Figure} id="trap" title="A strict local minimum" tell=${tell}
    data=${() => (ends.length > 0
    ? { head: ["start p", "start q", "end p", "end q", "cost"], rows: ends.map((e) => [...e.start, ...e.end, e.cost]) }
    : gridData(["p", "q", "J"], [map?.surface ?? null]))}
    controls=${html`<${Slider} broad=${true} label="cost of bailing at the first gate" value=${loss} min=${0.1} max=${0.85} step=${0.05} onValue=${setLoss} />
      <${Start} labels=${["start at π(go | left)", "start at π(go | right)"]} start=${start} onStart=${setStart} />`}
    status=${
    run && current
      ? `From ${point(start)} EpiRC-PGS stops at ${point(run.end)}, which costs ${fixed(run.cost, 3)}${
        trapped(run.cost) ? `: trapped, the best policy costs ${fixed(corner(1), 3)}.` : ", the global minimum."
      }`
      : "Computing…"
  }
    news=${ends.length > 0 && html` <span>Of ${count(ends.length, "start")} on the right, ${stuck} end in the trap.</span>`}>
    <${Landscape} title="Worst-case cost, and the descent from your start" label="Contours of the worst-case cost over the chances of going at the two gates, with the path of the descent" ...${names}
      surface=${map?.surface ?? null} path=${run?.path} marks=${[{ x: 0, y: 0, text: fixed(corner(0), 3) }, { x: 1, y: 1, text: fixed(corner(1), 3) }]}
      onPoint=${(/** @type {number} */ a, /** @type {number} */ b) => setStart([a, b])} />
    <${Landscape} title=${html`Where it ends, by its start <small><span><i class="free"></i>global minimum</span> <span><i class="caught"></i>trap</span></small>`} label=${
    ends.length > 0 ? `Of ${ends.length} starts ${stuck} end in the local minimum` : "The starts that were tried, none yet"
  } ...${names}
      surface=${null} reach=${reach} marks=${[{ x: 0, y: 0, text: "" }]}
      dots=${ends.map((e) => ({ x: e.start[0], y: e.start[1], tone: trapped(e.cost) ? "caught" : "free" }))} onPoint=${(
    /** @type {number} */ a,
    /** @type {number} */ b,
  ) => setStart([a, b])} />
  <//>`;
}
