// @ts-check
// fields.js — fields that edit places of the document, with their faults; choices; pages of a list.

import { html, useId, useRef, useState } from "../view.js";
import { faultsAt } from "../document/faults.js";
import { numberText, parseNumber, shortText } from "../document/number.js";
import { sentence } from "../words/format.js";
import { NameField } from "./parts.js";

/** @typedef {import("./parts.js").Lab} Lab */
/** @typedef {import("../document/faults.js").Fault} Fault */

/** What removes the row with the cursor: the buttons for it are no stops of the Tab key. */
export const REMOVE_KEYS = "Alt+Delete in the row";

/** The keys of a row that can be removed. @param {() => void} remove */
export const removes = (remove) => (/** @type {KeyEvent} */ event) => {
  if (event.key !== "Delete" || !event.altKey) return;
  event.preventDefault();
  remove();
};

/**
 * The faults of one place, each with its fix as a button.
 * @param {{ lab: Lab, faults: Fault[], id?: string }} props
 */
export const Faults = ({ lab, faults, id }) => (faults.length === 0 ? null : html`<div id=${id}>${
  faults.map((fault) =>
    html`
  <p class="fault"><span>${sentence(fault.message)}</span>${
      fault.fix && html`<button type="button" onClick=${() => lab.applyFix(fault)}>${sentence(fault.fix.label)}</button>`
    }</p>`
  )
}</div>`);

/** Whether it was said on this visit that a decimal comma is taken. */
let commas = false;

/**
 * A field for a number. While it holds none, what was typed is kept, marked and
 * told to the lab, and the document keeps its last value.
 * @param {{ lab: Lab, pointer: string, value: unknown, label?: string, id?: string, onValue: (x: number) => void, faults: Fault[],
 *   read?: (text: string) => import("../document/number.js").Parsed, class?: string, describe?: string, cell?: [number, number], show?: boolean }} props
 *   cell: its row and column in a grid, for the arrow keys; show: draw the faults below the field
 */
export function NumberField({ lab, pointer, value, label, id, onValue, faults, read = parseNumber, class: css = "number", describe, cell, show = false }) {
  const kept = lab.get().drafts[pointer];
  const [typed, setTyped] = useState(/** @type {{ text: string, epoch: number } | null} */ (null));
  // The document may be ahead of what is drawn: keys come faster than frames.
  const latest = useRef({ drawn: value, now: value });
  if (latest.current.drawn !== value) latest.current = { drawn: value, now: value };
  const own = useId();
  const live = typed !== null && typed.epoch === lab.get().epoch ? typed.text : kept?.text ?? null;
  const shown = live ?? shortText(value, css === "number" ? 12 : 7);
  const wrong = faultsAt(faults, pointer);
  const faultId = `${own}-fault`;
  const input = (/** @type {FieldEvent} */ event) => {
    const text = event.target.value;
    setTyped({ text, epoch: lab.get().epoch });
    const parsed = read(text);
    if (!parsed.ok) {
      lab.setDraft(pointer, { text, message: parsed.message });
      return;
    }
    lab.setDraft(pointer, null);
    if (!commas && text.includes(",")) lab.say(`${text} is read as ${parsed.value}.`);
    commas ||= text.includes(",");
    if (parsed.value === latest.current.now) return;
    latest.current.now = parsed.value;
    onValue(parsed.value);
  };
  const focus = (/** @type {FieldEvent} */ event) => {
    if (live !== null || shown === numberText(value)) return;
    setTyped({ text: numberText(value), epoch: lab.get().epoch });
    setTimeout(() => document.activeElement === event.target && event.target.select());
  };
  const blur = () => {
    if (!lab.get().drafts[pointer]) setTyped(null);
    lab.settle();
  };
  return html`<input type="text" inputmode="decimal" autocomplete="off" spellcheck=${false} id=${id} class=${value === 0 && live === null ? `${css} zero` : css}
    value=${shown} aria-label=${label} aria-invalid=${wrong.length > 0 ? "true" : undefined} title=${
    wrong.length > 0 ? wrong.map((f) => f.message).join(" ") : live === null && shown !== numberText(value) ? numberText(value) : undefined
  }
    aria-describedby=${[describe, show && wrong.length > 0 ? faultId : null].filter(Boolean).join(" ") || undefined}
    data-pointer=${pointer} data-row=${cell?.[0]} data-col=${cell?.[1]} onFocusIn=${focus} onInput=${input} onBlur=${blur} />
    ${show && html`<${Faults} lab=${lab} faults=${wrong} id=${faultId} />`}`;
}

/**
 * A number that a dialog asks for, as 0.05, 0,05, 1/20 or 5 %; of a share, 95 is 95 %. What is none, or not between the two, is taken back.
 * @param {{ value: number, label?: string, from?: number, to?: number, onValue: (x: number) => void }} props
 */
export const AskedNumber = ({ value, label, from = -Infinity, to = Infinity, onValue }) =>
  html`<input type="text" inputmode="decimal" class="number" aria-label=${label} value=${String(value)} onChange=${(/** @type {FieldEvent} */ e) => {
    const [, typed, sign] = /** @type {RegExpExecArray} */ (/^([^%]*)(%?)/.exec(e.target.value));
    const parsed = parseNumber(typed);
    const x = parsed.ok ? parsed.value / (sign || (to <= 1 && parsed.value > 1) ? 100 : 1) : NaN;
    if (x >= from && x <= to) onValue(x);
    else e.target.value = String(value);
  }} />`;

/**
 * A field for a name or a text; every keystroke is an edit.
 * @param {{ lab: Lab, pointer: string, value: unknown, label: string, onValue: (text: string) => void, faults: Fault[], class?: string, long?: boolean, placeholder?: string }} props
 */
export function TextField({ lab, pointer, value, label, onValue, faults, class: css, long = false, placeholder }) {
  const wrong = faultsAt(faults, pointer);
  const common = {
    value: typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value),
    class: css,
    placeholder,
    spellcheck: false,
    autocomplete: "off",
    "aria-label": label,
    "aria-invalid": wrong.length > 0 ? "true" : undefined,
    title: wrong.length > 0 ? wrong.map((f) => f.message).join(" ") : undefined,
    "data-pointer": pointer,
    onInput: (/** @type {FieldEvent} */ e) => onValue(e.target.value),
    onBlur: lab.settle,
  };
  return long ? html`<textarea rows="2" ...${common}></textarea>` : html`<input type="text" ...${common} />`;
}

/**
 * One choice of a few, as radio buttons drawn in one piece.
 * @param {{ label: string, value: string | null, choices: { id: string, title: string, help?: string }[], onChoose: (id: string) => void, pointer?: string }} props
 */
export function Segments({ label, value, choices, onChoose, pointer }) {
  const name = useId();
  return html`<fieldset class="segments" data-pointer=${pointer}><legend class="unseen">${label}</legend>${
    choices.map((c) =>
      html`
    <label title=${c.help}><input type="radio" name=${name} value=${c.id} checked=${c.id === value} onChange=${() =>
        onChoose(c.id)} /><span>${c.title}</span></label>`
    )
  }</fieldset>`;
}

/**
 * Pages of a long list: at most so many rows are drawn at a time. With names one
 * can go to any by typing a part of it.
 * @param {{ total: number, size: number, at: number, noun: string, names?: string[], onGo: (first: number) => void }} props
 */
export function Pager({ total, size, at, noun, names, onGo }) {
  if (total <= size) return null;
  const first = Math.floor(at / size) * size;
  return html`<div class="pager"><button type="button" disabled=${first === 0} onClick=${() => onGo(first - size)} aria-label=${`Earlier ${noun}`}>‹</button>
    <span>${noun} ${first + 1}–${Math.min(first + size, total)} of ${total}</span>
    <button type="button" disabled=${first + size >= total} onClick=${() => onGo(first + size)} aria-label=${`Later ${noun}`}>›</button>
    ${names && html`<${NameField} names=${names} label=${`Find one of the ${noun}`} placeholder="go to" onChoose=${onGo} />`}</div>`;
}

/**
 * The first few of a list, and a button that shows the rest.
 * @template T @param {T[]} list @param {number} few @param {string} noun
 * @returns {{ shown: T[], more: Content }} more: null where there are no more
 */
export function useFew(list, few, noun) {
  const [all, setAll] = useState(false);
  return {
    shown: all ? list : list.slice(0, few),
    more: list.length > few
      ? html`<button type="button" class="plain" aria-expanded=${String(all)} onClick=${() => setAll(!all)}>${
        all ? `Show fewer${noun}` : `Show all ${list.length}${noun}`
      }</button>`
      : null,
  };
}
