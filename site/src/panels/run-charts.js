// @ts-check
// run-charts.js — the charts of a run, drawn while it goes on and after.

import { html, useRef } from "../view.js";
import { figuresOf } from "../lab/figures.js";
import { Figures } from "./charts.js";

/** @typedef {import("../picture/plot.js").Figure} Figure */

/** While a run goes on its charts are drawn this often: the eye wants no more, and the page has other things to do. */
const REDRAW_MS = 250;

/**
 * The charts of a run.
 * @param {{ problem: import("../rcmdp.js").Problem, shape: import("../lab/figures.js").Shape, title: string, trace: import("../lab/trace.js").Trace | undefined, running?: boolean,
 *   only?: string[], quiet?: boolean }} props only: these figures; quiet: nothing is said when there are none
 */
export function Charts({ problem, shape, title, trace, running = false, only, quiet = false }) {
  const last = useRef(/** @type {{ at: number, key: string, drawn: Content } | null} */ (null));
  const now = performance.now();
  const key = `${shape} ${running}`;
  if (running && last.current?.key === key && now - last.current.at < REDRAW_MS) return last.current.drawn;
  const { figures: all, why } = figuresOf(problem, shape, trace);
  const figures = only ? all.filter(({ id }) => only.includes(id)) : all;
  const drawn = chartsOf(problem, title, figures, running ? "The charts begin with the first steps…" : quiet ? "" : why);
  last.current = { at: now, key, drawn };
  return drawn;
}

/** @param {import("../rcmdp.js").Problem} problem @param {string} title @param {Figure[]} figures @param {string} why nothing is drawn */
function chartsOf(problem, title, figures, why) {
  if (figures.length === 0) return why && html`<p class="quiet">${why}</p>`;
  return html`<${Figures} figures=${figures} name=${`${problem.name || "Model"}, ${title}`} />`;
}
