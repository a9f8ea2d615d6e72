// @ts-check
// layout-worker.js — a worker of its own for layout.js: a graph in, places out. The page speaks to it
// through places.js.

import { layoutOf } from "./layout.js";

self.onmessage = ({ data: { id, graph, kept, pinned } }) => {
  const layout = layoutOf(graph, new Map(kept), new Set(pinned));
  while (!layout.step(1000));
  self.postMessage({ id, places: [...layout.places()] });
};
