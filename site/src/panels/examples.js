// @ts-check
// examples.js — the gallery as cards in groups. Emits: closing, choosing one.

import { html, useEffect, useRef } from "../view.js";

/** @typedef {{ id: string, title: string, description: string, group?: string, teaches?: string, size?: string, thumbnail?: string }} Card */

/** What stands under the name of each group; also their order. @type {Record<string, string>} */
const GROUPS = {
  Stories: "Small models of everyday decisions, each for one lesson.",
  "From the paper": "Where methods part ways.",
  Random: "Drawn from a seed, to compare methods on.",
};

/**
 * The examples of the solver with what the gallery knows of them, by group. One
 * that the gallery does not know stands under the last heading, without a picture.
 * @param {Card[]} examples
 * @param {Card[]} items
 * @returns {{ name: string, cards: Card[] }[]}
 */
export function grouped(examples, items) {
  const known = new Map(items.map((item) => [item.id, item]));
  const cards = examples.map((example) => ({ ...example, ...known.get(example.id) }));
  const names = [...new Set([...Object.keys(GROUPS), ...cards.map((card) => card.group ?? "Others")])];
  return names.map((name) => ({ name, cards: cards.filter((card) => (card.group ?? "Others") === name) })).filter(({ cards: { length } }) => length > 0);
}

/** @param {{ lab: import("./parts.js").Lab, examples: Card[], items: Card[], chosen: string }} props chosen: the id of the example that is open, or "" */
export const Groups = ({ lab, examples, items, chosen }) =>
  html`${
    grouped(examples, items).map(({ name, cards }, i) =>
      html`<section key=${name} aria-labelledby=${`gallery-group-${i}`}>
      <h3 id=${`gallery-group-${i}`}>${name}</h3>
      ${GROUPS[name] && html`<p class="help">${GROUPS[name]}</p>`}
      <ul class="cards">${
        cards.map((card) =>
          html`<li key=${card.id} class="card">
          <${Picture} svg=${card.thumbnail ?? ""} />
          <div class="card-text"><button type="button" aria-current=${
            card.id === chosen ? "true" : undefined
          } aria-describedby=${`card-${card.id}-about`} onClick=${() => {
            lab.ask(null);
            void lab.chooseExample(card.id);
          }} data-example=${card.id}>${card.title}</button>
            <div id=${`card-${card.id}-about`}><span class="card-about">${card.description}</span>
            ${card.teaches && html` <span class="card-teaches">${card.teaches}</span>`}
            ${card.size && html` <span class="card-size">${card.size}</span>`}</div></div></li>`
        )
      }</ul></section>`
    )
  }`;

/** The model's policy in little, as the gallery draws it; its colours are the page's. @param {{ svg: string }} props */
function Picture({ svg }) {
  const place = useRef(/** @type {HTMLSpanElement | null} */ (null));
  useEffect(() => {
    if (svg === "") return; // a file on a disk has no pictures with it
    const drawn = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
    if (drawn.localName === "svg") place.current?.replaceChildren(drawn);
  }, [svg]);
  return html`<span class="card-picture" aria-hidden="true" ref=${place}></span>`;
}
