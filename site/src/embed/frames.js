// @ts-check
// frames.js — which messages a host page and its frame believe of each other, and what heights a host gives. Pure.

/** What messages of both are called. */
export const TYPE = "rcmdp-embed";

const LEAST = 120;
const MOST = 6000;
/** A longer model is none that a frame takes by message, in characters. */
const LONGEST = 200_000_000;

/**
 * A height in pixels that a frame may have; 480 for what is no height.
 * @param {unknown} height
 */
export function clampHeight(height) {
  const value = Number(height);
  return Number.isFinite(value) ? Math.round(Math.min(MOST, Math.max(LEAST, value))) : 480;
}

/**
 * The origin that a frame is asked to tell; null for whatever is none: "*", an address with a path, an origin that nobody can be told apart by.
 * @param {string} text
 */
export function originIn(text) {
  try {
    const { origin } = new URL(text);
    return origin === text && origin !== "null" ? origin : null;
  } catch {
    return null;
  }
}

/**
 * @typedef {{ source: unknown, origin: string, data: any }} Said
 * @typedef {Record<string, any>} Doc
 * @typedef {{ problem: string, answer: Doc | null, turn: number }} Asked problem: a document's text; turn: what the host calls it, said with whatever is told of it
 */

/** Whether a message is from this very window, of this origin, and of ours. @param {Said} event @param {unknown} window @param {string} origin */
export const isOurs = ({ source, origin: from, data }, window, origin) =>
  window !== null && source === window && from === origin && data !== null && typeof data === "object" && data.type === TYPE;

/** And about this frame. @param {Said} event @param {unknown} window @param {string} origin @param {string} frame */
const isOf = (event, window, origin, frame) => isOurs(event, window, origin) && event.data.frame === frame;

const isObject = (/** @type {unknown} */ x) => typeof x === "object" && x !== null && !Array.isArray(x);

/** What a frame may say, by its form. @type {Record<string, (x: unknown) => boolean>} */
const sayings = {
  height: (x) => typeof x === "number",
  ready: (x) => x === true,
  turn: Number.isInteger,
  problem: isObject,
  result: (x) => x === null || isObject(x),
  failed: (x) => typeof x === "string",
};

/**
 * What a message from this very frame says; null for any other.
 * @param {Said} event
 * @param {unknown} window of the frame
 * @param {string} origin
 * @param {string} frame
 * @returns {{ height?: number, ready?: boolean, turn?: number, problem?: Doc, result?: Doc | null, failed?: string } | null}
 */
export function saidBy(event, window, origin, frame) {
  if (!isOf(event, window, origin, frame)) return null;
  const said = Object.entries(event.data).filter(([name, value]) => Object.hasOwn(sayings, name) && sayings[name](value));
  return said.length > 0 ? Object.fromEntries(said) : null;
}

/**
 * What the page around a frame asks of it; null for a message from anybody else.
 * @param {Said} event
 * @param {unknown} host its window
 * @param {string} origin that was named in the frame's address
 * @param {string} frame
 * @returns {Asked | null}
 */
export function askedBy(event, host, origin, frame) {
  if (!isOf(event, host, origin, frame)) return null;
  const { problem, answer = null, turn = 0 } = event.data;
  const right = typeof problem === "string" && problem.length <= LONGEST && (answer === null || isObject(answer)) && Number.isInteger(turn);
  return right ? { problem, answer, turn } : null;
}
