// @ts-check
// later.js — a part of a panel that is loaded when it is first looked at.

import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";

/** What was loaded already: shown without a pause. @type {Map<() => Promise<any>, any>} */
const loaded = new Map();

/** @param {{ load: () => Promise<any>, part: string, of: any }} props load: the same function each time; part: what to show of the module that it gives; of: its properties */
export function Later({ load, part, of }) {
  const [, setReady] = useState(loaded.has(load));
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (loaded.has(load)) return;
    load().then((module) => {
      loaded.set(load, module[part]);
      setReady(true);
    }, () => setFailed(true));
  }, [load]);
  const component = loaded.get(load);
  if (failed) return html`<p class="quiet">This part of the page did not load. Reload the page to try again.</p>`;
  return component ? html`<${component} ...${of} />` : html`<p class="quiet" aria-busy="true">Loading…</p>`;
}
