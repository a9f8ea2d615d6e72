// @ts-check
// proof.js — draws why the answer may be believed: what was checked by whom, the
// proof as a file, the checker's own words when it is asked again, and what nature
// does against the plan where it picks rows.

import { html } from "htm/preact";
import { Trust } from "./trust.js";
import { WorstCases } from "./worst.js";

/** @param {import("./panels.js").PanelProps} props */
export function Panel({ lab, state, problem, answer }) {
  if (!answer) return null;
  return html`<div class="stack"><${Trust} lab=${lab} answer=${answer} report=${state.report} />
    <${WorstCases} problem=${problem} result=${answer.result} /></div>`;
}
