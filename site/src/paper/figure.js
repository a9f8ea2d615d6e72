// @ts-check
// figure.js — what every figure has below its heading: controls, charts, what is
// going on in words, the figure as files, its numbers as a table. A figure that
// fails says why and can be tried again.

import { Component, html, useRef, useState } from "../view.js";
import { saveFile } from "../browser.js";
import { csv, number } from "../words/format.js";
import { Twin } from "../panels/charts.js";
import { Icon } from "../panels/parts.js";
import { picture, savePng, saveSvg, tablePicture } from "../picture/export.js";

/** @typedef {{ head: string[], rows: (string | number)[][] }} Data */
/** @typedef {{ solver: () => Promise<import("../rcmdp.js").Solver>, tell: (error: unknown) => void }} FigureProps */

/**
 * @param {{
 *   id: string, title: string, controls?: Content, legend?: Content, children?: Content, after?: Content, data: () => Data,
 *   status?: string, news?: Content, drawing?: boolean, csvText?: () => string, tell: (error: unknown) => void,
 * }} props
 *   after: what stands below the charts and is not part of the picture; status: said to a screen reader when it changes; news: shown beside it and not said; drawing: false where a
 *   figure is a table; csvText: what the CSV file holds when it is not `data`
 */
export function Figure({ id, title, controls, legend, children, after, data, status = "", news, drawing = true, csvText, tell }) {
  const body = useRef(/** @type {HTMLElement | null} */ (null));
  const drawn = () => (drawing ? picture(/** @type {HTMLElement} */ (body.current), title) : tablePicture({ title, ...data() }));
  const save = (/** @type {() => unknown} */ make) => async () => {
    try {
      await make();
    } catch (error) {
      tell(error);
    }
  };
  const rows = () => {
    const d = data();
    return csv([d.head, ...d.rows]);
  };
  return html`
    ${controls && html`<div class="controls">${controls}</div>`}
    <div class="drawn" ref=${body}>${legend}<div class="plots">${children}</div></div>
    ${after}
    <div class="below">
      <p class="state"><span role="status">${status}</span>${news}</p>
      <div class="toolbar" role="group" aria-label="Save this figure">
        <button type="button" onClick=${save(() => saveSvg(drawn(), id))}><${Icon} name="download" />SVG</button>
        <button type="button" onClick=${save(() => savePng(drawn(), id))}><${Icon} name="download" />PNG</button>
        <button type="button" onClick=${save(() => saveFile(`${id}.csv`, csvText ? csvText() : rows(), "text/csv"))}><${Icon} name="download" />CSV</button>
      </div>
    </div>
    ${drawing && html`<${Numbers} data=${data} title=${title} />`}`;
}

/** The numbers of a figure for who cannot see it, made when opened. @param {{ data: () => Data, title: string }} props */
function Numbers({ data, title }) {
  const [open, setOpen] = useState(false);
  return html`<details class="twin" onToggle=${(/** @type {{ currentTarget: HTMLDetailsElement }} */ e) =>
    setOpen(e.currentTarget.open)}><summary>Numbers</summary>${open && html`<${Twin} title=${title} ...${data()} />`}</details>`;
}

/**
 * A slider with its number beside it.
 * @param {{ label: Content, value: number, min: number, max: number, step: number, onValue: (v: number) => void, show?: (v: number) => string, broad?: boolean }} props
 */
export const Slider = ({ label, value, min, max, step, onValue, show = (v) => number(v, 4), broad = false }) =>
  html`<label class=${broad ? "slider broad" : "slider"}><span>${label} <output>${show(value)}</output></span>
  <input type="range" min=${min} max=${max} step=${step} value=${value} onInput=${(/** @type {FieldEvent} */ e) => onValue(Number(e.target.value))} /></label>`;

/**
 * Draws a figure, or why it cannot be drawn. Trying again starts it anew.
 * @extends {Component<{ of: any, solver: FigureProps["solver"], more?: object }, { error: Error | null, attempt: number }>}
 */
export class Guard extends Component {
  constructor(/** @type {any} */ props) {
    super(props);
    this.state = { error: /** @type {Error | null} */ (null), attempt: 0 };
  }

  componentDidCatch(/** @type {Error} */ error) {
    this.setState({ error });
  }

  render() {
    const { of: Body, solver, more } = this.props;
    const { attempt, error } = this.state;
    if (error === null)
      return html`<${Body} key=${attempt} solver=${solver} tell=${(/** @type {unknown} */ e) =>
        this.setState({ error: e instanceof Error ? e : new Error(String(e)) })} ...${more} />`;
    return html`<div class="trouble" role="alert">
      <h3>This figure cannot be shown</h3>
      <p>${error.message}</p>
      <button type="button" onClick=${() => this.setState({ error: null, attempt: attempt + 1 })}>Try again</button>
    </div>`;
  }
}
