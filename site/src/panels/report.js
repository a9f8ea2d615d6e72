// @ts-check
// report.js — one run as a page of its own: the model, the answer, why, the charts,
// the certificate and how to check it again. It needs nothing but itself, opens from
// disk and prints well. Pure: text in, text out.

import { html } from "../view.js";
import { decisions, deedOf, merged, tableAt, planTables, whenOf } from "../document/steps.js";
import { renderToString } from "preact-render-to-string";
import { endNumbers } from "../document/reading.js";
import { setPhrase, supportPhrase } from "../document/kinds.js";
import { figuresOf } from "../lab/figures.js";
import { Plot } from "../picture/plot.js";
import { calm, count, list, number, percent, probability, seconds } from "../words/format.js";
import { boundText, discountWords, hasBound, isAveraged, isFeasible, isUnchecked, limitOf, scaleWords, valueWord, verdict } from "../words/words.js";
import { standing } from "../words/standing.js";

/** @typedef {import("../rcmdp.js").Explanation} Explanation */
/** @typedef {import("../rcmdp.js").Problem} Problem */
/** @typedef {import("../rcmdp.js").Result} Result */

const style =
  `:root{color-scheme:light dark;--bg:#fff;--ink:#1a1d21;--ink-2:#575d66;--line:#dedbd4;--accent:#0b6770;--bad:#a8261c;--tint:#e4f0f0;--well:#f1efea}
@media(prefers-color-scheme:dark){:root{--bg:#14171a;--ink:#e9e7e2;--ink-2:#a4abb3;--line:#31373d;--accent:#5fc3ca;--bad:#ff9389;--tint:#17363a;--well:#21262b}}
*{box-sizing:border-box}body{margin:0 auto;max-width:52rem;padding:2.5rem 1.25rem 4rem;background:var(--bg);color:var(--ink);font:.9375rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif;font-variant-numeric:tabular-nums}
h1{font-size:1.75rem;letter-spacing:-.02em;line-height:1.2;margin:0 0 .25rem}h2{font-size:1.125rem;margin:2.25rem 0 .6rem;letter-spacing:-.01em}p{margin:.35rem 0;max-width:44rem}
.soft{color:var(--ink-2)}.verdict{margin:1.5rem 0;padding:1rem 1.25rem;border-left:4px solid var(--accent);background:var(--well)}.verdict.bad{border-color:var(--bad)}
.verdict b{display:block;font-size:1.125rem;color:var(--accent)}.verdict.bad b{color:var(--bad)}.verdict .n{font-size:2.5rem;font-weight:600;letter-spacing:-.03em;line-height:1.2}.verdict small{font-size:1rem;font-weight:400;letter-spacing:0}a{color:var(--accent)}
table{border-collapse:collapse;font-size:.875rem}th,td{padding:.3rem .75rem .3rem 0;text-align:left;border-bottom:1px solid var(--line)}th{font-weight:500;color:var(--ink-2)}td.n,th.n{text-align:right;padding:.3rem 0 .3rem 1rem}:is(td,th).n+:not(.n){padding-left:1rem}.broken{color:var(--bad);font-weight:600}
.wide{overflow-x:auto}figure{margin:1rem 0;break-inside:avoid}figcaption{font-weight:600}svg{display:block;max-width:100%;height:auto}
svg text{fill:var(--ink-2);font:11px system-ui,sans-serif}.grid line{stroke:var(--line)}.axis line{stroke:var(--ink-2)}.line{fill:none;stroke:var(--accent);stroke-width:2}.line.bound{stroke:var(--ink)}.band{fill:var(--accent);fill-opacity:.2}.dots circle{fill:var(--accent)}.key span{margin-right:1rem}.key i{display:inline-block;width:1.1rem;height:0;border-top:2.5px solid var(--accent);vertical-align:middle;margin-right:.4rem}.key i.bound{border-color:var(--ink)}.key i.band{height:.7rem;border:0;background:var(--accent);opacity:.2}.key i.dot{width:.55rem;height:.55rem;border:0;border-radius:50%;background:var(--accent)}.key i.dot.bad{background:var(--bad)}.dots.bad circle{fill:none;stroke:var(--bad);stroke-width:1.5}.region rect{fill:var(--tint)}.mark circle{fill:var(--bg);stroke:var(--ink);stroke-width:2}.mark text{fill:var(--ink);font-weight:600}
pre{white-space:pre-wrap;overflow-wrap:anywhere;font:.75rem/1.45 ui-monospace,Menlo,Consolas,monospace;background:var(--well);padding:.75rem;max-height:24rem;overflow:auto}summary{cursor:pointer;color:var(--accent)}.paper{display:none}
@page{margin:15mm}@media print{body{max-width:none;padding:0;font-size:10pt}details,.screen{display:none}.paper{display:block}h2{break-after:avoid;margin:1.25rem 0 .4rem}tr,li,.verdict{break-inside:avoid}.verdict{margin:1rem 0}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}`;

/**
 * @typedef {{
 *   name: string, problem: Problem, result: Result, method: Pick<import("../rcmdp.js").Algorithm, "title" | "shape">, explanation: Explanation | null, link: string, made: string,
 * }} Reported link: an address that opens the model; made: when, as a person reads it
 */

/** @param {Reported} run @returns {string} an HTML document */
export function reportHtml(run) {
  const { name, problem, result, method, explanation, link, made } = run;
  const { tone, headline, sentence } = verdict(problem, result);
  const why = isFeasible(result) ? explanation : null; // nothing is said for a plan that breaks a limit
  const body = renderToString(html`
    <h1>${name}</h1><p class="soft">${method.title}, ${count(result.evaluations, "evaluation")}${
    result.seconds === null ? "" : `, ${seconds(result.seconds)}`
  }. Made ${made} with RCMDP Lab${result.version?.rcmdp ? ` ${result.version.rcmdp}` : ""}.</p>
    <div class=${`verdict ${tone}`}><b>${headline}</b>${
    isFeasible(result) &&
    html`<p class="n">${number(result.objective.value)} <small class="soft">${valueWord(problem)} ${problem.objective.name}</small></p>`
  }<p>${sentence}</p></div>
    <h2>The model</h2>${problem.description && html`<p>${problem.description}</p>`}${problem.source && html`<p class="soft">Source: ${problem.source}</p>`}
    <p>${problem.objective.sense === "maximize" ? "Maximise" : "Minimise"} <b>${problem.objective.name}</b>, ${scaleWords(problem, problem.objective)}, ${
    discountWords(problem)
  }; ${count(problem.states.length, "state")}, ${count(problem.actions.length, "action")}. Nature: ${setPhrase(problem.uncertainty)}${
    supportPhrase(problem.uncertainty)
  }.</p>
    ${limits(problem, result, why)}
    ${plan(problem, result, why)}
    ${guards(problem, why)}
    ${search(problem, result, method.shape)}
    ${proof(problem, result, link)}`);
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${
    escaped(name)
  }</title><style>${style}</style></head>\n<body>${body}</body></html>\n`;
}

/** @param {Problem} problem @param {Result} result @param {Explanation | null} explanation */
const limits = (problem, result, explanation) =>
  result.constraints.length > 0 &&
  html`<h2>Limits</h2><div class="wide"><table><thead><tr><th>limit</th><th class="n">threshold</th><th class="n">${
    isAveraged(problem) ? "value" : "worst case"
  }</th><th class="n">slack</th>${explanation && html`<th class="n">price</th>`}<th>standing</th></tr></thead><tbody>${
    result.constraints.map((c, i) => {
      const size = Math.max(Math.abs(c.threshold), Math.abs(c.value ?? 0));
      const price = explanation?.limits[i]?.price;
      return html`<tr><td>${c.name}</td><td class="n">${limitOf(problem.constraints?.[i]).sign} ${number(c.threshold)}</td><td class="n">${
        number(calm(c.value, size))
      }</td><td class="n">${number(calm(c.slack, size))}</td>${
        explanation && html`<td class="n">${number(calm(price, Math.abs(result.objective.value ?? 0) / (size || 1)), 3)}</td>`
      }<td class=${standing(c).startsWith("violated") ? "broken" : ""}>${standing(c)}</td></tr>`;
    })
  }</tbody></table></div>${
    explanation && html`<p class="soft">The price is a local multiplier: units of ${problem.objective.name} for one unit of the threshold, near this plan.</p>`
  }`;

/** @param {Problem} problem @param {Result} result @param {Explanation | null} explanation */
function plan(problem, result, explanation) {
  const ends = endNumbers(problem);
  const all = decisions(problem);
  if (result.policy.length > 0 && all > 0) {
    const columns = merged(planTables(result.policy), /** @type {boolean[][] | undefined} */ (result.reached));
    return html`<h2>The plan over ${count(all, "decision")}</h2><div class="wide"><table><thead><tr><th>state</th>${
      columns.map((c) => html`<th>${whenOf(c, all)}</th>`)
    }</tr></thead><tbody>${
      problem.states.map((name, s) =>
        html`<tr><td>${name}${ends.has(s) ? " (an end)" : ""}</td>${
          columns.map(({ rows }) => html`<td>${ends.has(s) ? "" : rows[s] ? deedOf(problem.actions, rows[s], probability) : "never reached"}</td>`)
        }</tr>`
      )
    }</tbody></table></div>`;
  }
  const states = /** @type {import("../rcmdp.js").ActionCost[][] | null} */ (explanation?.states ?? null);
  return result.policy.length > 0 &&
    html`<h2>The plan</h2><div class="wide"><table><thead><tr><th>state</th>${problem.actions.map((a) => html`<th class="n">${a}</th>`)}${
      explanation?.states && html`<th class="n">next best costs</th>`
    }</tr></thead><tbody>${
      tableAt(result.policy, 0).map((row, s) =>
        html`<tr><td>${problem.states[s]}${ends.has(s) ? " (an end)" : result.reached?.[s] === false && " (never reached)"}</td>${
          row.map((p) => html`<td class="n">${p < 5e-4 || ends.has(s) ? "" : probability(p)}</td>`)
        }${states && html`<td class="n">${ends.has(s) ? "" : runnerUp(problem, states[s])}</td>`}</tr>`
      )
    }</tbody></table></div>`;
}

/** The kernels that are somebody's worst case, each with the shares of what. @param {Problem} problem @param {Explanation | null} explanation */
function guards(problem, explanation) {
  const costs = [problem.objective, ...(problem.constraints ?? [])];
  const binding = explanation?.kernels.filter((k) => k.kernel) ?? [];
  const shares = (/** @type {string | undefined} */ name) =>
    binding.filter((k) => k.kernel?.name === name).map((k) => `${percent(k.share)} of ${costs[k.cost]?.name}`).join(", ");
  return (problem.uncertainty.kernels?.length ?? 0) > 1 && binding.length > 0 &&
    html`<h2>What it guards against</h2><p>${list([...new Set(binding.map((k) => k.kernel?.name))].map((name) => `${name} (${shares(name)})`))}.</p>`;
}

/** @param {Problem} problem @param {Result} result @param {import("../lab/figures.js").Shape} shape */
function search(problem, result, shape) {
  const { figures } = figuresOf(problem, shape, /** @type {any} */ (result.trace));
  return figures.length > 0 &&
    html`<h2>The search</h2>${
      figures.map((figure) =>
        html`<figure><figcaption>${figure.title}</figcaption><p class="soft">${figure.says}</p><${Plot} figure=${figure} width=${760} /><p class="soft key">${
          figure.legend.map(({ tone, label, dots }) => html`<span><i class=${dots ? `dot ${tone}` : tone}></i>${label}</span>`)
        }</p></figure>`
      )
    }`;
}

/** @param {Problem} problem @param {Result} result @param {string} link */
const proof = (problem, result, link) =>
  html`
    <h2>${isUnchecked(result) ? "How to check it" : "What is proved, and how to check it"}</h2>
    <p>${
    hasBound(result) || result.status === "proved-infeasible"
      ? result.certificate
        ? `The ${
          result.status === "proved-infeasible" ? "impossibility" : `bound ${boundText(result.objective)}`
        } stands on the certificate in this file. A checker that shares no code that computes with the search accepted it.`
        : "The bound was checked when the run ended; its certificate is not in this file."
      : isUnchecked(result)
      ? "This plan came from elsewhere. When this page was made nothing of it had been checked: neither its numbers nor what it claims."
      : isFeasible(result)
      ? "Nothing is proved about how good this plan is; that it keeps its limits was evaluated."
      : "That no plan keeps the limits is not proved, and this one does not keep them."
  }</p>
    <p class="paper">The model, the policy${result.certificate ? ", the certificate" : ""} and how to check them are in the file that this was printed from.</p>
    <ol class="screen"><li>Open <a href=${link}>the model in the lab</a>, or save the document below as a file and drop it on the page.</li>${
    result.certificate ? html`<li>Save the certificate below as a file and drop it on the page: it is checked against the model there.</li>` : ""
  }<li>Or in Node: <code>await (await openSolver()).check(problem, certificate, policy)</code>.</li></ol>
    <details><summary>The model as a document</summary><pre id="model">${JSON.stringify(problem, null, 1)}</pre></details>
    <details><summary>The policy as a document</summary><pre id="policy">${
    JSON.stringify(
      {
        format: "rcmdp-policy/1",
        states: problem.states,
        actions: problem.actions,
        ...(decisions(problem) > 0 ? { horizon: decisions(problem) } : {}),
        probabilities: result.policy,
      },
      null,
      1,
    )
  }</pre></details>
    ${result.certificate ? html`<details><summary>The certificate</summary><pre id="certificate">${JSON.stringify(result.certificate)}</pre></details>` : ""}`;

/** @param {Problem} problem @param {import("../rcmdp.js").ActionCost[]} actions */
function runnerUp(problem, actions) {
  const most = actions.reduce((a, b) => (b.probability > a.probability ? b : a));
  const others = actions.filter((a) => a !== most);
  if (others.length === 0) return "–";
  const next = others.reduce((a, b) => ((b.marginal ?? b.extra) < (a.marginal ?? a.extra) ? b : a));
  return `${problem.actions[next.action]} ${next.extra >= 0 ? "+" : ""}${number(calm(next.extra, 1), 3)}${next.breaks ? `, breaks ${next.breaks.name}` : ""}`;
}

/** @param {string} text */
const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

/**
 * Makes the report of an answer and offers it as a file.
 * @param {import("./parts.js").Lab} lab
 * @param {import("../lab/state.js").Answer} answer
 */
export async function saveReport(lab, answer) {
  const link = lab.linkTo(answer); // of now, whatever is edited while the report is made
  const { fileStem, saveFile } = await import("../browser.js");
  const { problem, result, name } = answer;
  const explanation = result.policy.length > 0 ? await lab.solver()?.explain(problem, result.policy).catch(() => null) ?? null : null;
  const text = reportHtml({
    name,
    problem,
    result,
    method: lab.methodOf(answer.algorithm),
    explanation,
    link: await link,
    made: new Date().toLocaleDateString(undefined, { dateStyle: "long" }),
  });
  saveFile(`${fileStem(name)}-report.html`, text, "text/html");
}
