// @ts-check
// trust.js — draws why the answer may be believed: what was checked by whom, the
// proof as a file, and the checker's own words when it is asked again.

import { html } from "../view.js";
import { fileStem, pageOf, saveFile } from "../browser.js";
import { number, sentence } from "../words/format.js";
import { boundOf, hasBound, isFeasible, isUnchecked } from "../words/words.js";
import { Icon } from "./parts.js";

/** The proof for other people's checkers; or why it cannot be one. @param {import("./parts.js").Lab} lab @param {import("../lab/state.js").Answer} answer */
const saveVipr = (lab, { name, problem, result }) =>
  lab.attempt("", async () => {
    const text = (await lab.connect()) && (await lab.solver()?.vipr(problem, result.certificate));
    if (text) saveFile(`${fileStem(name)}.vipr`, text, "text/plain");
  });

/**
 * Which limits the proof allows to be missed, and by how much, where that is more than rounding.
 * @param {import("../rcmdp.js").Result} result
 */
function allowedWords({ constraints = [] }) {
  const missed = constraints.filter((c) => Number(c.allowed) > 1e-12 * Math.abs(c.threshold)).map((c) => `${c.name || "a limit"} by ${number(c.allowed)}`);
  return missed.length === 0 ? "" : ` It holds for every plan that misses ${missed.join(" and ")} at most, and so for all that miss nothing.`;
}

/**
 * @param {{ lab: import("./parts.js").Lab, answer: import("../lab/state.js").Answer, report: import("../lab/state.js").Report | null }} props
 */
export function Trust({ lab, answer, report }) {
  const { result } = answer;
  const proved = hasBound(result) || result.status === "proved-infeasible";
  const told = isUnchecked(result);
  const certificate = result.certificate !== undefined && result.certificate !== null;
  return html`<div class="trust"><h3>Why trust this</h3>
    ${
    told &&
    html`<p>Nothing of it was checked in this page yet: neither the numbers above nor ${
      result.certificate ? "the proof that came with them" : "that the plan keeps its limits"
    }.</p>`
  }${
    !told && isFeasible(result) &&
    html`<p>When the search had ended, the policy was evaluated once more under everything nature may do. Every number above is of exactly that policy.</p>`
  }
    ${
    proved && html`<p>${
      certificate
        ? "What is proved stands on a record of the proof, not on the search. A second program, which shares no code that computes with the first, has repeated it."
        : "What is proved follows from multipliers by a formula that holds whatever the rounding, not from the search."
    }${allowedWords(result)}</p>`
  }
    ${
    certificate &&
    html`<p class="row"><button type="button" disabled=${report?.busy} onClick=${lab.checkAnswer}>${
      report?.busy ? "Checking…" : told ? "Check it" : "Check it again"
    }</button>
      <button type="button" onClick=${() =>
      saveFile(`${fileStem(answer.name)}-certificate.json`, JSON.stringify(result.certificate))}><${Icon} name="download" />Certificate</button>${
      "values" in /** @type {object} */ (result.certificate) &&
      html`<button type="button" title="The proof as a linear program, for SCIP's viprchk and other checkers" onClick=${() =>
        saveVipr(lab, answer)}><${Icon} name="download" />VIPR</button>`
    }</p>`
  }
    ${
    report && !report.busy && html`<div role="status">${
      report.message ? html`<p class="fault">${report.message}</p>` : html`
      <p><b>${report.ok ? "The proof holds." : "The proof does not hold."}</b></p><ol>${report.reasons.map((r) => html`<li>${sentence(r)}</li>`)}</ol>`
    }</div>`
  }
    ${proved && html`<${Change} result=${result} />`}
    <p><a href=${pageOf("guide/method.html#proof")}>How proofs work</a>${
    proved && html` · <a href=${pageOf("guide/certificate.html#program")}>Check it without us</a>`
  }</p></div>`;
}

/**
 * What would change a verdict that stands on a proof: which tolerances and roundings are in it, in its own numbers.
 * @param {{ result: import("../rcmdp.js").Result }} props
 */
function Change({ result }) {
  const { constraints, objective: { value } } = result;
  const gap = Math.abs(Number(value) - boundOf(result.objective));
  const kept = isFeasible(result) ? constraints.filter((c) => c.value !== null) : [];
  return html`<details class="change"><summary>What would change this verdict</summary><ul>
    ${
    kept.map((c) => html`<li><b>A tighter limit:</b> with ${c.name} ${c.sense === "atLeast" ? "above" : "below"} ${number(c.value, 6)} this plan is none.</li>`)
  }
    ${
    constraints.length > 0 &&
    html`<li><b>Tolerance:</b> ${
      allowedWords(result) !== ""
        ? "the miss that is said above."
        : isFeasible(result)
        ? "a plan that misses a limit by a billionth of it counts as keeping it; this proof makes use of none."
        : "none: that the limits cannot be kept was shown for the limits themselves."
    }</li>`
  }
    ${
    gap > 0 &&
    html`<li><b>The gap:</b> ${number(gap, 2)} between value and bound${
      result.status === "proved-optimal" ? ", which counts as none: a ten-millionth of the value may be left" : "; more time may close it, and never opens it"
    }.</li>`
  }
    <li><b>Rounding:</b> nothing. The proof was checked in fractions, or with every rounding turned against it.</li>
    <li><b>The model:</b> any of its numbers. They are taken as they are written, 0.1 as 1/10, and no world outside the set is spoken of.</li></ul>
    <p><a href=${pageOf("guide/certificate.html#change")}>All of it, with reasons</a></p></details>`;
}
