// @ts-check
// presets.js — ready-made settings of the methods, as differences from the
// option table's own defaults. Pure.

/** @typedef {{ id: string, title: string, help: string, options: Record<string, number | boolean> }} Preset */

/** @type {Record<string, Preset[]>} */
const table = {
  "epirc-pgs": [
    {
      id: "quick",
      title: "Quick",
      help: "Fewer and larger steps, and a descent ends at the first feasible policy: an answer in about a second.",
      options: { outerIterations: 20, innerIterations: 2000, stepSize: 5e-4, earlyStop: true },
    },
    {
      id: "paper",
      title: "As in the paper",
      help: "The paper's 20 outer and 10 000 inner steps with step size 5e-5; every descent runs to its end.",
      options: {},
    },
  ],
};

/** Methods in the order in which the page would rather start. */
const preferred = ["solve", "slp", "epirc-pgs"];

/**
 * The method the page starts with.
 * @param {{ id: string }[]} algorithms
 */
export const defaultMethod = (algorithms) => preferred.find((id) => algorithms.some((a) => a.id === id)) ?? algorithms[0]?.id ?? "";

/**
 * @param {string} algorithm
 * @returns {Preset[]} the first is what the page starts with
 */
export const presetsOf = (algorithm) => table[algorithm] ?? [{ id: "default", title: "Default", help: "The method's own settings.", options: {} }];

/**
 * The option table's defaults with a preset on top.
 * @param {import("../rcmdp.js").Algorithm} algorithm a record of algorithms()
 * @param {Preset} preset
 * @returns {Record<string, unknown>}
 */
export const settingsOf = ({ options }, preset) =>
  Object.fromEntries(
    options.filter(({ type }) => type !== "policy").map(({ name, type, default: usual }) => [
      name,
      preset.options[name] ?? (type === "boolean" ? Boolean(usual) : type === "seed" ? String(usual) : usual),
    ]),
  );

/**
 * The preset that these settings are, or null when they are one's own.
 * @param {import("../rcmdp.js").Algorithm} algorithm
 * @param {Record<string, unknown>} settings
 */
export const presetFor = (algorithm, settings) =>
  presetsOf(algorithm.id).find((preset) => {
    const want = settingsOf(algorithm, preset);
    return Object.keys(want).every((name) => Object.is(want[name], settings[name]));
  }) ?? null;

/**
 * What differs from the table's defaults: what a run needs to be told and a link
 * needs to carry.
 * @param {import("../rcmdp.js").Algorithm} algorithm
 * @param {Record<string, unknown>} settings
 * @returns {Record<string, unknown>}
 */
export function changedOptions(algorithm, settings) {
  const base = settingsOf(algorithm, { id: "", title: "", help: "", options: {} });
  return Object.fromEntries(Object.entries(settings).filter(([name, value]) => name in base && !Object.is(value, base[name])));
}

/**
 * Reads an option as written in a link or a field.
 * @param {import("../rcmdp.js").Option} option a record of the option table
 * @param {string} text
 * @returns {{ ok: true, value: unknown } | { ok: false, message: string }}
 */
export function readOption(option, text) {
  const clean = text.trim();
  if (option.type === "boolean") {
    return ["true", "1", "false", "0"].includes(clean)
      ? { ok: true, value: clean === "true" || clean === "1" }
      : { ok: false, message: `${option.name} is true or false.` };
  }
  if (option.type === "seed") {
    return /^\d{1,20}$/.test(clean) ? { ok: true, value: clean } : { ok: false, message: `${option.name} is a whole number from 0, with at most 20 digits.` };
  }
  const value = Number(clean);
  const whole = option.type === "integer";
  if (clean === "" || Number.isNaN(value) || (whole && !Number.isInteger(value)))
    return { ok: false, message: `“${clean}” is not a ${whole ? "whole number" : "number"}.` };
  const { min = -Infinity, max = Infinity } = option;
  if (value < min || value > max) return { ok: false, message: `${clean} is outside ${min} to ${max}.` };
  return { ok: true, value };
}
