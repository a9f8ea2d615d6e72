// @ts-check
// live.js — draws a run in numbers while it goes on.

import { html } from "htm/preact";
import { integer, number, seconds } from "../words/format.js";
import { boundOf, distance } from "../words/words.js";

/**
 * The run in numbers while it goes on. Screen readers hear milestones only.
 * @param {{ run: any }} props
 */
export function Live({ run }) {
  const n = run.news ?? {};
  const outer = run.news && Number.isFinite(n.k) ? integer(n.k) : "–";
  const bound = boundOf(n);
  const finite = (/** @type {any} */ x) => typeof x === "number" && Number.isFinite(x);
  /** @type {[string, string][]} */
  const facts = [
    ["Outer step", outer],
    ["Best objective", n.best ? `${number(n.best.objective)}${n.best.feasible ? "" : " (infeasible)"}` : "–"],
    ["Violation now", finite(n.maxViolation) ? number(n.maxViolation, 3) : "–"],
    finite(bound)
      ? ["Proved limit", `${number(bound)}${n.best?.feasible ? ` (${distance(run.problem, n.best.objective, bound)})` : ""}`]
      : ["Bracket of b₀", finite(n.low) && finite(n.high) ? `${number(n.low, 4)} … ${number(n.high, 4)}` : "–"],
    ["Evaluations", integer(n.evaluations ?? 0)],
    ["Elapsed", seconds(n.seconds ?? 0)],
  ];
  return html`<div role="group" aria-label="The run so far"><progress class="going" aria-label="Solving"></progress><dl class="live">${
    facts.map(([k, v]) => html`<div key=${k}><dt>${k}</dt><dd>${v}</dd></div>`)
  }</dl></div>`;
}
