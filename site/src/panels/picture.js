// @ts-check
// picture.js — the model as a picture: states and actions as a graph, or a grid world as its grid.
// With an answer, circles say where time is spent and arrows what the plan does. Emits: looking at
// a state's row in the tables of the model.

import { select } from "d3-selection";
import { zoom, zoomIdentity } from "d3-zoom";
import { html } from "htm/preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { drawable, graphOf, gridOf } from "../picture/graph.js";
import { frameOf, layoutOf } from "../picture/layout.js";
import { CELL, pointer } from "../picture/world.js";
import { count, percent, probability } from "../words/format.js";
import { savePicture } from "./picture-file.js";

/** @typedef {import("../rcmdp.js").Problem} Problem */
/** @typedef {import("../picture/graph.js").Graph} Graph */
/** @typedef {import("../picture/layout.js").Place} Place */

/** What the layout may take of one turn of the page. */
const TICKS_A_TURN = 12;

/** Where states were drawn last, by name; kept while the page is open, so that an edit moves little. @type {Map<string, Place>} */
const kept = new Map();
/** What a person has put somewhere. @type {Set<string>} */
const pinned = new Set();

/** @param {import("./panels.js").PanelProps} props */
export function Panel({ lab, state, problem, answer, run, fresh }) {
  const kernels = drawable(problem);
  const [kernel, setKernel] = useState(0);
  const [chosen, setChosen] = useState(/** @type {number | null} */ (null));
  const k = Math.min(kernel, kernels.length - 1);
  const policy = !run && answer && answer.problem === problem && answer.result.policy.length > 0 ? answer.result.policy : null;
  const occupancy = useOccupancy(lab, problem, policy, state.engine.phase);
  const grid = useMemo(() => gridOf(problem), [problem]);
  const graph = useMemo(() => graphOf(problem, { kernel: k, policy, occupancy, around: chosen }), [
    problem,
    k,
    policy,
    occupancy,
    problem.states.length > 30 ? chosen : null,
  ]);
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const name = String(problem.name || "Model");
  const save = (/** @type {"svg" | "png"} */ kind) => savePicture(place.current?.querySelector("svg.model-picture"), problem, kind);
  return html`<div class="stack picture" ref=${place}>
    <p class="row">${
    kernels.length > 1 && html`<label>Kernel <select value=${k} onChange=${(/** @type {any} */ e) =>
      setKernel(Number(e.target.value))}>${
      kernels.map((c, i) => html`<option value=${i}>${c.name}</option>`)
    }</select></label>`
  }<span class="help">${
    policy
      ? grid
        ? "Shade: share of time in the worst case. Arrows: what the plan does, as long as it is likely."
        : "Circles: share of time in the worst case. Arrows: what the plan does."
      : "Arrows: how likely each move is. Solve, and they show the plan."
  }${!fresh && policy ? " The model was edited since." : ""}</span></p>
    ${
    grid
      ? html`<${GridWorld} problem=${problem} grid=${grid} policy=${policy} occupancy=${occupancy} chosen=${chosen} onChoose=${setChosen} />`
      : html`<${Drawing} graph=${graph} name=${name} chosen=${chosen} onChoose=${setChosen} />`
  }
    ${
    graph.omitted > 0 && !grid &&
    html`<p class="help">${count(graph.omitted, "more state")} of ${problem.states.length}: choose a state to see what is around it.</p>`
  }
    <p class="row"><label>State <select value=${chosen ?? ""} onChange=${(/** @type {any} */ e) =>
    setChosen(e.target.value === "" ? null : Number(e.target.value))}><option value="">none</option>${
    problem.states.slice(0, 2000).map((s, i) => html`<option value=${i}>${s}</option>`)
  }</select></label><button type="button" onClick=${() => save("svg")}>SVG</button><button type="button" onClick=${() => save("png")}>PNG</button></p>
    ${chosen !== null && html`<${Rows} problem=${problem} graph=${graphOf(problem, { kernel: k, policy, occupancy, around: chosen })} state=${chosen} />`}
    <details class="twin"><summary>The picture as a table</summary><${Twin} problem=${problem} graph=${graph} /></details>
  </div>`;
}

/** The share of time in each state in the objective's worst case. @param {any} lab @param {Problem} problem @param {number[][] | null} policy @param {string} phase @returns {number[] | null} */
function useOccupancy(lab, problem, policy, phase) {
  const [found, setFound] = useState(/** @type {{ policy: number[][], occupancy: number[] } | null} */ (null));
  useEffect(() => {
    const solver = lab.solver();
    if (!policy || !solver) return;
    let last = true;
    solver.evaluate(problem, policy).then((/** @type {any} */ e) => last && setFound({ policy, occupancy: e.occupancy[0] }), () => {});
    return () => {
      last = false;
    };
  }, [problem, policy, phase]);
  return found && found.policy === policy ? found.occupancy : null;
}

/** Lays out in small turns, and says where things stand after each of some. @param {Graph} graph @returns {Map<string, Place>} */
function usePlaces(graph) {
  const [places, setPlaces] = useState(/** @type {Map<string, Place>} */ (new Map()));
  const shape = graph.links.map(({ id }) => id).join() + graph.states.map(({ name }) => name).join();
  useEffect(() => {
    const layout = layoutOf(graph, kept, pinned);
    let timer = setTimeout(function turn() {
      const done = layout.step(TICKS_A_TURN);
      if (!done) {
        timer = setTimeout(turn);
        return;
      }
      const found = layout.places();
      for (const { id, name } of graph.states) kept.set(name, /** @type {Place} */ (found.get(id)));
      setPlaces(found);
    });
    return () => clearTimeout(timer);
  }, [shape]);
  return places;
}

/**
 * @param {{ graph: Graph, name: string, chosen: number | null, onChoose: (state: number) => void }} props
 */
function Drawing({ graph, name, chosen, onChoose }) {
  const places = usePlaces(graph);
  const [moved, setMoved] = useState(/** @type {Map<string, Place>} */ (new Map()));
  const svg = useRef(/** @type {SVGSVGElement | null} */ (null));
  const layer = useRef(/** @type {SVGGElement | null} */ (null));
  const behavior = useRef(/** @type {any} */ (null));
  useEffect(() => {
    if (!svg.current) return;
    // The wheel belongs to the page unless Ctrl is held.
    behavior.current = zoom().scaleExtent([0.3, 6]).filter((
      /** @type {any} */ event,
    ) => (event.type === "wheel" ? event.ctrlKey || event.metaKey : event.target === svg.current && !event.button))
      .on("zoom", (/** @type {any} */ event) => layer.current?.setAttribute("transform", event.transform));
    select(/** @type {Element} */ (svg.current)).call(behavior.current).on("dblclick.zoom", null);
  }, [places.size > 0]);
  if (places.size === 0) return html`<p class="quiet" aria-busy="true">Drawing…</p>`;
  const at = (/** @type {string} */ id) => moved.get(id) ?? places.get(id) ?? { x: 0, y: 0 };
  const shown = graph.states.filter(({ id }) => places.has(id));
  const frame = widened(frameOf([...places.values()], 60));
  const radius = (/** @type {number} */ size) => (Number.isNaN(size) ? 20 : 10 + 26 * Math.sqrt(Math.max(0, size)));
  const radii = new Map(shown.map(({ id, size }) => [id, radius(size)]));
  const by = (/** @type {number} */ factor) => svg.current && select(/** @type {Element} */ (svg.current)).call(behavior.current.scaleBy, factor);
  const drag = (/** @type {any} */ event, /** @type {import("../picture/graph.js").StateNode} */ node) => {
    const start = at(node.id);
    const from = point(event);
    let far = false;
    const element = event.currentTarget;
    element.setPointerCapture(event.pointerId);
    element.onpointermove = (/** @type {any} */ e) => {
      const to = point(e);
      far ||= Math.hypot(to.x - from.x, to.y - from.y) > 4;
      if (!far) return;
      const next = { x: start.x + to.x - from.x, y: start.y + to.y - from.y };
      kept.set(node.name, next);
      pinned.add(node.name);
      setMoved((m) =>
        new Map([
          ...m,
          [node.id, next],
          ...own(node).map((a) => /** @type {[string, Place]} */ ([a, { x: at(a).x + next.x - at(node.id).x, y: at(a).y + next.y - at(node.id).y }])),
        ])
      );
    };
    element.onpointerup = () => {
      element.onpointermove = element.onpointerup = null;
      if (!far) onChoose(node.state);
    };
  };
  const own = (/** @type {import("../picture/graph.js").StateNode} */ node) => graph.actions.filter(({ state }) => state === node.state).map(({ id }) => id);
  const point = (/** @type {any} */ event) => {
    const matrix = layer.current?.getScreenCTM()?.inverse();
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
  };
  const key = (/** @type {any} */ event, /** @type {number} */ state) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    onChoose(state);
  };
  return html`<div class="canvas"><svg class="model-picture" ref=${svg} viewBox=${frame.join(" ")} role="group" aria-label=${`${name}: ${
    count(shown.length, "state")
  }, ${count(graph.actions.length, "action")}; the table below says the same`}>
    <g ref=${layer}>
    ${graph.links.filter(({ from, to }) => places.has(from) && places.has(to)).map((link) => arrow(link, at(link.from), at(link.to), radii))}
    ${
    graph.actions.map((a) => {
      const { x, y } = at(a.id);
      return html`<g key=${a.id} class=${a.weight === 0 ? "act idle" : "act"}><circle cx=${x} cy=${y} r="4" /><text x=${x + 7} y=${y + 4}>${short(a.name)}${
        a.weight > 0 && a.weight < 1 ? ` ${probability(a.weight)}` : ""
      }</text><title>${a.name}${Number.isNaN(a.weight) ? "" : `, taken with probability ${probability(a.weight)}`}</title></g>`;
    })
  }
    ${
    shown.map((s) => {
      const { x, y } = at(s.id);
      const r = /** @type {number} */ (radii.get(s.id));
      return html`<g key=${s.id} class=${`spot${s.reached ? "" : " unreached"}${
        s.state === chosen ? " chosen" : ""
      }`} tabindex="0" role="button" aria-pressed=${s.state === chosen ? "true" : "false"} aria-label=${`${s.name}${
        Number.isNaN(s.size) ? "" : `, ${percent(s.size)} of the time`
      }`}
        onPointerDown=${(/** @type {any} */ e) => drag(e, s)} onKeyDown=${(/** @type {any} */ e) => key(e, s.state)}>
        <circle cx=${x} cy=${y} r=${r} /><text x=${x} y=${y + r + 14} text-anchor="middle">${short(s.name)}</text><title>${s.name}</title></g>`;
    })
  }</g></svg>
    <p class="zoom"><button type="button" aria-label="Closer" onClick=${() => by(1.4)}>+</button><button type="button" aria-label="Farther" onClick=${() =>
    by(1 / 1.4)}>−</button><button type="button" onClick=${() =>
    svg.current && select(/** @type {Element} */ (svg.current)).call(behavior.current.transform, zoomIdentity)}>All</button></p></div>`;
}

/** A small graph is not blown up to the width of the page. @param {[number, number, number, number]} frame */
function widened([left, top, width, height]) {
  const [w, h] = [Math.max(width, 560), Math.max(height, 280)];
  return [left - (w - width) / 2, top - (h - height) / 2, w, h];
}

/** @param {string} name */
const short = (name) => (name.length > 14 ? `${name.slice(0, 13)}…` : name);

/** @param {import("../picture/graph.js").Link} link @param {Place} a @param {Place} b @param {Map<string, number>} radii */
function arrow({ id, from, to, kind, p, weight }, a, b, radii) {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const width = weight === 0 ? 0.75 : 0.9 + 4.5 * weight;
  const start = { x: a.x + (radii.get(from) ?? 4) * ux, y: a.y + (radii.get(from) ?? 4) * uy };
  const head = kind === "move" ? 5 + width : 0;
  const end = { x: b.x - ((radii.get(to) ?? 4) + head) * ux, y: b.y - ((radii.get(to) ?? 4) + head) * uy };
  // A bow keeps the way there apart from the way back.
  const bow = kind === "move" ? 0.16 : 0;
  const middle = { x: (start.x + end.x) / 2 - bow * dy, y: (start.y + end.y) / 2 + bow * dx };
  const [tx, ty] = [end.x - middle.x, end.y - middle.y];
  const t = Math.hypot(tx, ty) || 1;
  const [vx, vy] = [tx / t, ty / t];
  const side = (/** @type {number} */ s) => `${end.x - s * vy * head * 0.5},${end.y + s * vx * head * 0.5}`;
  return html`<g key=${id} class=${
    weight === 0 ? "way idle" : "way"
  }><path d=${`M${start.x},${start.y}Q${middle.x},${middle.y} ${end.x},${end.y}`} stroke-width=${width} />${
    head > 0 && html`<polygon points=${`${side(1)} ${end.x + vx * head},${end.y + vy * head} ${side(-1)}`} />`
  }${kind === "move" && html`<title>probability ${probability(p)}</title>`}</g>`;
}

/**
 * A grid world: cells shaded by time spent, the plan as arrows whose length is the probability.
 * @param {{ problem: Problem, grid: NonNullable<ReturnType<typeof gridOf>>, policy: number[][] | null, occupancy: number[] | null, chosen: number | null, onChoose: (state: number) => void }} props
 */
function GridWorld({ problem, grid, policy, occupancy, chosen, onChoose }) {
  const most = occupancy ? Math.max(...occupancy) : 1;
  return html`<svg class="model-picture world" viewBox=${`-2 -2 ${grid.columns * CELL + 4} ${
    grid.rows * CELL + 4
  }`} role="group" aria-label=${`A grid of ${grid.rows} rows and ${grid.columns} columns; the table below says the same`}>
    ${
    problem.states.map((name, s) => {
      const cell = grid.cells[s];
      if (!cell) return null;
      const [x, y] = [cell.column * CELL, cell.row * CELL];
      const share = occupancy?.[s] ?? 0;
      const named = !/\d/.test(name);
      return html`<g key=${s} class=${`cell${s === chosen ? " chosen" : ""}${
        occupancy && !(share > 1e-12) ? " unreached" : ""
      }`} tabindex="0" role="button" aria-pressed=${s === chosen ? "true" : "false"} aria-label=${`${name}${
        occupancy ? `, ${percent(share)} of the time` : ""
      }`} onClick=${() => onChoose(s)} onKeyDown=${(/** @type {any} */ e) => {
        if (e.key === "Enter" || e.key === " ") {
          e.preventDefault();
          onChoose(s);
        }
      }}><rect x=${x + 1} y=${y + 1} width=${CELL - 2} height=${CELL - 2} rx="4" /><rect class="time" x=${x + 1} y=${y + 1} width=${CELL - 2} height=${
        CELL - 2
      } rx="4" fill-opacity=${0.5 * Math.sqrt(share / most)} />${
        named && html`<text x=${x + CELL / 2} y=${y + CELL - 8} text-anchor="middle">${short(name)}</text>`
      }
        ${policy?.[s]?.map((p, a) => p > 0.005 && pointer(problem.actions[a], p, x + CELL / 2, y + CELL / 2 - (named ? 6 : 0)))}<title>${name}</title></g>`;
    })
  }</svg>`;
}

/** What can happen in one state. @param {{ problem: Problem, graph: Graph, state: number }} props */
function Rows({ problem, graph, state }) {
  const actions = graph.actions.filter((a) => a.state === state);
  return html`<section aria-label=${`State ${problem.states[state]}`}><h3>${
    problem.states[state]
  }</h3><div class="scroll"><table class="lines"><thead><tr><th scope="col">action</th><th scope="col" class="n">plan</th><th scope="col">moves to</th></tr></thead><tbody>${
    actions.map((a) =>
      html`<tr key=${a.id}><th scope="row">${a.name}</th><td class="n">${Number.isNaN(a.weight) ? "" : probability(a.weight)}</td><td>${
        graph.links.filter(({ from }) => from === a.id).sort((x, y) => y.p - x.p).map(({ to, p }) => `${problem.states[Number(to.slice(1))]} ${probability(p)}`)
          .join(", ")
      }</td></tr>`
    )
  }</tbody></table></div></section>`;
}

/** @param {{ problem: Problem, graph: Graph }} props */
function Twin({ problem, graph }) {
  return html`<div class="scroll"><table class="lines"><thead><tr><th scope="col">state</th><th scope="col" class="n">time</th><th scope="col">action</th><th scope="col" class="n">plan</th><th scope="col">moves to</th></tr></thead><tbody>${
    graph.actions.map((a) => {
      const s = graph.states.find(({ state }) => state === a.state);
      return html`<tr key=${a.id}><th scope="row">${problem.states[a.state]}</th><td class="n">${
        s && !Number.isNaN(s.size) ? percent(s.size) : ""
      }</td><td>${a.name}</td><td class="n">${Number.isNaN(a.weight) ? "" : probability(a.weight)}</td><td>${
        graph.links.filter(({ from }) => from === a.id).map(({ to, p }) =>
          `${problem.states[Number(to.slice(1))]} ${probability(p)}`
        ).join(", ")
      }</td></tr>`;
    })
  }</tbody></table></div>`;
}
