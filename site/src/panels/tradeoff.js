// @ts-check
// tradeoff.js — the trade-off explorer: a slider for every limit, the radius and every
// parameter of an example. Turning one solves the model there, the newest turn first;
// the curve of the chosen one is drawn as its points arrive. Emits: opening the plan of
// a point, which changes the model to the point's. An embed shows the same of one number.

import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { withAnswer } from "../lab/answers.js";
import { said } from "../lab/core.js";
import { curve, knobsOf, pointWords, sameCurve, stepOf, turned, valuesOf } from "../lab/tradeoff.js";
import { count, number } from "../words/format.js";
import { Figures } from "./charts.js";

/** @typedef {import("../lab/tradeoff.js").Knob} Knob */
/** @typedef {import("../lab/tradeoff.js").SweepPoint} SweepPoint */
/** @typedef {import("../rcmdp.js").Problem} Problem */

/** Models up to this many pairs are drawn without being asked. */
const SMALL = 80;
/** After the last turn of a slider the curve goes on. */
const REST_MS = 500;
const COUNTS = [11, 21, 41];

/** @typedef {import("../lab/tradeoff.js").Kept} Kept */

/** @param {import("./panels.js").PanelProps} props */
export function Panel({ lab, state, problem }) {
  const { origin } = state.history.present;
  const knobs = knobsOf(problem, origin, state.examples);
  const ready = state.engine.phase === "ready";
  if (knobs.length === 0)
    return html`<p class="quiet">This model has no limit and no single radius to turn. Give it a limit under Goal, or one radius under Nature.</p>`;
  return html`<${Explorer} lab=${lab} problem=${problem} origin=${origin} knobs=${knobs} kept=${state.panels.tradeoff ?? null} ready=${ready} />`;
}

/**
 * @param {{ lab: any, problem: Problem, origin: any, knobs: Knob[], kept: Kept | null, ready: boolean, told?: SweepPoint[], embedded?: boolean }} props
 *   told: a curve of the first knob that was found elsewhere; its points stand until they are found here
 */
export function Explorer({ lab, problem, origin, knobs, kept, ready, told = [], embedded = false }) {
  const last = kept && knobs.find((k) => k.id === kept.knob);
  const same = Boolean(kept && last && sameCurve(kept.problem, problem, last));
  const knob = (same && last) || knobs[0];
  const values = kept && same ? kept.values : told.length > 0 ? told.map((p) => p.value) : valuesOf(knob, COUNTS[1]);
  const points = kept && same ? kept.points : values.map(() => null);
  const small = problem.states.length * problem.actions.length <= SMALL;
  const began = kept && same ? kept.began : small;
  const [at, setAt] = useState(/** @type {{ id: string, value: number }} */ ({ id: knob.id, value: knob.value }));
  const [probe, setProbe] = useState(/** @type {{ id: string, point: SweepPoint } | null} */ (null));
  const [busy, setBusy] = useState("");
  const [failed, setFailed] = useState("");
  const [picked, setPicked] = useState(-1);
  const sweep = useRef(/** @type {any} */ (null));
  const turn = useRef({ number: 0, run: /** @type {any} */ (null), timer: /** @type {any} */ (null) });
  // What callbacks write to: the newest points, whatever was drawn last.
  const live = useRef({ problem, knob: knob.id, values, points, began });
  live.current = { problem, knob: knob.id, values, points, began };
  const keep = (/** @type {Partial<Kept>} */ part) => {
    live.current = { ...live.current, ...part };
    lab.keep("tradeoff", live.current);
  };

  /** @param {Knob} k @param {number} value @returns {Promise<Problem>} */
  const documentAt = async (k, value) =>
    turned(problem, k, value) ?? await lab.solver().example(origin.id, { ...origin.parameters, [/** @type {string} */ (k.parameter)]: value });

  const draw = async () => {
    if (!ready || sweep.current || !live.current.points.includes(null)) return;
    const mine = { stop: () => {} };
    sweep.current = mine;
    setBusy("curve");
    setFailed("");
    try {
      const documents = knob.pointer === null ? await Promise.all(values.map((v) => documentAt(knob, v))) : undefined;
      if (sweep.current !== mine) return;
      const run = lab.solver().sweep(problem, { ...(documents ? { documents } : { pointer: knob.pointer }), values, points: live.current.points });
      mine.stop = () => run.stop();
      for await (const { index, point } of run) {
        if (sweep.current !== mine) break;
        keep({ points: live.current.points.map((p, i) => (i === index ? point : p)) });
      }
      await run.result;
      if (sweep.current === mine) lab.say(`The curve of ${knob.label} is drawn.`);
    } catch (error) {
      if (sweep.current === mine) setFailed(said(error));
    } finally {
      if (sweep.current === mine) {
        sweep.current = null;
        setBusy("");
      }
    }
  };
  const halt = () => {
    sweep.current?.stop();
    sweep.current = null;
    setBusy("");
  };
  useEffect(() => {
    if (began) void draw();
    return () => {
      halt();
      turn.current.number++;
      turn.current.run?.stop();
      clearTimeout(turn.current.timer);
    };
  }, [problem, knob.id, values.length, began, ready]);

  /** @param {Knob} k @param {number} value */
  const move = async (k, value) => {
    setAt({ id: k.id, value });
    if (!ready) { // the solver is not there: what was found before says what it can
      const point = nearest(told, value, () => true);
      return point && setProbe({ id: k.id, point });
    }
    const mine = ++turn.current.number;
    turn.current.run?.stop();
    clearTimeout(turn.current.timer);
    halt();
    try {
      const there = await documentAt(k, value);
      if (mine !== turn.current.number) return;
      const warm = nearest(k.id === knob.id ? live.current.points : [], value) ?? probe?.point ?? null;
      const fits = warm && warm.policy.length === there.states.length && warm.policy[0]?.length === there.actions.length;
      const run = lab.solver().solve(there, { starts: 2, timeLimit: 2, ...(fits ? { initialPolicy: warm.policy } : {}) });
      turn.current.run = run;
      const result = await run.result;
      if (mine !== turn.current.number) return;
      setProbe({ id: k.id, point: { value, ...result } });
      setFailed("");
    } catch (error) {
      if (mine === turn.current.number) setFailed(said(error));
    }
    if (mine === turn.current.number) turn.current.timer = setTimeout(() => live.current.began && draw(), REST_MS);
  };

  /** @param {Knob} k @param {SweepPoint} point */
  const open = async (k, point) => openPlan(lab, await documentAt(k, point.value), point, k);

  const point = probe && (probe.point.told ? points.find((p) => p?.value === probe.point.value) ?? probe.point : probe.point);
  const shown = probe && probe.id === knob.id ? point : null;
  const seen = told.length > 0 ? points.map((p, i) => p ?? told.find((t) => t.value === values[i]) ?? null) : points;
  const figure = curve(problem, knob, seen, values.length, shown);
  const there = seen.flatMap((p, i) => (p ? [{ p, i }] : []));
  const found = points.filter(Boolean).length;
  return html`<div class="stack tradeoff">
    <p class="help">${
    embedded && told.length > 0 && found === 0
      ? "Move the slider to read the points, or click one to see its plan. They were found before; running it here finds and checks each again."
      : "Turn a number of the model and see what it costs. Each point is a plan of its own; what is proved of it is checked for its own model."
  }</p>
    <div class="knobs" role="group" aria-label="What can be turned">${
    knobs.map((k) => {
      const value = at.id === k.id ? at.value : k.value;
      return html`<div key=${k.id} class=${k.id === knob.id ? "knob chosen" : "knob"}>
        ${
        knobs.length === 1
          ? html`<span>${k.label}</span>`
          : html`<label class="choose"><input type="radio" name="knob" checked=${k.id === knob.id} onChange=${() => {
            setPicked(-1);
            const next = valuesOf(k, values.length);
            keep({ problem, knob: k.id, values: next, points: next.map(() => null), began });
          }} /><span>${k.label}</span></label>`
      }
        <input type="range" min=${k.min} max=${k.max} step=${stepOf(k)} value=${value} aria-label=${`${k.label}, try`} disabled=${
        !ready && told.length === 0
      } data-knob=${k.id}
          onInput=${(/** @type {FieldEvent} */ e) => void move(k, Number(e.target.value))} />
        <output>${number(value)}</output></div>`;
    })
  }</div>
    ${
    probe && point && html`<p class="probe" data-probe=${point.value}>${
      pointWords(
        problem,
        knobs.find((k) => k.id === probe.id) ?? knob,
        point,
      )
    }. ${
      point.policy.length > 0 &&
      html`<button type="button" class="plain" onClick=${() => open(knobs.find((k) => k.id === probe.id) ?? knob, point)}>Open this plan</button>`
    }</p>`
  }
    ${
    figure
      ? html`<${Figures} figures=${[figure]} name=${problem.name || "Model"} onPick=${(/** @type {number} */ i) => {
        const of = there.toSorted((a, b) => a.p.value - b.p.value)[i];
        if (of?.p.policy.length) void open(knob, of.p);
      }} />`
      : html`<p class="quiet">${
        busy
          ? "The first points are on their way…"
          : ready
          ? "Nothing is drawn yet."
          : embedded
          ? "Run it here, and the curve is drawn."
          : "The solver is loading…"
      }</p>`
  }
    <p class="row">
      ${
    busy
      ? html`<button type="button" onClick=${() => {
        keep({ began: false });
        halt();
      }}>Pause</button><span class="quiet">${found} of ${count(values.length, "point")}</span>`
      : points.includes(null) && (ready || !embedded) &&
        html`<button type="button" disabled=${!ready} onClick=${() => (began ? void draw() : keep({ began: true }))}>${
          found > 0 ? "Go on" : "Draw the curve"
        }</button>`
  }
      ${
    !embedded && html`<label>Points <select value=${String(values.length)} onChange=${(/** @type {FieldEvent} */ e) => {
      const next = Number(e.target.value);
      const more = valuesOf(knob, next);
      keep({ values: more, points: carried(points, more) });
    }}>${[...new Set([...COUNTS, values.length])].map((c) => html`<option value=${String(c)} selected=${c === values.length}>${c}</option>`)}</select></label>`
  }
      ${
    there.length > 0 && html`<label>Plan at <select value=${String(picked)} onChange=${(/** @type {FieldEvent} */ e) =>
      setPicked(Number(e.target.value))}><option value="-1">choose…</option>${
      there.map(({ p, i }) => html`<option value=${String(i)} selected=${i === picked}>${number(p.value)}${p.feasible ? "" : " (none)"}</option>`)
    }</select></label>
      <button type="button" disabled=${!seen[picked]?.policy.length} onClick=${() =>
      seen[picked] && open(knob, /** @type {SweepPoint} */ (seen[picked]))}>Open the plan</button>
      ${
      !embedded && html`<button type="button" class="plain" onClick=${() => saveSweep(lab, problem, origin, knob, values, points)}>Save as a run</button>`
    }`
  }</p>
    ${failed && html`<p class="fault" role="alert"><span>${failed}</span></p>`}
  </div>`;
}

/** The point whose value is nearest, of those that serve. @param {(SweepPoint | null)[]} points @param {number} value @param {(p: SweepPoint) => boolean} [serves] */
function nearest(points, value, serves = (p) => p.policy.length > 0) {
  const plans = points.filter((p) => p !== null && serves(p));
  return plans.reduce(
    (/** @type {SweepPoint | null} */ best, p) => (p && (!best || Math.abs(p.value - value) < Math.abs(best.value - value)) ? p : best),
    null,
  );
}

/** Points that the new values have too. @param {(SweepPoint | null)[]} points @param {number[]} values */
const carried = (points, values) => values.map((v) => points.find((p) => p?.value === v) ?? null);

/** The model with the point's number, and the point's plan as its answer. @param {any} lab @param {Problem} doc @param {SweepPoint} point @param {Knob} knob */
export function openPlan(lab, doc, point, knob) {
  const { value, told = false, ...result } = point;
  const { line } = lab.get().history.present;
  const id = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
  /** @type {import("../lab/state.js").Answer} */
  const answer = {
    problem: doc,
    result: /** @type {import("../rcmdp.js").Result} */ ({ trace: {}, ...result }),
    algorithm: result.algorithm ?? "solve",
    id,
    name: `${doc.name ?? "Model"}, ${knob.label} ${number(value)}`,
    line,
    saving: "",
    source: told ? "link" : "run",
    checked: told ? "waiting" : "",
  };
  lab.set((/** @type {any} */ s) => ({ answers: withAnswer(s.answers, answer), report: null, crash: null }));
  void lab.put({ doc, origin: { kind: "draft" }, line });
  lab.look({ panel: "plan" });
  lab.say(`Opened the plan at ${knob.label} ${number(value)}.`);
}

/** All points as one run. @param {any} lab @param {Problem} problem @param {any} origin @param {Knob} knob @param {number[]} values @param {(SweepPoint | null)[]} points */
async function saveSweep(lab, problem, origin, knob, values, points) {
  const along = knob.pointer ? { pointer: knob.pointer } : { parameter: knob.parameter, example: { id: origin.id, parameters: origin.parameters } };
  const options = { algorithm: "sweep", ...along, values };
  const result = {
    status: points.includes(null) ? "stopped" : "finished",
    algorithm: "sweep",
    options,
    seed: "",
    feasible: points.some((p) => p?.feasible),
    objective: { name: problem.objective.name, sense: problem.objective.sense ?? "minimize", value: null },
    maxViolation: null,
    policy: [],
    trace: {},
    pointer: knob.pointer ?? "",
    points,
    seconds: 0,
  };
  const id = crypto.randomUUID?.() ?? `${Date.now()}`;
  try {
    await lab.solver().runs.put({ id, name: `${problem.name ?? "Model"}: trade-off along ${knob.label}`, problem, options, result });
    lab.notify("The trade-off is saved as one run.");
    await lab.loadRuns();
  } catch (error) {
    lab.notify(`The trade-off is not saved: ${said(error)}`, [], "bad");
  }
}
