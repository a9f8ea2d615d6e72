// @ts-check
// conflict.js — Figure 1(b): the Lagrangian over the two policy coordinates of
// Figure 1's MDP, the epigraph form beside it, and the paths that gradient descent
// takes in both from where the reader points.

import { html, useState } from "../view.js";
import { number } from "../words/format.js";
import { Figure, Slider, useComputed } from "./figure.js";
import { endOf, gridData, Landscape, point, SIDE, Start } from "./landscape.js";

/** The two coordinates: how much of a1 is taken in s1 and in s2. */
export const axes = { x: { state: "s1", from: "a2", to: "a1" }, y: { state: "s2", from: "a2", to: "a1" } };
const names = { xLabel: "π(a₁|s₁)", yLabel: "π(a₁|s₂)" };
const marks = [{ x: 1, y: 1, text: "π₁" }, { x: 0, y: 0, text: "π₂" }];

/** @param {import("./figure.js").FigureProps} props */
export function Conflict({ solver, tell }) {
  const [gamma, setGamma] = useState(0.4);
  const [delta, setDelta] = useState(0.09);
  const [lambda, setLambda] = useState(1);
  const [level, setLevel] = useState(0.75);
  const [start, setStart] = useState(/** @type {[number, number]} */ ([0.2, 0.15]));
  const b0 = level / (1 - gamma);

  const { value: drawn, current } = useComputed(
    solver,
    async (s) => {
      const problem = await s.example("gradient-conflict", { discount: gamma, delta });
      const lagrangian = { ...axes, lambda: problem.constraints?.map(() => lambda) ?? [] };
      const epigraph = { ...axes, epigraph: true, b0 };
      // Gradients grow with the horizon; so many steps of this size reach what there is to reach, across a saddle too.
      const walk = { start, step: 0.03 * (1 - gamma), steps: 20000 };
      const [left, right, p, q] = await Promise.all([
        s.landscape(problem, { ...lagrangian, side: SIDE }),
        s.landscape(problem, { ...epigraph, side: SIDE }),
        s.descent(problem, { ...lagrangian, ...walk }),
        s.descent(problem, { ...epigraph, ...walk }),
      ]);
      return { left, right, paths: [p.points, q.points] };
    },
    [gamma, delta, lambda, b0, start],
    tell,
  );

  const ends = drawn?.paths.map(endOf);
  const at = (/** @type {Float64Array} */ surface, /** @type {0 | 1} */ corner) => surface[corner * (SIDE * SIDE - 1)];
  const title = "Gradient conflict";
  return html`<${Figure} id="landscape" title=${title} tell=${tell}
    data=${() => gridData(["pi(a1|s1)", "pi(a1|s2)", "L_lambda", "Delta_b0"], [drawn?.left ?? null, drawn?.right ?? null])}
    controls=${html`
      <${Slider} label="discount γ" value=${gamma} min=${0.05} max=${0.95} step=${0.05} onValue=${setGamma} />
      <${Slider} label="saving δ" value=${delta} min=${0} max=${0.25} step=${0.01} onValue=${setDelta} />
      <${Slider} label="multiplier λ" value=${lambda} min=${0} max=${3} step=${0.05} onValue=${setLambda} />
      <${Slider} label="threshold b₀/H" value=${level} min=${0} max=${1} step=${0.01} onValue=${setLevel} />
      <${Start} labels=${["start at π(a₁|s₁)", "start at π(a₁|s₂)"]} start=${start} onStart=${setStart} />`}
    status=${ends && current ? `A descent from ${point(start)} arrives at ${point(ends[0])} on the left and at ${point(ends[1])} on the right.` : "Computing…"}
    news=${drawn && html` <span>Left, <i>L</i>(π₁) = ${number(at(drawn.left.value, 1), 4)} and <i>L</i>(π₂) = ${number(at(drawn.left.value, 0), 4)}.</span>`}>
    <${Landscape} title=${`Lagrangian L with λ = ${
    number(lambda, 3)
  }`} label="Contours of the Lagrangian over the two policy coordinates, with descent directions and a path" ...${names}
      surface=${drawn?.left ?? null} stale=${!current} path=${drawn?.paths[0]} marks=${marks} onPoint=${(/** @type {number} */ a, /** @type {number} */ b) =>
    setStart([a, b])} />
    <${Landscape} title=${`Maximal violation Δ with b₀ = ${
    number(b0, 3)
  }`} label="Contours of the maximal violation over the two policy coordinates, with descent directions and a path" ...${names}
      surface=${drawn?.right ?? null} stale=${!current} path=${drawn?.paths[1]} marks=${marks} onPoint=${(/** @type {number} */ a, /** @type {number} */ b) =>
    setStart([a, b])} />
  <//>`;
}
