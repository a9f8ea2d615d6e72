// @ts-check
// compare.js — draws the board: runs side by side in one table, where their policies
// differ, their searches overlaid, and what robustness costs.

import { html, useState } from "../view.js";
import { SAME, decisions, planTables } from "../document/steps.js";
import { nominalOf } from "../document/nominal.js";
import { overlaid } from "../lab/figures.js";
import { sameModel } from "../document/same.js";
import { isSweep } from "../share/share.js";
import { calm, count, integer, number, seconds } from "../words/format.js";
import { boundText, gapOf, isAveraged, isFeasible, isUnchecked, limitOf } from "../words/words.js";
import { standing } from "../words/standing.js";
import { Figures } from "./charts.js";
import { useMade } from "./made.js";

/** @typedef {import("../lab/board.js").Entry} Entry */
/** @typedef {import("../lab/board.js").Robustness} Robustness */
/** @typedef {import("./parts.js").Lab} Lab */
/** @typedef {import("../rcmdp.js").Problem} Problem */

/** So many states of a heat map are shown. */
const MOST_STATES = 60;

/** @param {import("./panels.js").PanelProps} props */
export function Panel({ lab, state, problem, answer, fresh }) {
  const saved = useSaved(lab, state);
  const { busy = false, rows = [], problem: of = null } = state.panels.compare ?? {};
  /** @type {Entry[]} */
  const methods = of && sameModel(of, problem) ? rows : [];
  const entries = [...saved, ...methods.filter((/** @type {Entry} */ m) => m.result !== null || m.message !== "" || busy)];
  return html`<div class="stack">
    <div><p class="row"><button type="button" onClick=${lab.compareMethods} disabled=${busy || state.engine.phase !== "ready"}>${
    busy ? "Solving with every method…" : "Solve with every method that fits"
  }</button>
      <span class="help">${
    entries.length === 0 ? "Or set saved runs side by side: each has a button for it under Runs." : count(entries.length, "run")
  }</span></p>
    ${entries.length > 0 && html`<${Board} lab=${lab} problem=${problem} entries=${entries} />`}</div>
    ${
    answer && fresh && isFeasible(answer.result) && nominalOf(answer.problem) &&
    html`<${Robust} lab=${lab} problem=${answer.problem} policy=${answer.result.policy} robust=${state.panels.robust} />`
  }
    ${entries.length > 1 && html`<${Differences} entries=${entries} />`}
    ${entries.length > 1 && html`<${Overlay} name=${problem.objective.name} entries=${entries} />`}
  </div>`;
}

/**
 * The saved runs on the board, read when they are put there.
 * @param {Lab} lab
 * @param {import("../lab/state.js").State} state
 * @returns {Entry[]}
 */
function useSaved(lab, state) {
  const load = async () => {
    const runs = await Promise.all(state.compared.map((id) => lab.solver()?.runs.get(id).catch(() => null)));
    return runs.filter((run) => run != null).map(({ id, name: label, algorithm, problem, result: end }) => {
      const result = isSweep(end) ? null : end;
      return { id, label, algorithm, problem, result, message: result ? "" : end ? "is a trade-off: open it to see its points" : "has not ended" };
    });
  };
  const { made } = useMade(load, [state.compared.join(" "), state.engine.phase]);
  return (made ?? []).filter((entry) => state.compared.includes(entry.id));
}

/** Whether its value may be the best of all: what nobody has checked here is none. @param {import("../rcmdp.js").Result} result */
const isKnown = (result) => isFeasible(result) && !isUnchecked(result);

/** @param {{ lab: Lab, problem: Problem, entries: Entry[] }} props */
function Board({ lab, problem, entries }) {
  const limits = [...new Set(entries.flatMap((e) => (e.problem.constraints ?? []).map((c) => c.name)))];
  const max = problem.objective.sense === "maximize";
  const values = entries.map((e) => (e.result && isKnown(e.result) ? e.result.objective.value : null)).filter((v) => v !== null);
  const best = values.length > 0 ? (max ? Math.max(...values) : Math.min(...values)) : NaN;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Runs side by side"><table class="lines board"><thead><tr><th scope="col">run</th><th scope="col" class="n">${problem.objective.name}</th><th scope="col" class="n">bound</th><th scope="col" class="n">open</th>${
    limits.map((l) => html`<th scope="col" class="n limit">${l}</th>`)
  }<th scope="col" class="n">evaluations</th><th scope="col" class="n">time</th><th scope="col"><span class="unseen">take off</span></th></tr></thead>
    <tbody>${
    entries.map((e) => {
      const { result } = e;
      const remove = e.id.startsWith("method:")
        ? ""
        : html`<button type="button" class="plain" onClick=${() => lab.toggleCompared(e.id)} aria-label=${`Take ${e.label} off`}>×</button>`;
      if (!result || result.status === "failed")
        return html`<tr><th scope="row">${e.label}</th><td colspan=${5 + limits.length} class="help">${
          e.message || (result ? result.warnings.join(" ") : "…")
        }</td><td>${remove}</td></tr>`;
      const feasible = isFeasible(result);
      const { value } = result.objective;
      const gap = feasible ? gapOf(value, result.objective).text : "";
      const top = isKnown(result) && value !== null && Math.abs(value - best) <= 1e-6 * Math.abs(best);
      return html`<tr><th scope="row">${e.label}${isUnchecked(result) && html` <small>not checked here</small>`}</th><td class=${top ? "n top" : "n"}>${
        feasible ? number(value) : html`<span class="broken">${result.status === "proved-infeasible" ? "infeasible" : "none found"}</span>`
      }</td>
        <td class="n">${boundText(result.objective)}</td><td class="n">${gap || "–"}</td>
        ${
        limits.map((l) => {
          const i = (e.problem.constraints ?? []).findIndex((c) => c.name === l);
          const c = result.constraints[i];
          return html`<td class=${c && standing(c).startsWith("violated") ? "n broken" : "n"} title=${c && !isUnchecked(result) ? standing(c) : ""}>${
            c ? html`${number(c.value, 4)} <small>${limitOf(e.problem.constraints?.[i]).sign} ${number(c.threshold, 4)}</small>` : "–"
          }</td>`;
        })
      }<td class="n">${integer(result.evaluations)}</td><td class="n">${result.seconds === null ? "–" : seconds(result.seconds)}</td><td>${remove}</td></tr>`;
    })
  }</tbody></table></div>`;
}

/**
 * Where two policies differ, state by state.
 * @param {{ entries: Entry[] }} props
 */
function Differences({ entries }) {
  const with_ = entries.filter((e) => e.result && e.result.policy.length > 0);
  const [pair, setPair] = useState(/** @type {[string, string]} */ (["", ""]));
  const a = with_.find((e) => e.id === pair[0]) ?? with_[0];
  const b = with_.find((e) => e.id === pair[1] && e !== a) ?? with_.find((e) => e !== a);
  if (!a?.result || !b?.result) return null;
  const [p, q] = [a, b].map((e) => planTables(/** @type {import("../rcmdp.js").Result} */ (e.result).policy).flat());
  const each = a.problem.states.length;
  const nameOf = (/** @type {number} */ s) => `${a.problem.states[s % each]}${decisions(a.problem) > 0 ? `, step ${Math.floor(s / each) + 1}` : ""}`;
  const alike = a.problem.states.join() === b.problem.states.join() && a.problem.actions.join() === b.problem.actions.join() &&
    decisions(a.problem) === decisions(b.problem);
  const far = (/** @type {number[]} */ row, /** @type {number} */ s) => Math.max(...row.map((x, i) => Math.abs(x - (q[s]?.[i] ?? 0))));
  const states = p.map((row, s) => ({ s, by: far(row, s) })).filter((x) => x.by > SAME).sort((x, y) => y.by - x.by).slice(0, MOST_STATES).sort((x, y) =>
    x.s - y.s
  );
  const pick = (/** @type {0 | 1} */ i, /** @type {Entry} */ now, /** @type {string} */ label) =>
    html`<select aria-label=${label} value=${now.id} onChange=${(/** @type {FieldEvent} */ e) =>
      setPair(i === 0 ? [e.target.value, b.id] : [a.id, e.target.value])}>${with_.map((e) => html`<option value=${e.id}>${e.label}</option>`)}</select>`;
  return html`<div><h3>Where the plans differ</h3><p class="row">${pick(1, b, "The plan that is compared")} <span class="help">against</span> ${
    pick(0, a, "The plan that it is compared with")
  }</p>
    ${
    !alike
      ? html`<p class="quiet">These runs are of models with other states or actions, or another number of decisions.</p>`
      : states.length === 0
      ? html`<p class="quiet">They are the same plan: no probability differs by ${SAME} or more.</p>`
      : html`
    <div class="scroll" tabindex="0" role="region" aria-label="Differences of the policies"><table class="policy differ"><caption>${states.length} of ${p.length} states differ; each cell is the probability more (+) or less (−) of ${b.label}</caption>
      <thead><tr><th scope="col"><span class="unseen">state</span></th>${a.problem.actions.map((action) => html`<th scope="col">${action}</th>`)}</tr></thead>
      <tbody>${
        states.map(({ s }) =>
          html`<tr><th scope="row">${nameOf(s)}</th>${
            p[s].map((x, i) => {
              const d = (q[s]?.[i] ?? 0) - x;
              return html`<td class=${d > 0 ? "more" : "fewer"} style=${{ "--p": Math.abs(d) * 0.62 }}>${
                Math.abs(d) < SAME ? "" : `${d > 0 ? "+" : "−"}${Math.abs(d).toFixed(2)}`
              }</td>`;
            })
          }</tr>`
        )
      }</tbody></table></div>`
  }</div>`;
}

/** @param {{ name: string, entries: Entry[] }} props */
function Overlay({ name, entries }) {
  const figure = overlaid(
    name,
    entries.flatMap((e) => (e.result?.trace ? [{ label: e.label, algorithm: e.algorithm, trace: /** @type {any} */ (e.result.trace) }] : [])),
  );
  return figure && html`<${Figures} figures=${[figure]} name="Runs side by side" />`;
}

/**
 * The price of robustness: this plan and the one that is best for the nominal model
 * alone, each under every model.
 * @param {{ lab: Lab, problem: Problem, policy: number[][], robust: Robustness | undefined }} props policy: this plan's
 */
function Robust({ lab, problem, policy, robust }) {
  const here = robust && robust.problem === problem && robust.policy === policy ? robust : null;
  const names = [problem.objective.name, ...(problem.constraints ?? []).map((c) => c.name)];
  return html`<div><h3>The price of robustness</h3>
    ${
    !here || here.message
      ? html`<p class="help">What this plan pays for ${
        isAveraged(problem)
          ? "looking at all models"
          : problem.constraints?.length
          ? "keeping its limits whatever nature does"
          : "being good whatever nature does"
      }, beside the plan that is best if the nominal model is true.</p>
      <p><button type="button" onClick=${lab.priceRobustness}>What does it cost?</button></p>${here?.message && html`<p class="fault">${here.message}</p>`}`
      : here.busy
      ? html`<p class="quiet" role="status">Solving the nominal model…</p>`
      : html`
    <div class="scroll" tabindex="0" role="region" aria-label="The price of robustness"><table class="lines"><thead><tr><th scope="col">model of the world</th>${
        here.columns.flatMap((c) => names.map((n) => html`<th scope="col" class="n">${n},<br />${c.label}</th>`))
      }</tr></thead><tbody>${
        rowsOf(problem, here).map(({ name, cells }) =>
          html`<tr><th scope="row">${name}</th>${
            cells.map((c) => html`<td class=${c.broken ? "n broken" : "n"}>${number(calm(c.value, c.size), 4)}</td>`)
          }</tr>`
        )
      }</tbody></table></div>
    <p class="help">${priceWords(problem, here)}</p>`
  }</div>`;
}

/** @param {Problem} problem @param {Robustness} robust */
function rowsOf(problem, robust) {
  const cell = (/** @type {number | undefined} */ value, /** @type {number} */ n) => {
    const c = n > 0 ? problem.constraints?.[n - 1] : undefined;
    const threshold = c ? limitOf(c).threshold ?? 0 : 0;
    const over = c && value !== undefined ? (c.atLeast !== undefined ? threshold - value : value - threshold) : 0;
    return { value, size: Math.max(Math.abs(threshold), 1e-9), broken: over > 1e-6 * Math.max(Math.abs(threshold), 1e-9) };
  };
  const { kernels = [] } = problem.uncertainty;
  /** By cost of each plan. @param {0 | 1} under the nominal model or the set @param {(r: import("../rcmdp.js").Return) => number | undefined} value */
  const cells = (under, value) => robust.columns.flatMap((c) => c.under[under].evaluation.returns.map((r, n) => cell(value(r), n)));
  return [
    ...kernels.map((k, i) => ({ name: k.name || `kernel ${i + 1}`, cells: cells(1, (r) => r.byKernel?.[i]) })),
    ...(kernels.length === 0 ? [{ name: "nominal", cells: cells(0, (r) => r.value) }] : []),
    { name: isAveraged(problem) ? "over the models as asked for" : "worst case", cells: cells(1, (r) => r.value) },
  ];
}

/** @param {Problem} problem @param {Robustness} robust */
function priceWords(problem, robust) {
  const [plan, nominal] = robust.columns.map((c) => c.under[0].evaluation.returns[0].value);
  const max = problem.objective.sense === "maximize";
  const extra = max ? nominal - plan : plan - nominal;
  const broken = robust.columns[1].under[1].evaluation.returns.slice(1).filter((r) => (r.violation ?? 0) > 1e-6 * Math.max(1e-9, Math.abs(r.threshold ?? 0)));
  const wide = isAveraged(problem) ? "over the models as asked for" : "when nature is at its worst";
  return `If the nominal model is true, this plan is ${number(Math.abs(calm(extra, plan) ?? 0), 3)} ${problem.objective.name} ${
    extra >= 0 ? (max ? "below" : "dearer than") : (max ? "above" : "cheaper than")
  } the nominal plan. ${
    broken.length > 0
      ? `The nominal plan breaks ${broken.map((r) => r.name).join(" and ")} ${wide}.`
      : problem.constraints?.length
      ? `The nominal plan keeps every limit ${wide}, too.`
      : ""
  }`;
}
