// @ts-check
// figure-file.js — a figure as a file: the chart with its title, whose it is and
// its legend, 1600 pixels wide, in the page's colours.

import { html, render } from "../view.js";
import { PAD, picture, savePng, saveSvg } from "../picture/export.js";
import { Plot } from "../picture/plot.js";
import { Legend } from "./charts.js";

/** @typedef {import("../picture/plot.js").Figure} Figure */

const WIDTH = 800;
const SCALE = 2;

/**
 * The figure as an SVG document: drawn out of sight, as wide as it shall be.
 * @param {Figure} figure
 * @param {string} name of the run
 */
function figureSvg(figure, name) {
  const width = WIDTH - 2 * PAD;
  const place = document.createElement("div");
  place.className = "offstage charts";
  place.style.width = `${width}px`;
  document.body.append(place);
  render(
    html`<figure><figcaption>${figure.title}</figcaption><p class="says">${name}</p><${Plot} figure=${figure} width=${width} height=${
      figure.y === null ? 150 : 400
    } /><${Legend} figure=${figure} /></figure>`,
    place,
  );
  const text = picture(place, `${figure.title}: ${name}`, SCALE);
  render(html``, place);
  place.remove();
  return text;
}

/** @param {Figure} figure @param {string} name @param {string} stem of the file @param {"svg" | "png"} kind */
export async function saveFigure(figure, name, stem, kind) {
  const svg = figureSvg(figure, name);
  if (kind === "svg") saveSvg(svg, stem);
  else await savePng(svg, stem, 1);
}
