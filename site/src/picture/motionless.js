// @ts-check
// motionless.js — what the build gives d3-zoom for d3-transition and d3-interpolate. The page begins no transition, so
// that the colours, easings and timers of one need not come along: there is none to end, and nothing on its way.

import { selection } from "d3-selection";

export const interrupt = () => {};
export const interpolateZoom = null;

Object.assign(selection.prototype, {
  /** @this {unknown} */
  interrupt() {
    return this;
  },
});
