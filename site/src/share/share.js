// @ts-check
// share.js — a document as text that fits in a link: JSON, deflate-raw, base64url. A checksum travels beside it, so that a
// cut or altered link is reported and never opens as another model. An answer goes along without its trace and without what
// can be evaluated again, the points of a trade-off without their certificates too: they claim nothing before they are
// checked or found again. Pure.

import { through } from "../bytes.js";
import { faultOf, unjudged } from "../engine/claims.js";

/** Where a link's document stops being one: a small link must not unpack to more. */
const LARGEST = 20_000_000;

/** What may have become of a link that is not whole. */
export const CUT = "It may have been cut or changed when it was sent; ask for it again, or for the model as a file.";

/** A link that cannot be opened, with the reason for a person. */
export class LinkError extends Error {}

/**
 * @param {unknown} document
 * @returns {Promise<{ text: string, sum: string }>}
 */
export async function pack(document) {
  const bytes = new TextEncoder().encode(JSON.stringify(document));
  return { text: toBase64url(await through(bytes, new CompressionStream("deflate-raw"))), sum: checksum(bytes) };
}

/**
 * @param {string} text as `pack` made it
 * @param {string} [sum] its checksum; not compared when the link has none
 * @returns {Promise<any>} any JSON: whoever asks looks at it
 * @throws {LinkError}
 */
export async function unpack(text, sum) {
  const bytes = await inflated(text).catch((error) => {
    throw new LinkError(
      error.message.startsWith("more than")
        ? "The model in this link is larger than 20 MB. Open it from a file."
        : `The model in this link is not whole. ${CUT}`,
    );
  });
  if (sum !== undefined && sum !== checksum(bytes)) throw new LinkError(`The model in this link is damaged: its checksum does not fit. ${CUT}`);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new LinkError(`The model in this link cannot be read. ${CUT}`);
  }
}

/** @param {string} text */
const inflated = async (text) => through(fromBase64url(text), new DecompressionStream("deflate-raw"), LARGEST);

/** @param {Uint8Array} bytes */
export function toBase64url(bytes) {
  let binary = "";
  for (let i = 0; i < bytes.length; i += 0x8000) binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** @param {string} text */
export function fromBase64url(text) {
  if (!/^[\w-]*$/.test(text)) throw new RangeError("not base64url");
  const binary = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(binary, (c) => c.charCodeAt(0));
}

/**
 * FNV-1a over 32 bits, as hex: enough to notice an accident.
 * @param {Uint8Array} bytes
 */
export function checksum(bytes) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193); // an iterator takes several times as long
  return (hash >>> 0).toString(16).padStart(8, "0");
}

/** @typedef {import("../rcmdp.js").Result} Result */
/** @typedef {import("../rcmdp.js").SweepPoint} SweepPoint */
/** @typedef {import("../rcmdp.js").SweepResult} SweepResult */

/** Whether what was saved is a trade-off and not the answer to one model. @param {Result | SweepResult | null} result @returns {result is SweepResult} */
export const isSweep = (result) => result?.algorithm === "sweep";

/**
 * @param {Result} result
 * @returns {Partial<Result>}
 */
export function leanAnswer(result) {
  const { trace: _trace, worst: _worst, version: _version, warnings: _warnings, policy, ...rest } = result;
  return { ...rest, policy };
}

/**
 * @param {import("../rcmdp.js").Problem} problem @param {any} lean
 * @returns {Result} what it says, without what it claims
 * @throws {LinkError} when it is no answer to the problem
 */
export function readAnswer(problem, lean) {
  const fault = faultOf(problem, lean);
  if (fault) throw new LinkError(`The link holds an answer that is none of its model: ${fault}. Ask for the link again, or for the model as a file.`);
  return unjudged(problem, lean);
}

/**
 * @param {(SweepPoint | null)[]} points
 * @param {boolean} plans whether each brings its policy
 */
export const leanCurve = (points, plans = true) =>
  points.flatMap((point) => {
    if (!point) return [];
    const { value, status, feasible, algorithm, objective, constraints, policy } = point;
    const { name, sense, value: cost, lowerBound, upperBound } = objective;
    return [{
      value,
      status,
      feasible,
      algorithm,
      objective: { name, sense, value: cost, lowerBound, upperBound },
      constraints: constraints.map((c) => ({ name: c.name, value: c.value, threshold: c.threshold, violation: c.violation, slack: c.slack })),
      policy: plans ? policy : [],
    }];
  });

/**
 * @param {import("../rcmdp.js").Problem} problem @param {any} lean
 * @returns {SweepPoint[] | null} what the points say, without what they claim; null when it is no curve
 */
export function readCurve(problem, lean) {
  const good = (/** @type {any} */ p) => Number.isFinite(p?.value) && typeof p.feasible === "boolean" && faultOf(problem, p) === null;
  return Array.isArray(lean) && lean.length > 0 && lean.every(good)
    ? lean.map((p) => ({ ...unjudged(problem, p), value: p.value })).sort((a, b) => a.value - b.value)
    : null;
}
