// @ts-check
// The gallery's pages as a reader without scripts has them, from dist/; and what they say of their own address where the
// build is told its home.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import zlib from "node:zlib";
import { fileURLToPath } from "node:url";
import { number } from "../src/words/format.js";
import { card, galleryPage, oembed, previews, saying, sitemap } from "../gallery.mjs";

const dist = fileURLToPath(new URL("../../dist/", import.meta.url));
const ids = JSON.parse(fs.readFileSync(path.join(dist, "gallery.json"), "utf8")).map((/** @type {{ id: string }} */ { id }) => id);
/** @param {string} id */
const itemOf = (id) => ({ heat: "", ...JSON.parse(fs.readFileSync(path.join(dist, "gallery", `${id}.json`), "utf8")) });
/** @param {string} html */
const textOf = (html) =>
  html.replace(/<(head|script|style)[^]*?<\/\1>/g, "").replace(/<[^>]+>/g, " ").replace(/&lt;/g, "<").replace(/&amp;/g, "&").replace(/\s+/g, " ");

test("each model of the gallery has a page that is read without scripts, claims nothing and leads to the live lab", () => {
  assert.ok(ids.length > 20);
  for (const id of ids) {
    const { title, teaches, problem, result } = itemOf(id);
    const html = fs.readFileSync(path.join(dist, "gallery", id, "index.html"), "utf8");
    const text = textOf(html);
    assert.doesNotMatch(html, /<script|\sstyle=|\son\w+=/, id);
    assert.match(html, new RegExp(`<title>${title.replace(/[()]/g, "\\$&")} – RCMDP Lab</title>`), id);
    assert.ok(text.includes(teaches), id);
    assert.doesNotMatch(text.replace(teaches, "").replace(problem.description ?? "", ""), /proved|optimal/i, id);
    assert.match(text, /Computed by RCMDP Lab: .*; press to check it here/, id);
    if (result.feasible) {
      const { name, value } = result.objective;
      const shown = (new RegExp(`worst-case ${name} (\\S+?),? `).exec(text) ?? assert.fail(text))[1];
      assert.equal(shown.replace(/[\u2009\u202f]/g, ""), number(value).replace(/[\u2009\u202f]/g, ""), id);
      assert.ok(problem.states.length > 30 || problem.states.every((/** @type {string} */ s) => text.includes(s)), `${id}: its states`);
      for (const c of problem.constraints ?? []) assert.ok(text.includes(c.name), `${id}: ${c.name}`);
    }
    for (const [, href] of html.matchAll(/(?:href|src)="([^"#?]*)(?:#[^"]*)?"/g)) {
      const file = path.join(dist, "gallery", id, href || "index.html");
      assert.ok(fs.existsSync(href.endsWith("/") ? path.join(file, "index.html") : file), `${id}: ${href}`);
    }
    assert.ok(html.includes(`href="../../#example=${id}"`) && html.includes(`embed.html#example=${id}&amp;run=1`), id);
    assert.ok(fs.readFileSync(path.join(dist, "gallery/index.html"), "utf8").includes(`href="${id}/"`), `${id} is in the list`);
  }
});

test("a bound is never rounded to more than it is", () => {
  const of = (/** @type {object} */ objective) =>
    saying({ result: { feasible: true, status: "bounded", objective: { name: "cost", value: 5, lowerBound: null, upperBound: null, ...objective } } });
  assert.equal(of({ lowerBound: 4.80006 }), "worst-case cost 5, bound 4.8");
  assert.equal(of({ lowerBound: 4.79999 }), "worst-case cost 5, bound 4.7999");
  assert.equal(of({ lowerBound: -4.79999 }), "worst-case cost 5, bound −4.8");
  assert.equal(of({ upperBound: 4.80001 }), "worst-case cost 5, bound 4.8001");
  assert.equal(of({ upperBound: -4.80001 }), "worst-case cost 5, bound −4.8");
  assert.equal(of({ lowerBound: 0 }), "worst-case cost 5, bound 0");
  assert.equal(of({}), "worst-case cost 5");
});

test("where the build knows its home, previews, oEmbed and the sitemap say whole addresses; where it does not, none", () => {
  const home = "https://lab.test/rcmdp/";
  const item = { ...itemOf("machine-repair"), title: "A \"machine\" <b>" };
  const head = previews(item, home);
  for (
    const part of [
      `property="og:image" content="${home}gallery/machine-repair/card.png"`,
      `rel="canonical" href="${home}gallery/machine-repair/"`,
      `<link rel="alternate" type="application/json+oembed" href="${home}gallery/machine-repair/oembed.json"`,
      "A &quot;machine&quot; &lt;b&gt;",
    ]
  ) assert.ok(head.includes(part), part);
  const told = oembed(item, home);
  assert.deepEqual([told.version, told.type, told.width, told.height], ["1.0", "rich", 640, 720]);
  assert.match(told.html, /^<iframe src="https:\/\/lab\.test\/rcmdp\/embed\.html#example=machine-repair" title="RCMDP Lab: A &quot;machine&quot; &lt;b&gt;"/);
  assert.match(
    sitemap(["index.html", "guide/index.html", "guide/sets.html"], home),
    /<loc>https:\/\/lab\.test\/rcmdp\/<\/loc>[^]*rcmdp\/guide\/<[^]*sets\.html</,
  );
  assert.doesNotMatch(previews(item, ""), /oembed|canonical|https:/);
  const built = fs.readFileSync(path.join(dist, "gallery/machine-repair/index.html"), "utf8");
  assert.equal(/oembed/.test(built), fs.existsSync(path.join(dist, "sitemap.xml")));
  assert.match(galleryPage(item), /<h1>A &quot;machine&quot; &lt;b&gt;<\/h1>/);
});

test("a card is a picture of the plan in the size that previews want", () => {
  const png = card(itemOf("machine-repair"));
  assert.deepEqual(png, fs.readFileSync(path.join(dist, "gallery/machine-repair/card.png")));
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [1200, 630]);
  assert.equal(zlib.inflateSync(png.subarray(41, png.indexOf("IEND") - 8)).length, 630 * (1 + 3 * 1200));
  assert.ok(png.length < 20_000);
});
