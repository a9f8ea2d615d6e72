// @ts-check
// film.js — an episode as a short animated picture, for a post or a lecture: the stage of the player, one frame a
// move, in the page's colours. Loaded, with what writes GIFs, when one is asked for.

import { tableAt } from "../document/steps.js";
import { applyPalette, GIFEncoder, quantize } from "gifenc";
import { html, render } from "../view.js";
import { fileStem, saveFile } from "../browser.js";
import { standing } from "../lab/play.js";
import { canvasOf, coloured, sheet, textLine } from "../picture/export.js";
import { Stage } from "./stage.js";

/** @typedef {import("../rcmdp.js").Problem} Problem */
/** @typedef {import("../rcmdp.js").Simulation} Simulation */

/** More moves than these make a picture that few wait for. */
const MOST_MOVES = 60;
/** How wide the picture is, and how high what is written above it, in pixels. */
const WIDTH = 480, HEAD = 56;
/** So many colours are told apart. */
const SHADES = 32;
/** How long a frame stays, in milliseconds: the first, one of a move, the last. */
const TIMES = { first: 900, move: 280, last: 1800 };

/**
 * So many moves are shown: until nothing changes any more.
 * @param {Simulation} sim @param {number} episode
 */
export function movesOf({ paths }, episode) {
  const { states, actions } = paths[episode];
  let last = Math.min(actions.length, MOST_MOVES);
  while (last > 0 && states[last] === states[last - 1]) last--;
  return Math.max(last, Math.min(1, actions.length));
}

/**
 * @param {{ problem: Problem, policy: import("../rcmdp.js").Policy, sim: Simulation, episode: number }} of
 * @param {(share: number) => void} onProgress
 */
export async function saveFilm({ problem, policy, sim, episode }, onProgress) {
  const place = document.createElement("div");
  place.className = "offstage";
  document.body.append(place);
  const gif = GIFEncoder();
  try {
    const moves = movesOf(sim, episode);
    const frame = (/** @type {number} */ step) => {
      const now = standing(problem, sim, episode, step);
      render(
        html`<${Stage} problem=${problem} policy=${tableAt(policy, now.at)} from=${now.from} state=${
          now.state < 0 ? now.from : now.state
        } action=${now.action} seconds=${0} />`,
        place,
      );
      return drawn(/** @type {SVGSVGElement} */ (place.querySelector("svg")), String(problem.name ?? ""), wordsOf(problem, now));
    };
    const palette = quantize((await frame(Math.min(1, moves))).data, SHADES); // the first move has everything that is drawn
    for (let step = 0; step <= moves; step++) {
      const { data, width, height } = await frame(step);
      const delay = step === 0 ? TIMES.first : step === moves ? TIMES.last : TIMES.move;
      gif.writeFrame(applyPalette(data, palette), width, height, { palette: step === 0 ? palette : undefined, delay, repeat: 0 });
      onProgress((step + 1) / (moves + 1));
      await new Promise((resolve) => setTimeout(resolve)); // the page answers in between
    }
  } finally {
    render(html``, place);
    place.remove();
  }
  gif.finish();
  saveFile(`${fileStem(String(problem.name ?? "model"))}-play.gif`, new Blob([/** @type {BlobPart} */ (gif.bytes())], { type: "image/gif" }));
}

/** @param {Problem} problem @param {ReturnType<typeof standing>} now */
const wordsOf = ({ states, actions }, now) =>
  now.over
    ? `Step ${now.at}: it ends in ${states[now.state]}`
    : now.action === null
    ? `Starts in ${states[now.state]}`
    : `Step ${now.at}: ${actions[now.action]}, now in ${states[now.state]}`;

/** One frame. @param {SVGSVGElement} svg @param {string} title @param {string} words */
async function drawn(svg, title, words) {
  const [, , w, h] = (svg.getAttribute("viewBox") ?? "0 0 1 1").split(" ").map(Number);
  for (const element of /** @type {NodeListOf<SVGElement>} */ (svg.querySelectorAll("[style]"))) { // the token, which the page moves by style
    element.setAttribute("transform", element.style.transform.replaceAll("px", ""));
  }
  const style = getComputedStyle(document.body);
  const font = { family: style.fontFamily, fill: style.color };
  const [width, height] = [WIDTH - 24, Math.round(((WIDTH - 24) * h) / w)];
  const picture = coloured(svg).replaceAll(/ style="[^"]*"/g, "").replace("<svg ", `<svg width="${width}" height="${height}" `);
  const text = sheet({ width: WIDTH, height: height + HEAD + 12, background: style.backgroundColor, title }, [
    { x: 12, y: 8, width, height: 20, content: textLine(title, { ...font, size: 15, weight: "600" }) },
    { x: 12, y: 30, width, height: 18, content: textLine(words, { ...font, size: 13, weight: "400" }) },
    { x: 12, y: HEAD, width, height, content: picture },
  ]);
  const canvas = await canvasOf(text, 1);
  return /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")).getImageData(0, 0, canvas.width, canvas.height);
}
