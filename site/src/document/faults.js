// @ts-check
// faults.js — the faults of a document, found by place: which belong to a cell,
// a row or a field, and on which tab of the model panel that is. Pure.

import { isWithin, parsePointer } from "./patch.js";

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
  let parts;
  try {
    parts = parsePointer(pointer);
  } catch {
    return { tab: pointer.startsWith("grid:") ? "grid" : "json" };
  }
  const [top, second, third] = parts;
  const named = fault?.state === undefined ? -1 : (doc.states ?? []).indexOf(fault.state);
  const stateAt = (/** @type {string | undefined} */ part) => {
    const s = part === undefined || part === "entries" ? named : Number(part);
    return Number.isInteger(s) && s >= 0 ? { state: s } : {};
  };
  switch (top) {
    case "states":
      return { tab: "states", ...stateAt(second) };
    case "initial":
      return { tab: "states", ...stateAt(second) };
    case "actions":
      return { tab: "states" };
    case "name":
    case "description":
    case "discount":
      return { tab: "goal" };
    case "objective":
      return second === "values"
        ? { tab: "costs", cost: 0, ...stateAt(third) }
        : { tab: ["name", "sense", "scale", undefined].includes(second) ? "goal" : "json" };
    case "constraints":
      if (second === undefined) return { tab: "goal" };
      if (third === "values") return { tab: "costs", cost: Number(second) + 1, ...stateAt(parts[3]) };
      return { tab: ["name", "atMost", "atLeast", "scale", undefined].includes(third) ? "goal" : "json" };
    case "uncertainty":
      if (second === "kernels" && third !== undefined) {
        if (parts[3] === "transitions") return { tab: "nature", kernel: Number(third), ...stateAt(parts[4]) };
        return { tab: ["name", undefined].includes(parts[3]) ? "nature" : "json", kernel: Number(third) };
      }
      if (["nominal", "lower", "upper"].includes(second)) return { tab: "nature", kernel: second === "upper" ? 1 : 0, ...stateAt(third) };
      if (second === "radius") return { tab: "nature", ...stateAt(third) };
      return { tab: ["kind", "kernels", "support", "temperature", "evaluator", undefined].includes(second) ? "nature" : "json" };
    default:
      return { tab: "json" };
  }
}

/**
 * The place in words: "discount", "kernel harsh, worn, repair".
 * @param {Fault} fault
 * @param {Doc} doc
 */
export function placeWords(fault, doc) {
  let parts;
  try {
    parts = parsePointer(fault.pointer);
  } catch {
    return fault.pointer.replace("grid:", "");
  }
  const words = [];
  const [top, second, third] = parts;
  if (top === undefined) return "the document";
  if (top === "constraints" && second !== undefined) words.push(`limit ${doc.constraints?.[Number(second)]?.name || Number(second) + 1}`);
  else if (top === "uncertainty" && second === "kernels" && third !== undefined)
    words.push(`kernel ${doc.uncertainty?.kernels?.[Number(third)]?.name || Number(third) + 1}`);
  else if (top === "uncertainty") words.push(second === undefined || second === "kind" ? "uncertainty" : second);
  else words.push(top === "initial" ? "initial distribution" : top);
  if (fault.state !== undefined) words.push(fault.state);
  if (fault.action !== undefined) words.push(fault.action);
  if (["states", "actions", "initial"].includes(top) && second !== undefined && fault.state === undefined) {
    words.push(String((top === "actions" ? doc.actions : doc.states)?.[Number(second)] || Number(second) + 1));
  }
  return words.join(", ");
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
