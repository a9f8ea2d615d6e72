// @ts-check
// figure-file.js — a figure as a file: the chart with its title, what it says and
// its legend, 1600 pixels wide, in the page's colours.

import { html, render } from "../view.js";
import { coloured, savePng, saveSvg, sheet, textLine } from "../picture/export.js";
import { Plot } from "../picture/plot.js";

/** @typedef {import("../picture/plot.js").Figure} Figure */

const WIDTH = 800;
const SCALE = 2;

/**
 * The figure as an SVG document.
 * @param {Figure} figure
 * @param {string} name of the run
 */
export function figureSvg(figure, name) {
  const high = figure.y === null ? 150 : 400;
  const place = document.createElement("div");
  place.className = "offstage charts";
  document.body.append(place);
  render(html`<${Plot} figure=${figure} width=${WIDTH} height=${high} />`, place);
  const style = getComputedStyle(document.body);
  const ink = style.color;
  const font = { family: style.fontFamily, fill: ink };
  const top = 64;
  const legend = figure.legend.map(({ tone, label, dots }, i) => {
    const key = document.createElement("p");
    key.className = "key";
    key.innerHTML = `<i class="${dots ? `dot ${tone}` : tone}"></i>`;
    place.append(key);
    const mark = getComputedStyle(/** @type {Element} */ (key.firstElementChild));
    const area = tone === "band" || tone === "region";
    const colour = dots || area ? mark.backgroundColor : mark.borderTopColor;
    const shape = dots
      ? `<circle cx="10" cy="8" r="4" fill="${colour}"/>`
      : area
      ? `<rect y="2" width="20" height="12" fill="${colour}"/>`
      : `<rect y="7" width="20" height="2.5" fill="${colour}"/>`;
    return { i, content: `${shape}<svg x="28" overflow="visible">${textLine(label, { ...font, size: 12, weight: "400" })}</svg>` };
  });
  const svg = /** @type {SVGSVGElement} */ (place.querySelector("svg"));
  const height = top + high + 24 * legend.length + 12;
  const text = sheet({ width: WIDTH, height, background: style.backgroundColor, title: `${figure.title}: ${name}` }, [
    { x: 16, y: 14, width: WIDTH, height: 24, content: textLine(figure.title, { ...font, size: 17, weight: "600" }) },
    { x: 16, y: 38, width: WIDTH, height: 20, content: textLine(name, { ...font, size: 12, weight: "400" }) },
    { x: 0, y: top, width: WIDTH, height: high, content: coloured(svg) },
    ...legend.map(({ i, content }) => ({ x: 16, y: top + high + 24 * i, width: WIDTH, height: 20, content })),
  ]);
  render(html``, place);
  place.remove();
  return text.replace(`width="${WIDTH}" height="${height}"`, `width="${WIDTH * SCALE}" height="${height * SCALE}"`);
}

/** @param {Figure} figure @param {string} name @param {string} stem of the file @param {"svg" | "png"} kind */
export async function saveFigure(figure, name, stem, kind) {
  const svg = figureSvg(figure, name);
  if (kind === "svg") saveSvg(svg, stem);
  else await savePng(svg, stem, 1);
}
