// @ts-check
// embed-main.js — starts the embed: one problem from the address's fragment, its
// Solve button, chart, policy and result. Nothing is stored; the solver is not
// loaded before it is asked for; the host page is told the height.

import { html, render } from "htm/preact";
import { openSolver } from "../engine.js";
import { readFragment, sealed, writeFragment } from "../share/fragment.js";
import { words } from "../words/format.js";
import { createLab } from "../lab.js";
import { Embed } from "../panels/embed.js";

const lab = createLab({
  openSolver: (onProgress) => openSolver({ wasmURL: __WASM_URL__, workerURL: __WORKER_URL__, onProgress }),
  fragment: () => location.hash,
  labUrl: () => new URL("./", location.href.split("#")[0]).href,
  embedUrl: () => location.href.split("#")[0],
  stores: false,
});

const { link, damage } = readFragment(location.hash);
const { frame = "", run, ...carried } = link;
const root = /** @type {HTMLElement} */ (document.getElementById("app"));
root.textContent = "";

/** Where "Open in the lab" leads: the state as it is now. */
let labLink = `${new URL("./", location.href.split("#")[0]).href}${sealed(writeFragment(carried))}`;
/** What that link was made from. */
let linked = linkedParts(lab.get());
/** @param {import("../lab/state.js").State} state */
function linkedParts({ history, method, settings }) {
  return [history.present, method, settings, lab.answer()];
}

/** Loads the solver if need be, opens an example, solves. */
async function solve() {
  if (!(await lab.connect())) return;
  if (!lab.get().opened && !(await lab.openLink(link))) return;
  if (lab.answer() === null) lab.applyMethod(link);
  await lab.solve();
}

let asked = 0;
function draw() {
  asked = 0;
  const state = lab.get();
  render(html`<${Embed} lab=${lab} state=${state} title=${link.example ? words(link.example) : "Problem"} labLink=${labLink} onSolve=${solve} />`, root);
  const parts = linkedParts(state);
  if (parts.some((part, i) => part !== linked[i])) {
    linked = parts;
    void lab.pageLink().then((url) => {
      labLink = url;
      draw();
    });
  }
}
lab.store.subscribe(() => {
  if (!asked) asked = requestAnimationFrame(draw);
});
draw();

// ---- the host page

let told = 0;
new ResizeObserver(() => {
  const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
  if (height === told || parent === window) return;
  told = height;
  parent.postMessage({ type: "rcmdp-embed", frame, height }, "*");
}).observe(document.documentElement);

// ---- start

if (damage) lab.notify(damage, [], "bad");
else if (link.problem) await lab.openLink(link);
else if (!link.example) lab.notify("This frame's address names no problem. Add #example=… or #problem=… to it.", [], "bad");
if (run && (link.problem || link.example)) await solve();
