// @ts-check
// paper-main.js — starts the figures of the Paper page. Their shells are drawn at
// once; the solver starts when the first figure comes into view, or at once when
// a figure is what the link points at.

import { html, render } from "../view.js";
import { openSolver } from "../engine.js";
import { Bisection } from "../paper/bisection.js";
import { Comparison, ComparisonControls } from "../paper/comparison.js";
import { Conflict } from "../paper/conflict.js";
import { Guard } from "../paper/figure.js";
import { Methods } from "../paper/methods.js";
import { Rivals } from "../paper/rivals.js";
import { Theory } from "../paper/theory.js";
import { Trap } from "../paper/trap.js";
import { createStore } from "../lab/store.js";

/** The section that the address points at; what follows an & is the section's own. */
const target = () => decodeURIComponent(location.hash.slice(1).split("&")[0]);

/** @type {Promise<import("../rcmdp.js").Solver> | null} */
let opening = null;
/** One solver for the page; one that did not start is started anew at the next wish. */
function open() {
  const asset = (/** @type {string} */ path) => new URL(`../${path}`, location.href);
  opening ??= openSolver({ wasmURL: asset(__WASM_URL__), workerURL: asset(__WORKER_URL__) }).catch((error) => {
    opening = null;
    throw error;
  });
  return opening;
}

/**
 * Resolves when the figure's section is near the screen or linked to; the three
 * comparisons are of one section.
 * @param {Element} place
 * @returns {Promise<void>}
 */
const wanted = (place) =>
  new Promise((resolve) => {
    const section = /** @type {Element} */ (place.closest("main > section"));
    const seen = () => {
      watch.disconnect();
      removeEventListener("hashchange", linked);
      resolve();
    };
    const linked = () => section.contains(document.getElementById(target())) && seen();
    const watch = new IntersectionObserver((entries) => entries.some((e) => e.isIntersecting) && seen(), { rootMargin: "25% 0px" });
    watch.observe(section);
    addEventListener("hashchange", linked);
    linked();
  });

const shared = createStore(/** @type {ReturnType<import("../paper/comparison.js").Shared["get"]>} */ ({ quick: true, calls: 0, busy: [], missing: [] }));

/** @type {Record<string, { of: any, more?: object }>} */
const figures = {
  methods: { of: Methods },
  landscape: { of: Conflict },
  bisection: { of: Bisection },
  rivals: { of: Rivals },
  trap: { of: Trap },
  theory: { of: Theory, more: { fragment: location.hash } },
  comparison: { of: ComparisonControls, more: { shared } },
  "comparison-a": { of: Comparison, more: { shared, id: "a" } },
  "comparison-b": { of: Comparison, more: { shared, id: "b" } },
  "comparison-c": { of: Comparison, more: { shared, id: "c" } },
};

for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-figure]"))) {
  const figure = figures[place.dataset.figure ?? ""];
  const near = wanted(place);
  render(html`<${Guard} of=${figure.of} more=${figure.more} solver=${() => near.then(open)} />`, place);
}

for (const [place, text] of Object.entries({ "[data-home]": new URL("..", location.href).href, "[data-version]": __COMMIT__ })) {
  const span = document.querySelector(place);
  if (span) span.textContent = text;
}

// The shells have moved what the browser had scrolled to, and it finds no section by a name with more behind it.
const show = () => document.getElementById(target())?.scrollIntoView();
if (target()) requestAnimationFrame(show);
addEventListener("hashchange", () => {
  if (location.hash.includes("&")) show();
});

if (navigator.serviceWorker && location.protocol !== "file:") {
  navigator.serviceWorker.register("../service-worker.js").catch(() => {}); // without it the page works, only not offline
}
