// @ts-check
// logs.js — a model from a log that is looked at: say what is optimised, choose the set, see the
// formula and what it guarantees, open the model; judge the plans on episodes held out.
// Emits: takeEstimate.

import { html, useEffect, useRef, useState } from "../view.js";
import { said } from "../lab/core.js";
import { asLogged, costColumns, firstChoices, isSampled, judged, judgeFigure, kinds, optionsOf, settled } from "../lab/logs.js";
import { count, integer, number, percent } from "../words/format.js";
import { Figures } from "./charts.js";
import { AskedNumber } from "./fields.js";
import { sought } from "../lab/limits.js";
import { LimitRange } from "./limit-range.js";
import { useMade } from "./made.js";
import { solverOf } from "./parts.js";

/** @typedef {import("../rcmdp.js").LogTable} LogTable */
/** @typedef {import("../rcmdp.js").Estimate} Estimate */
/** @typedef {import("../lab/logs.js").Choices} Choices */
/** @typedef {import("../lab/logs.js").Verdict} Verdict */

const PREVIEW_MS = 250;
/** Pairs listed in the preview, and states to start from. */
const LISTED = 60;
const STARTS = 200;

/** @param {{ lab: import("./parts.js").Lab, importing: import("../lab/importing.js").Importing }} props a log that is looked at */
export function Logs({ lab, importing }) {
  const { files, options, found } = importing;
  const columns = found?.columns ?? {};
  const [choices, setChoices] = useState(firstChoices());
  const read = useMade(() => solverOf(lab).table(files, options), [files, JSON.stringify(options)]);
  const table = read.current ? read.made : null;
  const can = table !== null && settled(choices, columns);
  const estimate = () => solverOf(lab).estimate(/** @type {LogTable} */ (table), optionsOf(choices, ""));
  const { made, failed, current, newest } = useMade(can ? estimate : null, [table, choices], PREVIEW_MS);
  const choose = (/** @type {Partial<Choices>} */ part) => setChoices((c) => ({ ...c, ...part }));
  const judging = useRef(/** @type {Choices | null} */ (null)); // what was pressed for stays as it was seen
  /** A limit to begin with, where the person has written none meanwhile, nor has plans judged with the one that stands there. @param {string} name @param {number} bound */
  const suggest = (name, bound) =>
    setChoices((c) => {
      const limit = c.limits[name];
      return limit && !limit.typed && limit.bound !== bound && c !== judging.current ? { ...c, limits: { ...c.limits, [name]: { ...limit, bound } } } : c;
    });
  const open = async () => {
    await sought();
    const model = await newest();
    if (model) await lab.takeEstimate(model, importing);
  };
  if (read.failed) return html`<p class="fault" role="alert"><span>${read.failed}</span></p>`;
  if (!table) return html`<p class="quiet" aria-busy="true">Reading…</p>`;
  return html`<div class="logs stack">
    <h3>A model from this log</h3>
    <${Form} lab=${lab} choices=${choices} choose=${choose} suggest=${suggest} columns=${columns} table=${table} of=${current ? made : null} />
    ${!can && html`<p class="ask" role="status">Say first what is optimised; other columns can have a limit.</p>`}
    ${failed && html`<p class="fault" role="alert"><span>${failed}</span></p>`}
    ${
    made && html`<${Preview} made=${made} current=${current} />
      <p class="row"><button type="button" class="primary" onClick=${open} data-open-logs>Open the model</button><span class="quiet" role="status">${
      current ? sizes(made) : "Estimating…"
    }</span></p>
      ${
      made.summary.episodes > 1 && html`<${Judge} lab=${lab} table=${table} choices=${choices} choose=${choose} onJudge=${() => (judging.current = choices)} />`
    }`
  }
  </div>`;
}

/** @param {{ lab: import("./parts.js").Lab, choices: Choices, choose: (part: Partial<Choices>) => void, suggest: (name: string, bound: number) => void, columns: import("../rcmdp.js").LogColumns, table: LogTable, of: Estimate | null }} props of: what is made of them */
function Form({ lab, choices: c, choose, suggest, columns, table, of }) {
  const all = costColumns(columns);
  const costs = all.map(({ name }) => name);
  const objective = costs.includes(c.objective) ? c.objective : all.length === 1 ? costs[0] : "";
  const sense = c.objective === objective && c.sense !== "" ? c.sense : all.find(({ name }) => name === objective)?.sense ?? "";
  const states = columns.state ? [...new Set(table.rows.map((row) => String(row[table.columns.indexOf(columns.state ?? "")])))].slice(0, STARTS) : [];
  const field = (
    /** @type {keyof Choices} */ key,
    /** @type {string} */ label,
    /** @type {string} */ hint = "",
    /** @type {[number, number] | null} */ range = null,
    /** @type {string} */ empty = "",
  ) =>
    html`<label title=${hint}>${label} ${
      range
        ? html`<${AskedNumber} value=${c[key]} from=${range[0]} to=${range[1]} onValue=${(/** @type {number} */ x) => choose({ [key]: x })} />`
        : html`<input type="text" inputmode="decimal" class="number" value=${c[key]} placeholder=${empty} onChange=${(/** @type {FieldEvent} */ e) =>
          choose({ [key]: e.target.value.trim().replace(",", ".") })} />`
    }</label>`;
  const select = (/** @type {keyof Choices} */ key, /** @type {string} */ label, /** @type {[string, string][]} */ options) =>
    html`<label>${label} <select value=${String(c[key])} onChange=${(/** @type {FieldEvent} */ e) => choose({ [key]: e.target.value })}>${
      options.map(([id, title]) => html`<option value=${id} selected=${id === c[key]}>${title}</option>`)
    }</select></label>`;
  const made = of?.problem.constraints ?? [];
  return html`<div class="form">
    ${
    costs.length > 0 && html`<label>Objective <select aria-label="Objective" value=${objective} onChange=${(/** @type {FieldEvent} */ e) =>
      choose({
        objective: e.target.value,
        sense: all.find(({ name }) => name === e.target.value)?.sense ?? "",
      })}>
      <option value="" disabled selected=${objective === ""}>choose</option>${
      costs.map((n) => html`<option value=${n} selected=${n === objective}>${n}</option>`)
    }</select></label>
    <label>is <select value=${sense} onChange=${(/** @type {FieldEvent} */ e) =>
      choose({ objective, sense: /** @type {Choices["sense"]} */ (e.target.value) })}>
      <option value="" disabled selected=${sense === ""}>choose</option><option value="minimize" selected=${
      sense === "minimize"
    }>minimised</option><option value="maximize" selected=${sense === "maximize"}>maximised</option></select></label>`
  }
    ${
    costs.filter((n) => n !== objective).map((n) => {
      const limit = c.limits[n] ?? { side: "", bound: asLogged(table, n, c.discount), typed: false };
      const at = made.findIndex((l) => l.name === n && limit.side !== "" && l[limit.side] !== undefined);
      const set = (/** @type {Partial<typeof limit>} */ part) => choose({ limits: { ...c.limits, [n]: { ...limit, ...part } } });
      return html`<fieldset class="limit"><legend>${n}</legend><select aria-label=${`Limit on ${n}`} value=${limit.side} onChange=${(
        /** @type {FieldEvent} */ e,
      ) => set({ side: /** @type {typeof limit.side} */ (e.target.value) })}>
        <option value="">is not used</option><option value="atMost" selected=${limit.side === "atMost"}>at most</option><option value="atLeast" selected=${
        limit.side === "atLeast"
      }>at least</option></select>
        ${
        limit.side &&
        html`<${AskedNumber} label=${`Threshold of ${n}`} value=${limit.bound} onValue=${(/** @type {number} */ bound) => set({ bound, typed: true })} />`
      }${
        at >= 0 && of &&
        html`<${LimitRange} solver=${solverOf(lab)} problem=${of.problem} n=${at} of=${
          [c.kind, c.confidence, c.discount, c.objective, c.sense, c.prior, c.samples, c.untried, c.successors, c.initial, n, limit.side].join()
        } typed=${limit.typed} onSuggest=${(/** @type {number} */ bound) => suggest(n, bound)} />`
      }</fieldset>`;
    })
  }
    ${select("kind", "Uncertainty set", kinds.map(({ id, title }) => [id, title]))}
    ${c.kind !== "nominal" && field("confidence", "Confidence", "Between 0 and 1, or a percentage", [1e-6, 1 - 1e-6])}
    ${field("prior", "Prior", "Pseudo-count of each possible successor", null, "what the set needs")}
    ${
    isSampled(c.kind) &&
    field("samples", "Samples", "How many kernels are drawn", null, "as the confidence needs")
  }
    ${select("untried", "Never tried pairs", [["unavailable", "are not available"], ["stays", "lead back to their state"], ["uniform", "may lead anywhere"]])}
    ${select("successors", "Next states", [["", "as the set needs"], ["all", "any state may follow"], ["seen", "only those seen"]])}
    ${field("discount", "Discount", "Between 0 and 1", [1e-6, 1 - 1e-9])}
    ${select("initial", "Start", [["", "where episodes began"], ["uniform", "any state"], ...states.map((n) => /** @type {[string, string]} */ ([n, n]))])}
  </div>`;
}

/** @param {{ made: Estimate, current: boolean }} props current: it is of the choices as they are */
function Preview({ made: { summary: s, warnings }, current }) {
  const radii = s.pairs.some((p) => p.radius !== null);
  return html`<div class="preview" aria-busy=${current ? undefined : "true"}>
    <h3>${s.title}</h3>
    <p>${integer(s.rows)} rows, ${integer(s.steps)} transitions${s.episodes > 0 ? ` of ${count(s.episodes, "episode")}` : ""}; ${s.tried} of ${
    count(s.tried + s.neverTried, "pair")
  } tried.${isSampled(s.kind) ? ` ${count(s.samples, "sample")}.` : ""}</p>
    <dl class="about-set"><dt>Formula</dt><dd>${s.formula}</dd><dt>Guarantee</dt><dd>${s.guarantee}${
    s.reached !== null && s.reached < s.confidence - 1e-9 ? ` With so few samples the confidence is ${percent(Math.max(0, s.reached))}.` : ""
  }</dd><dt>Source</dt><dd>${s.source}</dd></dl>
    ${warnings.length > 0 && html`<ul class="remarks">${warnings.map((w) => html`<li class="help">${w}</li>`)}</ul>`}
    <details><summary>${count(s.pairs.length, "pair")} with their tries${radii ? " and radii" : ""}</summary>
    <div class="scroll" tabindex="0" role="region" aria-label="Tries of each pair"><table class="lines"><thead><tr><th scope="col">state</th><th scope="col">action</th><th scope="col" class="n">tries</th><th scope="col" class="n">next states seen</th>${
    radii && html`<th scope="col" class="n">radius</th>`
  }</tr></thead><tbody>${
    s.pairs.slice(0, LISTED).map((p) =>
      html`<tr><th scope="row">${p.state}</th><td>${p.action}</td><td class="n">${integer(p.n)}</td><td class="n">${p.successors}</td>${
        radii && html`<td class="n">${number(p.radius, 4)}</td>`
      }</tr>`
    )
  }</tbody></table></div>${s.pairs.length > LISTED && html`<p class="help">The first ${LISTED}.</p>`}</details>
  </div>`;
}

/** "3 states, 2 actions, 1 limit". @param {Estimate} made */
const sizes = ({ summary, problem: { constraints = [] } }) =>
  [count(summary.states, "state"), count(summary.actions, "action"), constraints.length > 0 && count(constraints.length, "limit")].filter(Boolean).join(", ");

/** Nominal-optimal against robust plans on what was held out. @param {{ lab: import("./parts.js").Lab, table: LogTable, choices: Choices, choose: (part: Partial<Choices>) => void, onJudge: () => void }} props */
function Judge({ lab, table, choices, choose, onJudge }) {
  const { verdicts, busy, failed, judge } = useVerdicts(lab, table, choices);
  const costs = verdicts[0]?.costs.length ?? 0;
  const figures = Array.from({ length: costs }, (_, n) => judgeFigure(verdicts, n)).filter((f) => f !== null);
  return html`<div class="judge"><h3>Would the plan have kept its promise?</h3>
    <p class="help">${
    percent(choices.heldOut)
  } of the episodes are held out. Plans made from the rest, the nominal one and robust ones at several confidences, are judged on them: the cost that each promised beside the cost that is observed.</p>
    <p class="row"><label>Held out <select value=${String(choices.heldOut)} onChange=${(/** @type {FieldEvent} */ e) =>
    choose({ heldOut: Number(e.target.value) })}>${
    [0.1, 0.25, 0.5].map((x) => html`<option value=${String(x)} selected=${x === choices.heldOut}>${percent(x)}</option>`)
  }</select></label><button type="button" onClick=${() => {
    onJudge();
    void judge();
  }} aria-disabled=${busy ? "true" : undefined} disabled=${busy}>${
    busy ? `Judging, ${verdicts.length} of ${judged.length}` : "Judge on held-out episodes"
  }</button></p>
    ${failed && html`<p class="fault" role="alert"><span>${failed}</span></p>`}
    ${figures.length > 0 && html`<${Figures} figures=${figures} name="Held-out episodes" />`}</div>`;
}

/** @typedef {{ table: LogTable, choices: Choices, verdicts: Verdict[], busy: boolean, failed: string }} Judging */

/**
 * What the held-out episodes say, of this table and these choices alone: other ones end it.
 * @param {import("./parts.js").Lab} lab @param {LogTable} table @param {Choices} choices
 */
function useVerdicts(lab, table, choices) {
  const [last, setLast] = useState(/** @type {Judging | null} */ (null));
  const now = useRef({ table: /** @type {LogTable | null} */ (table), choices, run: /** @type {import("../rcmdp.js").Run | null} */ (null) });
  const over = (/** @type {Pick<Judging, "table" | "choices">} */ of) => of.table !== now.current.table || of.choices !== now.current.choices;
  if (over({ table, choices })) {
    now.current.run?.stop();
    now.current = { table, choices, run: null };
  }
  useEffect(() => () => {
    now.current.run?.stop();
    now.current = { ...now.current, table: null };
  }, []);

  const here = last && !over(last) ? last : null;
  return {
    verdicts: here?.verdicts ?? [],
    busy: here?.busy ?? false,
    failed: here?.failed ?? "",
    judge: async () => {
      /** @type {Judging} */
      let mine = { table, choices, verdicts: [], busy: true, failed: "" };
      const show = (/** @type {Partial<Judging>} */ part) => !over(mine) && setLast(mine = { ...mine, ...part });
      show({});
      try {
        for (const confidence of judged) {
          const verdict = await judgedAt(solverOf(lab), table, choices, confidence, (run) => {
            if (over(mine)) run.stop();
            else now.current.run = run;
          });
          if (over(mine)) return;
          if (verdict) show({ verdicts: [...mine.verdicts, verdict] });
        }
        show({ busy: false });
      } catch (error) {
        show({ busy: false, failed: said(error) });
      }
    },
  };
}

/**
 * What the plan at a confidence promises and what is observed; null when there is no feasible plan.
 * @param {import("../rcmdp.js").Solver} solver @param {LogTable} table @param {Choices} choices @param {number | null} confidence null: the nominal plan
 * @param {(run: import("../rcmdp.js").Run) => void} began
 * @returns {Promise<Verdict | null>}
 */
export async function judgedAt(solver, table, choices, confidence, began = () => {}) {
  /** @type {import("../rcmdp.js").EstimateOptions} */
  const options = {
    ...optionsOf(choices, ""),
    heldOut: choices.heldOut,
    ...(confidence === null ? { kind: "nominal", samples: undefined } : { confidence, kind: choices.kind === "nominal" ? "l1" : choices.kind }),
  };
  const { problem, heldOut } = await solver.estimate(table, options);
  const run = solver.solve(problem, { starts: 8, timeLimit: 3 });
  began(run);
  const result = await run.result;
  if (!result.policy.length) return null;
  const promised = await solver.evaluate(problem, result.policy);
  const seen = await solver.evaluate(/** @type {import("../rcmdp.js").Problem} */ (heldOut), result.policy);
  return {
    confidence,
    costs: seen.returns.map(({ name, byKernel = [], threshold = null, sense = problem.objective.sense === "maximize" ? "atLeast" : "atMost" }, n) => ({
      name,
      promised: promised.returns[n].value,
      observed: byKernel[0],
      resampled: byKernel.slice(1),
      threshold,
      sense,
    })),
  };
}
