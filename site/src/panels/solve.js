// @ts-check
// solve.js — draws the method, its settings and the buttons of a run.
// Emits: choosing, solve, stop, cancel.

import { html } from "htm/preact";
import { useEffect, useRef } from "preact/hooks";
import { bytes, words } from "../words/format.js";
import { presetFor, presetsOf, readOption, settingsOf } from "../lab/presets.js";
import { focusPlace } from "./model.js";
import { NumberField, Segments } from "./parts.js";

/** @typedef {import("./parts.js").Lab} Lab */

/**
 * @param {{ lab: Lab, engine: any, algorithms: any[], method: string, settings: any, run: any, blocked: string, faults: any[], open: boolean, focus: any }} props
 */
export function Solve({ lab, engine, algorithms, method, settings, run, blocked, faults, open, focus }) {
  const section = useRef(/** @type {HTMLElement | null} */ (null));
  const algorithm = algorithms.find((a) => a.id === method);
  useEffect(() => {
    if (focus?.pointer.startsWith("option:") && section.current) focusPlace(section.current, focus.pointer);
  }, [focus]);
  return html`<section class="solve" ref=${section} aria-labelledby="solve-title">
    <h2 id="solve-title" class="step">Solve</h2>
    ${
    engine.phase !== "ready" ? html`<${Loading} lab=${lab} engine=${engine} />` : html`<div class="method">
      <${Method} lab=${lab} algorithms=${algorithms} algorithm=${algorithm} settings=${settings} faults=${faults} open=${open} />
      <${Go} lab=${lab} run=${run} blocked=${blocked} faults=${faults} />
    </div>`
  }
  </section>`;
}

/**
 * Bytes, compiling, ready; or what went wrong, with a way to try again.
 * @param {{ lab: Lab, engine: any }} props
 */
function Loading({ lab, engine }) {
  if (engine.phase === "failed") {
    return html`<div class="crash" role="alert"><h3>The solver did not load</h3><p>${engine.message}</p><button type="button" onClick=${lab.retry}>Retry</button></div>`;
  }
  const known = engine.phase === "download" && engine.total;
  return html`<div class="loading"><p class="quiet">${
    engine.phase === "compile"
      ? "Preparing the solver…"
      : engine.loaded
      ? `Loading the solver: ${bytes(engine.loaded)}${known ? ` of ${bytes(engine.total)}` : ""}`
      : "Loading the solver…"
  }</p>
    <progress aria-label="Loading the solver" value=${known ? engine.loaded : undefined} max=${known ? engine.total : undefined}></progress></div>`;
}

/**
 * @param {{ lab: Lab, algorithms: any[], algorithm: any, settings: any, faults: any[], open: boolean }} props
 */
function Method({ lab, algorithms, algorithm, settings, faults, open }) {
  const presets = presetsOf(algorithm.id);
  const preset = presetFor(algorithm, settings);
  const options = algorithm.options.filter((/** @type {any} */ o) => o.type !== "policy");
  const base = settingsOf(algorithm, presets[0]);
  const changed = options.filter((/** @type {any} */ o) => !Object.is(base[o.name], settings[o.name])).length;
  return html`<div class="method-row">
      <select aria-label="Method" value=${algorithm.id} onChange=${(/** @type {any} */ e) => lab.setMethod(e.target.value)}>${
    algorithms.map((a) => html`<option key=${a.id} value=${a.id}>${a.title}</option>`)
  }</select>
      ${
    presets.length > 1 && html`<${Segments} label="Preset" value=${preset?.id ?? null} choices=${presets} onChoose=${(/** @type {string} */ id) => {
      const p = presets.find((x) => x.id === id);
      if (p) lab.usePreset(p);
    }} />`
  }
    </div>
    <p class="help">${algorithm.solves}${presets.length > 1 && preset ? ` ${preset.help}` : ""}</p>
    <details open=${open} onToggle=${(/** @type {any} */ e) => e.currentTarget.open !== open && lab.look({ settings: e.currentTarget.open })}>
      <summary>Settings${changed > 0 ? ` (${changed} changed)` : ""}</summary>
      <div class="settings">${
    options.map((/** @type {any} */ o) =>
      html`<${Setting} key=${`${algorithm.id}.${o.name}`} lab=${lab} option=${o} value=${settings[o.name]} faults=${faults} />`
    )
  }</div>
      ${changed > 0 && html`<button type="button" class="plain" onClick=${() => lab.usePreset(presets[0])}>Back to the defaults</button>`}
    </details>`;
}

/**
 * @param {{ lab: Lab, option: any, value: any, faults: any[] }} props
 */
function Setting({ lab, option, value, faults }) {
  const id = `setting-${option.name}`;
  if (option.type === "boolean") {
    return html`<div class="setting"><label class="check"><input type="checkbox" id=${id} checked=${value} aria-describedby=${`${id}-help`} onChange=${(
      /** @type {any} */ e,
    ) => lab.setOption(option.name, e.target.checked)} />${words(option.name)}</label><p class="help" id=${`${id}-help`}>${option.help}</p></div>`;
  }
  return html`<div class="setting"><label for=${id}>${words(option.name)}
    <${NumberField} lab=${lab} id=${id} pointer=${`option:${option.name}`} value=${value} faults=${faults} describe=${`${id}-help`} read=${(
    /** @type {string} */ text,
  ) => readOption(option, text)} onValue=${(/** @type {any} */ x) => lab.setOption(option.name, x)} /></label>
    ${faults.filter((f) => f.pointer === `option:${option.name}`).map((f) => html`<p class="fault">${f.message}</p>`)}
    <p class="help" id=${`${id}-help`}>${option.help}</p></div>`;
}

/**
 * Solve, or Stop and Cancel while a run is going on.
 * @param {{ lab: Lab, run: any, blocked: string, faults: any[] }} props
 */
function Go({ lab, run, blocked, faults }) {
  const go = useRef(/** @type {HTMLButtonElement | null} */ (null));
  const stop = useRef(/** @type {HTMLButtonElement | null} */ (null));
  const pressed = useRef(false);
  // One button replaces the other under the finger: focus goes with it.
  useEffect(() => {
    if (pressed.current && (document.activeElement === document.body || document.activeElement === null))
      (run ? stop : go).current?.focus({ preventScroll: true });
    if (!run) pressed.current = false;
  }, [Boolean(run)]);
  const solve = () => {
    pressed.current = true;
    if (!blocked) void lab.solve();
    else if (fault) lab.reveal(fault.pointer, fault);
  };
  const fault = faults[0];
  if (run) {
    return html`<div class="go">
      <button type="button" class="primary" ref=${stop} disabled=${
      run.ending !== ""
    } onClick=${lab.stop} title="Keeps the best policy found so far (Esc)" data-stop>${run.ending === "stop" ? "Stopping…" : "Stop"}</button>
      <button type="button" onClick=${lab.cancel} disabled=${
      run.ending === "cancel"
    } title="Ends the run at once and keeps the answer before" data-cancel>Cancel</button>
      <span class="why">Stop keeps the best so far.</span></div>`;
  }
  return html`<div class="go">
    <button type="button" class="primary" ref=${go} aria-disabled=${
    blocked ? "true" : undefined
  } aria-describedby="solve-why" onClick=${solve} data-solve>Solve</button>
    <span class="why" id="solve-why">${blocked || html`<kbd>Ctrl</kbd> <kbd>Enter</kbd>`}</span>
    ${blocked && fault && html`<button type="button" class="plain" onClick=${() => lab.reveal(fault.pointer, fault)}>Show the first</button>`}</div>`;
}
