// @ts-check
// frames.js — which messages a host page believes, and what heights it gives. Pure.

const LEAST = 120;
const MOST = 6000;

/**
 * A height in pixels that a frame may have; 480 for what is no height.
 * @param {unknown} height
 */
export function clampHeight(height) {
  const value = Number(height);
  return Number.isFinite(value) ? Math.round(Math.min(MOST, Math.max(LEAST, value))) : 480;
}

/**
 * Whether a message is a height from this very frame: its window, its origin, its
 * name and its form.
 * @param {{ source: unknown, origin: string, data: any }} event
 * @param {unknown} window of the frame
 * @param {string} origin
 * @param {string} frame
 */
export function isFromFrame(event, window, origin, frame) {
  const { data } = event;
  return window !== null && event.source === window && event.origin === origin
    && data !== null && typeof data === "object" && data.type === "rcmdp-embed" && data.frame === frame && typeof data.height === "number";
}
