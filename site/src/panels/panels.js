// @ts-check
// panels.js — the list of the answer's panels, and the tabs that show one of them.
//
// To add a panel: write a file that exports `Panel`, and name it in the list. It is
// loaded when it is first looked at. It gets PanelProps, draws what it likes below
// the tabs, keeps what must outlast it with `lab.keep(id, part)` (read it from
// `state.panels[id]`), and asks the solver with `lab.solver()`. What it shows must
// be of `problem`: that is the answer's own model, or the model when there is no answer.

import { html } from "../view.js";
import { isGridLike } from "../document/reading.js";
import { deferred, Tabs } from "./parts.js";
import { Plan } from "./plan.js";

/** @typedef {import("./parts.js").Lab} Lab */
/** @typedef {import("../lab/state.js").State} State */

/**
 * @typedef {{
 *   lab: Lab, state: State, problem: import("../rcmdp.js").Problem, answer: import("../lab/state.js").Answer | null,
 *   fresh: boolean, run: import("../lab/state.js").Running | null, embedded: boolean, has?: (panel: string) => boolean,
 * }} PanelProps problem: of the run or the answer that is shown, else of the model; fresh: the answer is of exactly the model beside it
 * @typedef {(props: PanelProps) => Content} Component
 * @typedef {{
 *   id: string, title: string, shows: (props: PanelProps) => boolean, embedded?: boolean, Panel: Component,
 * }} Entry shows: whether there is anything to see; embedded: also in an embed
 */

/** @type {Entry[]} */
export const panels = [
  { id: "plan", title: "Plan", shows: () => true, embedded: true, Panel: Plan },
  { id: "picture", title: "Picture", shows: () => true, embedded: true, Panel: deferred(() => import("./picture.js"), "Panel") },
  { id: "why", title: "Why", shows: ({ answer }) => answer !== null, Panel: deferred(() => import("./why.js"), "Panel") },
  { id: "search", title: "Search", shows: ({ run, answer }) => Boolean(run ?? answer), embedded: true, Panel: deferred(() => import("./search.js"), "Panel") },
  { id: "compare", title: "Compare", shows: ({ state }) => state.opened, Panel: deferred(() => import("./compare.js"), "Panel") },
  { id: "tradeoff", title: "Trade-off", shows: () => true, Panel: deferred(() => import("./tradeoff.js"), "Panel") },
  { id: "play", title: "Play", shows: ({ answer }) => answer !== null, Panel: deferred(() => import("./play.js"), "Panel") },
  { id: "proof", title: "Proof", shows: ({ run, answer }) => Boolean(run ?? answer), embedded: true, Panel: deferred(() => import("./proof.js"), "Panel") },
];

/** @param {PanelProps} props */
export function Panels(props) {
  const { lab, state, embedded, has = () => true } = props;
  const shown = panels.filter((p) => (p.embedded || !embedded) && has(p.id) && p.shows(props));
  if (shown.length === 0) return null;
  const first = isGridLike(props.problem) ? "picture" : "plan"; // until another is chosen
  const entry = shown.find((p) => p.id === (state.view.panel || first)) ?? shown[0];
  return html`<div class="panels">
    <${Tabs} label="Parts of the answer" panel="answer-part" tabs=${shown.map(({ id, title }) => ({ id, title }))} value=${entry.id} onChoose=${(
    /** @type {string} */ panel,
  ) => lab.look({ panel })} />
    <div id="answer-part" class="panel" role="tabpanel" aria-labelledby=${`answer-part-tab-${entry.id}`} data-panel=${entry.id}><${entry.Panel} key=${entry.id} ...${props} /></div>
  </div>`;
}
