// @ts-check
// worst.js — draws what nature does against the policy where it picks rows: those
// that a ball or interval moved, beside the nominal ones. (The worst kernels of a
// list stand beside the numbers they make.)

import { html, useState } from "../view.js";
import { list, number, percent, probability } from "../words/format.js";
import { supportSentence } from "../document/kinds.js";
import { Segments, useFew } from "./fields.js";

/** A change of a probability smaller than this is not worth an arrow. */
const STILL = 5e-4;
/** So many rows are shown at first. */
const FEW = 4;

/**
 * @param {{ problem: Doc, result: import("../rcmdp.js").Result }} props
 */
export function WorstCases({ problem, result }) {
  const [chosen, setChosen] = useState(0);
  const worst = result.worst ?? [];
  const shown = worst[Math.min(chosen, worst.length - 1)];
  const rows = shown?.rows ?? [];
  const few = useFew(rows, FEW, " rows");
  if (worst.length === 0 || problem.uncertainty.kernels) return null;
  const interval = problem.uncertainty.nominal === undefined;
  return html`<div><h3>Nature's worst rows <small>${supportSentence(problem.uncertainty)}</small></h3>
    ${
    worst.length > 1 &&
    html`<${Segments} label="Worst for which cost" value=${String(Math.min(chosen, worst.length - 1))} choices=${
      worst.map((w, i) => ({ id: String(i), title: w.cost }))
    } onChoose=${(/** @type {string} */ id) => setChosen(Number(id))} />`
  }
    ${
    rows.length === 0 ? html`<p class="quiet">Against this policy nature has nothing to gain: no row that it visits moved.</p>` : html`
    <p class="help">The rows that matter most for ${shown.cost}: ${
      interval ? "those the policy visits most" : "probability moved, weighed by how often the policy comes by"
    }.</p>
    <ul class="moves">${
      few.shown.map((r) =>
        html`<li><p><b>${r.action}</b> in <b>${r.state}</b>${movedWords(r)}</p>
      <div class="scroll"><table class="lines"><caption class="unseen">${r.action} in ${r.state}</caption><thead><tr><th scope="col">next state</th>${
          interval ? html`<th scope="col" class="n">allowed</th>` : html`<th scope="col" class="n">nominal</th>`
        }<th scope="col" class="n">worst case</th>${!interval && html`<th scope="col" class="n">change</th>`}</tr></thead>
        <tbody>${
          r.successors.map((to, j) => {
            const { nominal = [], lower = [], upper = [] } = r;
            const change = interval ? NaN : r.worst[j] - nominal[j];
            return html`<tr><th scope="row">${to}</th><td class="n">${
              interval ? `${probability(lower[j])} to ${probability(upper[j])}` : probability(nominal[j])
            }</td><td class="n">${probability(r.worst[j])}</td>
            ${
              !interval &&
              html`<td class=${change > STILL ? "n up" : "n"}>${Math.abs(change) < STILL ? "0" : `${change > 0 ? "▲ +" : "▼ "}${number(change, 3)}`}</td>`
            }</tr>`;
          })
        }</tbody></table></div>${r.omitted > 0 && html`<p class="help">and ${r.omitted} successors that changed less</p>`}</li>`
      )
    }</ul>
    ${few.more}`
  }
  </div>`;
}

/**
 * ": 0.10 moves from good to worn".
 * @param {import("../rcmdp.js").WorstRow} r
 */
function movedWords(r) {
  const visits = Number.isFinite(r.visits) ? html` <span class="help">${percent(r.visits)} of the time</span>` : "";
  const { nominal, moved } = r;
  if (!nominal || moved === null || !(moved > STILL)) return visits;
  const change = r.successors.map((to, j) => ({ to, by: r.worst[j] - nominal[j] }));
  const names = (/** @type {(by: number) => boolean} */ pick) => list(change.filter((c) => pick(c.by)).map((c) => c.to));
  return html`: ${number(moved, 3)} moves from ${names((by) => by < -STILL) || "elsewhere"} to ${names((by) => by > STILL) || "elsewhere"}.${visits}`;
}
