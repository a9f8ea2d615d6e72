// @ts-check
// later.js — a part of the page that is loaded when it is first looked at, or before,
// when the page has nothing else to do.

import { html, useEffect, useState } from "../view.js";

/** Modules that were loaded already: shown without a pause. @type {Map<() => Promise<any>, any>} */
const loaded = new Map();

/** What may be loaded ahead. @type {(() => Promise<any>)[]} */
const ahead = [];

/** @param {{ load: () => Promise<any>, part: string, of: object, waiting?: Content }} props load: the same function each time; part: what to show of the module that it gives; of: its properties; waiting: what stands there meanwhile */
export function Later({ load, part, of, waiting = html`<p class="quiet" aria-busy="true">Loading…</p>` }) {
  const [, setReady] = useState(loaded.has(load));
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (loaded.has(load)) return setReady(true); // it came between the drawing and here
    load().then((module) => {
      loaded.set(load, module);
      setReady(true);
    }, () => setFailed(true));
  }, [load]);
  const component = loaded.get(load)?.[part];
  if (failed) return html`<p class="quiet">This part of the page did not load. Reload the page to try again.</p>`;
  return component ? html`<${component} ...${of} />` : waiting;
}

/**
 * A component that is loaded when it is first drawn, or ahead.
 * @param {() => Promise<any>} load @param {string} part of the module @param {Content} [waiting] what stands there meanwhile
 */
export function deferred(load, part, waiting) {
  if (!ahead.includes(load)) ahead.push(load);
  return (/** @type {object} */ props) => html`<${Later} load=${load} part=${part} of=${props} waiting=${waiting} />`;
}

/** Loads what is deferred, one after the other, so that no click waits for it. @param {(then: () => void) => void} whenIdle */
export function loadAhead(whenIdle) {
  const next = ahead.shift();
  if (!next) return;
  whenIdle(() => {
    next().then((module) => loaded.set(next, module), () => {}).then(() => loadAhead(whenIdle));
  });
}

/**
 * Runs when no part of a place is still being loaded.
 * @param {HTMLElement} place @param {() => void} then
 */
export function whenThere(place, then) {
  const waits = () => place.querySelector("[aria-busy=true]") !== null;
  if (!waits()) return then();
  const watch = new MutationObserver(() => {
    if (waits()) return;
    watch.disconnect();
    then();
  });
  watch.observe(place, { subtree: true, childList: true });
}
