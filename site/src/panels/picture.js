// @ts-check
// picture.js — the model as a picture: states and actions as a graph, or a grid world as it is painted.
// With an answer, circles say where time is spent and arrows what the plan does. Emits: looking at
// a state's row in the tables of the model.

import { html, useEffect, useMemo, useRef, useState } from "../view.js";
import { atStep, decisions, stepIn, tableAt } from "../document/steps.js";
import { addMove, addState, removeState } from "../document/edits.js";
import { unreadable } from "../document/shape.js";
import { carried } from "../document/carried.js";
import { graphOf, MOST_STATES } from "../picture/graph.js";
import { drawable } from "../picture/walk.js";
import { groundIn } from "../picture/ground.js";
import { count, integer, percent, probability } from "../words/format.js";
import { overOf } from "../words/words.js";
import { GraphView } from "./graph-view.js";
import { useMade } from "./made.js";
import { deferred, NameField, pure } from "./parts.js";
import { savePicture } from "./picture-file.js";
import { StateEditor } from "./state-editor.js";
import { WorldView } from "./world-view.js";

const Steps = deferred(() => import("./steps.js"), "Steps", null);

/** @typedef {import("../rcmdp.js").Problem} Problem */
/** @typedef {import("../picture/graph.js").Graph} Graph */

// While a run goes on the model stays as it is: its picture is not drawn again with each news.
const View = pure(GraphView);
const World = pure(WorldView);
const Table = pure(Twin);

/** @param {import("./panels.js").PanelProps} props */
export function Panel({ lab, state, problem: spoken, answer, run, embedded }) {
  const { doc } = state.history.present;
  // While it is edited it is the document that is drawn, with what is known of the model before.
  const editable = useMemo(() => !embedded && !run && unreadable(doc) === null, [doc, embedded, run]);
  const problem = editable ? doc : spoken;
  const kernels = drawable(problem);
  const [kernel, setKernel] = useState(0);
  const [picked, setChosen] = useState(/** @type {number | null} */ (null));
  const chosen = picked !== null && picked < problem.states.length ? picked : null;
  const k = Math.min(kernel, kernels.length - 1);
  const found = !run && answer && answer.result.policy.length > 0 ? answer : null;
  const times = useOccupancy(lab, found?.problem ?? problem, found?.result.policy ?? null, state.engine.phase, stepIn(state.panels, found?.problem ?? problem));
  const step = stepIn(state.panels, found?.problem ?? problem);
  const policy = useMemo(() => found && carried(tableAt(found.result.policy, step), found.problem, problem), [found, problem, step]);
  const occupancy = useMemo(() => found && times && carried(times, found.problem, problem), [found, times, problem]);
  const ground = useMemo(() => groundIn(problem), [problem]);
  const around = problem.states.length > MOST_STATES ? chosen : null;
  const graph = useMemo(() => graphOf(problem, { kernel: k, policy, occupancy, around }), [problem, k, policy, occupancy, around]);
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const [, look] = useState(0);
  const wanted = useRef(""); // the field that shall have the focus, when it is there
  useEffect(() => {
    const field = /** @type {HTMLInputElement | null | undefined} */ (wanted.current && place.current?.querySelector(wanted.current));
    if (!field) return;
    wanted.current = "";
    field.focus();
    field.select?.();
  });
  const want = (/** @type {string} */ selector) => {
    wanted.current = selector;
    look((n) => n + 1);
  };
  const hands = editable ? handsOf({ lab, pointer: kernels[k].pointer, setChosen, want }) : null;
  const save = (/** @type {"svg" | "png"} */ kind) => savePicture(place.current?.querySelector("svg.model-picture"), problem, kind);
  return html`<div class="stack picture" ref=${place}>
    <p class="row">${
    kernels.length > 1 && html`<label>Kernel <select value=${k} onChange=${(/** @type {FieldEvent} */ e) =>
      setKernel(Number(e.target.value))}>${
      kernels.map((c, i) => html`<option value=${i}>${c.name}</option>`)
    }</select></label>`
  }<span class="help one-of">${
    legendsOf(problem).map((text, i) => html`<span class=${i === (policy ? 0 : 1) ? "" : "unsaid"} aria-hidden=${i !== (policy ? 0 : 1)}>${text}</span>`)
  }</span></p>
    ${found && decisions(found.problem) > 0 && html`<${Steps} lab=${lab} panels=${state.panels} problem=${found.problem} />`}
    ${
    ground
      ? html`<${World} problem=${problem} ground=${ground} policy=${policy} occupancy=${occupancy} chosen=${chosen} onChoose=${setChosen} />`
      : html`<${View} graph=${graph} name=${String(problem.name || "Model")} chosen=${chosen} onChoose=${setChosen} hands=${hands} />`
  }
    ${
    graph.omitted > 0 && !ground &&
    html`<p class="help">${count(graph.omitted, "more state")} of ${integer(problem.states.length)}: name one to see what is around it.</p>`
  }
    ${
    hands && !ground &&
    html`<p class="help">Pull a line from an action's dot to a state for a new move; double click the ground for a new state.<span class="by-keys"> On a state: <kbd>Enter</kbd> opens it, <kbd>F2</kbd> renames it, <kbd>T</kbd> adds a move, <kbd>Delete</kbd> removes it.</span></p>`
  }
    <p class="row">${
    graph.omitted > 0 && !ground
      ? html`<label>State <${NameField} names=${problem.states} label="State" placeholder=${problem.states[chosen ?? 0]} onChoose=${setChosen} /></label>`
      : html`<label>State <select value=${chosen ?? ""} onChange=${(/** @type {FieldEvent} */ e) =>
        setChosen(e.target.value === "" ? null : Number(e.target.value))}><option value="">none</option>${
        problem.states.map((/** @type {string} */ s, /** @type {number} */ i) => html`<option value=${i}>${s}</option>`)
      }</select></label>`
  }${hands && !ground && html`<button type="button" onClick=${hands.add}>Add a state</button>`}<button type="button" onClick=${() =>
    save("svg")}>SVG</button><button type="button" onClick=${() => save("png")}>PNG</button></p>
    ${
    chosen !== null && (hands
      ? html`<${StateEditor} key=${chosen} lab=${lab} doc=${doc} s=${chosen} table=${{
        pointer: kernels[k].pointer,
        table: kernels[k].transitions,
        sums: problem.uncertainty.upper === undefined,
      }} title=${kernels.length > 1 ? kernels[k].name : ""} faults=${lab.faults(state)} onRemove=${() => hands.remove(chosen)} onClose=${() =>
        setChosen(null)} />`
      : html`<h3>${problem.states[chosen]}</h3><${Table} problem=${problem} graph=${graph} state=${chosen} />`)
  }
    <details class="twin"><summary>The picture as a table</summary><${Table} problem=${problem} graph=${graph} /></details>
  </div>`;
}

/** What the marks mean, with a plan and without. Both have their room, so that an answer that comes moves nothing. */
const legendsOf = (/** @type {Problem} */ problem) => [
  decisions(problem) > 0
    ? `Circles: how likely the plan is there at this step${overOf(problem.objective) === "worst" ? " in the worst case" : ""}. Arrows: what it does then.`
    : `Circles: share of time${overOf(problem.objective) === "worst" ? " in the worst case" : ""}. Arrows: what the plan does.`,
  "Arrows: how likely each move is. Solve, and they show the plan.",
];

/**
 * What a person may do in the picture, as edits of the document.
 * @param {{ lab: import("./parts.js").Lab, pointer: string, setChosen: (state: number | null) => void, want: (selector: string) => void }} of
 *   pointer: of the table that is drawn; want: asks for the focus
 * @returns {import("./graph-view.js").Hands}
 */
function handsOf({ lab, pointer: table, setChosen, want }) {
  const open = (/** @type {number} */ s, /** @type {string} */ selector) => {
    want(`.state-editor ${selector}`);
    setChosen(s);
  };
  return {
    connect(s, a, next) {
      // A move that may be is one that the upper bound allows.
      lab.reshape((/** @type {Doc} */ d) => addMove(d, table.replace(/lower$/, "upper"), s, a, next));
      const { states, actions } = lab.doc();
      open(s, `[aria-label="${CSS.escape(`Probability of ${states[next]} after ${actions[a]} in ${states[s]}`)}"]`);
      lab.say(`${actions[a]} in ${states[s]} now may lead to ${states[next]}.`);
    },
    add() {
      const s = lab.doc().states.length;
      lab.reshape(addState);
      open(s, ".name");
      return lab.doc().states[s];
    },
    remove(s) {
      const { states } = lab.doc();
      if (states.length === 1) return;
      lab.reshape((/** @type {Doc} */ d) => removeState(d, s));
      setChosen(null);
      lab.notify(`Removed the state “${states[s]}”. Probability that led to it is spread over the rest of each row.`, [{ label: "Undo", run: lab.undo }]);
    },
    rename: (s) => open(s, ".name"),
    move: (s) => open(s, ".find"),
  };
}

/** The share of time in each state in the objective's worst case. @param {import("./parts.js").Lab} lab @param {Problem} problem @param {import("../rcmdp.js").Policy | null} policy @param {string} phase @param {number} step @returns {number[] | null} */
function useOccupancy(lab, problem, policy, phase, step) {
  const solver = lab.solver();
  const { made, current } = useMade(policy && solver ? () => solver.evaluate(problem, policy) : null, [problem, policy, phase]);
  return useMemo(() => {
    const visits = current && made ? atStep(made.occupancy[0], step) ?? null : null;
    if (!visits || problem.discount !== 1 || decisions(problem) > 0) return visits;
    const all = visits.reduce((sum, x) => sum + x, 0) || 1; // of an episode
    return visits.map((x) => x / all);
  }, [made, current, problem, step]);
}

/**
 * The picture as a table: where each action leads, of all states or of one, which then needs no column.
 * @param {{ problem: Problem, graph: Graph, state?: number }} props
 */
function Twin({ problem, graph, state }) {
  const all = state === undefined;
  const sizes = new Map(graph.states.map((s) => [s.state, s.size]));
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${
    all ? "The picture as a table" : `State ${problem.states[state]}`
  }><table class="lines"><thead><tr>${
    all && html`<th scope="col">state</th><th scope="col" class="n">time</th>`
  }<th scope="col">action</th><th scope="col" class="n">plan</th><th scope="col">moves to</th></tr></thead><tbody>${
    graph.actions.filter((a) => all || a.state === state).map((a) => {
      const time = sizes.get(a.state) ?? NaN;
      return html`<tr key=${a.id}>${
        all && html`<th scope="row">${problem.states[a.state]}</th><td class="n">${Number.isNaN(time) ? "" : percent(time)}</td>`
      }<td>${a.name}</td><td class="n">${Number.isNaN(a.weight) ? "" : probability(a.weight)}</td><td>${
        graph.links.filter(({ from }) => from === a.id).sort((x, y) =>
          y.p - x.p
        ).map(({ to, p }) => `${problem.states[Number(to.slice(1))]} ${probability(p)}`)
          .join(", ")
      }</td></tr>`;
    })
  }</tbody></table></div>`;
}
