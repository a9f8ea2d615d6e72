// @ts-check
// statement.js — the whole problem as a sentence.

import { html } from "../view.js";
import { kindOf, setPhrase } from "../document/kinds.js";
import { number } from "../words/format.js";
import { discountWords, limitOf, scaleWords } from "../words/words.js";

/**
 * The problem the way it is written on paper.
 * @param {{ doc: Doc }} props
 */
export function Statement({ doc }) {
  const u = doc.uncertainty ?? {};
  const start = (doc.states ?? []).filter((_, s) => doc.initial?.[s] > 0);
  const limits = doc.constraints ?? [];
  return html`<dl class="statement">
    <dt>${doc.objective?.sense === "maximize" ? "maximise" : "minimise"}</dt><dd><b>${doc.objective?.name || "objective"}</b>, ${
    scaleWords(doc, doc.objective)
  }, ${discountWords(doc)}</dd>
    ${
    limits.length > 0 && html`<dt>keeping</dt><dd>${
      limits.slice(0, 6).map((c) =>
        html`<div><b>${c.name}</b> ${limitOf(c).sign} ${number(limitOf(c).threshold)}${c.scale === "average" ? " on average" : ""}</div>`
      )
    }${limits.length > 6 && html`<div>and ${limits.length - 6} more limits</div>`}</dd>`
  }
    <dt>whatever</dt><dd>${
    u.kernels
      ? u.kernels.length === 1 ? "follows the one kernel" : html`of the <b>${setPhrase(u)}</b> is true`
      : html`nature picks from ${u.nominal ? "a " : "the "}<b>${setPhrase(u)}</b>${
        kindOf(u.kind)?.fields.includes("support") ? `, over ${u.support === "all" ? "all states" : "nominal successors"}` : ""
      }`
  }</dd>
    <dt>from</dt><dd>${
    start.length === 1 ? html`state <b>${start[0]}</b>` : `${start.length} of ${doc.states.length} states, by the initial distribution`
  }; ${doc.states.length} states, ${doc.actions.length} actions</dd>
  </dl>`;
}
