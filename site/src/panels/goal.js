// @ts-check
// goal.js — draws what is wanted: the objective, the limits, the discount.

import { html } from "../view.js";
import { isByStep } from "../document/steps.js";
import { addConstraint, isLongRun, removeConstraint, setLongRun, setSide, withCosts } from "../document/edits.js";
import { endsOf } from "../document/reading.js";
import { faultsAt } from "../document/faults.js";
import { number } from "../words/format.js";
import { isAveraged, overOf, shareOf } from "../words/words.js";
import { replaceAt } from "../document/patch.js";
import { Faults, NumberField, REMOVE_KEYS, removes, Segments, TextField } from "./fields.js";
import { Icon, IconButton } from "./parts.js";

/** @typedef {import("./parts.js").Lab} Lab */

/**
 * @param {{ lab: Lab, doc: Doc, faults: import("../document/faults.js").Fault[] }} props
 */
export function Goal({ lab, doc, faults }) {
  const set = (/** @type {string} */ pointer, /** @type {unknown} */ value, key = pointer) =>
    lab.edit((/** @type {Doc} */ d) => replaceAt(d, pointer, value), key);
  const limits = doc.constraints ?? [];
  const wrong = faultsAt(faults, "/discount");
  const total = doc.discount === 1;
  const timed = doc.horizon !== undefined;
  const longRun = isLongRun(doc);
  return html`<div class="goal">
    <fieldset><legend>Objective</legend><div class="row">
      <select aria-label="Sense of the objective" data-pointer="/objective/sense" value=${doc.objective.sense ?? "minimize"} onChange=${(
    /** @type {FieldEvent} */ e,
  ) => set("/objective/sense", e.target.value, "")}>
        <option value="minimize">minimise</option><option value="maximize">maximise</option></select>
      <${TextField} lab=${lab} pointer="/objective/name" value=${doc.objective.name} label="Name of the objective" class="name" faults=${faults} onValue=${(
    /** @type {string} */ x,
  ) => set("/objective/name", x)} />
      <${Scale} lab=${lab} pointer="/objective/scale" value=${doc.objective.scale} what="the objective" />
    </div><${Over} lab=${lab} doc=${doc} pointer="/objective/over" cost=${doc.objective} what="the objective" faults=${faults} />
    <${Faults} lab=${lab} faults=${["/objective", "/objective/name", "/objective/sense", "/objective/scale"].flatMap((p) => faultsAt(faults, p))} /></fieldset>

    <fieldset data-pointer="/constraints"><legend>${isAveraged(doc) ? "Limits" : "Limits, on the worst case of each"}</legend>
      ${limits.length === 0 && html`<p class="quiet">${isAveraged(doc) ? "No limits." : "No limits: the plain robust problem."}</p>`}
      ${
    limits.map((c, i) => {
      const at = `/constraints/${i}`;
      const side = c.atLeast !== undefined ? "atLeast" : "atMost";
      const drop = () => lab.reshape((/** @type {Doc} */ d) => removeConstraint(d, i));
      return html`<div class="limit" key=${i} data-pointer=${at} onKeyDown=${removes(drop)}>
          <${TextField} lab=${lab} pointer=${`${at}/name`} value=${c.name} label=${`Name of limit ${i + 1}`} class="name" faults=${faults} onValue=${(
        /** @type {string} */ x,
      ) => set(`${at}/name`, x)} />
          <select aria-label=${`Side of ${c.name}`} value=${side} onChange=${(/** @type {FieldEvent} */ e) =>
        lab.edit((/** @type {Doc} */ d) => setSide(d, i, /** @type {"atMost" | "atLeast"} */ (e.target.value)))}>
            <option value="atMost">at most</option><option value="atLeast">at least</option></select>
          <${NumberField} lab=${lab} pointer=${`${at}/${side}`} value=${c[side]} label=${`Threshold of ${c.name}`} faults=${faults} onValue=${(
        /** @type {number} */ x,
      ) => set(`${at}/${side}`, x)} />
          <${Scale} lab=${lab} pointer=${`${at}/scale`} value=${c.scale} what=${c.name} />
          <${IconButton} icon="remove" keys=${REMOVE_KEYS} passed label=${`Remove the limit ${c.name}`} onClick=${drop} />
          <${Over} lab=${lab} doc=${doc} pointer=${`${at}/over`} cost=${c} what=${c.name} faults=${faults} />
          <${Faults} lab=${lab} faults=${[at, `${at}/name`, `${at}/atMost`, `${at}/atLeast`, `${at}/scale`].flatMap((p) => faultsAt(faults, p))} /></div>`;
    })
  }
      <button type="button" class="plain" onClick=${() => lab.reshape(addConstraint)}><${Icon} name="add" />Add a limit</button>
      <${Faults} lab=${lab} faults=${faultsAt(faults, "/constraints")} />
    </fieldset>

    <${Weights} lab=${lab} doc=${doc} faults=${faults} />

    <fieldset data-pointer="/policies"><legend>Plans</legend><label class="row"><input type="checkbox" checked=${doc.policies === "deterministic"} onChange=${(
    /** @type {FieldEvent} */ e,
  ) => lab.edit((/** @type {Doc} */ d) => replaceAt(d, "/policies", e.target.checked ? "deterministic" : undefined))} />
      one action in each state, never by chance</label><${Faults} lab=${lab} faults=${faultsAt(faults, "/policies")} /></fieldset>

    <fieldset class="discount"><legend>Time</legend>
      <div class="row"><label class="row"><input type="checkbox" data-timed checked=${timed} onChange=${(/** @type {FieldEvent} */ e) =>
    lab.edit((/** @type {Doc} */ d) => setHorizon(d, e.target.checked ? 24 : undefined))} />
      a number of steps${timed ? ":" : ", then it is over"}</label>${
    timed
      ? html`<${NumberField} lab=${lab} pointer="/horizon" value=${doc.horizon} label="Number of steps" faults=${faults} onValue=${(/** @type {number} */ x) =>
        lab.edit((/** @type {Doc} */ d) => setHorizon(d, x), "/horizon")} /><span class="help">then it is over</span>`
      : ""
  }<${Faults} lab=${lab} faults=${faultsAt(faults, "/horizon")} /></div>
      <label class="row"><input type="checkbox" checked=${total} onChange=${(/** @type {FieldEvent} */ e) =>
    lab.edit((/** @type {Doc} */ d) => replaceAt(d, "/discount", e.target.checked ? 1 : 0.95))} />
      ${timed ? "no discount: later steps count as much" : "no discount: every episode ends"}</label>
      ${
    !timed &&
    html`<label class="row"><input type="checkbox" data-long-run checked=${longRun} onChange=${(/** @type {FieldEvent} */ e) =>
      lab.edit((/** @type {Doc} */ d) => setLongRun(d, e.target.checked))} />
      the long-run average per step</label>`
  }
      ${((total && !timed) || doc.end !== undefined) && html`<${Ends} lab=${lab} doc=${doc} faults=${faults} />`}
      <div class="row"><label class="row">discount ${
    // There also at 1: who types 1.5 or 0.9 over it passes by that.
    html`<${NumberField} lab=${lab} pointer="/discount" value=${doc.discount} label="Discount" faults=${faults} onValue=${(/** @type {number} */ x) =>
      set("/discount", x)} />`}</label>
      ${
    // In the place of what it means, so that nothing below moves.
    wrong.length > 0
      ? html`<${Faults} lab=${lab} faults=${wrong} />`
      : html`<span class="help">${
        longRun
          ? "where the process forgets its start within T steps the average is off by at most about 1e-6 T of the range of costs"
          : !timed && doc.discount >= 0 && doc.discount < 1
          ? `looks about ${number(1 / (1 - doc.discount), 2)} steps ahead`
          : ""
      }</span>`}</div></fieldset>

    <details open=${faultsAt(faults, "/description").length > 0}><summary>Description</summary>
      <${TextField} lab=${lab} pointer="/description" value=${doc.description} label="Description of the model" long faults=${faults} placeholder="What the model is about" onValue=${(
    /** @type {string} */ x,
  ) => set("/description", x === "" ? undefined : x)} />
      <${Faults} lab=${lab} faults=${["/name", "/description"].flatMap((p) => faultsAt(faults, p))} /></details>
  </div>`;
}

/**
 * Another number of decisions, or none: costs by step are cut, or go on as at the last one.
 * @param {Doc} doc @param {number | undefined} steps @returns {Doc}
 */
const setHorizon = (doc, steps) =>
  withCosts(replaceAt(doc, "/horizon", steps), ({ final, ...rest }) => {
    const values = !isByStep(doc, rest.values)
      ? rest.values
      : steps === undefined
      ? rest.values[0]
      : Number.isInteger(steps) && steps > 0 && steps <= 100_000
      ? Array.from({ length: steps }, (_, t) => rest.values[Math.min(t, rest.values.length - 1)])
      : rest.values;
    return { ...rest, ...(steps !== undefined && final !== undefined ? { final } : {}), values };
  });

/**
 * The states in which an episode ends: what they cost is paid once, on arrival.
 * @param {{ lab: Lab, doc: Doc, faults: import("../document/faults.js").Fault[] }} props
 */
function Ends({ lab, doc, faults }) {
  const ends = endsOf(doc);
  const set = (/** @type {string[]} */ names) =>
    lab.edit((/** @type {Doc} */ d) => replaceAt(d, "/end", names.length > 0 || d.discount === 1 ? names : undefined));
  const wrong = ["/end", ...(doc.end ?? []).map((_, i) => `/end/${i}`)].flatMap((p) => faultsAt(faults, p));
  return html`<div class="row ends" data-pointer="/end"><span>ends in</span>${
    ends.map((name) =>
      html`<span class="limit" key=${name}><b>${name}</b><${IconButton} icon="remove" label=${`${name} is no end`} onClick=${() =>
        set(ends.filter((x) => x !== name))} /></span>`
    )
  }<select aria-label="Add a state in which an episode ends" value="" onChange=${(/** @type {FieldEvent} */ e) => set([...ends, e.target.value])}>
      <option value="">add a state</option>${doc.states.filter((s) => !ends.includes(s)).map((s) => html`<option key=${s} value=${s}>${s}</option>`)}</select>
    <${Faults} lab=${lab} faults=${wrong} /></div>`;
}

/**
 * What counts over the models of a list: the worst, their mean, or the mean of the worst of them.
 * @param {{ lab: Lab, doc: Doc, pointer: string, cost: { over?: Doc["objective"]["over"] }, what: string, faults: import("../document/faults.js").Fault[] }} props
 */
function Over({ lab, doc, pointer, cost, what, faults }) {
  const list = (doc.uncertainty.kernels ?? []).length > 1;
  const now = overOf(cost);
  const wrong = [pointer, `${pointer}/cvar`].flatMap((p) => faultsAt(faults, p));
  if (!list && now === "worst" && wrong.length === 0) return null;
  const values = { worst: undefined, mean: "mean", tail: { cvar: 0.1 } };
  return html`<div class="row over"><${Segments} label=${`What counts of ${what} over the models`} pointer=${pointer} value=${now} choices=${[
    { id: "worst", title: "worst model", help: "What the plan comes to in the worst of the models" },
    { id: "mean", title: "mean", help: "The mean over the models, by their weights" },
    { id: "tail", title: "tail", help: "The mean over the worst share of the models: conditional value at risk" },
  ]} onChoose=${(/** @type {"worst" | "mean" | "tail"} */ id) => lab.edit((/** @type {Doc} */ d) => replaceAt(d, pointer, values[id]))} />
    ${
    now === "tail" &&
    html`<label class="row">the worst <${NumberField} lab=${lab} pointer=${`${pointer}/cvar`} value=${
      shareOf(cost)
    } label=${`Share of the models in the tail of ${what}`} faults=${faults} onValue=${(/** @type {number} */ x) =>
      lab.edit((/** @type {Doc} */ d) => replaceAt(d, `${pointer}/cvar`, x), pointer)} /> of the models</label>`
  }<${Faults} lab=${lab} faults=${wrong} /></div>`;
}

/**
 * What each model counts, where something is averaged over them.
 * @param {{ lab: Lab, doc: Doc, faults: import("../document/faults.js").Fault[] }} props
 */
function Weights({ lab, doc, faults }) {
  const kernels = doc.uncertainty.kernels ?? [];
  const given = kernels.some((k) => k.weight !== undefined);
  if (kernels.length < 2 || !(given || isAveraged(doc))) return null;
  const weigh = (/** @type {number | undefined} */ w) =>
    lab.edit((/** @type {Doc} */ d) => (d.uncertainty.kernels ?? []).reduce((to, _, i) => replaceAt(to, `/uncertainty/kernels/${i}/weight`, w), d));
  const at = (/** @type {number} */ i) => `/uncertainty/kernels/${i}/weight`;
  return html`<fieldset data-pointer="/uncertainty/kernels/weights"><legend>What each model counts</legend>${
    given
      ? html`${
        kernels.map((k, i) =>
          html`<label class="row" key=${i}><${NumberField} lab=${lab} pointer=${at(i)} value=${k.weight} label=${`Weight of ${
            k.name || `kernel ${i + 1}`
          }`} faults=${faults} onValue=${(/** @type {number} */ x) => lab.edit((/** @type {Doc} */ d) => replaceAt(d, at(i), x), at(i))} /> ${
            k.name || `kernel ${i + 1}`
          }</label>`
        )
      }<button type="button" class="plain" onClick=${() => weigh(undefined)}>All alike</button>`
      : html`<p class="quiet">All models count alike.</p><button type="button" class="plain" onClick=${() =>
        weigh(1 / kernels.length)}>Give them weights</button>`
  }<${Faults} lab=${lab} faults=${["/uncertainty/kernels", ...kernels.map((_, i) => at(i))].flatMap((p) => faultsAt(faults, p))} /></fieldset>`;
}

/**
 * Whether values are discounted totals or averages per step.
 * @param {{ lab: Lab, pointer: string, value: unknown, what: string }} props
 */
const Scale = ({ lab, pointer, value, what }) =>
  html`<select aria-label=${`Scale of ${what}`} data-pointer=${pointer} value=${value ?? "total"}
    onChange=${(/** @type {FieldEvent} */ e) =>
    lab.edit((/** @type {Doc} */ d) => replaceAt(d, pointer, e.target.value === "total" ? undefined : e.target.value))}>
    <option value="total">total</option><option value="average">average</option></select>`;
