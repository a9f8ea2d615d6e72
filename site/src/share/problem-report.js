// @ts-check
// problem-report.js — what a person may send to say that something is wrong: what they did, and what whoever
// mends it needs to see the same. Text alone; the page sends nothing. Pure.

/**
 * @typedef {{
 *   happened: string, page: string, version: string, browser: string, screen: string, model: string, answer: string, trouble: string[],
 * }} Particulars model: a link to it, its document, or "" where it is kept back; trouble: what the page itself complained of
 */

/** @param {Particulars} of */
export const reportText = ({ happened, page, version, browser, screen, model, answer, trouble }) =>
  [
    happened.trim() || "What I did, what I saw, and what I had expected:\n",
    "",
    "---",
    `Page: ${page}`,
    `Version: ${version}`,
    `Browser: ${browser}`,
    `Window: ${screen}`,
    ...(answer ? [`Answer: ${answer}`] : []),
    ...trouble.map((line) => `The page said: ${line}`),
    ...(model ? [`Model: ${model}`] : []),
    "",
  ].join("\n");

/** What goes through the address of a mail to every program; the rest is cut off by some. */
const LONGEST_MAIL = 1800;

/**
 * The report as the address of a mail to nobody yet; without the model where that is too long for one.
 * @param {string} subject
 * @param {Particulars} of
 * @returns {{ href: string, whole: boolean }} whole: the model is in it
 */
export function mailOf(subject, of) {
  const href = (/** @type {Particulars} */ parts) => `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(reportText(parts))}`;
  const whole = href(of);
  return whole.length <= LONGEST_MAIL ? { href: whole, whole: true } : { href: href({ ...of, model: of.model && "(paste it here)" }), whole: of.model === "" };
}
