// @ts-check
// limit-range.js — beside a limit: the least that can be kept, and what the nominal plan comes to.

import { html, useEffect, useRef } from "../view.js";
import { leastOf, nominalPlan, seek, suggested } from "../lab/limits.js";
import { number } from "../words/format.js";
import { useMade } from "./made.js";

/**
 * @param {{ solver: import("../rcmdp.js").Solver, problem: import("../rcmdp.js").Problem, n: number, of: string, typed: boolean, onSuggest: (bound: number) => void }} props
 *   n: the limit, from 0; of: what it depends on but for the thresholds; typed: its threshold is the person's
 */
export function LimitRange({ solver, problem, n, of, typed, onSuggest }) {
  const limit = problem.constraints?.[n];
  const below = limit?.atLeast !== undefined;
  const range = async () => {
    const [least, plan] = await Promise.all([leastOf(solver, problem, n), nominalPlan(solver, problem)]);
    return { least, nominal: plan?.worst[n + 1]?.value ?? null };
  };
  const { made, failed, current } = useMade(limit ? range : null, [of, n, limit?.name, below], 200);
  const told = useRef("");
  useEffect(() => {
    if (!made || made.least === null || typed || told.current === of) return;
    told.current = of;
    onSuggest(suggested(made.least, made.nominal, below));
  }, [made, typed]);
  const open = Boolean(limit) && !typed && !failed && !(made && current);
  useEffect(() => (open ? seek() : undefined), [open]); // behind the effect that suggests what was found
  if (failed || !made || made.least === null) return html`<span class="help" role="status">${failed ? "" : "Looking at what can be kept…"}</span>`;
  return html`<span class="help" role="status">${below ? "At most" : "The least"} ${number(made.least, 5)} can be kept in the worst case${
    made.nominal === null ? "" : `; the plan that takes the probabilities as exact comes to ${number(made.nominal, 5)} in its worst case`
  }.</span>`;
}
