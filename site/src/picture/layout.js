// @ts-check
// layout.js — places for a graph, by forces: arrows pull, nodes push apart. The same graph gets the
// same places; a state that was placed before keeps its place as far as the others let it.

import { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY } from "d3-force";

/** @typedef {{ x: number, y: number }} Place */

const TICKS = 260;

/**
 * @param {{ states: Pick<import("./graph.js").StateNode, "id" | "name">[], actions: Pick<import("./graph.js").ActionNode, "id" | "state">[],
 *   links: Pick<import("./graph.js").Link, "from" | "to" | "kind" | "p">[] }} graph
 * @param {Map<string, Place>} [kept] places by state's name, of an earlier drawing
 * @param {Set<string>} [pinned] names of states that a person has put where they are
 * @returns {{ step: (ticks: number) => boolean, places: () => Map<string, Place> }} step works for so many ticks and says
 *   whether it is done, so that whoever calls can let others in between; places are by node id
 */
export function layoutOf(graph, kept = new Map(), pinned = new Set()) {
  const n = graph.states.length;
  const ring = 60 + 22 * n;
  const states = graph.states.map((s, i) => {
    const before = kept.get(s.name);
    const angle = (2 * Math.PI * i) / n - Math.PI / 2;
    const at = before ?? { x: ring * Math.cos(angle), y: 0.7 * ring * Math.sin(angle) };
    return { id: s.id, kind: "state", x: at.x, y: at.y, ...(before && pinned.has(s.name) ? { fx: at.x, fy: at.y } : {}) };
  });
  const of = new Map(states.map((node) => [node.id, node]));
  const actions = graph.actions.map((a, i) => {
    const home = /** @type {{ x: number, y: number }} */ (of.get(`s${a.state}`));
    return { id: a.id, kind: "action", x: home.x + 12 * Math.cos(i * 2.4), y: home.y + 12 * Math.sin(i * 2.4) };
  });
  const nodes = [...states, ...actions];
  const links = graph.links.map(({ from, to, kind, p }) => ({ source: from, target: to, kind, p }));
  const simulation = forceSimulation(/** @type {any[]} */ (nodes))
    .force(
      "link",
      forceLink(links).id((/** @type {any} */ node) => node.id).distance((link) => (link.kind === "choice" ? 58 : 72)).strength((
        link,
      ) => (link.kind === "choice" ? 0.9 : 0.12 + 0.4 * link.p)),
    )
    .force("push", forceManyBody().strength((/** @type {any} */ node) => (node.kind === "state" ? -420 : -90)).distanceMax(500))
    .force("apart", forceCollide((/** @type {any} */ node) => (node.kind === "state" ? 38 : 14)))
    .force("x", forceX(0).strength(0.045))
    .force("y", forceY(0).strength(0.08))
    .alpha(kept.size > 0 ? 0.35 : 1)
    .stop();
  let done = 0;
  return {
    step(ticks) {
      const more = Math.min(ticks, TICKS - done);
      simulation.tick(more);
      done += more;
      return done >= TICKS;
    },
    places: () => new Map(nodes.map(({ id, x, y }) => [id, { x, y }])),
  };
}
