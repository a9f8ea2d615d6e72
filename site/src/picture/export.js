// @ts-check
// export.js — a figure as a file of its own: its charts where they stand on the
// page, their titles and the legend in one SVG, the style sheet's colours written
// into it; the same drawn onto a canvas for PNG; a table as a picture.

import { saveFile } from "../browser.js";

/** What the style sheet decides about a drawing; all of them are SVG attributes too. */
const properties = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-dasharray",
  "stroke-linejoin",
  "stroke-linecap",
  "paint-order",
  "opacity",
  "font-family",
  "font-size",
  "font-weight",
];

/** @typedef {{ x: number, y: number, width: number, height: number, content: string }} Part */

/** @param {string} text */
const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");

/** @param {number} v */
const short = (v) => String(Math.round(v * 100) / 100);

/**
 * An SVG document of parts, each at its place.
 * @param {{ width: number, height: number, background: string, title: string, scale?: number }} page scale: pixels of the picture per unit
 * @param {Part[]} parts
 */
export function sheet({ width, height, background, title, scale = 1 }, parts) {
  const placed = parts.map((p) =>
    `<svg x="${short(p.x)}" y="${short(p.y)}" width="${short(p.width)}" height="${short(p.height)}" overflow="visible">${p.content}</svg>`
  ).join("\n");
  return legal(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${short(scale * width)}" height="${short(scale * height)}" viewBox="0 0 ${short(width)} ${short(height)}">
<title>${escaped(title)}</title>
<rect width="100%" height="100%" fill="${escaped(background)}"/>
${placed}
</svg>
`,
  );
}

/** Signs that no XML may hold, as what stands for an unknown one. @param {string} text */
const legal = (text) => text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "\ufffd");

/**
 * A line of text as a part's content.
 * @param {string} text
 * @param {{ size: number, family: string, weight: string, fill: string }} font
 */
export const textLine = (text, { size, family, weight, fill }) =>
  `<text y="${short(size)}" font-size="${short(size)}" font-family="${escaped(family)}" font-weight="${escaped(weight)}" fill="${escaped(fill)}">${
    escaped(text)
  }</text>`;

/** A drawn SVG with the page's colours as attributes. @param {SVGSVGElement} svg */
export function coloured(svg) {
  const copy = /** @type {SVGSVGElement} */ (svg.cloneNode(true));
  const from = [svg, ...svg.querySelectorAll("*")];
  const to = [copy, ...copy.querySelectorAll("*")];
  from.forEach((element, i) => {
    const style = getComputedStyle(element);
    if (style.display === "none") return to[i].remove();
    for (const name of properties) {
      const value = style.getPropertyValue(name);
      const inherited = element !== svg && element.parentElement ? getComputedStyle(element.parentElement).getPropertyValue(name) : "";
      if (value !== inherited || name === "opacity") to[i].setAttribute(name, value);
    }
    if (to[i].getAttribute("opacity") === "1") to[i].removeAttribute("opacity");
    for (const name of ["class", "role", "aria-label", "tabindex"]) to[i].removeAttribute(name);
  });
  return copy.outerHTML.replace(/ xmlns="[^"]*"/g, "").replaceAll("&nbsp;", "\u00a0"); // which only HTML knows
}

/** Room around a figure. */
export const PAD = 16;

/**
 * A figure as the page shows it.
 * @param {HTMLElement} figure holds svg.plot, figcaption and what is said below it, and a legend of either kind: labels with an svg, or lines and areas that the style sheet draws
 * @param {string} title @param {number} [scale] pixels of the picture per unit
 */
export function picture(figure, title, scale) {
  const origin = figure.getBoundingClientRect();
  /** @type {Part[]} */
  const parts = [];
  const add = (/** @type {Element} */ element, /** @type {string} */ content) => {
    const at = element.getBoundingClientRect();
    parts.push({ x: at.left - origin.left + PAD, y: at.top - origin.top + PAD, width: at.width, height: at.height, content });
  };
  for (const svg of figure.querySelectorAll("svg.plot, .legend svg")) add(svg, coloured(/** @type {SVGSVGElement} */ (svg)));
  for (const mark of figure.querySelectorAll(".key i")) {
    const { backgroundColor, borderTopColor, borderTopWidth, borderRadius } = getComputedStyle(mark);
    const fill = parseFloat(borderTopWidth) > 0 ? borderTopColor : backgroundColor;
    add(mark, `<rect width="100%" height="100%" rx="${borderRadius}" fill="${escaped(fill)}"/>`);
  }
  for (const words of figure.querySelectorAll("figcaption, .says, :is(.legend, .key) b")) {
    const style = getComputedStyle(words);
    add(words, textLine(words.textContent ?? "", { size: parseFloat(style.fontSize), family: style.fontFamily, weight: style.fontWeight, fill: style.color }));
  }
  const background = getComputedStyle(document.body).backgroundColor;
  return sheet({ width: origin.width + 2 * PAD, height: origin.height + 2 * PAD, background, title, scale }, parts);
}

/**
 * A table as a picture: columns as wide as their longest text needs, roughly.
 * @param {{ title: string, head: string[], rows: (string | number)[][] }} table
 */
export function tablePicture({ title, head, rows }) {
  const size = 13;
  const line = 24;
  const font = { size, family: "system-ui, sans-serif", fill: "#1a1d21" };
  const widths = head.map((c, i) => 20 + 0.58 * size * Math.max(1.12 * c.length, ...rows.map((r) => String(r[i] ?? "").length)));
  const left = widths.map((_, i) => 16 + widths.slice(0, i).reduce((a, b) => a + b, 0));
  const width = 32 + widths.reduce((a, b) => a + b, 0);
  /** @type {Part[]} */
  const parts = [{ x: 16, y: 12, width: width - 32, height: line, content: textLine(title, { ...font, weight: "600" }) }];
  [head, ...rows].forEach((row, r) => {
    const y = 20 + line * (r + 1);
    row.forEach((cell, i) =>
      parts.push({ x: left[i], y, width: widths[i], height: line, content: textLine(String(cell), { ...font, weight: r === 0 ? "600" : "400" }) })
    );
    parts.push({ x: 16, y: y + line - 7, width: width - 32, height: 1, content: `<rect width="${short(width - 32)}" height="1" fill="#dedbd4"/>` });
  });
  return sheet({ width, height: 32 + line * (rows.length + 2), background: "#ffffff", title }, parts);
}

/** @param {string} svg @param {string} name */
export const saveSvg = (svg, name) => saveFile(`${name}.svg`, svg, "image/svg+xml");

/**
 * @param {string} svg
 * @param {number} scale pixels per unit
 */
export async function canvasOf(svg, scale) {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.width * scale;
    canvas.height = image.height * scale;
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return canvas;
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** @param {string} svg @param {number} scale pixels per unit */
export async function pngOf(svg, scale) {
  const canvas = await canvasOf(svg, scale);
  const blob = await new Promise((/** @type {(b: Blob | null) => void} */ resolve) => canvas.toBlob(resolve, "image/png"));
  if (!blob) throw new Error("The browser did not make a PNG of this figure. Save it as SVG.");
  return blob;
}

/** @param {string} svg @param {string} name @param {number} [scale] pixels per unit */
export const savePng = async (svg, name, scale = 2) => saveFile(`${name}.png`, await pngOf(svg, scale), "image/png");
