// @ts-check
// faults.js — the faults of a document, found by place: which belong to a cell,
// a row or a field, and on which tab of the model panel that is. Pure.

import { isPointer, isWithin, parsePointer } from "./patch.js";

/**
 * @typedef {{ pointer: string, message: string, state?: string, action?: string, fix?: { label: string, patch: import("./patch.js").Replacement[] } }} Fault
 * @typedef {"grid" | "goal" | "states" | "costs" | "nature" | "json"} Tab
 * @typedef {{ tab: Tab, cost?: number, kernel?: number, state?: number }} Place
 */

/**
 * @param {Fault[]} faults
 * @param {string} pointer
 */
export const faultsAt = (faults, pointer) => faults.filter((f) => f.pointer === pointer);

/**
 * @param {Fault[]} faults
 * @param {string} pointer
 */
export const faultsWithin = (faults, pointer) => faults.filter((f) => isWithin(f.pointer, pointer));

/**
 * Where in the model panel a pointer is edited.
 * @param {string} pointer
 * @param {Doc} doc
 * @param {Fault} [fault] names the state when the pointer is that of a sparse entry
 * @returns {Place}
 */
export function placeOf(pointer, doc, fault) {
  if (!isPointer(pointer)) return { tab: pointer.startsWith("grid:") ? "grid" : "json" };
  const parts = parsePointer(pointer);
  const [, second, third] = parts;
  const named = fault?.state === undefined ? -1 : (doc.states ?? []).indexOf(fault.state);
  const stateAt = (/** @type {string | undefined} */ part) => {
    const s = part === undefined || part === "entries" ? named : Number(part);
    return Number.isInteger(s) && s >= 0 ? { state: s } : {};
  };
  /** Where it is edited, by the document's own fields; some that no tab has are edited as JSON. @type {Record<string, () => Place>} */
  const places = {
    states: () => ({ tab: "states", ...stateAt(second) }),
    initial: () => ({ tab: "states", ...stateAt(second) }),
    actions: () => ({ tab: "states" }),
    name: () => ({ tab: "goal" }),
    description: () => ({ tab: "goal" }),
    discount: () => ({ tab: "goal" }),
    "objective/values": () => ({ tab: "costs", cost: 0, ...stateAt(third) }),
    objective: () => ({ tab: ["name", "sense", "scale", undefined].includes(second) ? "goal" : "json" }),
    "constraints/*/values": () => ({ tab: "costs", cost: Number(second) + 1, ...stateAt(parts[3]) }),
    constraints: () => ({ tab: ["name", "atMost", "atLeast", "scale", undefined].includes(third) ? "goal" : "json" }),
    "uncertainty/kernels/*/transitions": () => ({ tab: "nature", kernel: Number(third), ...stateAt(parts[4]) }),
    "uncertainty/kernels/*": () => ({ tab: ["name", undefined].includes(parts[3]) ? "nature" : "json", kernel: Number(third) }),
    "uncertainty/nominal": () => ({ tab: "nature", kernel: 0, ...stateAt(third) }),
    "uncertainty/lower": () => ({ tab: "nature", kernel: 0, ...stateAt(third) }),
    "uncertainty/upper": () => ({ tab: "nature", kernel: 1, ...stateAt(third) }),
    "uncertainty/radius": () => ({ tab: "nature", ...stateAt(third) }),
    uncertainty: () => ({ tab: ["kind", "kernels", "support", "temperature", "evaluator", undefined].includes(second) ? "nature" : "json" }),
  };
  const path = parts.map((part, i) => (i > 0 && /^\d+$/.test(part) ? "*" : part));
  const known = path.map((_, i) => path.slice(0, i + 1).join("/")).findLast((of) => Object.hasOwn(places, of));
  return known === undefined ? { tab: "json" } : places[known]();
}

/**
 * The place in words: "discount", "kernel harsh, worn, repair".
 * @param {Fault} fault
 * @param {Doc} doc
 */
export function placeWords(fault, doc) {
  if (!isPointer(fault.pointer)) return fault.pointer.replace("grid:", "");
  const [top, second, third] = parsePointer(fault.pointer);
  if (top === undefined) return "the document";
  /** What is spoken of, by the document's own field. @type {Record<string, () => string>} */
  const fields = {
    constraints: () => second === undefined ? top : `limit ${doc.constraints?.[Number(second)]?.name || Number(second) + 1}`,
    uncertainty: () =>
      second === "kernels" && third !== undefined
        ? `kernel ${doc.uncertainty?.kernels?.[Number(third)]?.name || Number(third) + 1}`
        : second === undefined || second === "kind"
        ? "uncertainty"
        : second,
    initial: () => "initial distribution",
  };
  const named = ["states", "actions", "initial"].includes(top) && second !== undefined && fault.state === undefined
    ? String((top === "actions" ? doc.actions : doc.states)?.[Number(second)] || Number(second) + 1)
    : undefined;
  return [Object.hasOwn(fields, top) ? fields[top]() : top, fault.state, fault.action, named].filter((word) => word !== undefined).join(", ");
}

/**
 * The element of a list of pointers that shows a pointer best: itself, else the
 * nearest place around it, else the first place inside it.
 * @param {string[]} shown
 * @param {string} pointer
 * @returns {string | undefined}
 */
export function nearest(shown, pointer) {
  for (let p = pointer;; p = p.slice(0, p.lastIndexOf("/"))) {
    if (shown.includes(p)) return p;
    const inside = shown.find((s) => isWithin(s, p));
    if (inside && p === pointer) return inside;
    if (p === "" || p.lastIndexOf("/") < 0) return undefined;
  }
}
