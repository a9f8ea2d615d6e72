// @ts-check
// ways.js — what can be done when no plan keeps the limits: take the least limits that can be kept, be
// less cautious, or look at what the nominal plan does. Emits: edit.

import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { keepable, leastOf, lessCautious, nominalPlan } from "../lab/limits.js";
import { said } from "../lab/core.js";
import { number, percent } from "../words/format.js";
import { limitOf } from "../words/words.js";
import { useMade } from "./made.js";
import { solverOf } from "./parts.js";

/** @param {{ lab: import("./parts.js").Lab, problem: import("../rcmdp.js").Problem }} props */
export function Ways({ lab, problem }) {
  const limits = problem.constraints ?? [];
  const least = async () => {
    const values = await Promise.all(limits.map((_, n) => leastOf(solverOf(lab), problem, n)));
    return limits.map((c, n) => {
      const { threshold, side } = sideOf(c);
      const below = side === "atLeast";
      const value = values[n];
      const out = value !== null && (below ? value < threshold : value > threshold);
      return { name: c.name, side, bound: out ? keepable(value, below) : threshold, out };
    });
  };
  const kept = useMade(least, [problem]);
  const calmer = useMade(() => lessCautious(solverOf(lab), problem), [problem], 50);
  const [plan, setPlan] = useState("");
  const show = async () => {
    setPlan("Working it out…");
    try {
      const found = await nominalPlan(solverOf(lab), problem);
      setPlan(
        found
          ? `Planned for the nominal kernel alone: ${
            found.nominal.map((r, n) => `${r.name} ${number(r.value, 5)} if that kernel is true, ${number(found.worst[n].value, 5)} in the worst case`).join(
              "; ",
            )
          }.`
          : "This set has no nominal kernel.",
      );
    } catch (error) {
      setPlan(said(error));
    }
  };
  const take = (/** @type {NonNullable<typeof kept.made>} */ all) =>
    lab.edit((/** @type {Doc} */ d) => ({ ...d, constraints: d.constraints?.map((c, n) => ({ ...c, [all[n].side]: all[n].bound })) }), "");
  const out = kept.made?.filter((l) => l.out) ?? [];
  return html`<div class="stack ways"><p class="quiet">Three ways on:</p>
    <p class="row">${
    out.length > 0
      ? html`<button type="button" onClick=${() => kept.made && take(kept.made)}>Take the least that can be kept: ${
        out.map((l) => `${l.name} ${l.side === "atLeast" ? "≥" : "≤"} ${number(l.bound, 6)}`).join(", ")
      }</button>`
      : html`<span class="help" role="status">${
        kept.made ? "Each limit can be kept by itself, not all of them at once: loosen one." : "Looking for the least limit that can be kept…"
      }</span>`
  }
      ${
    calmer.made
      ? html`<button type="button" onClick=${() =>
        lab.edit((/** @type {Doc} */ d) => ({ ...d, uncertainty: { ...d.uncertainty, radius: calmer.made?.problem.uncertainty.radius } }), "")}>${
        calmer.made.share === 0 ? "No uncertainty: radius 0" : `A less cautious set: ${percent(calmer.made.share)} of the radius`
      }</button>`
      : ""
  }
      <button type="button" onClick=${show}>What the nominal plan does</button></p>
    ${
    calmer.made && html`<p class="help">With ${
      calmer.made.share === 0
        ? "radius 0 nothing is promised but for the nominal kernel itself"
        : `${percent(calmer.made.share)} of the radius${
          typeof problem.uncertainty.radius === "number" ? ` (${number(problem.uncertainty.radius * calmer.made.share, 4)})` : ""
        } limits hold for kernels that much nearer to the nominal one; a confidence that the set was made for holds no longer`
    }.</p>`
  }
    ${plan && html`<p role="status">${plan}</p>`}</div>`;
}

/** @param {any} limit */
const sideOf = (limit) => ({ threshold: Number(limitOf(limit).threshold), side: limit.atLeast === undefined ? "atMost" : "atLeast" });
