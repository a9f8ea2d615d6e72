// @ts-check
// comparison.js — Figure 3: the methods on the paper's three settings, run here,
// job by job over the solver's workers, drawn as they come. Finished jobs are
// kept, so that a reload continues where it was.

import { html, useEffect, useMemo, useRef, useState } from "../view.js";
import { keeper } from "../browser.js";
import { count, number, seconds as spoken } from "../words/format.js";
import { Segments } from "../panels/fields.js";
import { feasible, Figure, Pane, symlog, useComputed } from "./figure.js";
import { pack, progress, runJobs, unpack } from "./jobs.js";

/**
 * What the three settings share: the size of the runs, and a call to start them.
 * @typedef {import("../lab/store.js").Store<{ quick: boolean, calls: number, busy: string[], missing: string[] }>} Shared
 */

/** Below this an axis is nearly linear: a violation of 0.1 is already small, and so is a gain of 5. */
const LINEAR = { violation: 0.1, relative: 5 };

/** Of a chart, in pixels. */
const HEIGHT = 290;

/** Line styles by method, the same in every setting. @type {Record<string, string>} */
const tones = {
  Uniform: "uniform",
  LF: "lf",
  "LF, policy average": "lf-policy",
  "LF, occupancy average": "lf-occupancy",
  "EpiRC-PGS": "epirc",
  LP: "lp",
  "Sequential LP": "slp",
};
const tone = (/** @type {string} */ name) => tones[name] ?? "other";

/** Draws again when the shared state changes. @param {Shared} shared */
function useShared(shared) {
  const [, again] = useState({});
  useEffect(() => shared.subscribe(() => again({})), []);
  return shared.get();
}

/**
 * The controls above the three settings.
 * @param {{ shared: Shared }} props
 */
export function ComparisonControls({ shared }) {
  const { quick, busy, missing } = useShared(shared);
  return html`<div class="controls">
    <${Segments} label="Size of the runs" value=${quick ? "quick" : "paper"} choices=${[
    { id: "quick", title: "Quick", help: "Fewer and longer steps: seconds" },
    { id: "paper", title: "As in the paper", help: "The paper's step sizes and numbers of steps: minutes" },
  ]} onChoose=${(/** @type {string} */ id) => shared.set({ quick: id === "quick" })} />
    <button type="button" class="go" disabled=${busy.length > 0 || missing.length === 0} onClick=${() =>
    shared.set({ calls: shared.get().calls + 1 })}>Run all three</button>
    <p class="help">${
    quick
      ? "Quick: fewer and larger steps. Seconds."
      : "As in the paper: its step sizes and numbers of inner steps. Some minutes on two cores; finished runs are kept, you can stop, leave and continue."
  }</p>
  </div>`;
}

/**
 * @param {import("./figure.js").FigureProps & { shared: Shared, id: string }} props
 */
export function Comparison({ solver, tell, shared, id }) {
  const { quick } = useShared(shared);
  const { value: got } = useComputed(
    solver,
    async (s) => {
      const plan = (await s.experiments({ quick })).find((p) => p.id === id);
      if (!plan) throw new Error(`This build has no experiment ${id}.`);
      return { plan, quick, build: `${s.version.rcmdp} ${s.version.commit}` };
    },
    quick,
    tell,
  );
  if (!got || got.quick !== quick) return html`<p class="state" role="status">Starting the solver…</p>`;
  return html`<${Experiment} key=${quick} plan=${got.plan} build=${got.build} ...${{ quick, shared, solver, tell }} />`;
}

/** @typedef {import("./figure.js").FigureProps & { plan: import("../rcmdp.js").Experiment, build: string, quick: boolean, shared: Shared }} Experimented */

/** The runs of an experiment, kept in this browser as they end, and their summary. @param {Experimented} of */
function useRuns({ plan, build, quick, shared, solver, tell }) {
  const store = useMemo(() => keeper("local", `experiment-${plan.id}-${quick ? "quick" : "paper"}`), []);
  const [traces, setTraces] = useState(() => unpack(plan, build, store.read()));
  const [running, setRunning] = useState(/** @type {AbortController | null} */ (null));
  const [seconds, setSeconds] = useState(0);
  const kept = useRef(traces);
  const done = traces.length === plan.seeds.length * plan.methods.length;

  const { value: sum } = useComputed(
    solver,
    async (s) => (traces.length === 0 ? null : s.aggregate({ setting: plan.id, methods: plan.methods.map((m) => m.name), traces })),
    traces.length,
    tell,
  );

  const go = async () => {
    const control = new AbortController();
    setRunning(control);
    shared.set(({ busy }) => ({ busy: [...busy, plan.id] }));
    const from = performance.now();
    try {
      await runJobs(await solver(), plan, kept.current, control.signal, (trace) => {
        kept.current = [...kept.current, trace];
        setTraces(kept.current);
        setSeconds((performance.now() - from) / 1000);
        store.write(pack(plan, build, kept.current));
      });
    } catch (error) {
      tell(error);
    } finally {
      setRunning(null);
      shared.set(({ busy }) => ({ busy: busy.filter((b) => b !== plan.id) }));
    }
  };

  // "Run all three" speaks to every setting at once.
  const asked = useRef(shared.get().calls);
  const latest = useRef(() => {});
  latest.current = () => {
    if (shared.get().calls === asked.current) return;
    asked.current = shared.get().calls;
    if (!running && !done) void go();
  };
  useEffect(() => shared.subscribe(() => latest.current()), []);
  useEffect(() => {
    shared.set(({ missing }) => ({ missing: [...missing.filter((m) => m !== plan.id), ...(done ? [] : [plan.id])] }));
  }, [done]);
  useEffect(() => () => running?.abort(), [running]);
  return {
    traces,
    sum,
    running,
    seconds,
    go,
    clear: () => {
      store.write(null);
      kept.current = [];
      setTraces([]);
      setSeconds(0);
    },
  };
}

/** @param {Experimented} props */
function Experiment({ plan, build, quick, shared, solver, tell }) {
  const { traces, sum, running, seconds, go, clear } = useRuns({ plan, build, quick, shared, solver, tell });
  const [spread, setSpread] = useState("EpiRC-PGS");
  const [hidden, setHidden] = useState(/** @type {string[]} */ ([]));
  const total = plan.seeds.length * plan.methods.length;
  const done = traces.length === total;
  const share = progress(plan, traces);
  const left = seconds > 2 && share > 0.02 && traces.length > 1 ? ` About ${spoken((seconds / share) * (1 - share))} left.` : "";
  const series = (sum?.series ?? []).filter((s) => !hidden.includes(s.method));
  const choose = (/** @type {string} */ name, /** @type {boolean} */ on) => setHidden(on ? hidden.filter((h) => h !== name) : [...hidden, name]);

  return html`<${Figure} id=${`comparison-${plan.id}`} title=${`Setting (${plan.id}): ${plan.title.toLowerCase()}`} tell=${tell} status=${
    statusOf(plan, traces, { running: running !== null, seconds, sum })
  }
    news=${
    running &&
    html` <progress max="1" value=${share} aria-label="Share of the work done"></progress> <span>${traces.length} of ${total} runs, ${
      spoken(seconds)
    }.${left}</span>`
  }
    csvText=${sum ? () => sum.csv : undefined}
    data=${() => ({
    head: ["method", "k", "violation, mean", "violation, sd", "relative objective, mean", "relative objective, sd"],
    rows: (sum?.series ?? []).flatMap((s) =>
      s.violation.mean.map((v, k) => [s.method, k, v ?? NaN, s.violation.sd[k] ?? NaN, s.relative.mean[k] ?? NaN, s.relative.sd[k] ?? NaN])
    ),
  })}
    controls=${html`
      ${
    running
      ? html`<button type="button" class="go" onClick=${() => running.abort()}>Stop</button>`
      : html`<button type="button" class="go" onClick=${go} disabled=${done}>${traces.length > 0 && !done ? "Continue" : "Run"}</button>`
  }
      ${!running && traces.length > 0 && html`<button type="button" class="plain" onClick=${clear}>Clear</button>`}
      <label class="slider"><span>show the spread of</span><select value=${spread} onChange=${(/** @type {FieldEvent} */ e) => setSpread(e.target.value)}>${
    ["", ...plan.methods.map((m) => m.name)].map((name) => html`<option value=${name}>${name || "none"}</option>`)
  }</select></label>
      <p class="help">${plan.says}</p>`}
    legend=${html`<div class="legend" role="group" aria-label="Methods shown">${
    plan.methods.map((m) =>
      html`<label><input type="checkbox" checked=${!hidden.includes(m.name)} onChange=${(/** @type {FieldEvent} */ e) => choose(m.name, e.target.checked)} />
      <svg width="34" height="10" viewBox="0 0 34 10" aria-hidden="true"><path class="line ${tone(m.name)}" d="M1,5H33" /></svg><b>${m.name}</b></label>`
    )
  }</div>`}
    after=${sum && html`<${Summary} table=${sum.table} levels=${plan.methods.filter((m) => m.level).map((m) => m.name)} />`}>
    <${Progress} series=${series} spread=${spread} field="violation" title="Violation" yLabel="largest violation" />
    <${Progress} series=${series} spread=${spread} field="relative" title="Objective" yLabel="objective − uniform" />
    <${Plane} series=${series} />
  <//>`;
}

/**
 * How far the runs are, in a sentence.
 * @param {import("../rcmdp.js").Experiment} plan @param {unknown[]} traces
 * @param {{ running: boolean, seconds: number, sum: import("../rcmdp.js").Aggregate | null | undefined }} now
 */
function statusOf(plan, traces, { running, seconds, sum }) {
  const total = plan.seeds.length * plan.methods.length;
  if (running) return "Running.";
  if (traces.length === 0) return `${count(total, "run")}: ${count(plan.seeds.length, "problem")}, ${count(plan.methods.length, "method")}.`;
  if (traces.length < total) return `${traces.length} of ${total} runs are kept; continue when you like.`;
  return `All ${total} runs done${seconds > 0 ? ` in ${spoken(seconds)}` : ""}. ${verdict(sum ?? null)}`;
}

/** What the runs say about EpiRC-PGS. @param {import("../rcmdp.js").Aggregate | null} sum */
function verdict(sum) {
  const row = sum?.table.find((r) => r.method === "EpiRC-PGS");
  const other = sum?.table.find((r) => r.method === "Sequential LP" || r.method === "LP");
  if (!row) return "";
  const gap = row.feasible === other?.feasible && row.feasible === row.jobs ? (row.best.mean ?? NaN) - (other.best.mean ?? NaN) : NaN;
  return `EpiRC-PGS found a feasible policy on ${row.feasible} of ${count(row.jobs, "problem")}${
    Number.isFinite(gap) ? `, on average ${number(gap, 2)} above ${other?.method === "LP" ? "the LP's" : "the sequential LP's"}` : ""
  }.`;
}

/** @typedef {import("../rcmdp.js").Aggregate["series"]} SeriesList */

/** @param {(number | null)[]} values @param {number} linear @returns {[number, number]} */
function domain(values, linear) {
  const all = /** @type {number[]} */ (values.filter((v) => v !== null && Number.isFinite(v)));
  const [lo, hi] = [Math.min(0, ...all), Math.max(0, ...all)];
  const least = 0.4 * linear; // on a side where there is next to nothing
  return lo === hi ? [-1, 1] : [lo < -least / 4 ? Math.min(lo * 1.3, -3 * linear) : -least, hi > least / 4 ? Math.max(hi * 1.3, 3 * linear) : least];
}

const nan = (/** @type {(number | null)[]} */ v) => v.map((x) => x ?? NaN);
/** Outer steps are drawn so that the first ones have room. @param {number} steps */
const stepTicks = (steps) => [0, 1, 3, 10, 30, 100, 300, 1000].filter((k) => k <= steps);

/** @param {{ series: SeriesList, spread: string, field: "violation" | "relative", title: string, yLabel: string }} props */
function Progress({ series, spread, field, title, yLabel }) {
  const last = Math.max(10, ...series.map((s) => s[field].mean.length - 1));
  const y = symlog(yLabel, domain(series.flatMap((s) => s[field].mean), LINEAR[field]), LINEAR[field]);
  const lines = series.flatMap((s) => {
    const [mean, sd, of] = [nan(s[field].mean), nan(s[field].sd), tone(s.method)];
    const ks = mean.map((_, k) => k);
    const end = mean.length - 1;
    if (end === 0) ks.push(last), mean.push(mean[0]), sd.push(sd[0]); // a level
    return [
      ...(s.method === spread ? [bandOf(ks, mean, sd, of)] : []),
      lineOf(ks, mean, of),
      ...(end > 0 && end < last ? [lineOf([end, last], [mean[end], mean[end]], `${of} ended`)] : []),
    ];
  });
  return html`<${Pane} title=${title} label="${title} by outer step, ${count(series.length, "method")}" chart=${{
    x: { ...symlog("outer step k", [0, last], 2), ticks: () => stepTicks(last) },
    y,
    height: HEIGHT,
    cut: true,
    marks: [...(field === "violation" ? [feasible("y", y)] : []), ...lines, ...series.flatMap((s) => bestOf(s, (k) => k, nan(s[field].mean)))],
  }} />`;
}

/** @param {{ series: SeriesList }} props */
function Plane({ series }) {
  const x = symlog("largest violation", domain(series.flatMap((s) => s.violation.mean), LINEAR.violation), LINEAR.violation, 34);
  const y = symlog("objective − uniform", domain(series.flatMap((s) => s.relative.mean), LINEAR.relative), LINEAR.relative);
  return html`<${Pane} title="Objective against violation" label="Objective against violation, ${count(series.length, "method")}" chart=${{
    x,
    y,
    height: HEIGHT,
    cut: true,
    marks: [
      feasible("x", x),
      ...series.map((s) => lineOf(nan(s.violation.mean), nan(s.relative.mean), `${tone(s.method)} thin`)),
      ...series.flatMap((s) => bestOf(s, (k) => nan(s.violation.mean)[k], nan(s.relative.mean))),
    ],
  }} />`;
}

/** @param {number[]} xs @param {number[]} ys @param {string} of @returns {import("./figure.js").Mark} */
const lineOf = (xs, ys, of) => ({ kind: "line", xs, ys, tone: of });
/** @param {number[]} xs @param {number[]} mean @param {number[]} sd @param {string} of @returns {import("./figure.js").Mark} */
const bandOf = (xs, mean, sd, of) => ({ kind: "band", xs, lo: mean.map((m, k) => m - sd[k]), hi: mean.map((m, k) => m + sd[k]), tone: of });

/** The step that is marked, if there is one. @param {SeriesList[number]} series @param {(k: number) => number} x @param {number[]} ys @returns {import("./figure.js").Mark[]} */
function bestOf(series, x, ys) {
  const k = bestStep(series);
  return k < 0 ? [] : [{ kind: "dots", xs: [x(k)], ys: [ys[k]], tone: tone(series.method), size: 5 }];
}

/**
 * The outer step that the figure marks: of the feasible means the one of least
 * objective, else the one of least violation; -1 when there is none.
 * @param {SeriesList[number]} series
 */
export function bestStep({ violation, relative }) {
  const [vs, os] = [nan(violation.mean), nan(relative.mean)];
  const feasible = (/** @type {number} */ k) => vs[k] <= 1e-9;
  const better = (/** @type {number} */ k, /** @type {number} */ than) =>
    feasible(k) !== feasible(than) ? feasible(k) : feasible(k) ? os[k] < os[than] : vs[k] < vs[than];
  const there = [...vs.keys()].filter((k) => Number.isFinite(vs[k]) && Number.isFinite(os[k]));
  return there.reduce((best, k) => (best < 0 || better(k, best) ? k : best), -1);
}

/** @param {{ table: import("../rcmdp.js").Aggregate["table"], levels: string[] }} props levels: methods that are drawn by what they end with */
function Summary({ table, levels }) {
  const cell = (
    /** @type {import("../rcmdp.js").SpreadPoint} */ p,
  ) => (p.count > 0 ? `${number(p.mean, 4)}${p.sd === null ? "" : ` ± ${number(p.sd, 2)}`}` : "–");
  return html`<div class="scroll wide" tabindex="0" role="region" aria-label="Comparison table"><table class="lines">
    <thead><tr><th scope="col">method</th><th scope="col" class="n">feasible policy found</th><th scope="col" class="n">best feasible objective − uniform</th><th scope="col" class="n">violation at the end</th><th scope="col" class="n">first feasible step</th></tr></thead>
    <tbody>${
    table.map((r) =>
      html`<tr><th scope="row">${r.method}</th><td class="n">${r.jobs > 0 ? `${r.feasible} of ${r.jobs}` : "–"}</td><td class="n">${
        cell(r.best)
      }</td><td class="n">${cell(r.final)}</td><td class="n">${levels.includes(r.method) ? "–" : cell(r.first)}</td></tr>`
    )
  }</tbody>
  </table></div>`;
}
