// @ts-check
// methods.js — Table 1 of the paper, told as it stands after the erratum: what
// each approach is known to guarantee for each class of problems, why, who says
// so, and an example in the lab that runs.

import { html } from "../view.js";
import { writeFragment } from "../share/fragment.js";
import { pack } from "../share/share.js";
import { csv } from "../words/format.js";
import { Figure, useComputed } from "./figure.js";

/**
 * @typedef {"yes" | "if" | "answer" | "no"} Mark
 * @typedef {{ example: string, algorithm: string[], option?: Record<string, string>, unconstrained?: boolean }} Example
 *   algorithm: the first that the build has; unconstrained: the example without its constraints
 * @typedef {{ mark: Mark, why: string, cite: string, example: Example, see?: string }} Cell see: the part of this page where it fails
 */

/** @type {Record<Mark, { sign: string, word: string }>} */
const signs = {
  yes: { sign: "●", word: "guaranteed" },
  if: { sign: "◐", word: "under conditions" },
  answer: { sign: "◎", word: "proved per answer" },
  no: { sign: "○", word: "no guarantee" },
};

export const classes = [
  { name: "MDP", says: "one kernel, no limits" },
  { name: "CMDP", says: "one kernel, limits" },
  { name: "RMDP", says: "many kernels, no limits" },
  { name: "RCMDP", says: "many kernels, limits" },
];

const mdp = (/** @type {string} */ algorithm, /** @type {Record<string, string>} */ option = {}) => ({
  example: "setting-c",
  algorithm: [algorithm],
  option,
  unconstrained: true,
});
const best = ["solve", "slp"];
const hard = "arXiv 2604.21177";

/** @type {{ name: string, ours?: boolean, cells: Cell[] }[]} */
export const approaches = [
  {
    name: "Dynamic programming",
    cells: [
      { mark: "yes", why: "Policy iteration on Bellman's equation ends at a best policy.", cite: "Bellman 1957", example: mdp("policy-iteration") },
      {
        mark: "no",
        why: "A best policy may have to be random, and no single Bellman equation has the limits in it.",
        cite: "the paper, Table 1",
        example: { example: "setting-c", algorithm: ["occupancy-lp"] },
      },
      {
        mark: "if",
        why: "For s- and (s,a)-rectangular sets; in general no other sets are known to be tractable.",
        cite: "Iyengar 2005; arXiv 2411.08435",
        example: { example: "machine-repair-l1", algorithm: ["robust-policy-iteration", "slp"], unconstrained: true },
      },
      {
        mark: "no",
        why: "Each cost has its own worst kernel, so there is no one value function to iterate on.",
        cite: hard,
        example: { example: "machine-repair-l1", algorithm: best },
      },
    ],
  },
  {
    name: "Linear programming",
    cells: [
      { mark: "yes", why: "The occupancy measures of all policies form a polytope.", cite: "Denardo 1970", example: mdp("occupancy-lp") },
      { mark: "yes", why: "Limits are rows of the same program.", cite: "Altman 1999", example: { example: "setting-c", algorithm: ["occupancy-lp"] } },
      {
        mark: "no",
        why: "Every kernel has occupancy measures of its own. The program of one kernel still gives a lower bound.",
        cite: hard,
        example: { example: "local-minimum", algorithm: best },
      },
      {
        mark: "no",
        why: "As for RMDPs; the single-kernel programs bound the answer from below.",
        cite: hard,
        example: { example: "setting-a", algorithm: best },
      },
    ],
  },
  {
    name: "Lagrangian + policy gradient",
    cells: [
      {
        mark: "yes",
        why: "Every stationary policy is a best one when every state can be the first.",
        cite: "Agarwal et al. 2021",
        example: mdp("lagrangian", { outerIterations: "5", innerIterations: "2000", stepSize: "5e-4" }),
      },
      {
        mark: "yes",
        why: "For averages of occupancy measures. The last policy can swing around the limit, and the average of the policies need not be good.",
        cite: "Ding et al. 2020; Zahavy et al. 2021",
        example: { example: "setting-c", algorithm: ["lagrangian-occupancy-average"], option: { innerIterations: "500", stepSize: "5e-4" } },
      },
      {
        mark: "if",
        why: "If each policy has one worst kernel, or one worst action-value function. Two kernels are enough for suboptimal strict local minima.",
        cite: hard,
        see: "#trap",
        example: { example: "local-minimum", algorithm: ["lagrangian"], option: { outerIterations: "5", innerIterations: "2000", stepSize: "5e-3" } },
      },
      {
        mark: "no",
        why: "The gradients of objective and limit can cancel at a policy that is far from the best.",
        cite: "the paper, its theorem on gradient conflict",
        see: "#landscape",
        example: { example: "gradient-conflict", algorithm: ["lagrangian"], option: { innerIterations: "500", stepSize: "5e-3" } },
      },
    ],
  },
  {
    name: "Epigraph + policy gradient (the paper)",
    cells: [
      {
        mark: "yes",
        why: "With one kernel every local minimum of Δ is global when every state can be the first.",
        cite: "as for CMDPs",
        example: mdp("epirc-pgs", { innerIterations: "1000", stepSize: "5e-4" }),
      },
      {
        mark: "yes",
        why: "In occupancy measures Δ is a maximum of linear functions. The step size that the theory asks for is out of reach.",
        cite: "the paper's setting (c)",
        example: { example: "setting-c", algorithm: ["epirc-pgs"], option: { innerIterations: "1000", stepSize: "5e-4" } },
      },
      {
        mark: "if",
        why: "The condition of the row above. Not for finite sets: from some starts EpiRC-PGS stops at 5.749 where 0.340 is attained.",
        cite: "arXiv 2604.21177, 2511.02224",
        see: "#trap",
        example: { example: "local-minimum", algorithm: ["epirc-pgs"], option: { innerIterations: "1000", stepSize: "5e-3" } },
      },
      {
        mark: "no",
        why: "Withdrawn by the erratum: a stationary policy need not be a best one, and finding a nearly best one is NP-hard even for (s,a)-rectangular sets.",
        cite: "the paper's erratum; arXiv 2604.21177",
        example: { example: "setting-a", algorithm: ["epirc-pgs"], option: { innerIterations: "1000", stepSize: "5e-4" } },
      },
    ],
  },
  {
    name: "Sequential LP + certified bound (this lab)",
    ours: true,
    cells: [
      { mark: "yes", why: "The program of the one kernel is the bound, and it meets the policy.", cite: "linear programming duality", example: mdp(best[0]) },
      {
        mark: "yes",
        why: "As for MDPs, with the limits in the program.",
        cite: "linear programming duality",
        example: { example: "setting-c", algorithm: best },
      },
      {
        mark: "answer",
        why:
          "Nothing can be promised beforehand: the problem is NP-hard. An answer says how far from the best it can be at most, and it is called proved when the bound meets it and is checked.",
        cite: "arXiv 2604.21177, 2511.02224",
        example: { example: "local-minimum", algorithm: best },
      },
      { mark: "answer", why: "As for RMDPs, limits included.", cite: hard, example: { example: "machine-repair", algorithm: best } },
    ],
  },
];

/**
 * The fragment of a cell's example, or null while it is not known.
 * @param {Example} cell
 * @param {Set<string>} built ids of the methods that there are
 * @param {Record<string, { text: string, sum: string }>} packed documents without constraints, as links carry them
 */
export function fragmentOf({ example, algorithm, option, unconstrained }, built, packed) {
  const id = algorithm.find((a) => built.has(a));
  if (!id) return null;
  if (!unconstrained) return writeFragment({ example, algorithm: id, option, run: true });
  const document = packed[example];
  return document ? writeFragment({ problem: document.text, sum: document.sum, algorithm: id, option, run: true }) : null;
}

/** @param {import("./figure.js").FigureProps} props */
export function Methods({ solver, tell }) {
  const { value: links } = useComputed(
    solver,
    async (s) => {
      const built = new Set((await s.algorithms()).map((a) => a.id));
      /** @type {Record<string, { text: string, sum: string }>} */
      const unconstrained = {};
      for (const { example } of approaches.flatMap((a) => a.cells)) {
        if (!example.unconstrained || unconstrained[example.example]) continue;
        const problem = await s.example(example.example);
        unconstrained[example.example] = await pack({ ...problem, name: `${problem.name}, without constraints`, constraints: [] });
      }
      return { built, unconstrained };
    },
    0,
    tell,
  );
  const data = () => ({
    head: ["approach", ...classes.map((c) => c.name)],
    rows: approaches.map((a) => [a.name, ...a.cells.map((c) => signs[c.mark].word)]),
  });
  const reasons = () =>
    csv([
      ["approach", "class", "verdict", "reason", "source"],
      ...approaches.flatMap((a) => a.cells.map((c, i) => [a.name, classes[i].name, signs[c.mark].word, c.why, c.cite])),
    ]);
  return html`<${Figure} id="methods" title="Approaches and what they guarantee" tell=${tell} drawing=${false} data=${data} csvText=${reasons}>
    <table class="approaches" role="table">
      <thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">Approach</th>${
    classes.map((c) => html`<th scope="col" role="columnheader">${c.name}<small>${c.says}</small></th>`)
  }</tr></thead>
      <tbody role="rowgroup">${
    approaches.map((a) =>
      html`<tr role="row" class=${a.ours ? "ours" : ""}><th scope="row" role="rowheader">${a.name}</th>${
        a.cells.map((c, i) => {
          const fragment = links && fragmentOf(c.example, links.built, links.unconstrained);
          return html`<td role="cell" class=${c.mark}><p class="mark"><span aria-hidden="true">${signs[c.mark].sign}</span> <span class="class">${
            classes[i].name
          }: </span>${signs[c.mark].word}</p>
          <p>${c.why}</p><p class="cite">${c.cite}${
            fragment ? html` · <a href="../${fragment}">run it<span class="unseen">: ${a.name}, ${classes[i].name}</span></a>` : ""
          }${c.see ? html` · <a href=${c.see}>see it fail<span class="unseen">: ${a.name}, ${classes[i].name}</span></a>` : ""}</p></td>`;
        })
      }</tr>`
    )
  }</tbody>
    </table>
  <//>`;
}
