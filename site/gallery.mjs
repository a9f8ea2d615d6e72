// @ts-check
// gallery.mjs — a page of its own for each model of the gallery, for readers without scripts, search engines and link
// previews, none of which see what stands behind a #: what the model is, the answer as the build found it, which claims
// nothing before it is checked, and the lab one press away. With a home, also what asks for whole addresses: cards,
// oEmbed and a sitemap.

import { deedOf, isTimed, merged, planTables, whenOf } from "./src/document/steps.js";
import zlib from "node:zlib";
import { crc32 } from "./src/picture/png.js";
import { integer, number, probability } from "./src/words/format.js";
import { boundText, hasBound } from "./src/words/words.js";

/** More states are not listed: the lab shows them. */
const MOST_STATES = 30;
/** A frame of an embed, in pixels: at most so high before its reader opens more. */
const FRAME = { width: 640, height: 720 };
/** Of a card, in pixels, as link previews want them. */
const CARD = { width: 1200, height: 630 };

/** @typedef {any} Item of gallery.json, with its problem and result */

/** @param {unknown} text */
const escaped = (text) => String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");

/** The answer in a sentence that claims nothing. @param {Item} item */
export function saying({ result: { status, feasible, objective } }) {
  const { name, value } = objective;
  if (!feasible) return status === "proved-infeasible" ? "no policy keeps all limits" : "no policy that keeps all limits was found";
  return `worst-case ${name} ${number(value)}${hasBound({ objective }) ? `, bound ${boundText(objective)}` : ""}`;
}

/** @param {string} caption @param {string[]} head @param {unknown[][]} rows */
const table = (caption, head, rows) =>
  `<table class="lines"><caption>${escaped(caption)}</caption><thead><tr>${head.map((h) => `<th scope="col">${escaped(h)}</th>`).join("")}</tr></thead>
<tbody>${
    rows.map(([first, ...rest]) => `<tr><th scope="row">${escaped(first)}</th>${rest.map((x) => `<td>${escaped(x)}</td>`).join("")}</tr>`).join("\n")
  }</tbody></table>`;

/** The page's source, as layout.mjs takes it. @param {Item} item */
export function galleryPage(item) {
  const { id, title, teaches, size, description, problem, result, heat } = item;
  const { policy, constraints } = result;
  const steps = merged(planTables(policy), result.reached);
  const plan = policy.length === 0
    ? ""
    : isTimed(policy)
    ? table(
      `The plan over ${policy.length} decisions`,
      ["State", ...steps.map((c) => whenOf(c, policy.length))],
      problem.states.map((/** @type {string} */ name, /** @type {number} */ s) => [
        name,
        ...steps.map(({ rows }) => (rows[s] ? deedOf(problem.actions, rows[s], probability) : "never reached")),
      ]),
    )
    : policy.length > MOST_STATES
    ? `<p>The plan has ${integer(policy.length)} states; the lab shows them.</p>`
    : table(
      "The plan: how likely each action is",
      ["State", ...problem.actions],
      policy.map((/** @type {number[]} */ row, /** @type {number} */ s) => [
        problem.states[s],
        ...row.map((p) => (p === 0 ? "" : probability(p))),
      ]),
    );
  const limits = constraints.length === 0
    ? ""
    : table(
      "The limits in their worst case",
      ["Limit", "Value", "Asked"],
      constraints.map((/** @type {any} */ c) => [
        c.name,
        c.value === null ? "" : number(c.value),
        `${c.sense === "atMost" ? "≤" : "≥"} ${number(c.threshold)}`,
      ]),
    );
  return `<!--page title="${escaped(title)}" about="${escaped(`${teaches} Computed by RCMDP Lab: ${saying(item)}.`)}" style="guide" at="gallery"-->
<div class="page alone">
<main id="content" tabindex="-1">
<h1>${escaped(title)}</h1>
<p class="lead">${escaped(teaches)}</p>
<p>${escaped(description)} ${escaped(size)}.</p>
${heat}
<h2 id="answer">The answer</h2>
<p class="found">Computed by RCMDP Lab: <b>${escaped(saying(item))}</b>; press to check it here.</p>
<details class="check"><summary>Check it here</summary><iframe class="live" src="../../embed.html#example=${id}&amp;run=1" title="RCMDP Lab: ${
    escaped(title)
  }" loading="lazy" allow="clipboard-write" height="${FRAME.height}"></iframe></details>
<p><a href="../../#example=${id}">Open it in the lab</a>, where everything can be changed and is solved in your browser. Of the numbers above your browser has checked none yet: they were computed when this page was built.</p>
${limits}
${plan}
<p><a href="../${id}.json">Model and answer as a file</a> · <a href="../">All models</a></p>
</main>
</div>
<!--end-->
`;
}

/** The list of all, in their groups. @param {Item[]} items */
export function galleryList(items) {
  const groups = [...new Set(items.map(({ group }) => group))];
  return `<!--page title="Gallery" about="Models with their answers, each on a page of its own: ${
    escaped(items.map(({ title }) => title).join(", "))
  }." style="guide" at="gallery"-->
<div class="page alone">
<main id="content" tabindex="-1">
<h1>Gallery</h1>
<p class="lead">Models with their answers. Each opens in the lab, where it is checked and can be changed.</p>
${
    groups.map((group) =>
      `<h2>${escaped(group)}</h2>\n<dl>${
        items.filter((item) => item.group === group).map((item) =>
          `<dt><a href="${item.id}/">${escaped(item.title)}</a></dt><dd>${escaped(item.teaches)} Computed: ${escaped(saying(item))}.</dd>`
        ).join("\n")
      }</dl>`
    ).join("\n")
  }
</main>
</div>
<!--end-->
`;
}

/** What stands in a page's head for link previews. @param {Item} item @param {string} home "" where it is not known: then addresses are relative */
export function previews(item, home) {
  const meta = (/** @type {string} */ property, /** @type {string} */ content) => `<meta property="og:${property}" content="${escaped(content)}">\n`;
  const at = home && `${home}gallery/${item.id}/`;
  return meta("type", "article") + meta("site_name", "RCMDP Lab") + meta("title", item.title) +
    meta("description", `${item.teaches} Computed by RCMDP Lab: ${saying(item)}.`) + meta("image", `${at}card.png`) + meta("image:width", String(CARD.width)) +
    meta("image:height", String(CARD.height)) + `<meta name="twitter:card" content="summary_large_image">\n` +
    (home &&
      meta("url", at) +
        `<link rel="canonical" href="${at}">\n<link rel="alternate" type="application/json+oembed" href="${at}oembed.json" title="${escaped(item.title)}">\n`);
}

/** What oEmbed's consumers ask for: a frame of the model. @param {Item} item @param {string} home */
export const oembed = ({ id, title }, home) => ({
  version: "1.0",
  type: "rich",
  title,
  provider_name: "RCMDP Lab",
  provider_url: home,
  html: `<iframe src="${home}embed.html#example=${id}" title="RCMDP Lab: ${
    escaped(title)
  }" width="${FRAME.width}" height="${FRAME.height}" loading="lazy" allow="clipboard-write" style="border: 0"></iframe>`,
  ...FRAME,
  thumbnail_url: `${home}gallery/${id}/card.png`,
  thumbnail_width: CARD.width,
  thumbnail_height: CARD.height,
});

/** @param {string[]} pages from dist/ @param {string} home */
export const sitemap = (pages, home) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${
    pages.map((page) => `<url><loc>${home}${page.replace(/(^|\/)index\.html$/, "$1")}</loc></url>\n`).join("")
  }</urlset>\n`;

// ---- a card: the plan as a heat map, a row an action and a column a state

const paper = [0xf7, 0xf6, 0xf3], ink = [0x0b, 0x67, 0x70];

/** @param {Item} item @returns {Buffer} a PNG */
export function card({ problem, result }) {
  const policy = planTables(result.policy).flat(); // of a plan by time, one table after the other
  const columns = Math.min(policy.length || problem.states.length, 60), rows = problem.actions.length;
  const cell = Math.floor(Math.min((CARD.width - 120) / columns, (CARD.height - 120) / rows));
  const gap = Math.max(1, Math.floor(cell / 14));
  const left = Math.floor((CARD.width - cell * columns) / 2), top = Math.floor((CARD.height - cell * rows) / 2);
  const bytes = Buffer.alloc(CARD.height * (1 + 3 * CARD.width)); // each line begins with its filter, none
  for (let y = 0; y < CARD.height; y++) {
    for (let x = 0; x < CARD.width; x++) {
      const s = Math.floor((x - left) / cell), a = Math.floor((y - top) / cell);
      const inside = s >= 0 && s < columns && a >= 0 && a < rows && (x - left) % cell < cell - gap && (y - top) % cell < cell - gap;
      const share = inside ? 0.06 + 0.94 * (policy[s]?.[a] ?? 0) : 0;
      paper.forEach((from, k) => {
        bytes[y * (1 + 3 * CARD.width) + 1 + 3 * x + k] = Math.round(from + share * (ink[k] - from));
      });
    }
  }
  return png(CARD.width, CARD.height, bytes);
}

/** @param {number} width @param {number} height @param {Buffer} lines filtered, of red, green and blue */
function png(width, height, lines) {
  const chunk = (/** @type {string} */ type, /** @type {Buffer} */ data) => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const all = Buffer.alloc(8 + body.length);
    all.writeUInt32BE(data.length, 0);
    body.copy(all, 4);
    all.writeUInt32BE(crc32(body), 4 + body.length);
    return all;
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8); // of 8 bits, in true colour
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", head),
    chunk("IDAT", zlib.deflateSync(lines, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
