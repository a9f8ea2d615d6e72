// @ts-check
// tradeoff.js — the trade-off explorer: a slider for every limit, the radius and every
// parameter of an example. Turning one solves the model there, the newest turn first;
// the curve of the chosen one is drawn as its points arrive. Emits: opening the plan of
// a point, which changes the model to the point's. An embed shows the same of one number.

import { html, useState } from "../view.js";
import { withAnswer } from "../lab/state.js";
import { knobsOf, sameCurve, stepOf, valuesOf } from "../lab/knobs.js";
import { curve, pointWords } from "../lab/tradeoff.js";
import { count, number } from "../words/format.js";
import { Figures } from "./charts.js";
import { isOpen, useExplorer } from "./exploring.js";
import { carried } from "../engine/claims.js";
import { isUnchecked } from "../words/words.js";

/** @typedef {import("../lab/knobs.js").Knob} Knob */
/** @typedef {import("../lab/tradeoff.js").SweepPoint} SweepPoint */
/** @typedef {import("../lab/state.js").Origin} Origin */
/** @typedef {import("./parts.js").Lab} Lab */
/** @typedef {import("../rcmdp.js").Problem} Problem */

/** Models up to this many pairs are drawn without being asked. */
const SMALL = 80;
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
 * @param {{ lab: Lab, problem: Problem, origin: Origin, knobs: Knob[], kept: Kept | null, ready: boolean, told?: SweepPoint[], embedded?: boolean, exports?: boolean }} props
 *   told: a curve of the first knob that was found elsewhere; its points stand until they are found here
 */
export function Explorer({ lab, problem, origin, knobs, kept, ready, told = [], embedded = false, exports = true }) {
  const last = kept && knobs.find((k) => k.id === kept.knob);
  const same = Boolean(kept && last && sameCurve(kept.problem, problem, last));
  const knob = (same && last) || knobs[0];
  const values = kept && same ? kept.values : told.length > 0 ? told.map((p) => p.value) : valuesOf(knob, COUNTS[1]);
  const points = kept && same ? kept.points : values.map(() => null);
  const began = kept && same ? kept.began : problem.states.length * problem.actions.length <= SMALL;
  const work = useExplorer({ lab, problem, origin, knob, values, points, began, ready, told });
  const { busy, failed, keep } = work;
  /** The knob of what was turned, if that was of this model. @param {import("./exploring.js").Turned | null} what */
  const standing = (what) => knobs.find((k) => k.id === what?.id && sameCurve(what.problem, problem, k));
  const turnedBy = standing(work.probe);
  const probe = turnedBy ? work.probe : null;
  const [picked, setPicked] = useState(/** @type {number | null} */ (null));

  /** @param {Knob} k @param {SweepPoint} point */
  const open = (k, point) =>
    lab.bring(async (wanted) => {
      const doc = await work.documentAt(k, point.value);
      if (wanted()) openPlan(lab, doc, point, k);
    });
  const save = async () => (await import("./sweep-run.js")).saveSweep(lab, problem, origin, knob, values, points);
  const point = probe && (isUnchecked(probe.point) ? points.find((p) => p?.value === probe.point.value) ?? probe.point : probe.point);
  const seen = told.length > 0 ? points.map((p, i) => p ?? told.find((t) => t.value === values[i]) ?? null) : points;
  const drawn = curve(problem, knob, seen, values.length, probe && probe.id === knob.id ? point : null);
  const figure = drawn && embedded ? { ...drawn, height: drawn.y ? 180 : 72 } : drawn;
  const found = points.filter((p) => p && !isUnchecked(p)).length;
  return html`<div class="stack tradeoff">
    ${
    !embedded &&
    html`<p class="help">Turn a number of the model and see what it costs. Each point is a plan of its own; what is proved of it is checked for its own model.</p>`
  }
    <${Knobs} knobs=${knobs} chosen=${knob.id} at=${standing(work.at) ? work.at : null} disabled=${!ready && told.length === 0} onMove=${work.move} onChoose=${(
    /** @type {Knob} */ k,
  ) => {
    setPicked(null);
    const next = valuesOf(k, values.length);
    keep({ problem, knob: k.id, values: next, points: next.map(() => null), began });
  }} />
    ${
    turnedBy && point &&
    html`<p class="probe" data-probe=${point.value}>${pointWords(problem, turnedBy, point)}. ${
      point.policy.length > 0 && html`<button type="button" class="plain" onClick=${() => open(turnedBy, point)}>Open this plan</button>`
    }</p>`
  }
    ${
    figure
      ? html`<${Figures} figures=${[figure]} name=${problem.name || "Model"} exports=${exports} onPick=${(/** @type {number} */ i) => {
        const of = seen.filter((p) => p !== null).toSorted((a, b) => a.value - b.value)[i];
        if (of?.policy.length) void open(knob, of);
        else if (of) lab.notify(`${pointWords(problem, knob, of)}: there is nothing to open.`);
      }} />`
      : html`<p class="quiet">${nothingYet(busy, ready, embedded)}</p>`
  }
    <p class="row">
      ${
    busy
      ? html`<button type="button" onClick=${work.pause}>Pause</button><span class="quiet">${found} of ${count(values.length, "point")}</span>`
      : isOpen(points) && (ready || !embedded) &&
        html`<button type="button" disabled=${!ready} onClick=${work.goOn}>${found > 0 ? "Go on" : "Draw the curve"}</button>`
  }
      ${
    !embedded && html`<${Count} now=${values.length} onChoose=${(/** @type {number} */ next) => {
      const more = valuesOf(knob, next);
      keep({ values: more, points: placed(points, more) });
    }} />`
  }
      <${Plans} points=${seen} picked=${picked} onPick=${setPicked} onOpen=${(/** @type {SweepPoint} */ p) => open(knob, p)} />
      ${
    !embedded && seen.some(Boolean) &&
    html`<button type="button" class="plain" onClick=${save}>Save as a run</button>`
  }</p>
    ${failed && html`<p class="fault" role="alert"><span>${failed}</span></p>`}
  </div>`;
}

/** Why there is no curve to see. @param {boolean} busy @param {boolean} ready @param {boolean} embedded */
function nothingYet(busy, ready, embedded) {
  if (busy) return "The first points are on their way…";
  if (ready) return "Nothing is drawn yet.";
  return embedded ? "Run it here, and the curve is drawn." : "The solver is loading…";
}

/**
 * What can be turned, each with its slider.
 * @param {{ knobs: Knob[], chosen: string, at: { id: string, value: number } | null, disabled: boolean, onMove: (k: Knob, value: number) => void, onChoose: (k: Knob) => void }} props
 */
const Knobs = ({ knobs, chosen, at, disabled, onMove, onChoose }) =>
  html`<div class="knobs" role="group" aria-label="What can be turned">${
    knobs.map((k) => {
      const value = at?.id === k.id ? at.value : k.value;
      return html`<div key=${k.id} class=${k.id === chosen ? "knob chosen" : "knob"}>
        ${
        knobs.length === 1
          ? html`<span>${k.label}</span>`
          : html`<label class="choose"><input type="radio" name="knob" checked=${k.id === chosen} onChange=${() =>
            onChoose(k)} /><span>${k.label}</span></label>`
      }
        <input type="range" min=${k.min} max=${k.max} step=${stepOf(k)} value=${value} aria-label=${`${k.label}, try`} disabled=${disabled} data-knob=${k.id}
          onInput=${(/** @type {FieldEvent} */ e) => onMove(k, Number(e.target.value))} />
        <output>${number(value)}</output></div>`;
    })
  }</div>`;

/** How many points the curve has. @param {{ now: number, onChoose: (n: number) => void }} props */
const Count = ({ now, onChoose }) =>
  html`<label>Points <select value=${String(now)} onChange=${(/** @type {FieldEvent} */ e) => onChoose(Number(e.target.value))}>${
    [...new Set([...COUNTS, now])].map((c) => html`<option value=${String(c)} selected=${c === now}>${c}</option>`)
  }</select></label>`;

/**
 * The points as a list, for who cannot click one.
 * @param {{ points: (SweepPoint | null)[], picked: number | null, onPick: (value: number | null) => void, onOpen: (point: SweepPoint) => void }} props
 *   picked: where the plan stands on the curve
 */
function Plans({ points, picked, onPick, onOpen }) {
  const there = points.filter((p) => p !== null);
  const chosen = there.find((p) => p.value === picked);
  if (there.length === 0) return null;
  return html`<label>Plan at <select value=${chosen ? String(picked) : ""} onChange=${(/** @type {FieldEvent} */ e) =>
    onPick(e.target.value === "" ? null : Number(e.target.value))}><option value="">choose…</option>${
    there.map((p) => html`<option value=${String(p.value)} selected=${p === chosen}>${number(p.value)}${p.feasible ? "" : " (none)"}</option>`)
  }</select></label>
      <button type="button" disabled=${!chosen?.policy.length} onClick=${() => chosen && onOpen(chosen)}>Open the plan</button>`;
}

/** Points that the new values have too. @param {(SweepPoint | null)[]} points @param {number[]} values */
const placed = (points, values) => values.map((v) => points.find((p) => p?.value === v) ?? null);

/** The model with the point's number, and the point's plan as its answer. @param {Lab} lab @param {Problem} doc @param {SweepPoint} point @param {Knob} knob */
export function openPlan(lab, doc, point, knob) {
  const { value, ...rest } = point;
  const result = carried(point, /** @type {import("../rcmdp.js").Result} */ ({ trace: {}, ...rest }));
  const { line } = lab.get().history.present;
  const id = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
  /** @type {import("../lab/state.js").Answer} */
  const answer = {
    problem: doc,
    result,
    algorithm: result.algorithm ?? "solve",
    id,
    name: `${doc.name ?? "Model"}, ${knob.label} ${number(value)}`,
    line,
    saving: "",
    source: isUnchecked(point) ? "link" : "run",
  };
  lab.set((s) => ({ answers: withAnswer(s.answers, answer), report: null, crash: null }));
  void lab.put({ doc, origin: { kind: "draft" }, line });
  lab.look({ panel: "plan" });
  void lab.confirmAnswers();
  lab.say(`Opened the plan at ${knob.label} ${number(value)}.`);
}
