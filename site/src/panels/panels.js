// @ts-check
// panels.js — the list of the answer's panels, and the tabs that show one of them.
//
// To add a panel: write a file that exports `Panel`, and name it in the list. It is
// loaded when it is first looked at. It gets PanelProps, draws what it likes below
// the tabs, keeps what must outlast it with `lab.keep(id, part)` (read it from
// `state.panels[id]`), and asks the solver with `lab.solver()`. What it shows must
// be of `problem`: that is the answer's own model, or the model when there is no answer.

import { html } from "htm/preact";
import { Later } from "./later.js";
import { Tabs } from "./parts.js";
import { Plan } from "./plan.js";

/** @typedef {import("./parts.js").Lab} Lab */
/** @typedef {import("../lab/state.js").State} State */

/**
 * @typedef {{
 *   lab: Lab, state: State, problem: import("../rcmdp.js").Problem, answer: import("../lab/state.js").Answer | null,
 *   fresh: boolean, run: import("../lab/state.js").Running | null, embedded: boolean, has?: (panel: string) => boolean,
 * }} PanelProps problem: of the run or the answer that is shown, else of the model; fresh: the answer is of exactly the model beside it
 * @typedef {(props: PanelProps) => any} Component
 * @typedef {{
 *   id: string, title: string, shows: (props: PanelProps) => boolean, embedded?: boolean, Panel?: Component, load?: () => Promise<{ Panel: Component }>,
 * }} Entry shows: whether there is anything to see; embedded: also in an embed; Panel or load: the component, or how to get it
 */

/** @type {Entry[]} */
export const panels = [
  { id: "plan", title: "Plan", shows: () => true, embedded: true, Panel: Plan },
  { id: "picture", title: "Picture", shows: () => true, embedded: true, load: () => import("./picture.js") },
  { id: "why", title: "Why", shows: ({ answer }) => answer !== null, load: () => import("./why.js") },
  { id: "search", title: "Search", shows: ({ run, answer }) => Boolean(run ?? answer), embedded: true, load: () => import("./search.js") },
  { id: "compare", title: "Compare", shows: ({ state }) => state.opened, load: () => import("./compare.js") },
  { id: "tradeoff", title: "Trade-off", shows: () => true, load: () => import("./tradeoff.js") },
  { id: "play", title: "Play", shows: ({ answer }) => answer !== null, load: () => import("./play.js") },
  { id: "proof", title: "Proof", shows: ({ run, answer }) => Boolean(run ?? answer), embedded: true, load: () => import("./proof.js") },
];

/** @param {PanelProps} props */
export function Panels(props) {
  const { lab, state, embedded, has = () => true } = props;
  const shown = panels.filter((p) => (p.embedded || !embedded) && has(p.id) && p.shows(props));
  if (shown.length === 0) return null;
  const entry = shown.find((p) => p.id === state.view.panel) ?? shown[0];
  return html`<div class="panels">
    <${Tabs} label="Parts of the answer" panel="answer-part" tabs=${shown.map(({ id, title }) => ({ id, title }))} value=${entry.id} onChoose=${(
    /** @type {string} */ panel,
  ) => lab.look({ panel })} />
    <div id="answer-part" class="panel" role="tabpanel" aria-labelledby=${`answer-part-tab-${entry.id}`} data-panel=${entry.id}>${
    entry.Panel ? html`<${entry.Panel} ...${props} />` : html`<${Later} key=${entry.id} load=${entry.load} part="Panel" of=${props} />`
  }</div>
  </div>`;
}
