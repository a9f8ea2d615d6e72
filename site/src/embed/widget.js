// @ts-check
// widget.js — an anywidget front-end module, built into widget.mjs: for Jupyter, Colab, VS Code and marimo, and for MyST pages
// without a kernel. It shows a frame of the lab and hands it the model; what the frame finds comes back as `result`.
//
// Of the model it reads: home (where the lab is), problem or example, answer (a result to show before anything runs), algorithm,
// options, run, hide, show, theme, slider, explore, height, label, edits (whether a reader's edits become `problem`). It
// writes: result, and error (a sentence, or "").

import { Guest } from "./guest.js";
import { originIn } from "./frames.js";

/* global __HOME__ */

/** @typedef {{ get: (name: string) => any, set: (name: string, value: any) => void, save_changes: () => void, on: (name: string, heard: () => void) => void, off?: (name: string, heard?: () => void) => void }} Model */

/** What an address of the frame says; a change of these opens another. */
const inAddress = /** @type {const} */ (["example", "algorithm", "hide", "show", "theme", "slider", "explore"]);

/** Where the lab is: as told, where the build was told to be, or beside this file when it has an address. @param {string | undefined} told */
function homeOf(told) {
  const beside = /^https?:/.test(import.meta.url) ? new URL("./", import.meta.url).href : "";
  try {
    const home = new URL((told || __HOME__ || beside).replace(/\/*$/, "/"), document.baseURI);
    return (told || __HOME__ || beside) && /^https?:$/.test(home.protocol) ? home : null;
  } catch {
    return null;
  }
}

/** The text of a model, "" without one. @param {any} problem */
const textOf = (problem) => (problem && Object.keys(problem).length > 0 ? JSON.stringify(problem) : "");

/** Does what a page without a kernel may refuse to: MyST's model has no save_changes and no off but such as throw. @param {() => void} act */
function tryTo(act) {
  try {
    act();
  } catch { /* there is nobody to tell, or nothing to leave */ }
}

/** @param {Model} model @param {Record<string, unknown>} values */
function save(model, values) {
  for (const [name, value] of Object.entries(values)) model.set(name, value);
  tryTo(() => model.save_changes());
}

/** Once a model: what was found is of the problem before. @param {{ model: Model }} context */
function initialize({ model }) {
  for (const name of ["problem", "example"]) model.on(`change:${name}`, () => save(model, { result: null, error: "" }));
}

/** Once a view. @param {{ model: Model, el: HTMLElement }} context @returns {(() => void) | undefined} how to leave it */
function render({ model, el }) {
  const home = homeOf(model.get("home"));
  const why = home === null
    ? "Say where the lab is: home = \"https://…/\", or a folder that is served."
    : originIn(location.origin) === null
    ? "This page has no origin of its own that a frame could answer to. Open it outside of its sandbox."
    : "";
  if (home === null || why !== "") {
    const note = document.createElement("p");
    note.setAttribute("role", "alert");
    note.textContent = `RCMDP Lab: ${why}`;
    el.append(note);
    save(model, { error: why });
    return;
  }
  /** The model that the frame has. */
  let text = "";
  const guest = new Guest(home, {
    result: (result) => save(model, { result, ...(result && { error: "" }) }),
    failed: (error) => save(model, { result: null, error }),
    problem: (problem) => {
      if (!model.get("edits")) return;
      text = JSON.stringify(problem);
      save(model, { problem });
    },
  });
  const hand = () => {
    const next = textOf(model.get("problem"));
    if (next === text) return;
    text = next;
    guest.ask(next === "" ? null : { problem: next, answer: model.get("answer") ?? null });
  };
  const open = () => {
    /** @type {import("../share/fragment.js").Link} */
    const link = { tell: location.origin, run: Boolean(model.get("run")) };
    for (const name of inAddress) link[name] = model.get(name) || undefined;
    link.option = Object.fromEntries(Object.entries(model.get("options") ?? {}).map(([name, value]) => [name, String(value)]));
    if (textOf(model.get("problem")) !== "") delete link.example;
    guest.frame.title = model.get("label") || "RCMDP Lab";
    guest.fit(String(model.get("height") || "auto"));
    guest.open(link);
  };
  /** @type {[string, () => void][]} */
  const follows = [
    ["change:problem", hand],
    ...[...inAddress, "run", "options", "height", "label"].map(
      (name) => /** @type {[string, () => void]} */ ([`change:${name}`, open]),
    ),
  ];
  for (const [name, heard] of follows) model.on(name, heard);
  guest.listen();
  open();
  hand();
  el.append(guest.frame);
  return () => {
    guest.leave();
    for (const [name, heard] of follows) tryTo(() => model.off?.(name, heard));
    guest.frame.remove();
  };
}

export default { initialize, render };
