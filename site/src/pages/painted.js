// @ts-check
// painted.js — the lab page as it is painted into its HTML at build time: the first
// model of the gallery with its answer, drawn by the same panels as in the browser.
// The build runs it; it is no part of the page.

import { html } from "htm/preact";
import { renderToString } from "preact-render-to-string";
import { createLab } from "../lab.js";
import { Page } from "../panels/page.js";

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
