// @ts-check
import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "node:test";
import { unreadable } from "../src/document/shape.js";
import { kinds } from "../src/document/kinds.js";
import { guide, laidOut } from "../layout.mjs";
import { illustrated } from "../pictures.mjs";
import { declarations, everyCall } from "../reference.mjs";

const folder = new URL("../guide/", import.meta.url);
const pages = guide.map(([page]) => page).concat("paper.html");
const declared = fs.readFileSync(new URL("../src/rcmdp.d.ts", import.meta.url), "utf8");
/** A page as the build lays it out. @param {string} page */
const read = (page) =>
  illustrated(laidOut(`guide/${page}`, fs.readFileSync(new URL(page, folder), "utf8"))).replace("<!--reference-->", () => everyCall(declared))
    .replace("<!--check.py-->", () => fs.readFileSync(new URL("check.py", folder), "utf8").replace(/&/g, "&amp;").replace(/</g, "&lt;"));
/** Places that only the built site has. */
const built = ["../", "../rcmdp.d.ts", "../gallery/"];

test("every link within the guide leads to a page and a place that are there", () => {
  for (const page of pages) {
    for (const [, href] of read(page).matchAll(/href="([^"]+)"/g)) {
      const [file, anchor] = href.split("#");
      if (built.includes(file) || /^https:\/\/(arxiv\.org|openreview\.net)\//.test(href)) continue;
      const target = new URL(file || page, folder);
      assert.ok(fs.existsSync(target), `${page}: ${href}`);
      if (anchor && file.endsWith("html")) assert.ok(read(file).includes(`id="${anchor}"`), `${page}: ${href}`);
      if (anchor && !file) assert.ok(read(page).includes(`id="${anchor}"`), `${page}: ${href}`);
    }
  }
});

test("the document of the guide is one that the lab can draw", () => {
  const text = /id="example-document"[^>]*>([^<]+)</.exec(read("format.html"))?.[1] ?? "";
  assert.equal(unreadable(JSON.parse(text)), null);
});

test("the guide names every kind of uncertainty set", () => {
  for (const { id } of kinds) assert.ok(read("format.html").includes(`<code>${id}</code>`), id);
});

test("no page of the guide has inline styles or scripts, which the security policy forbids", () => {
  for (const page of pages) assert.doesNotMatch(read(page), /\sstyle=|<style|<script(?![^>]*src=)|\son\w+=/, page);
});

test("every page of the guide is in its list of contents, and the lists are the same", () => {
  const files = fs.readdirSync(folder).filter((name) => name.endsWith(".html") && name !== "paper.html");
  assert.deepEqual(files.sort(), guide.map(([page]) => page).sort());
});

test("no mark of the layout is left in a page", () => {
  for (const page of pages) assert.doesNotMatch(read(page), /<!--(page|end|contents|simplex|reference|check)/, page);
});

test("every block of code is one that a test runs, and says how", () => {
  for (const page of pages.filter((name) => !["reproduction.html", "api.html", "paper.html"].includes(name))) {
    for (const [block, attributes] of read(page).matchAll(/<pre[^>]*><code([^>]*)>/g)) {
      assert.match(attributes, /data-run="(module|shell|html|problem|policy|transitions|python|myst)"/, `${page}: ${block}`);
    }
  }
});

test("the list of calls has every declaration and every member with what is said of it", () => {
  const page = everyCall(declared);
  const list = declarations(declared);
  assert.deepEqual(list.map(({ name }) => name), [...declared.matchAll(/^export (?:function|interface|type|class) (\w+)/gm)].map(([, name]) => name));
  const solver = list.find(({ name }) => name === "Solver");
  assert.ok(solver?.members.some(({ text }) => text.startsWith("solve(problem")));
  assert.ok(
    solver?.members.every(({ text, comment }) => text.endsWith(";") && (comment !== "" || text.startsWith("readonly"))),
    "every call says what it does",
  );
  for (const { name } of list) assert.ok(page.includes(`id="${name}"`), name);
  assert.doesNotMatch(page.replace(/<pre[^]*?<\/pre>/g, ""), /\*\/|\/\*\*/);
});

test("a picture of a set has every row of it and no other", () => {
  const svg = illustrated("<!--simplex l1 0.4-->");
  const points = (/points="([^"]+)"\/><circle/.exec(svg)?.[1] ?? "").split(" ").map((at) => at.split(",").map(Number));
  assert.equal(points.length, 360);
  for (const [x, y] of points) {
    const third = (132 - y) / 124;
    const second = (x - 8) / 144 - third / 2;
    const row = [1 - second - third, second, third];
    const moved = row.reduce((all, p, i) => all + Math.abs(p - [0.5, 0.3, 0.2][i]), 0);
    assert.ok(Math.abs(moved - 0.4) < 0.01 || Math.min(...row) < 0.005, `${row}`);
  }
  assert.throws(() => illustrated("<!--simplex nothing-->"));
});
