// @ts-check
// parts.js — small pieces that every panel uses: icons, menus, tabs, and a part of the page that is loaded when it is first
// looked at, or before, when the page has nothing else to do. They know the lab's actions and nothing of a panel.

import { html, useEffect, useId, useRef, useState } from "../view.js";
import { found } from "../document/finding.js";
import { glossary } from "../words/glossary.js";

/** @typedef {import("../lab.js").Lab} Lab */

/** The solver, for what is drawn only when it is there. @param {Lab} lab */
export const solverOf = (lab) => /** @type {import("../rcmdp.js").Solver} */ (lab.solver());

/** Brings a panel of the answer into sight. @param {Lab} lab @param {string} panel */
export function toPanel(lab, panel) {
  lab.look({ panel });
  const tab = document.getElementById(`answer-part-tab-${panel}`);
  tab?.focus({ preventScroll: true });
  tab?.scrollIntoView();
}

/** Stroked 24 px drawings. @type {Record<string, string>} */
const drawings = {
  undo: "M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  redo: "m15 14 5-5-5-5M20 9H10a6 6 0 0 0 0 12h3",
  add: "M12 5v14M5 12h14",
  down: "m6 9 6 6 6-6",
  remove: "M6 6l12 12M18 6 6 18",
  trash: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  download: "M12 4v11m-5-5 5 5 5-5M5 20h14",
  open: "M4 19V6h6l2 2h8v11z",
  pen: "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
  check: "M4 12.5 9.5 18 20 6.5",
  open_question: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M12 16.5v.2",
  compare: "M4 18c4 0 4-12 8-12s4 12 8 12M4 8h3M17 8h3",
};

/** @param {{ name: string }} props */
export const Icon = ({ name }) => html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d=${drawings[name]} /></svg>`;

/**
 * A button that is only a drawing: it has a name for who cannot see it.
 * @param {{ icon: string, label: string, onClick: (event: MouseEvent) => void, disabled?: boolean, pressed?: boolean, keys?: string, passed?: boolean }} props passed: the Tab key passes it by, because a key of its row does the same
 */
export const IconButton = ({ icon, label, onClick, disabled, pressed, keys, passed }) =>
  html`
  <button type="button" class="icon" aria-label=${label} title=${keys ? `${label} (${keys})` : label} disabled=${disabled} tabindex=${
    passed ? -1 : undefined
  } aria-pressed=${pressed === undefined ? undefined : String(pressed)} onClick=${onClick}><${Icon} name=${icon} /></button>`;

/**
 * A word of the field with what it means, under the pointer and for who cannot see it.
 * @param {{ word: string, text?: string }} props
 */
export const Term = ({ word, text = word }) => html`<dfn title=${glossary[word]} aria-label=${`${text}: ${glossary[word]}`} tabindex="0">${text}</dfn>`;

/**
 * A button that opens a few more, which close with the one that is taken, with Escape and with a press elsewhere.
 * @param {{ label: string, icon?: string, class?: string, children?: Content }} props label: its name, and its text where there is no drawing
 */
export function Menu({ label, icon, class: css = "", children }) {
  const place = useRef(/** @type {HTMLDetailsElement | null} */ (null));
  useEffect(() => {
    const close = (/** @type {Event} */ event) => {
      const menu = place.current;
      if (!menu?.open) return;
      const key = /** @type {Partial<KeyboardEvent>} */ (event).key;
      if (key === "Escape") menu.querySelector("summary")?.focus();
      if (key === undefined ? !menu.contains(/** @type {Node} */ (event.target)) : key === "Escape") menu.open = false;
    };
    addEventListener("pointerdown", close);
    addEventListener("keydown", close);
    return () => {
      removeEventListener("pointerdown", close);
      removeEventListener("keydown", close);
    };
  }, []);
  return html`<details class="menu" ref=${place} onClick=${(/** @type {{ target: Element, currentTarget: HTMLDetailsElement }} */ e) => {
    if (e.target.closest("button")) e.currentTarget.open = false;
  }}><summary class=${`button ${css}`} aria-label=${label} title=${icon ? label : undefined}>${icon ? "" : label}<${Icon} name=${
    icon ?? "down"
  } /></summary><div>${children}</div></details>`;
}

/**
 * Tabs with the arrow keys of the ARIA pattern.
 * @param {{ label: string, tabs: { id: string, title: string, badge?: number }[], value: string, onChoose: (id: any) => void, panel: string }} props
 */
export function Tabs({ label, tabs, value, onChoose, panel }) {
  /** @param {KeyboardEvent & { readonly target: HTMLButtonElement, readonly currentTarget: HTMLElement }} event */
  const keys = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -tabs.length, End: tabs.length }[/** @type {string} */ (event.key)];
    if (!step) return;
    event.preventDefault();
    const buttons = [...event.currentTarget.querySelectorAll("button")];
    const at = buttons.indexOf(event.target); // the chosen one may not be drawn yet when keys follow each other fast
    const next = Math.abs(step) > 1 ? (step < 0 ? 0 : tabs.length - 1) : (at + step + tabs.length) % tabs.length;
    onChoose(tabs[next].id);
    buttons[next].focus();
  };
  // Where the tabs are wider than the page, the chosen one is scrolled to.
  const strip = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const tab = strip.current?.querySelector(`[aria-selected="true"]`);
    if (!strip.current || !(tab instanceof HTMLElement)) return;
    const { scrollLeft, clientWidth } = strip.current;
    const [from, to] = [tab.offsetLeft - strip.current.offsetLeft, tab.offsetLeft - strip.current.offsetLeft + tab.offsetWidth];
    if (from < scrollLeft || to > scrollLeft + clientWidth) strip.current.scrollLeft = from - (clientWidth - tab.offsetWidth) / 2;
  }, [value]);
  return html`<div class="tabs" role="tablist" ref=${strip} aria-label=${label} onKeyDown=${keys}>${
    tabs.map((t) =>
      html`
    <button type="button" role="tab" id=${`${panel}-tab-${t.id}`} aria-selected=${String(t.id === value)} aria-controls=${panel} tabindex=${
        t.id === value ? 0 : -1
      } onClick=${() => onChoose(t.id)}>
      ${t.title}${t.badge ? html`<span class="badge" aria-label=${`${t.badge} faults`}>${t.badge}</span>` : null}</button>`
    )
  }</div>`;
}

/** So many names are offered while one is typed. */
const OFFERED = 8;

/**
 * A field that takes one of many names: what is typed is looked up, and only the nearest are drawn.
 * Enter takes the nearest.
 * @param {{ names: string[], label: string, placeholder: string, onChoose: (i: number) => void }} props
 */
export function NameField({ names, label, placeholder, onChoose }) {
  const list = useId();
  const [typed, setTyped] = useState("");
  const near = found(names, typed, OFFERED);
  const choose = (/** @type {number} */ i) => {
    setTyped("");
    onChoose(i);
  };
  return html`<input type="text" class="find" list=${list} autocomplete="off" spellcheck=${false} aria-label=${label} placeholder=${placeholder} value=${typed}
    aria-invalid=${typed.trim() !== "" && near.length === 0 ? "true" : undefined} title=${
    typed.trim() !== "" && near.length === 0 ? "No name holds this." : "Type a part of the name; Enter takes the nearest."
  }
    onInput=${(/** @type {FieldEvent & { inputType?: string }} */ e) => {
    const text = e.target.value;
    // A name taken from the list comes in one piece, not by keys.
    const taken = e.inputType === "insertReplacementText" || e.inputType === undefined ? names.indexOf(text) : -1;
    if (taken >= 0) choose(taken);
    else setTyped(text);
  }}
    onKeyDown=${(/** @type {KeyEvent} */ e) => {
    if (e.key !== "Enter" || near.length === 0) return;
    e.preventDefault();
    choose(near[0]);
  }} /><datalist id=${list}>${near.map((i) => html`<option key=${i} value=${names[i]} />`)}</datalist>`;
}

/**
 * Draws again only when a property changed.
 * @template P
 * @param {(props: P) => Content} component
 * @returns {(props: P) => Content}
 */
export function pure(component) {
  /** @param {any} props */
  const Pure = (props) => {
    const last = useRef(/** @type {{ props: any, drawn: any } | null} */ (null));
    const same = last.current !== null && Object.keys({ ...last.current.props, ...props }).every((key) => Object.is(last.current?.props[key], props[key]));
    const drawn = same ? last.current?.drawn : html`<${component} ...${props} />`;
    last.current = { props, drawn };
    return drawn;
  };
  return Pure;
}

/**
 * Calls back with the element's width, now and whenever it changes.
 * @param {{ current: HTMLElement | null }} ref
 * @param {(width: number) => void} changed
 */
export function useWidth(ref, changed) {
  const latest = useRef(changed);
  latest.current = changed;
  useEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const watch = new ResizeObserver(([entry]) => latest.current(entry.contentRect.width));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
}

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
