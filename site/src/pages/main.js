// @ts-check
// main.js — starts the lab page: puts the state together with the solver and the
// browser, draws it, and listens to what belongs to no panel (keys, files dropped
// or pasted, the address, a newer build).

import { html, render } from "../view.js";
import { fetched, keeper, onDisk } from "../browser.js";
import { openSolver } from "../engine.js";
import { createLab } from "../lab.js";
import { PASTED } from "../lab/core.js";
import { loadAhead } from "../panels/parts.js";
import { Page } from "../panels/page.js";

/* global __WASM_URL__, __SECOND_URL__, __WORKER_URL__, __GALLERY_URL__ */

/** @param {string} fragment */
const addressOf = (fragment) => `${location.pathname}${location.search}${fragment}`;

/** Writes the history with a model beside the address, or without when the browser finds it too large. @param {import("../lab/core.js").Kept | undefined} kept @param {(state: { lab: true, kept?: import("../lab/core.js").Kept }) => void} write */
function noted(kept, write) {
  try {
    write({ lab: true, kept });
  } catch {
    write({ lab: true });
  }
}

const reloaded = () => /** @type {PerformanceNavigationTiming | undefined} */ (performance.getEntriesByType("navigation")[0])?.type === "reload";

const lab = createLab({
  openSolver: (onProgress) => openSolver({ wasmURL: __WASM_URL__, secondURL: __SECOND_URL__, workerURL: __WORKER_URL__, onProgress }),
  fragment: () => location.hash,
  labUrl: () => onDisk()?.home ?? location.href.split("#")[0],
  embedUrl: () => new URL("embed.html", onDisk()?.home || location.href.split("#")[0]).href,
  stores: true,
  draft: keeper("session", "draft"),
  reloaded,
  address: {
    replace: (fragment, kept) => noted(kept, (state) => history.replaceState(state, "", addressOf(fragment))),
    push: (fragment, kept) => noted(kept, (state) => history.pushState(state, "", addressOf(fragment))),
  },
  kept: () => history.state?.kept ?? null,
  gallery: onDisk() ? undefined : async () => (await fetched(__GALLERY_URL__)).json(), // a file carries none, and asks nobody
  file: async (file) => (await fetched(file)).json(),
  lastEdit: keeper("local", "last-edit"),
});

const root = /** @type {HTMLElement} */ (document.getElementById("app"));
/** What panels ask the solver for is there so long after a reload has brought the answer back. */
const SETTLED_MS = 2000;
let asked = 0;
let title = "";
const draw = () => {
  asked = 0;
  const state = lab.get();
  // What was painted with the page stays until there is something to put in its place.
  if (!state.opened && state.engine.phase !== "failed" && root.firstElementChild?.hasAttribute("data-painted")) return;
  if (root.firstElementChild?.hasAttribute("data-painted")) root.textContent = "";
  render(html`<${Page} lab=${lab} state=${state} />`, root);
  const name = state.empty || !state.opened ? "" : state.history.present.doc?.name;
  const next = name ? `${name} · RCMDP Lab` : "RCMDP Lab";
  if (next !== title) document.title = title = next;
};
/** Draws what is due, frame or no frame. */
const drawNow = () => {
  if (!asked) return;
  cancelAnimationFrame(asked);
  draw();
};
lab.store.subscribe(() => {
  asked ||= requestAnimationFrame(draw);
  if (document.hidden) drawNow(); // a page in the background gets no frames but has news to keep
});
// Where frames are late, the next key still meets what the one before it has brought: a name typed at once into a new field stays.
addEventListener("keydown", drawNow, { capture: true });
draw();
// A reload may end at the foot of the page, which stands only when what is above it does: until all is there again its parts
// are as high as they were.
const foot = /** @type {HTMLElement} */ (document.querySelector(".foot"));
const heights = keeper("session", "height");
if (reloaded()) {
  foot.style.visibility = "hidden";
  root.style.cssText = heights.read() ?? "";
}
void lab.boot().then(() => {
  foot.style.visibility = "";
  setTimeout(() => (root.style.cssText = ""), SETTLED_MS);
  about();
  // What a click may ask for is there before the click, once the first answer is.
  const whenIdle = globalThis.requestIdleCallback ?? ((/** @type {() => void} */ then) => setTimeout(then, 200));
  loadAhead((then) => whenIdle(() => then()));
  // The examples, where they come from this device and cost nobody a download.
  if (navigator.serviceWorker?.controller) lab.fetchAhead((then) => whenIdle(() => then()));
});

function about() {
  const { version } = lab.get();
  const place = document.getElementById("about");
  if (version && place) place.textContent = `Version ${version.rcmdp}${version.commit ? ` (${version.commit})` : ""}, ${version.go}`;
}

// ---- keys

/** @param {string} button */
const press = (button) => /** @type {HTMLElement | null} */ (document.querySelector(button))?.click();

/** What keys do together with Ctrl or Cmd. @type {Record<string, () => unknown>} */
const shortcuts = {
  enter: lab.solve,
  z: lab.undo,
  y: lab.redo,
  "shift z": lab.redo,
  s: () => press("[data-save]"),
  o: () => press("[data-open]"),
};

addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (document.querySelector("dialog[open]")) return;
  if (event.key === "Escape" && lab.get().run) return lab.stop();
  if (event.key === "?" && !target.matches?.("textarea, input[type=text], input:not([type]), select")) return lab.ask({ kind: "keys" });
  const key = event.key.toLowerCase();
  const does = event.ctrlKey || event.metaKey ? shortcuts[event.shiftKey && key === "z" ? "shift z" : key] : undefined;
  if (!does || (["z", "y"].includes(key) && target.matches?.("textarea"))) return; // a text has steps of its own
  event.preventDefault();
  void does();
});

// ---- files dropped on the page, text pasted outside a field

let depth = 0;
const dragging = (/** @type {number} */ now) => {
  depth = Math.max(0, now);
  root.toggleAttribute("data-dragging", depth > 0);
};
/** What is done when files are dragged. @type {Record<string, (event: DragEvent) => void>} */
const drags = {
  dragenter: () => dragging(depth + 1),
  dragleave: () => dragging(depth - 1),
  dragover: (event) => event.preventDefault(),
  drop: (event) => {
    event.preventDefault();
    dragging(0);
    void lab.openFiles([...(event.dataTransfer?.files ?? [])]);
  },
};
for (const [type, does] of Object.entries(drags)) {
  addEventListener(type, (event) => {
    const drag = /** @type {DragEvent} */ (event);
    if (drag.dataTransfer?.types.includes("Files")) does(drag);
  });
}
addEventListener("paste", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (target.closest?.("input, textarea, select")) return;
  if ((event.clipboardData?.files.length ?? 0) > 0) return void lab.openFiles([...(event.clipboardData?.files ?? [])]);
  const text = event.clipboardData?.getData("text/plain") ?? "";
  if (/^\s*[{[]/.test(text) || text.split("\n").length > 2) void lab.openText(text, PASTED);
});

// ---- the page as an app, where the browser offers that: a word at the foot, asked for by nobody

/** @type {any} */
let offer = null;
const install = document.getElementById("install");
const offerInstall = (/** @type {any} an event that only some browsers have */ event) => {
  offer = event;
  if (install) install.hidden = offer === null;
};
addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  offerInstall(event);
});
addEventListener("appinstalled", () => offerInstall(null));
install?.addEventListener("click", async () => {
  const asked = offer;
  offerInstall(null); // an offer is good for one answer
  await asked?.prompt();
});

document.getElementById("trouble")?.addEventListener("click", () => lab.ask({ kind: "trouble" }));

// ---- the address, leaving, a newer build

addEventListener("hashchange", () => void lab.followFragment());
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) return;
  lab.keepDraft();
  heights.write(["hero", "answer", "model"].map((part) => `--${part}:${document.querySelector(`.${part}`)?.clientHeight}px`).join(";"));
});

const workers = navigator.serviceWorker;
if (workers && location.protocol !== "file:") {
  const offerUpdate = () =>
    lab.notify("A newer version of this page is ready.", [{
      label: "Use it",
      run: async () => {
        lab.keepDraft();
        const waiting = (await workers.getRegistration())?.waiting;
        if (!waiting) return location.reload(); // another tab has let it in
        workers.addEventListener("controllerchange", () => {
          lab.keepDraft(); // again: the address may have followed the model meanwhile
          location.reload();
        }, { once: true });
        waiting.postMessage({ type: "activate" });
      },
    }]);
  workers.addEventListener("message", (event) => {
    if (event.data?.type === "update-ready") offerUpdate();
  });
  workers.register("service-worker.js").then(({ waiting }) => {
    if (waiting && workers.controller) offerUpdate(); // it came while an earlier page was open
  }, () => {}); // without it the page works, only not offline
}
