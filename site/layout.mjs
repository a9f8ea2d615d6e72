// @ts-check
// layout.mjs — what every page but the lab shares, written once: head, bar, the guide's contents and
// the foot. A page's source begins with
//
//   <!--page title="Method" about="One sentence for search engines." style="guide" at="guide"-->
//
// and ends with <!--end-->, or <!--end Words for the foot.-->; `script` names a module, `at` the place
// in the bar, `class` the body's. <!--contents--> stands for the list of the guide's pages.

import path from "node:path";

/** The guide's pages in reading order; the third is the page below which one is listed, shown there and beside its own kind. */
export const guide = [
  ["index.html", "First steps"],
  ["model.html", "The model and its words"],
  ["sets.html", "What nature may do"],
  ["result.html", "Reading a result"],
  ["certificate.html", "Certificates"],
  ["method.html", "Methods and proofs"],
  ["format.html", "Data and files"],
  ["embedding.html", "Embedding"],
  ["jupyter.html", "Jupyter", "embedding.html"],
  ["marimo.html", "marimo", "embedding.html"],
  ["myst.html", "MyST", "embedding.html"],
  ["quarto.html", "Quarto", "embedding.html"],
  ["observable.html", "Observable", "embedding.html"],
  ["reveal.html", "reveal.js", "embedding.html"],
  ["hugo.html", "Hugo, Jekyll", "embedding.html"],
  ["library.html", "Library and command"],
  ["api.html", "Every call"],
  ["limits.html", "Limits"],
  ["reproduction.html", "Reproduction"],
];

const brand = "<svg viewBox=\"0 0 24 24\" aria-hidden=\"true\"><path d=\"M8 4H4v16h4M16 4h4v16h-4\"/><circle cx=\"12\" cy=\"12\" r=\"2.6\"/></svg>" +
  "<span>RCMDP&nbsp;Lab</span>";

/**
 * A page's HTML from its source.
 * @param {string} file the page's path from site/, with slashes
 * @param {string} text
 * @returns {string} the source itself when it does not ask for a layout
 */
export function laidOut(file, text) {
  const opening = /^<!--page ([^]*?)-->\n?/.exec(text);
  if (!opening) return text;
  const name = path.posix.basename(file);
  const up = "../".repeat(file.split("/").length - 1);
  const guides = file.startsWith("guide/") ? "" : `${up}guide/`;
  const { title, about, style, script, at = "guide", class: bodyClass } = attributes(opening[1], file);
  const link = (/** @type {string} */ href, /** @type {string} */ words, /** @type {string} */ place) =>
    `    <a href="${href}"${place === at ? ` aria-current="${href.endsWith(name) ? "page" : "true"}"` : ""}>${words}</a>\n`;
  const head = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – RCMDP Lab</title>
<meta name="description" content="${about}">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#f7f6f3" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#14171a" media="(prefers-color-scheme: dark)">
<link rel="icon" href="${up}src/icon.svg">
<link rel="stylesheet" href="${up}src/style/${style}.css">
${script ? `<script type="module" src="${up}src/pages/${script}.js"></script>\n` : ""}</head>
<body${bodyClass ? ` class="${bodyClass}"` : ""}>
<a class="skip" href="#content">Skip to the content</a>
<header class="bar">
  <a class="brand" href="${up || "./"}" aria-label="RCMDP Lab, home">${brand}</a>
  <nav aria-label="Site">
${link(up || "./", "Lab", "lab")}${link(`${guides}paper.html`, "Paper", "paper")}${link(`${guides}index.html`, "Guide", "guide")}  </nav>
</header>
`;
  const contents = `<nav class="contents" aria-label="Guide">
  <ol>
${
    guide.filter(([, , of]) => !of || of === name || guide.some(([page, , beside]) => page === name && beside === of)).map(([page, words]) =>
      `    <li><a href="${page}"${page === name ? " aria-current=\"page\"" : ""}>${words}</a></li>\n`
    ).join("")
  }  </ol>
</nav>`;
  const foot = (/** @type {string} */ words) =>
    `<footer class="foot"><p>${words || "Everything runs in this browser. Nothing you enter is sent anywhere."}</p></footer>\n</body>\n</html>`;
  const body = text.slice(opening[0].length);
  if (!/<!--end\b/.test(body)) throw new Error(`${file}: no <!--end--> at its end`);
  return head + body.replace("<!--contents-->", contents).replace(/<!--end\s*([^]*?)-->/, (_, words) => foot(words.trim()));
}

/** @param {string} text @param {string} file */
function attributes(text, file) {
  const found = Object.fromEntries([...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
  for (const name of ["title", "about", "style"]) if (!found[name]) throw new Error(`${file}: its <!--page--> has no ${name}`);
  return found;
}
