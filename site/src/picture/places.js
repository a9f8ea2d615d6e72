// @ts-check
// places.js — asks a worker where the nodes of a graph stand, so that the page is free meanwhile. Where no
// worker can be made (a page from disk, a frame without an origin) the page works it out itself, in small turns.

/** @typedef {import("./graph.js").Graph} Graph */
/** @typedef {import("./layout.js").Place} Place */

/* global __LAYOUT_URL__ */
const url = typeof __LAYOUT_URL__ === "string" ? __LAYOUT_URL__ : "";
/** What the page itself may do of it in one turn. */
const TICKS_A_TURN = 12;

/** Undefined before the first graph, null where there can be none. @type {Worker | null | undefined} */
let worker;
/** Who waits, by the number of the graph. @type {Map<number, { here: () => void, found: (places: Map<string, Place>) => void }>} */
const waiting = new Map();
let last = 0;

/**
 * @param {Graph} graph
 * @param {Map<string, Place>} kept
 * @param {Set<string>} pinned as for layoutOf
 * @param {(places: Map<string, Place>) => void} found by node id
 * @returns {() => void} takes the question back
 */
export function placesFor(graph, kept, pinned, found) {
  const id = ++last;
  const states = graph.states.map(({ id, name }) => ({ id, name }));
  const actions = graph.actions.map(({ id, state }) => ({ id, state }));
  const links = graph.links.map(({ from, to, kind, p }) => ({ from, to, kind, p }));
  waiting.set(id, { here: () => inTurns(id, graph, kept, pinned), found });
  if (worker === undefined) worker = start();
  if (worker) worker.postMessage({ id, graph: { states, actions, links }, kept: [...kept], pinned: [...pinned] });
  else void inTurns(id, graph, kept, pinned);
  return () => void waiting.delete(id);
}

/** @returns {Worker | null} */
function start() {
  if (!url) return null;
  try {
    const made = new Worker(new URL(url, document.baseURI));
    made.onmessage = ({ data }) => answer(data.id, new Map(data.places));
    made.onerror = () => {
      made.terminate();
      worker = null;
      for (const { here } of waiting.values()) here();
    };
    return made;
  } catch {
    return null;
  }
}

/** @param {number} id @param {Map<string, Place>} places */
function answer(id, places) {
  const who = waiting.get(id);
  waiting.delete(id);
  who?.found(places);
}

/** @param {number} id @param {Graph} graph @param {Map<string, Place>} kept @param {Set<string>} pinned */
async function inTurns(id, graph, kept, pinned) {
  const { layoutOf } = await import("./layout.js");
  const layout = layoutOf(graph, kept, pinned);
  const turn = () => {
    if (!waiting.has(id)) return;
    if (layout.step(TICKS_A_TURN)) answer(id, layout.places());
    else setTimeout(turn);
  };
  turn();
}
