// @ts-check
// standing.js — how a limit stands, in words; apart from the others, as the first answer does without. Pure.

import { number } from "./format.js";
import { slackFor } from "./words.js";

/**
 * How a constraint stands, for a table and a screen reader.
 * @param {{ violation: number | null, threshold: number }} c
 */
export function standing(c) {
  if (c.violation === null || !Number.isFinite(c.violation)) return "not known";
  if (c.violation > slackFor(c)) return `violated by ${number(c.violation, 3)}`;
  if (Math.abs(c.violation) <= 1e-6 * Math.max(1, Math.abs(c.threshold))) return "met, exactly at its limit";
  return `met with ${number(Math.abs(c.violation), 3)} to spare`;
}
