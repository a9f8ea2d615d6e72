// @ts-check
// search.js — draws the search: charts that say something of the method that ran.

import { html } from "../view.js";
import { untilNow } from "../lab/trace.js";
import { Charts } from "./run-charts.js";

/** @param {import("./panels.js").PanelProps} props */
export function Panel({ lab, problem, answer, run }) {
  const of = run ?? answer;
  if (!of) return null;
  const { title, shape } = lab.methodOf(of.algorithm);
  return html`<${Charts} problem=${problem} shape=${shape} trace=${
    run ? shape === "search" ? untilNow(run.trace, run.news) : run.trace : answer?.result.trace
  } running=${run !== null} title=${title} />`;
}
