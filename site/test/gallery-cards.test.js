// @ts-check
// gallery-cards.test.js — the examples as cards, by group.

import assert from "node:assert/strict";
import { test } from "node:test";
import { html } from "htm/preact";
import { renderToString } from "preact-render-to-string";
import { grouped, Groups } from "../src/panels/examples.js";

const example = (/** @type {string} */ id) => ({ id, title: `Title of ${id}`, description: `About ${id}.` });
const item = (/** @type {string} */ id, /** @type {string} */ group) => ({
  ...example(id),
  group,
  teaches: `Lesson of ${id}.`,
  size: "2 states",
  thumbnail: "",
});

test("stories come first, then the paper, then random ones, each in the solver's order, and none is lost", () => {
  const examples = ["r", "b", "p", "a", "new"].map(example);
  const items = [item("p", "From the paper"), item("r", "Random"), item("a", "Stories"), item("b", "Stories"), item("gone", "Stories")];
  const got = grouped(examples, items).map(({ name, cards }) => [name, cards.map(({ id }) => id)]);
  assert.deepEqual(got, [["Stories", ["b", "a"]], ["From the paper", ["p"]], ["Random", ["r"]], ["Others", ["new"]]]);
  assert.deepEqual(grouped(examples, []).map(({ name, cards }) => [name, cards.length]), [["Others", 5]], "without a gallery the examples are still there");
});

test("a card is a button with its title as name, and the sentence, the lesson and the size as description", () => {
  const page = renderToString(html`<${Groups} examples=${[example("a"), example("b")]} items=${[item("a", "Stories")]} chosen="a" onChoose=${() => {}} />`);
  const [first = "", second = ""] = page.match(/<li.*?<\/li>/gs) ?? [];
  assert.match(first, /aria-current="true"/);
  assert.doesNotMatch(second, /aria-current/);
  const about = /aria-describedby="([^"]+)"/.exec(first)?.[1];
  const described = first.slice(first.indexOf(`id="${about}"`));
  for (const text of ["About a.", "Lesson of a.", "2 states"]) assert(described.includes(text), text);
  assert.match(first, /<button[^>]*>Title of a<\/button>/, "its name is what it shows");
  assert(!second.includes("card-teaches") && !second.includes("card-size"), "what is not known is not drawn");
});
