// @ts-check
// focus.js — moves focus to the field that edits a place of the document, or a setting.

import { nearest } from "../document/faults.js";

/** Form fields in a part of the page. */
const FIELDS = "input:not([type=file]), select, textarea";

/**
 * Moves focus to the field that edits a place of the document.
 * @param {HTMLElement} section
 * @param {string} pointer
 */
export function focusPlace(section, pointer) {
  const shown = /** @type {HTMLElement[]} */ ([...section.querySelectorAll("[data-pointer]")]);
  const best = nearest(shown.map((e) => e.dataset.pointer ?? ""), pointer);
  const element = shown.find((e) => e.dataset.pointer === best);
  const field = element?.matches(FIELDS) ? element : element?.querySelector(FIELDS) ?? element?.closest("tr, li, .entry")?.querySelector(FIELDS);
  const target = /** @type {HTMLElement | null} */ (field ?? section.querySelector(`.tab ${FIELDS.split(",")[0]}`));
  target?.focus();
  if (target instanceof HTMLInputElement && target.type === "text") target.select(); // what is typed takes its place
  target?.scrollIntoView({ block: "center", inline: "nearest" });
}
