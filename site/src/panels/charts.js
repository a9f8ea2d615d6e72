// @ts-check
// charts.js — draws figures on the page: each with what it says in words, a legend,
// a reading under the pointer that its neighbours follow, a table twin, its points
// as CSV and its picture as SVG and PNG.

import { html, useRef, useState } from "../view.js";
import { fileStem, saveFile } from "../browser.js";
import { frameOf, heightOf, Plot } from "../picture/plot.js";
import { csv, number, sided } from "../words/format.js";
import { useWidth } from "./parts.js";

/** @typedef {import("../picture/plot.js").Figure} Figure */

/** A table twin shows so many rows; the CSV has them all. */
const TWIN_ROWS = 500;

/**
 * Charts that are read together: the pointer on one reads the same point of all.
 * @param {{ figures: Figure[], name: string, exports?: boolean, onPick?: (i: number) => void }} props exports: as files too; onPick: a point was clicked, which must be reached some other way too
 */
export function Figures({ figures, name, exports = true, onPick }) {
  const [at, setAt] = useState(/** @type {number | null} */ (null));
  return html`<div class="charts">${
    figures.map((figure) => html`<${Chart} key=${figure.id} figure=${figure} name=${name} at=${at} exports=${exports} onRead=${setAt} onPick=${onPick} />`)
  }</div>`;
}

/** @param {{ figure: Figure, name: string, at: number | null, exports: boolean, onRead: (i: number | null) => void, onPick?: (i: number) => void }} props */
function Chart({ figure, name, at, exports, onRead, onPick }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const [width, setWidth] = useState(0);
  const [twin, setTwin] = useState(false);
  useWidth(box, (w) => setWidth(Math.round(w)));
  const { points, title } = figure;
  const stem = `${fileStem(name)}-${figure.id}`;
  const under = (/** @type {MouseEvent} */ event) => {
    if (!points || !box.current) return null;
    return nearest(figure, event.clientX - box.current.getBoundingClientRect().left, width);
  };
  // Where the click is, not where the pointer was last seen: a finger moves nowhere before it taps, and has left by then.
  const pick = (/** @type {MouseEvent} */ event) => {
    const i = under(event);
    onRead(i);
    if (i !== null) onPick?.(i);
  };
  const save = async (/** @type {"svg" | "png"} */ kind) => {
    const { saveFigure } = await import("./figure-file.js");
    await saveFigure(figure, name, stem, kind);
  };
  return html`<figure class=${figure.y === null ? "strip" : ""}>
    <figcaption>${title}</figcaption><p class="says">${figure.says}</p>
    <div class=${onPick ? "sheet pick" : "sheet"} ref=${box} style=${{ height: `${heightOf(figure)}px` }} onPointerMove=${(/** @type {PointerEvent} */ e) =>
    onRead(under(e))} onPointerLeave=${() => onRead(null)} onClick=${pick}>${
    width > 120 && html`<${Plot} figure=${figure} width=${width} at=${at} />`
  }<p class="read" aria-hidden="true">${at !== null && points && at < points.xs.length ? points.words(at) : ""}</p></div>
    <${Legend} figure=${figure} />
    <div class="tools"><button type="button" class="plain" aria-expanded=${String(twin)} onClick=${() => setTwin(!twin)} aria-label=${`${
    twin ? "Hide table" : "Table"
  }: ${title}`}>${twin ? "Hide table" : "Table"}</button>${
    exports && html`
      <button type="button" class="plain" onClick=${() =>
      saveFile(`${stem}.csv`, csv([figure.head, ...figure.rows]), "text/csv")} aria-label=${`CSV: ${title}`}>CSV</button>
      <button type="button" class="plain" onClick=${() => save("svg")} aria-label=${`SVG: ${title}`}>SVG</button>
      <button type="button" class="plain" onClick=${() => save("png")} aria-label=${`PNG: ${title}`}>PNG</button>`
  }</div>
    ${twin && html`<${Twin} ...${figure} />`}
  </figure>`;
}

/** @param {{ figure: Figure }} props */
export const Legend = ({ figure }) =>
  html`<p class="key">${
    figure.legend.map(({ tone, label, dots }) => html`<span><i class=${dots ? `dot ${tone}` : tone} aria-hidden="true"></i><b>${label}</b></span>`)
  }</p>`;

/**
 * The point whose place is nearest to the pointer.
 * @param {Figure} figure
 * @param {number} px
 * @param {number} width
 */
function nearest(figure, px, width) {
  const { x } = frameOf(figure, width, heightOf(figure));
  const away = Array.from(figure.points?.xs ?? [], (at) => Math.abs(x(at) - px));
  return away.reduce((/** @type {number | null} */ best, d, i) => (d < (best === null ? Infinity : away[best]) ? i : best), null);
}

/**
 * The numbers of a figure as a table, as many as can be read; of more the rest is left out evenly.
 * @param {Pick<Figure, "title" | "head" | "rows" | "bound">} props
 */
export function Twin({ title, head, rows, bound }) {
  const digits = (/** @type {number} */ x, /** @type {number} */ column) => bound?.column === column ? sided(x, 6, bound.side) : number(x, 6);
  const every = Math.ceil(rows.length / TWIN_ROWS);
  const shown = rows.filter((_, i) => i % every === 0);
  return html`<div class="twin" tabindex="0" role="region" aria-label=${`Table of “${title}”`}><table class="lines"><caption>${title}</caption><thead><tr>${
    head.map((h) => html`<th scope="col" class="n">${h}</th>`)
  }</tr></thead>
    <tbody>${
    shown.map((row) =>
      html`<tr>${row.map((x, i) => html`<td class=${typeof x === "number" ? "n" : ""}>${typeof x === "number" ? digits(x, i) : x}</td>`)}</tr>`
    )
  }</tbody></table>
    ${shown.length < rows.length && html`<p class="help">${shown.length} of ${rows.length} rows; the CSV has all.</p>`}</div>`;
}
