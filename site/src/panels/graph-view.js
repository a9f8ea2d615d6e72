// @ts-check
// graph-view.js — a model drawn as a graph: states that can be dragged, their actions, and arrows. Where
// it may be edited, a line pulled from an action to a state is a new move, and a double click a new state.

import { select } from "d3-selection";
import { zoom, zoomIdentity } from "d3-zoom";
import { html, useEffect, useRef, useState } from "../view.js";
import { DOT, frameOf, radiusOf, spotsOf, steady, wayOf } from "../picture/drawing.js";
import { short } from "./stage.js";
import { placesFor } from "../picture/places.js";
import { count, percent, probability } from "../words/format.js";

/** @typedef {import("../picture/graph.js").Graph} Graph */
/** @typedef {import("../picture/drawing.js").Frame} Frame */
/** @typedef {import("../picture/layout.js").Place} Place */
/**
 * @typedef {{
 *   connect: (state: number, action: number, next: number) => void, add: () => string, remove: (state: number) => void,
 *   rename: (state: number) => void, move: (state: number) => void,
 * }} Hands what a person does to the model in its picture: add gives the new state's name; rename and move ask for the fields that do it
 */

/** Where states and actions were drawn last, by name; kept while the page is open, so that an edit moves little. @type {Map<string, Place>} */
const kept = new Map();
/** States that a person has put somewhere. @type {Set<string>} */
const pinned = new Set();

/** What the places of a graph's nodes are kept under: names, which outlast an edit. @param {Graph} graph @returns {Map<string, string>} */
function keysOf(graph) {
  const names = new Map(graph.states.map(({ state, name }) => [state, name]));
  return new Map([
    ...graph.states.map(({ id, name }) => /** @type {[string, string]} */ ([id, name])),
    ...graph.actions.map(({ id, state, name }) => /** @type {[string, string]} */ ([id, `${names.get(state)}\n${name}`])),
  ]);
}

/**
 * Asks for places whenever there are other arrows. A graph whose names alone have changed keeps its places.
 * @param {Graph} graph
 * @returns {{ places: Map<string, Place>, shape: string, settled: boolean }} by node; of which arrows; settled: none is still asked for
 */
function usePlaces(graph) {
  const [found, placed] = useState({ shape: "" });
  const keys = keysOf(graph);
  const shape = graph.links.map(({ id }) => id).join();
  const last = useRef({ shape: "", keys });
  if (last.current.shape === shape) {
    for (const [id, key] of keys) {
      const before = kept.get(last.current.keys.get(id) ?? "");
      if (!kept.has(key) && before) kept.set(key, before);
    }
  }
  last.current = { shape, keys };
  useEffect(() =>
    placesFor(graph, kept, pinned, (places) => {
      for (const [id, place] of places) kept.set(keys.get(id) ?? "", place);
      placed({ shape });
    }), [shape]);
  const places = new Map([...keys].flatMap(([id, key]) => {
    const place = kept.get(key);
    return place ? [[id, place]] : [];
  }));
  return { places, shape, settled: found.shape === shape };
}

/**
 * Moves and magnifies the layer of a drawing, once it is there.
 * @param {{ current: SVGSVGElement | null }} svg @param {{ current: SVGGElement | null }} layer @param {boolean} there
 */
function useZoom(svg, layer, there) {
  const [behavior] = useState(() => /** @type {import("d3-zoom").ZoomBehavior<Element, unknown>} */ (zoom()));
  useEffect(() => {
    if (!svg.current) return;
    // The wheel belongs to the page unless Ctrl is held.
    behavior.scaleExtent([0.3, 6]).filter((
      /** @type {PointEvent} */ event,
    ) => (event.type === "wheel" ? event.ctrlKey || event.metaKey : event.target === svg.current && !event.button))
      .on("zoom", (/** @type {{ transform: import("d3-zoom").ZoomTransform }} */ event) => layer.current?.setAttribute("transform", String(event.transform)));
    select(/** @type {Element} */ (svg.current)).call(behavior).on("dblclick.zoom", null);
    // A finger on a state or an action moves that and not the page: touch-action does not reach inside an SVG.
    svg.current.addEventListener("touchmove", (e) => /** @type {Element} */ (e.target).closest(".spot, .act") && e.preventDefault(), { passive: false });
  }, [there]);
  const on = () => svg.current && select(/** @type {Element} */ (svg.current));
  return {
    by: (/** @type {number} */ factor) => on()?.call(behavior.scaleBy, factor),
    whole: () => on()?.call(behavior.transform, zoomIdentity),
  };
}

/**
 * What is drawn of a graph: the nodes that have places, arrows, names where they cover nothing.
 * @param {Graph} graph @param {Map<string, Place>} places
 */
function drawnOf(graph, places) {
  const shown = graph.states.filter(({ id }) => places.has(id));
  const at = (/** @type {string} */ id) => places.get(id) ?? { x: 0, y: 0 };
  const radii = new Map(shown.map(({ id, size }) => [id, radiusOf(size)]));
  const owner = new Map(graph.actions.map(({ id, state }) => [id, `s${state}`]));
  const links = graph.links.filter(({ from, to }) => places.has(from) && places.has(to));
  const ways = links.map((link) => wayOf(link, at(link.from), at(link.to), radii, link.kind === "move" && owner.get(link.from) === link.to));
  const acts = graph.actions.filter(({ id }) => places.has(id));
  const names = [
    ...shown.map((s) => ({ id: s.id, text: short(s.name), size: 12, centre: at(s.id), radius: /** @type {number} */ (radii.get(s.id)) })),
    ...acts.filter((a) => a.weight !== 0).map((a) => ({ id: a.id, text: deed(a), size: 11, centre: at(a.id), radius: DOT })),
  ];
  const dots = acts.map((a) => ({ id: a.id, centre: at(a.id), radius: DOT }));
  const spots = spotsOf(names, ways, dots.filter((_, i) => acts[i].weight === 0));
  const circles = [...names, ...dots.map(({ centre }) => ({ centre, radius: DOT + 8 }))];

  return {
    shown,
    at,
    radii,
    links,
    ways,
    acts,
    label: (/** @type {string} */ id, /** @type {string} */ text) => {
      const spot = spots.get(id);
      return spot && html`<text x=${spot.x} y=${spot.y} text-anchor=${spot.anchor}>${text}</text>`;
    },
    frame: () => widened(frameOf(circles, spots.values(), ways, 14)),
  };
}

/** @typedef {ReturnType<typeof drawnOf>} Drawn */
/** @typedef {{ from: Place, to: Place }} Pulled a line that is pulled from an action */

/**
 * What the pointer and the keys do to a graph.
 * @param {{
 *   graph: Graph, at: Drawn["at"], hands: Hands | null, held: { current: boolean }, svg: { current: SVGSVGElement | null }, layer: { current: SVGGElement | null },
 *   onChoose: (state: number) => void, redraw: () => void, setPulled: (line: Pulled | null) => void,
 * }} of held: while something is dragged or pulled
 */
function gesturesOf({ graph, at, hands, held, svg, layer, onChoose, redraw, setPulled }) {
  const point = (/** @type {PointEvent} */ event) => new DOMPoint(event.clientX, event.clientY).matrixTransform(layer.current?.getScreenCTM()?.inverse());

  /** Follows the pointer until it is let go. @param {any} event @param {(to: Place) => void} moved @param {(far: boolean, event: PointEvent) => void} done */
  const follow = (event, moved, done) => {
    if (event.button > 0) return;
    const element = event.currentTarget;
    const from = point(event);
    let far = false;
    element.setPointerCapture(event.pointerId);
    element.onpointermove = (/** @type {PointEvent} */ e) => {
      const to = point(e);
      far ||= Math.hypot(to.x - from.x, to.y - from.y) > 4;
      if (far) moved({ x: to.x - from.x, y: to.y - from.y });
    };
    element.onpointerup = element.onpointercancel = (/** @type {PointEvent} */ e) => {
      element.onpointermove = element.onpointerup = element.onpointercancel = null;
      done(far && e.type === "pointerup", e);
    };
  };

  return {
    /** A state goes where it is dragged, with its actions; one that is not moved is chosen. @param {PointEvent} event @param {import("../picture/graph.js").StateNode} node */
    drag(event, node) {
      const own = [node.id, ...graph.actions.filter(({ state }) => state === node.state).map(({ id }) => id)];
      const keys = keysOf(graph);
      const starts = new Map(own.map((id) => [id, at(id)]));
      let moved = false;
      follow(event, (by) => {
        moved = true;
        held.current = true;
        for (const [id, start] of starts) kept.set(keys.get(id) ?? "", { x: start.x + by.x, y: start.y + by.y });
        pinned.add(node.name);
        redraw();
      }, () => {
        held.current = false;
        if (moved) redraw();
        else onChoose(node.state);
      });
    },

    /** A line pulled from an action to a state is a new move. @param {PointEvent} event @param {Place} from @param {number} state @param {number} action */
    pull(event, from, state, action) {
      if (!hands) return;
      event.stopPropagation();
      follow(event, (by) => {
        held.current = true;
        setPulled({ from, to: { x: from.x + by.x, y: from.y + by.y } });
      }, (far, e) => {
        held.current = false;
        setPulled(null);
        if (!far) return onChoose(state);
        const next = /** @type {HTMLElement | null} */ (document.elementFromPoint(e.clientX, e.clientY)?.closest("[data-state]"))?.dataset.state;
        if (next !== undefined) hands.connect(state, action, Number(next));
      });
    },

    /** @param {KeyEvent} event @param {number} state that has the focus */
    key(event, state) {
      const does = event.ctrlKey || event.metaKey || event.altKey ? undefined : {
        Enter: onChoose,
        " ": onChoose,
        ...(hands && { F2: hands.rename, Delete: hands.remove, t: hands.move, T: hands.move }),
      }[/** @type {"Enter"} */ (event.key)];
      if (!does) return;
      event.preventDefault();
      does(state);
    },

    /** A new state where the ground was clicked. @param {PointEvent} event */
    addHere(event) {
      if (!hands || event.target !== svg.current) return;
      const place = point(event);
      const added = hands.add();
      kept.set(added, { x: place.x, y: place.y });
      pinned.add(added);
    },
  };
}

/** @typedef {ReturnType<typeof gesturesOf>} Gestures */

/**
 * @param {{ graph: Graph, name: string, chosen: number | null, onChoose: (state: number) => void, hands: Hands | null }} props hands: null where the model is only looked at
 */
export function GraphView({ graph, name, chosen, onChoose, hands }) {
  const { places, shape, settled } = usePlaces(graph);
  const [, redraw] = useState(0);
  const [pulled, setPulled] = useState(/** @type {Pulled | null} */ (null));
  const svg = useRef(/** @type {SVGSVGElement | null} */ (null));
  const layer = useRef(/** @type {SVGGElement | null} */ (null));
  const held = useRef(false); // the ground stays
  const framed = useRef({ shape: "", frame: /** @type {Frame} */ ([0, 0, 0, 0]) });
  const drawn = drawnOf(graph, places);
  const { shown, at, links, ways } = drawn;
  const { by, whole } = useZoom(svg, layer, shown.length > 0);
  if (shown.length === 0) return html`<p class="quiet" aria-busy="true">Drawing…</p>`;
  const same = framed.current.shape === shape;
  const frame = same && held.current ? framed.current.frame : steady(same ? framed.current.frame : null, drawn.frame());
  framed.current = { shape, frame };
  const does = gesturesOf({ graph, at, hands, held, svg, layer, onChoose, redraw: () => redraw((n) => n + 1), setPulled });
  return html`<div class="canvas"><svg class=${`model-picture${hands ? " live" : ""}`} ref=${svg} viewBox=${frame.join(" ")} role="group" aria-busy=${
    String(!settled)
  } aria-label=${`${name}: ${count(shown.length, "state")}, ${
    count(graph.actions.length, "action")
  }; the table below says the same`} onDblClick=${does.addHere}>
    <g ref=${layer}>
    ${
    ways.map(({ id, d, width, head }, i) =>
      html`<g key=${id} class=${links[i].weight === 0 ? "way idle" : "way"}><path d=${d} stroke-width=${width} />${head && html`<polygon points=${head} />`}${
        links[i].kind === "move" && html`<title>probability ${probability(links[i].p)}</title>`
      }</g>`
    )
  }
    ${drawn.acts.map((a) => actionDot(a, drawn, does, hands !== null))}
    ${shown.map((s) => stateSpot(s, { graph, drawn, does, hands, picked: s.state === chosen }))}${
    pulled && html`<path class="pulled" d=${`M${pulled.from.x},${pulled.from.y}L${pulled.to.x},${pulled.to.y}`} />`
  }</g></svg>
    <p class="zoom"><button type="button" aria-label="Closer" onClick=${() => by(1.4)}>+</button><button type="button" aria-label="Farther" onClick=${() =>
    by(1 / 1.4)}>−</button><button type="button" onClick=${whole}>All</button></p></div>`;
}

/** @param {import("../picture/graph.js").ActionNode} a @param {Drawn} drawn @param {Gestures} does @param {boolean} edited */
function actionDot(a, { at, label }, does, edited) {
  const { x, y } = at(a.id);
  return html`<g key=${a.id} class=${a.weight === 0 ? "act idle" : "act"} onPointerDown=${
    edited && ((/** @type {PointEvent} */ e) => does.pull(e, { x, y }, a.state, a.action))
  }>${edited && html`<circle class="reach" cx=${x} cy=${y} r="12" />`}<circle cx=${x} cy=${y} r=${DOT} />${label(a.id, deed(a))}<title>${a.name}${
    Number.isNaN(a.weight) ? "" : `, taken with probability ${probability(a.weight)}`
  }${edited ? "; pull to a state for a new move" : ""}</title></g>`;
}

/**
 * @param {import("../picture/graph.js").StateNode} s
 * @param {{ graph: Graph, drawn: Drawn, does: Gestures, hands: Hands | null, picked: boolean }} of
 */
function stateSpot(s, { graph, drawn: { at, radii, label }, does, hands, picked }) {
  const { x, y } = at(s.id);
  const r = /** @type {number} */ (radii.get(s.id));
  const first = graph.actions.find((a) => a.state === s.state)?.action ?? 0;
  return html`<g key=${s.id} data-state=${s.state} class=${`spot${s.reached ? "" : " unreached"}${
    picked ? " chosen" : ""
  }`} tabindex="0" role="button" aria-pressed=${picked ? "true" : "false"} aria-label=${`${s.name}${
    Number.isNaN(s.size) ? "" : `, ${percent(s.size)} of the time`
  }`}
        onPointerDown=${(/** @type {PointEvent} */ e) => does.drag(e, s)} onDblClick=${() => hands?.rename(s.state)} onKeyDown=${(/** @type {KeyEvent} */ e) =>
    does.key(e, s.state)}>
        <circle cx=${x} cy=${y} r=${r} />${label(s.id, short(s.name))}<title>${s.name}${s.reached ? "" : ", never reached"}</title>${
    hands && picked &&
    html`<g class="knob" onPointerDown=${(/** @type {PointEvent} */ e) => does.pull(e, { x: x + r, y: y - r }, s.state, first)}><circle cx=${x + r} cy=${
      y - r
    } r="9" /><path d=${`M${x + r - 4},${y - r}h8m-3,-3l3,3l-3,3`} /><title>pull to a state for a new move</title></g>`
  }</g>`;
}

/** A small graph is not blown up to the width of the page. @param {Frame} frame @returns {Frame} */
function widened([left, top, width, height]) {
  const narrow = globalThis.innerWidth < 560;
  const [w, h] = [Math.max(width, narrow ? 330 : 560), Math.max(height, narrow ? 250 : 280)];
  return [left - (w - width) / 2, top - (h - height) / 2, w, h];
}

/** An action with its share of the plan. @param {import("../picture/graph.js").ActionNode} a */
const deed = (a) => `${short(a.name)}${a.weight > 0 && a.weight < 1 ? ` ${probability(a.weight)}` : ""}`;
