// @ts-check
// why.js — draws why this plan: what each limit costs, which models of the world the
// plan is a compromise between, what another action would cost in each state, and
// the terms of a state's value. Emits: looking at a state, asking what is proved of a looser limit.

import { html, useMemo, useState } from "../view.js";
import { decisions, stepIn } from "../document/steps.js";
import { endNumbers } from "../document/reading.js";
import { replaceAt } from "../document/patch.js";
import { groundIn } from "../picture/ground.js";
import { calm, list, number, percent, probability } from "../words/format.js";
import { boundOf, isFeasible, limitOf, maximizes, overOf, overWords, planWord, roundedUp } from "../words/words.js";
import { standing } from "../words/standing.js";
import { Segments, useFew } from "./fields.js";
import { useMade } from "./made.js";
import { deferred, solverOf, Term } from "./parts.js";
import { WorldView } from "./world-view.js";

const Steps = deferred(() => import("./steps.js"), "Steps", null);

/** @typedef {import("../rcmdp.js").Explanation} Explanation */
/** @typedef {import("../rcmdp.js").Problem} Problem */
/** @typedef {import("./parts.js").Lab} Lab */

/** So many states are listed at first. */
const FEW = 12;
/** and fewer where they stand on a grid already. */
const FEWER = 4;
/** How long the proof about a looser limit may take. */
const PROOF_SECONDS = 3;

/** @param {import("./panels.js").PanelProps} props */
export function Panel({ lab, state, problem, answer, run }) {
  const at = Math.min(state.panels.why?.state ?? 0, problem.states.length - 1);
  const ready = state.engine.phase === "ready";
  const policy = answer?.result.policy ?? [];
  const step = stepIn(state.panels, problem);
  const explain = async () => ({ of: answer?.id, why: await solverOf(lab).explain(problem, policy, { state: at, step }) });
  const { made, failed } = useMade(ready && policy.length > 0 ? explain : null, [answer?.id, at, step, ready]);
  if (run || !answer) return html`<p class="quiet">The reasons stand here when there is an answer.</p>`;
  if (policy.length === 0) return html`<p class="quiet">There is no policy to explain.</p>`;
  if (failed) return html`<p class="fault">${failed}</p>`;
  if (made?.of !== answer.id)
    return html`<p class="quiet" aria-busy="true">${ready ? "Working out the reasons…" : "The reasons come with the solver…"}</p>`;
  return html`${
    decisions(problem) > 0 && html`<${Steps} lab=${lab} panels=${state.panels} problem=${problem} />`
  }<${Reasons} lab=${lab} problem=${problem} answer=${answer} why=${made.why} at=${at} />`;
}

/** By state, at the decision that is looked at. @param {Explanation} why @returns {import("../rcmdp.js").ActionCost[][]} */
const statesAt = (
  { states, step },
) => /** @type {import("../rcmdp.js").ActionCost[][]} */ (states && Array.isArray(states[0]?.[0]) ? states[Math.min(step, states.length - 1)] : states ?? []);

/**
 * What there is to say of a plan.
 * @param {{ lab: Lab, problem: Problem, answer: import("../lab/state.js").Answer, why: Explanation, at: number }} props at: the state that is looked at
 */
export function Reasons({ lab, problem, answer, why, at }) {
  // A plan that misses a limit has no prices and weighs nothing, and no action is the next best to one that does not do.
  if (!isFeasible(answer.result)) {
    return html`<div class="stack"><${Missed} problem=${problem} result=${answer.result} /><${Update} problem=${problem} why=${why} /></div>`;
  }
  return html`<div class="stack">
    ${why.limits.length > 0 && html`<${Limits} lab=${lab} problem=${problem} answer=${answer} why=${why} />`}
    <${Kernels} problem=${problem} why=${why} />
    ${why.states && html`<${States} lab=${lab} problem=${problem} states=${statesAt(why)} at=${at} />`}
    <${Update} problem=${problem} why=${why} />
  </div>`;
}

/**
 * Which limits the plan misses, and by how much.
 * @param {{ problem: Problem, result: import("../rcmdp.js").Result }} props
 */
const Missed = ({ problem, result }) =>
  html`<div><h3>Which limits this plan misses</h3><ul class="reasons">${
    result.constraints.map((c, i) =>
      html`<li><p><b>${c.name}</b> is ${number(c.value)} ${
        overOf(problem.constraints?.[i]) === "worst" ? "at the worst" : `in the ${overWords(problem.constraints?.[i])}`
      }${result.worst[i + 1]?.kernel && html`, under <b>${result.worst[i + 1].kernel?.name}</b>`}, and ${limitOf(problem.constraints?.[i]).words} ${
        number(c.threshold)
      } is asked for: ${standing(c)}.</p></li>`
    )
  }</ul><p class="help">${
    result.status === "proved-infeasible"
      ? `No ${planWord(problem)} keeps all of them together; this one comes nearest of those that were found.`
      : "Of the plans that were found this one comes nearest. That none keeps them all is not proved."
  }</p></div>`;

/** "cheaper" for costs, "more" for what is earned. @param {Problem} problem */
const saves = (problem) => (problem.objective.sense === "maximize" ? "earns" : "saves");

/**
 * What each limit costs.
 * @param {{ lab: Lab, problem: Problem, answer: import("../lab/state.js").Answer, why: Explanation }} props
 */
function Limits({ lab, problem, answer, why }) {
  const rough = why.residual !== null && why.residual > 0.01 * Math.abs(answer.result.objective.value ?? 1);
  return html`<div><h3>What the limits cost</h3>
    <ul class="reasons">${
    why.limits.map((limit, i) => {
      const unit = Math.max(Math.abs(limit.threshold), 1e-12);
      const step = niceStep(unit);
      const worst = answer.result.worst[i + 1];
      const under = worst?.kernel ? html` under <b>${worst.kernel.name}</b>` : "";
      const { sign } = limitOf(problem.constraints?.[i]);
      const price = calm(limit.price, Math.abs(answer.result.objective.value ?? 0) / unit);
      return html`<li><p><b>${limit.name}</b> ${sign} ${number(limit.threshold)} is ${
        limit.binding ? html`<${Term} word="binding" />` : html`not used up: ${number(calm(limit.slack, unit), 3)} of <${Term} word="slack" />`
      }${under}.</p>
      ${
        limit.binding && price !== null && price !== undefined &&
        html`<p>${number(step)} ${sign === "≤" ? "more" : "less"} ${limit.name} ${saves(problem)} about <b>${
          number(price * step, 2)
        } ${problem.objective.name}</b> <span class="help">(<${Term} word="price" /> ${number(price, 3)}, a local multiplier of the search${
          rough ? "; this policy is no local optimum, so it is rough" : ""
        })</span></p>
        <${Proved} key=${answer.id} lab=${lab} problem=${problem} answer=${answer} i=${i} step=${step} />`
      }</li>`;
    })
  }</ul></div>`;
}

/** A step that is easy to think of, about a tenth of the limit. @param {number} size */
function niceStep(size) {
  const power = 10 ** Math.floor(Math.log10(0.1 * size) + 1e-9);
  return Number(power.toPrecision(1));
}

/**
 * What is proved about a looser limit: nothing saves more than the distance to its
 * lower bound. A proof of its own, made when it is asked for.
 * @param {{ lab: Lab, problem: Problem, answer: import("../lab/state.js").Answer, i: number, step: number }} props
 */
function Proved({ lab, problem, answer, i, step }) {
  const [said, setSaid] = useState(/** @type {string | null} */ (null));
  const constraint = problem.constraints?.[i];
  const value = answer.result.objective.value;
  const ask = async () => {
    const solver = lab.solver();
    if (!solver || !constraint || value === null) return;
    setSaid("");
    const side = constraint.atLeast !== undefined ? "atLeast" : "atMost";
    const to = Number(((constraint[side] ?? 0) + (side === "atMost" ? step : -step)).toPrecision(12));
    try {
      const looser = replaceAt(problem, `/constraints/${i}/${side}`, to);
      const result = await solver.solve(looser, { algorithm: "solve", initialPolicy: answer.result.policy, timeLimit: PROOF_SECONDS }).result;
      const bound = boundOf(result.objective);
      setSaid(
        Number.isFinite(bound)
          ? `Proved: with ${number(to)} no ${decisions(problem) > 0 ? "policy" : "stationary policy"} ${saves(problem)} more than ${
            number(roundedUp(Math.max(0, maximizes(problem) ? bound - value : value - bound)), 3)
          } ${problem.objective.name}${
            result.feasible && result.objective.value !== null
              ? `; one that ${saves(problem)} ${number(calm(Math.abs(value - result.objective.value), value), 3)} was found`
              : ""
          }.`
          : `Nothing could be proved about ${number(to)} in ${PROOF_SECONDS} seconds.`,
      );
    } catch (error) {
      setSaid(/** @type {Error} */ (error).message);
    }
  };
  if (said === null) return html`<p><button type="button" class="plain" onClick=${ask}>What is proved?</button></p>`;
  return html`<p class="help" role="status">${said || "Proving…"}</p>`;
}

/**
 * The models of the world that the plan is a compromise between.
 * @param {{ problem: Problem, why: Explanation }} props
 */
function Kernels({ problem, why }) {
  const names = [problem.objective.name, ...(problem.constraints ?? []).map((c) => c.name)];
  const named = why.kernels.filter((k) => k.kernel !== null);
  if (named.length === 0 || (problem.uncertainty.kernels?.length ?? 0) < 2) return null;
  return html`<div><h3>Which models of the world matter</h3><p class="help">${
    new Set(named.map((k) => k.kernel?.name)).size > 1
      ? html`The plan weighs these <${Term} word="kernel" text="kernels" /> against each other`
      : html`One <${Term} word="kernel" /> is the worst for all`
  }; the others could be left out without changing it, near this plan.</p>
    <ul class="reasons">${
    names.map((name, n) => {
      const of = named.filter((k) => k.cost === n);
      return of.length > 0 &&
        html`<li><p>for <b>${name}</b>: ${list(of.map((k) => `${k.kernel?.name}${of.length > 1 ? ` (${percent(k.share)})` : ""}`))}</p></li>`;
    })
  }</ul></div>`;
}

/**
 * Each state: what is done, and the runner-up with what it would cost.
 * @param {{ lab: Lab, problem: Problem, states: import("../rcmdp.js").ActionCost[][], at: number }} props
 */
function States({ lab, problem, states, at }) {
  const ground = useMemo(() => groundIn(problem), [problem]);
  const policy = useMemo(() => states.map((actions) => problem.actions.map((_, a) => actions.find(({ action }) => action === a)?.probability ?? 0)), [states]);
  const few = ground ? FEWER : FEW;
  const dearer = maximizes(problem) ? "less" : "dearer";
  const ends = useMemo(() => endNumbers(problem), [problem]);
  const constrained = (problem.constraints ?? []).length > 0;
  const { shown, more } = useFew(states, few, " states");
  return html`<div><h3>State by state <small>the next best action, were it always taken there</small></h3>
    ${
    ground && html`<p class="help">The plan on its grid: choose a cell, and its value is explained below.</p>
    <${WorldView} problem=${problem} ground=${ground} policy=${policy} occupancy=${null} chosen=${at} onChoose=${(/** @type {number} */ s) =>
      lab.keep("why", { state: s })} />`
  }<div class="scroll" tabindex="0" role="region" aria-label="State by state"><table class="lines"><thead><tr><th scope="col">state</th><th scope="col">the plan</th><th scope="col">runner-up</th><th scope="col" class="n">${
    maximizes(problem) ? "lost" : "extra"
  } ${problem.objective.name}</th><th scope="col">why not</th></tr></thead>
    <tbody>${
    shown.map((actions, s) => {
      const taken = actions.filter((a) => a.probability > 5e-4).sort((a, b) => b.probability - a.probability);
      const others = actions.filter((a) => a !== taken[0]).sort((a, b) => cost(a) - cost(b));
      const next = others[0];
      return html`<tr aria-current=${s === at ? "true" : undefined}><th scope="row"><button type="button" class="plain flush" onClick=${() =>
        lab.keep("why", { state: s })} title="Show the terms of this state's value">${problem.states[s]}</button></th>
        ${
        ends.has(s)
          ? html`<td colspan="4" class="help">the episode ends there</td>`
          : html`<td class="wide">${list(taken.map((a) => `${problem.actions[a.action]}${taken.length > 1 ? ` ${probability(a.probability)}` : ""}`))}</td>
        ${
            next
              ? html`<td>${problem.actions[next.action]}</td><td class="n">${next.extra >= 0 && !maximizes(problem) ? "+" : ""}${
                number(calm(next.extra, 1), 3)
              }</td>
        <td class="help">${
                next.breaks
                  ? `breaks ${next.breaks.name} (${number(next.breaks.value, 3)})`
                  : next.extra > 0
                  ? dearer
                  : constrained
                  ? "keeps every limit"
                  : "as good"
              }</td>`
              : html`<td colspan="3" class="help">no other action</td>`
          }`
      }</tr>`;
    })
  }</tbody></table></div>
    ${more}</div>`;
}

/** What an action costs to first order, limits included; else by itself. @param {import("../rcmdp.js").ActionCost} a */
const cost = (a) => (a.marginal !== null && a.marginal > 0 ? a.marginal : Math.abs(a.extra));

/**
 * The terms of one state's value, cost by cost.
 * @param {{ problem: Problem, why: Explanation }} props
 */
function Update({ problem, why }) {
  const [chosen, setChosen] = useState(0);
  const of = why.costs[Math.min(chosen, why.costs.length - 1)];
  if (!of) return null; // every cost is averaged over the models: no one equation has its value
  const { kernels } = problem.uncertainty;
  const reference = kernels ? kernels[0]?.name || "first kernel" : "nominal";
  const several = kernels?.length !== 1;
  return html`<div><h3><span>The value of <em>${problem.states[why.state]}</em></span> <small>${
    decisions(problem) > 0
      ? `at step ${why.step + 1}, where the plan comes with probability ${probability(of.visits)}`
      : problem.discount === 1
      ? `visited ${number(of.visits, 3)} ${number(of.visits, 3) === "1" ? "time" : "times"} an episode`
      : `${percent(of.visits)} of discounted time is spent there`
  }</small></h3>
    ${
    why.costs.length > 1 &&
    html`<${Segments} label="Which cost" value=${String(chosen)} choices=${why.costs.map((c, i) => ({ id: String(i), title: c.name }))} onChoose=${(
      /** @type {string} */ id,
    ) => setChosen(Number(id))} />`
  }
    <p>From here on: <b>${number(of.value)}</b> ${of.name} in the <${Term} word="worst case" />${of.kernel ? html` (${of.kernel.name})` : ""}: ${
    of.actions.filter((a) => a.probability > 5e-4).map((a, i) =>
      html`${i > 0 ? " + " : ""}${a.probability < 0.9995 ? html`${probability(a.probability)} × ` : ""}<span class="term">${a.action} (${
        number(calm(a.now, of.value), 4)
      } now + ${number(calm(a.onward, of.value), 4)} onward)</span>`
    )
  }</p>
    ${
    of.actions.filter((a) => a.probability > 5e-4).slice(0, 4).map((a) =>
      html`<div class="scroll" tabindex="0" role="region" aria-label=${`After ${a.action}`}><table class="lines"><caption>after <b>${a.action}</b></caption><thead><tr><th scope="col">next state</th>${
        several && html`<th scope="col" class="n">${reference}</th>`
      }<th scope="col" class="n">${
        several ? "nature picks" : "probability"
      }</th><th scope="col" class="n">value there</th><th scope="col" class="n">its part</th></tr></thead>
      <tbody>${
        a.next.map((next) =>
          html`<tr><th scope="row">${next.state}</th>${several && html`<td class="n">${probability(next.reference)}</td>`}<td class=${
            next.reference !== null && next.probability > next.reference + 5e-4 ? "n up" : "n"
          }>${probability(next.probability)}</td><td class="n">${number(next.value, 4)}</td><td class="n">${
            number(calm(problem.discount * next.probability * next.value, of.value), 4)
          }</td></tr>`
        )
      }</tbody></table></div>${a.omitted > 0 && html`<p class="help">and ${a.omitted} likely less often</p>`}`
    )
  }</div>`;
}
