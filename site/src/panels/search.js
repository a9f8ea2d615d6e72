// @ts-check
// search.js — draws the search: charts that say something of the method that ran.

import { html } from "htm/preact";
import { untilNow } from "../lab/trace.js";
import { closesIn } from "../lab/figures.js";
import { Charts } from "./run-charts.js";

/** @param {import("./panels.js").PanelProps} props */
export function Panel({ state, problem, answer, run }) {
  const of = run ?? answer;
  if (!of) return null;
  return html`<${Charts} problem=${problem} algorithm=${of.algorithm} trace=${
    run ? closesIn(run.algorithm) ? untilNow(run.trace, run.news) : run.trace : answer?.result.trace
  } running=${run !== null} title=${state.algorithms.find((a) => a.id === of.algorithm)?.title ?? of.algorithm} />`;
}
