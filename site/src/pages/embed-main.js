// @ts-check
// embed-main.js — starts the embed: one problem from the address's fragment with the
// answer that was found before, and a button to run it oneself. Nothing is stored;
// the solver is not loaded before it is asked for; the host page is told the height.

import { html, render } from "../view.js";
import { fetched, onDisk } from "../browser.js";
import { partsOf } from "../embed/parts.js";
import { sharedModule } from "../embed/shared.js";
import { carriesModel, readFragment, sealed, writeFragment } from "../share/fragment.js";
import { leanAnswer, pack } from "../share/share.js";
import { words } from "../words/format.js";
import { createLab } from "../lab.js";
import { Embed } from "../panels/embed.js";

/* global __WASM_URL__, __SECOND_URL__, __WORKER_URL__ */

/** In a frame of a file on a disk, which has no address. */
const file = onDisk();
const fragment = file?.frame ?? location.hash;
const { link, damage } = readFragment(fragment);
const { frame = "", run, hide, show, theme, slider, explore, curve, tell, ...carried } = link;
const { has, unknown } = partsOf({ hide, show });
const [here] = location.href.split("#");
const home = file ? file.home : new URL("./", here).href;

/** @type {import("../lab/core.js").World} */
const world = {
  openSolver: async (onProgress) =>
    (await import("../engine.js")).openSolver({
      wasmURL: __WASM_URL__,
      secondURL: __SECOND_URL__,
      workerURL: __WORKER_URL__,
      shared: sharedModule(),
      onProgress,
    }),
  fragment: () => fragment,
  labUrl: () => home,
  embedUrl: () => here,
  gallery: async () => (link.example === undefined ? [] : [await (await fetched(`gallery/${encodeURIComponent(link.example)}.json`)).json()]),
  file: async (file) => (await fetched(file)).json(),
  stores: false,
};
const lab = createLab(world);

// ---- colours: light, as the page around it is not known, unless the address says which

const dark = /** @type {HTMLLinkElement | null} */ (document.getElementById("dark"));
const media = { dark: "all", auto: "(prefers-color-scheme: dark)" }[theme ?? ""];
if (dark && media) {
  dark.media = media;
  document.documentElement.style.colorScheme = theme === "dark" ? "dark" : "light dark";
}

const root = /** @type {HTMLElement} */ (document.getElementById("app"));
root.textContent = "";

/** Where "Open in the lab" leads: the state as it is now, with its answer. */
let labLink = home + sealed(writeFragment(carried));
/** The next one, while it is made. @type {Promise<string> | null} */
let making = null;
/** @param {import("../lab/state.js").State} state */
const linkedParts = ({ history, method, settings }) => [history.present, method, settings, lab.answer()];

/** What that link was made from. */
let linked = linkedParts(lab.get());
/** Makes the link anew when what it is of has changed. */
function followState() {
  const parts = linkedParts(lab.get());
  if (parts.every((part, i) => part === linked[i])) return;
  linked = parts;
  const mine = making = lab.pageLink();
  void mine.then((url) => {
    if (mine !== making) return;
    making = null;
    labLink = url;
    draw();
  });
}

/** The link to the state as it is at the call: at once, or when it is made. */
function newestLink() {
  followState();
  return making ?? labLink;
}

/** Loads the solver if need be, opens an example that the gallery has no answer for, checks what is shown, solves. */
async function solve() {
  if (!(await lab.connect())) return;
  if (!lab.get().opened && !(await lab.openLink(link))) return;
  await lab.confirmAnswers();
  lab.applyMethod(link);
  await lab.solve();
}

let asked = 0;
function draw() {
  asked = 0;
  const state = lab.get();
  render(
    html`<${Embed} lab=${lab} state=${state} title=${
      words(link.example ?? "Problem")
    } has=${has} slider=${slider} explore=${explore} curve=${curve} labLink=${labLink} newestLink=${newestLink} onSolve=${solve} />`,
    root,
  );
  followState();
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

if (!file) addEventListener("hashchange", () => location.reload()); // another address is another embed
if (tell) void import("../embed/telling.js").then((it) => it.telling({ lab, world, tell, frame, solve: run && solve, pack, lean: leanAnswer }));
if (unknown.length > 0) lab.notify(`An embed has no part called ${unknown.join(", ")}.`);
if (damage) lab.notify(damage, [], "bad");
else if (carriesModel(link)) await lab.openLink(link);
else if (link.example) {
  await lab.loadGallery(); // of an example with its own numbers; another is made by the solver
  await lab.openLink(link);
} else if (!tell) lab.notify("This frame's address names no problem: add #example=… to it.", [], "bad");
if (run && !damage && (link.example || carriesModel(link))) await solve();
