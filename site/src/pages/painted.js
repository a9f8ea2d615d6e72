// @ts-check
// painted.js — what the build draws with the page's own panels: the lab page as it is painted into its HTML, the
// first model of the gallery with its answer; and grids in little. It is no part of the page.

import { html } from "../view.js";
import { renderToString } from "preact-render-to-string";
import { createLab } from "../lab.js";
import { Page } from "../panels/page.js";
import { groundIn } from "../picture/ground.js";
import { Arrows, Terrain, windowOf } from "../picture/world.js";

/** In a picture of a few centimetres no more arrows than these are told apart. */
const MOST_ARROWS = 64;

/**
 * A grid world in little, as it is painted, with the plan on it; "" for other models. Its colours are the page's.
 * @param {import("../rcmdp.js").Problem} problem
 * @param {number[][]} policy
 */
export function inLittle(problem, policy) {
  const ground = groundIn(problem);
  if (!ground) return "";
  return renderToString(
    html`<svg xmlns="http://www.w3.org/2000/svg" class="ground" viewBox=${windowOf(ground)}><${Terrain} ground=${ground} />${
      problem.states.length <= MOST_ARROWS && html`<${Arrows} ground=${ground} actions=${problem.actions} policy=${policy} />`
    }</svg>`,
  );
}

/**
 * The page's inside, and the rules that its style attributes become: the page's
 * policy allows no styles of their own to elements of the HTML.
 * @param {import("../lab/gallery.js").GalleryItem[]} items
 * @returns {Promise<{ html: string, css: string }>}
 */
export async function painted(items) {
  const lab = createLab({
    openSolver: () => new Promise(() => {}),
    fragment: () => "",
    labUrl: () => "",
    embedUrl: () => "",
    stores: false,
    gallery: async () => items,
  });
  void lab.boot();
  while (!lab.get().opened) await new Promise((resolve) => setTimeout(resolve));
  await new Promise((resolve) => setTimeout(resolve));
  const rules = new Map();
  const inside = renderToString(html`<div data-painted><${Page} lab=${lab} state=${lab.get()} /></div>`).replace(/ style="([^"]*)"/g, (_all, rule) => {
    if (!rules.has(rule)) rules.set(rule, rules.size);
    return ` data-s="${rules.get(rule)}"`;
  });
  return { html: inside, css: [...rules].map(([rule, i]) => `[data-painted] [data-s="${i}"]{${rule.replace(/&quot;/g, "\"")}}`).join("\n") };
}
