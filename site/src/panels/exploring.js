// @ts-check
// exploring.js — what the trade-off explorer does: the curve that is being drawn, and
// the model that is solved where a slider stands.

import { useEffect, useRef, useState } from "../view.js";
import { decisions, tableAt, planTables } from "../document/steps.js";
import { said } from "../lab/core.js";
import { carried } from "../engine/claims.js";
import { turned } from "../lab/knobs.js";
import { isUnchecked } from "../words/words.js";
import { solverOf } from "./parts.js";

/** @typedef {import("../lab/knobs.js").Knob} Knob */
/** @typedef {import("../lab/tradeoff.js").SweepPoint} SweepPoint */
/** @typedef {import("../lab/tradeoff.js").Kept} Kept */
/** @typedef {import("../rcmdp.js").Problem} Problem */

/** Whether there is something to find, or to check. @param {(SweepPoint | null)[]} points */
export const isOpen = (points) => points.some((p) => p === null || isUnchecked(p));

/** After the last turn of a slider the curve goes on. */
const REST_MS = 500;

/**
 * @typedef {{
 *   lab: import("./parts.js").Lab, problem: Problem, origin: import("../lab/state.js").Origin, knob: Knob, values: number[],
 *   points: (SweepPoint | null)[], began: boolean, ready: boolean, told: SweepPoint[],
 * }} Explored knob: the chosen one, whose curve has these values and points; began: it is drawn by itself
 */

/** @param {Explored} of */
export function useExplorer(of) {
  const { lab, problem, origin, knob, values, points, began, ready } = of;
  // What callbacks write to: the newest points, whatever was drawn last.
  const live = useRef({ problem, knob: knob.id, values, points, began });
  live.current = { problem, knob: knob.id, values, points, began };
  const keep = (/** @type {Partial<Kept>} */ part) => {
    live.current = { ...live.current, ...part };
    lab.keep("tradeoff", live.current);
  };
  const [failed, setFailed] = useState("");

  /** @param {Knob} k @param {number} value @returns {Promise<Problem>} */
  const documentAt = async (k, value) => {
    const at = turned(problem, k, value);
    if (at || origin.kind !== "example" || k.parameter === null) return at ?? problem;
    return solverOf(lab).example(origin.id, { ...origin.parameters, [k.parameter]: value });
  };

  const { busy, draw, halt } = useCurve(of, { live, keep, documentAt, setFailed });
  const { at, probe, move, rest } = useTurn(of, { live, draw, halt, documentAt, setFailed });
  useEffect(() => {
    if (began) void draw();
    return () => {
      halt();
      rest();
    };
  }, [problem, knob.id, values.length, began, ready]);

  return {
    at,
    probe,
    busy,
    failed,
    keep,
    documentAt,
    move: (/** @type {Knob} */ k, /** @type {number} */ value) => void move(k, value),
    pause: () => {
      keep({ began: false });
      halt();
    },
    goOn: () => (began ? void draw() : keep({ began: true })),
  };
}

/** @typedef {{ current: Kept }} Live */
/** @typedef {{ id: string, problem: Problem }} Turned the knob that was turned, and the model */
/** @typedef {(k: Knob, value: number) => Promise<Problem>} DocumentAt */

/**
 * The sweep that draws the curve, point by point.
 * @param {Explored} of
 * @param {{ live: Live, keep: (part: Partial<Kept>) => void, documentAt: DocumentAt, setFailed: (why: string) => void }} with_
 */
function useCurve({ lab, problem, knob, values, ready }, { live, keep, documentAt, setFailed }) {
  const [busy, setBusy] = useState(false);
  const sweep = useRef(/** @type {{ stop: () => void } | null} */ (null));

  return {
    busy,
    draw: async () => {
      if (!ready || sweep.current || !isOpen(live.current.points)) return;
      const mine = { stop: () => {} };
      sweep.current = mine;
      setBusy(true);
      setFailed("");
      try {
        const along = knob.pointer === null ? { documents: await Promise.all(values.map((v) => documentAt(knob, v))) } : { pointer: knob.pointer };
        if (sweep.current !== mine) return;
        const run = solverOf(lab).sweep(problem, { ...along, values, points: live.current.points });
        mine.stop = () => run.stop();
        for await (const { point } of run) {
          // What is drawn now may be of another model or knob already, though this has not been told yet.
          const { problem: now, knob: turned, values: at, points } = live.current;
          if (sweep.current !== mine || now !== problem || turned !== knob.id) break;
          keep({ points: points.map((p, i) => (at[i] === point.value ? point : p)) });
        }
        await run.result;
        if (sweep.current === mine) lab.say(`The curve of ${knob.label} is drawn.`);
      } catch (error) {
        if (sweep.current === mine) setFailed(said(error));
      } finally {
        if (sweep.current === mine) {
          sweep.current = null;
          setBusy(false);
        }
      }
    },
    halt: () => {
      sweep.current?.stop();
      sweep.current = null;
      setBusy(false);
    },
  };
}

/**
 * The model where a slider stands: solved there, the newest turn first.
 * @param {Explored} of
 * @param {{ live: Live, draw: () => Promise<void>, halt: () => void, documentAt: DocumentAt, setFailed: (why: string) => void }} with_
 */
function useTurn({ lab, problem, knob, ready, told }, { live, draw, halt, documentAt, setFailed }) {
  // Both with the model that they are of: it may have been edited since.
  const [at, setAt] = useState(/** @type {Turned & { value: number }} */ ({ id: knob.id, problem, value: knob.value }));
  const [probe, setProbe] = useState(/** @type {Turned & { point: SweepPoint } | null} */ (null));
  const turn = useRef({
    number: 0,
    run: /** @type {import("../rcmdp.js").Run | null} */ (null),
    timer: /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined),
  });

  /** What the last turn asked for is no longer wanted. */
  const rest = () => {
    turn.current.run?.stop();
    clearTimeout(turn.current.timer);
    return ++turn.current.number;
  };

  return {
    at,
    probe,
    /** @param {Knob} k @param {number} value */
    move: async (k, value) => {
      setAt({ id: k.id, problem, value });
      if (!ready) { // the solver is not there: what was found before says what it can
        const point = nearest(told, value, () => true);
        if (point) setProbe({ id: k.id, problem, point });
        return;
      }
      const mine = rest();
      halt();
      try {
        const there = await documentAt(k, value);
        if (mine !== turn.current.number) return;
        const warm = nearest(k.id === knob.id ? live.current.points : [], value) ?? probe?.point ?? null;
        const table = warm && tableAt(warm.policy, 0);
        const fits = table && planTables(warm.policy).length === Math.max(1, decisions(there)) && table.length === there.states.length &&
          table[0]?.length === there.actions.length;
        const run = solverOf(lab).solve(there, { starts: 2, timeLimit: 2, ...(fits ? { initialPolicy: warm.policy } : {}) });
        turn.current.run = run;
        const result = await run.result;
        if (mine !== turn.current.number) return;
        setProbe({ id: k.id, problem, point: carried(result, { value, ...result }) });
        setFailed("");
      } catch (error) {
        if (mine === turn.current.number) setFailed(said(error));
      }
      if (mine === turn.current.number) turn.current.timer = setTimeout(() => live.current.began && draw(), REST_MS);
    },
    rest,
  };
}

/** The point whose value is nearest, of those that serve. @param {(SweepPoint | null)[]} points @param {number} value @param {(p: SweepPoint) => boolean} [serves] */
function nearest(points, value, serves = (p) => p.policy.length > 0) {
  const plans = points.filter((p) => p !== null && serves(p));
  return plans.reduce(
    (/** @type {SweepPoint | null} */ best, p) => (p && (!best || Math.abs(p.value - value) < Math.abs(best.value - value)) ? p : best),
    null,
  );
}
