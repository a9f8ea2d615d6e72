// @ts-check
import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "node:test";
import { unreadable } from "../src/document/edits.js";
import { kinds } from "../src/document/kinds.js";

const folder = new URL("../guide/", import.meta.url);
const pages = ["index.html", "method.html", "format.html", "library.html", "limits.html"];
const read = (/** @type {string} */ page) => fs.readFileSync(new URL(page, folder), "utf8");
/** Places that only the built site has. */
const built = ["../", "../rcmdp.d.ts"];

test("every link within the guide leads to a page and a place that are there", () => {
  for (const page of pages) {
    for (const [, href] of read(page).matchAll(/href="([^"]+)"/g)) {
      const [file, anchor] = href.split("#");
      if (built.includes(file)) continue;
      const target = new URL(file || page, folder);
      assert.ok(fs.existsSync(target), `${page}: ${href}`);
      if (anchor && file.endsWith("html")) assert.ok(fs.readFileSync(target, "utf8").includes(`id="${anchor}"`), `${page}: ${href}`);
      if (anchor && !file) assert.ok(read(page).includes(`id="${anchor}"`), `${page}: ${href}`);
    }
  }
});

test("the document of the guide is one that the lab can draw", () => {
  const text = /id="example-document">([^<]+)</.exec(read("format.html"))?.[1] ?? "";
  assert.equal(unreadable(JSON.parse(text)), null);
});

test("the guide names every kind of uncertainty set", () => {
  for (const { id } of kinds) assert.ok(read("format.html").includes(`<code>${id}</code>`), id);
});

test("no page of the guide has inline styles or scripts, which the security policy forbids", () => {
  for (const page of pages) assert.doesNotMatch(read(page), /\sstyle=|<style|<script(?![^>]*src=)|\son\w+=/, page);
});
