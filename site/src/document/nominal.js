// @ts-check
// nominal.js — a model without its uncertainty. Pure.

/** @typedef {import("../rcmdp.js").Problem} Problem */

/**
 * The model with the uncertainty taken away: its nominal kernel, or the first of a
 * list; null where there is neither.
 * @param {Problem} problem
 * @returns {Problem | null}
 */
export function nominalOf(problem) {
  const { kind, kernels, nominal } = problem.uncertainty;
  if (kernels)
    return kernels.length < 2
      ? null
      : { ...problem, uncertainty: { kind, kernels: [kernels.find((k) => k.name === "nominal") ?? kernels[0]] } };
  return nominal ? { ...problem, uncertainty: { kind: "finite", kernels: [{ name: "nominal", transitions: nominal }] } } : null;
}
