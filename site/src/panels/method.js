// @ts-check
// method.js — draws the method and its settings. Emits: choosing.

import { html, useEffect, useRef, useState } from "../view.js";
import { presetFor, presetsOf, readOption, settingsOf } from "../lab/presets.js";
import { words } from "../words/format.js";
import { loadingWords } from "../words/words.js";
import { focusPlace } from "./focus.js";
import { NumberField, Segments } from "./fields.js";

/** @typedef {import("./parts.js").Lab} Lab */
/** @typedef {import("../rcmdp.js").Algorithm} Algorithm */
/** @typedef {import("../rcmdp.js").Option} Option */
/** @typedef {import("../document/faults.js").Fault} Fault */

/**
 * @param {{ lab: Lab, engine: import("../lab/state.js").Engine, algorithms: Algorithm[], method: string, settings: Record<string, unknown>,
 *   unfit: { algorithm: string, reason: string }[], faults: Fault[], open: boolean, focus: import("../lab/state.js").State["focus"] }} props
 */
export function Method({ lab, engine, algorithms, method, settings, unfit, faults, open, focus }) {
  const section = useRef(/** @type {HTMLElement | null} */ (null));
  const algorithm = algorithms.find((a) => a.id === method);
  const here = unfit.some((u) => u.algorithm === method);
  // Until it is wanted: for another method, or for a setting that has a fault.
  const [folded, setFolded] = useState(true);
  useEffect(() => {
    if (!focus?.pointer.startsWith("option:") || !section.current) return;
    for (const details of section.current.querySelectorAll("details")) details.open = true;
    focusPlace(section.current, focus.pointer);
  }, [focus]);
  return html`<section class="solve" ref=${section} aria-labelledby="method-title">
    ${
    engine.phase === "failed"
      ? html`<h2 id="method-title" class="step">Method</h2><${Failed} lab=${lab} engine=${engine} />`
      : html`<details class="fold" open=${folded ? undefined : true} onToggle=${(/** @type {{ currentTarget: HTMLDetailsElement, target: EventTarget }} */ e) =>
        e.target === e.currentTarget && setFolded(!e.currentTarget.open)}><summary><h2 id="method-title" class="step">Method</h2><span>${
        engine.phase !== "ready" ? loadingWords(engine) : `${algorithm?.title}${here ? ", which cannot run here" : ""}`
      }</span></summary>
      ${
        engine.phase === "ready" && algorithm &&
        html`<div class="method"><${Choice} lab=${lab} algorithms=${algorithms} algorithm=${algorithm} settings=${settings} unfit=${unfit} faults=${faults} open=${open} /></div>`
      }</details>`
  }
  </section>`;
}

/** What went wrong with the solver, with a way to try again. @param {{ lab: Lab, engine: import("../lab/state.js").Engine }} props */
const Failed = ({ lab, engine }) =>
  html`<div class="crash" role="alert"><h3>The solver did not load</h3><p>${engine.message}</p><button type="button" onClick=${lab.retry}>Retry</button></div>`;

/**
 * @param {{ lab: Lab, algorithms: Algorithm[], algorithm: Algorithm, settings: Record<string, unknown>, unfit: { algorithm: string, reason: string }[], faults: Fault[], open: boolean }} props
 */
function Choice({ lab, algorithms, algorithm, settings, unfit, faults, open }) {
  const presets = presetsOf(algorithm.id);
  const preset = presetFor(algorithm, settings);
  const options = algorithm.options.filter((o) => o.type !== "policy");
  const base = settingsOf(algorithm, presets[0]);
  const changed = options.filter((o) => !Object.is(base[o.name], settings[o.name])).length;
  const why = (/** @type {string} */ id) => unfit.find((u) => u.algorithm === id)?.reason;
  const here = why(algorithm.id);
  return html`<div class="method-row">
      <select aria-label="Method" value=${algorithm.id} onChange=${(/** @type {FieldEvent} */ e) => lab.setMethod(e.target.value)}>${
    algorithms.map((a) =>
      html`<option key=${a.id} value=${a.id} disabled=${why(a.id) !== undefined && a.id !== algorithm.id} title=${why(a.id)}>${a.title}${
        why(a.id) ? ` – ${why(a.id)?.split("cannot run here: ").at(-1)}` : ""
      }</option>`
    )
  }</select>
      ${
    presets.length > 1 && html`<${Segments} label="Preset" value=${preset?.id ?? null} choices=${presets} onChoose=${(/** @type {string} */ id) => {
      const p = presets.find((x) => x.id === id);
      if (p) lab.usePreset(p);
    }} />`
  }
    </div>
    <p class="help">${algorithm.solves}${presets.length > 1 && preset ? ` ${preset.help}` : ""}</p>
    ${here && html`<p class="fault">${here}</p>`}
    <details open=${open} onToggle=${(/** @type {{ currentTarget: HTMLDetailsElement }} */ e) =>
    e.currentTarget.open !== open && lab.look({ settings: e.currentTarget.open })}>
      <summary>Settings${changed > 0 ? ` (${changed} changed)` : ""}</summary>
      <div class="settings">${
    options.map((o) => html`<${Setting} key=${`${algorithm.id}.${o.name}`} lab=${lab} option=${o} value=${settings[o.name]} faults=${faults} />`)
  }</div>
      ${changed > 0 && html`<button type="button" class="plain" onClick=${() => lab.usePreset(presets[0])}>Back to the defaults</button>`}
    </details>`;
}

/**
 * @param {{ lab: Lab, option: Option, value: unknown, faults: Fault[] }} props
 */
function Setting({ lab, option, value, faults }) {
  const id = `setting-${option.name}`;
  if (option.type === "boolean") {
    return html`<div class="setting"><label class="check"><input type="checkbox" id=${id} checked=${value} aria-describedby=${`${id}-help`} onChange=${(
      /** @type {FieldEvent} */ e,
    ) => lab.setOption(option.name, e.target.checked)} />${words(option.name)}</label><p class="help" id=${`${id}-help`}>${option.help}</p></div>`;
  }
  return html`<div class="setting"><label for=${id}>${words(option.name)}
    <${NumberField} lab=${lab} id=${id} pointer=${`option:${option.name}`} value=${value} faults=${faults} describe=${`${id}-help`} read=${(
    /** @type {string} */ text,
  ) => readOption(option, text)} onValue=${(/** @type {unknown} */ x) => lab.setOption(option.name, x)} /></label>
    ${faults.filter((f) => f.pointer === `option:${option.name}`).map((f) => html`<p class="fault">${f.message}</p>`)}
    <p class="help" id=${`${id}-help`}>${option.help}</p></div>`;
}
