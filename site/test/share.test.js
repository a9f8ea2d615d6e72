// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { encode } from "uqr";
import { blankDocument } from "../src/document/reading.js";
import { carriedModel, readFragment, sealed, writeFragment } from "../src/share/fragment.js";
import { packGrid, unpackGrid } from "../src/share/grid-code.js";
import { fromBase64url, leanCurve, LinkError, pack, readCurve, toBase64url, unpack } from "../src/share/share.js";
import { carriers, contentOf, fragmentOf, fromText, homeOf, oneFile, startingWith, toText } from "../src/share/one-file.js";
import { forms } from "../src/share/embed-code.js";
import { partsOf } from "../src/embed/parts.js";
import { addressIn, nameIn, reasonOf } from "../src/share/fetching.js";
import { mailOf, reportText } from "../src/share/problem-report.js";
import { qrOf } from "../src/share/qr.js";
import { paintings } from "./paintings.js";
import { plainGrid as g } from "./plain.js";

test("a document comes back from a link as it went in", async () => {
  const doc = { ...blankDocument(), description: "γ ≤ ½ — “quotes”, ünïcode, \u0000, 🙂" };
  const { text, sum } = await pack(doc);
  assert.match(text, /^[\w-]+$/);
  assert.deepEqual(await unpack(text, sum), doc);
  assert.deepEqual(await unpack(text), doc);
});

test("a link cut anywhere or with any character changed is reported and never opens", async () => {
  const { text, sum } = await pack(blankDocument());
  for (let n = 0; n < text.length; n += 3) await assert.rejects(unpack(text.slice(0, n), sum), LinkError, `cut at ${n}`);
  for (let i = 0; i < text.length; i += 2) {
    const other = text[i] === "A" ? "B" : "A";
    const changed = text.slice(0, i) + other + text.slice(i + 1);
    // The last character can hold bits that no byte uses: then nothing changed.
    if (Buffer.from(fromBase64url(changed)).equals(Buffer.from(fromBase64url(text)))) continue;
    await assert.rejects(unpack(changed, sum), LinkError, `changed at ${i}`);
  }
  for (const bad of ["", "%%%", "a b", "é", "AAAA"]) await assert.rejects(unpack(bad, sum), LinkError, bad);
});

test("a small link that would unpack to far more is refused", async () => {
  const { text } = await pack("0".repeat(30_000_000));
  assert.ok(text.length < 50_000);
  await assert.rejects(unpack(text), /larger than 20 MB/);
});

test("base64url is the inverse of itself for all bytes and lengths", () => {
  for (let n = 0; n < 70; n++) {
    const bytes = Uint8Array.from({ length: n }, (_, i) => (i * 37 + n) % 256);
    assert.deepEqual(fromBase64url(toBase64url(bytes)), bytes);
  }
});

test("a thousand random links read back as they were written", () => {
  let seed = 1;
  const random = (/** @type {number} */ n) => {
    seed = (seed * 48271) % 2147483647;
    return seed % n;
  };
  const word = () => Array.from({ length: 1 + random(8) }, () => "ab &=#.+%/:-é\u2009"[random(14)]).join("");
  for (let i = 0; i < 1000; i++) {
    /** @type {any} */
    const link = {};
    if (random(2)) link.example = word();
    if (random(2)) link.param = { [word()]: word(), [word()]: word() };
    if (random(2)) link.problem = toBase64url(Uint8Array.from({ length: random(20) + 1 }, () => random(256)));
    if (random(2)) link.sum = "0123abcd";
    if (random(2)) link.algorithm = word();
    if (random(2)) link.option = { [word()]: word() };
    if (random(2)) link.run = true;
    const text = writeFragment(link);
    assert.deepEqual(readFragment(text), { link, unknown: [], damage: "" }, text);
    if (text) assert.deepEqual(readFragment(sealed(text)), { link, unknown: [], damage: "" }, sealed(text));
  }
});

test("the link of the documentation reads as documented", () => {
  assert.deepEqual(readFragment("#example=gradient-conflict&algorithm=epirc-pgs&run=1").link, {
    example: "gradient-conflict",
    algorithm: "epirc-pgs",
    run: true,
  });
  assert.deepEqual(readFragment("#run=0").link, { run: false });
  assert.equal(writeFragment({}), "");
});

test("parts of a link that mean nothing here are named, not dropped in silence", () => {
  assert.deepEqual(readFragment("#example=x&view=graph&param=3&example.y=1&algorithm=%E0%A4%A").unknown, ["view", "param", "example.y", "algorithm"]);
});

test("one file carries its parts and its start, whatever is in them", () => {
  const template = `<title>RCMDP Lab</title>${Object.values(carriers).map((id) => `<script type="text/plain" id="${id}"></script>`).join("")}`;
  const solver = Uint8Array.from({ length: 70_001 }, (_, i) => (i * 7919) % 256);
  const worker = new TextEncoder().encode("</script>$& $1");
  const start = { title: "a < b & \"c\" </title>", fragment: "#problem=</script>&x=$&", home: "https://lab.example/a/" };
  const file = oneFile(template, { solver, worker, start });
  assert.deepEqual(fromText(contentOf(file, carriers.solver)), solver);
  assert.deepEqual(fromText(contentOf(file, carriers.worker)), worker);
  assert.deepEqual(JSON.parse(contentOf(file, carriers.start)), start);
  assert.equal(homeOf(contentOf(file, carriers.start)), start.home);
  for (const none of ["", "{", JSON.stringify({ title: "\"home\":\"https://x/\"", home: "file:///a" })]) assert.equal(homeOf(none), "");
  assert.equal(file.match(/<\/script>/g)?.length, 3);
  assert.match(file, /<title>a &lt; b &amp; "c" &lt;\/title> · RCMDP Lab<\/title>/);
  const again = startingWith(file, { title: "", home: "", fragment: "" });
  assert.deepEqual(fromText(contentOf(again, carriers.solver)), solver);
  assert.match(again, /<title>RCMDP Lab<\/title>/);
});

test("a file opens with the fragment it carries, and with a sentence where that is not whole", async () => {
  assert.equal(fragmentOf(""), "");
  assert.equal(fragmentOf("{\"title\":\"x\",\"fragment\":\"\"}"), "");
  assert.equal(fragmentOf("{\"fragment\":\"#example=x&run=1\"}"), "#example=x&run=1");
  for (const bad of ["{", "null", "[]x", "{\"fragment\":3}", "{\"fragment\":{}}", "{\"fragment\":\"https://x.y/\"}", "{\"fragment\":\"#a\\u0000\"}"]) {
    const { link } = readFragment(fragmentOf(bad));
    await assert.rejects(unpack(link.problem ?? "", link.sum), LinkError, bad);
  }
});

test("bytes written as text come back, whatever their number and values, and mean nothing to HTML in a script", () => {
  for (let length = 0; length < 60; length++) {
    for (const fill of [() => 0, () => 255, (/** @type {number} */ i) => (i * 167 + length * 29) % 256]) {
      const bytes = Uint8Array.from({ length }, (_, i) => fill(i));
      const text = toText(bytes);
      assert.deepEqual(fromText(text), bytes);
      assert.match(text, /^[!-~]*$/);
      assert.doesNotMatch(text, /</);
      assert.ok(text.length <= Math.ceil(16 * length / 13) + 1, `${length} bytes as ${text.length} signs`);
    }
  }
});

test("an embed is written so that each kind of page reads the same address back", () => {
  const fragment = "#v1=0badcafe&problem=ab-_&sum=1&option.x=1%2B2";
  const place = {
    name: "50 % \"γ\" & <b>_co</b>",
    embed: `https://x.y/embed.html${fragment}`,
    lab: `https://x.y/${fragment}`,
    script: "https://x.y/embed.js",
    fragment,
    height: 640,
    year: 2030,
  };
  const written = Object.fromEntries(forms.map(({ id, write }) => [id, write(place)]));
  const back = (/** @type {string} */ text) => text.replaceAll("&quot;", "\"").replaceAll("&lt;", "<").replaceAll("&amp;", "&");
  assert.equal(back(/src="([^"]*)"/.exec(written.iframe)?.[1] ?? ""), place.embed);
  assert.equal(back(/title="([^"]*)"/.exec(written.iframe)?.[1] ?? ""), `RCMDP Lab: ${place.name}`);
  assert.match(written.iframe, /allow="clipboard-write"/);
  assert.equal(back(/fragment="([^"]*)"/.exec(written.element)?.[1] ?? ""), fragment);
  assert.ok(written.markdown.endsWith(`(${place.lab})`));
  for (const id of ["latex", "bibtex"]) {
    const url = /\\url\{(.*?[^\\])\}/.exec(written[id])?.[1].replace(/\\([#%&])/g, "$1");
    assert.equal(url, place.lab, id);
    assert.match(written[id], /50 \\% "γ" \\& <b>\\_co<\/b>/);
  }
  assert.match(written.bibtex, /^@misc\{rcmdp-lab-[a-z0-9-]+,/);
});

test("the parts of an embed are those that are shown and not hidden, and a wrong name is told", () => {
  assert.ok(partsOf({}).has("plan"));
  assert.ok(!partsOf({ hide: "plan, lab" }).has("plan"));
  assert.ok(!partsOf({ show: "answer" }).has("plan"));
  assert.ok(!partsOf({ show: "answer,plan", hide: "plan" }).has("plan"));
  assert.deepEqual(partsOf({ hide: "plan,pictures" }).unknown, ["pictures"]);
});

test("a trade-off travels as it was drawn, without its proofs, and what is no trade-off is not read as one", async () => {
  const point = (/** @type {number} */ value, /** @type {any} */ more = {}) => ({
    value,
    status: "bounded",
    algorithm: "solve",
    feasible: true,
    objective: { name: "money", sense: "minimize", value: 9, lowerBound: 8, upperBound: null, gap: 1 },
    constraints: [{ name: "risk", value: 1, threshold: 2, violation: -1, slack: 1, worst: [] }],
    policy: [[1, 0]],
    certificate: { format: "rcmdp-certificate/2" },
    ...more,
  });
  /** @type {any} */
  const problem = { states: ["s"], actions: ["a", "b"], objective: { name: "money" }, constraints: [{ name: "risk", atMost: 2 }], uncertainty: {} };
  const infeasible = { status: "proved-infeasible", feasible: false, objective: { name: "money", sense: "minimize", value: null }, policy: [] };
  const points = /** @type {any[]} */ ([point(0.4), null, point(0.2, infeasible)]);
  const { text } = await pack(leanCurve(points));
  const read = readCurve(problem, await unpack(text)) ?? assert.fail("it is read");
  assert.deepEqual(read.map((p) => [p.value, p.feasible, p.objective.value, p.objective.lowerBound, p.status]), [
    [0.2, false, null, null, "unchecked"],
    [0.4, true, 9, null, "unchecked"],
  ]);
  assert.ok(read.every((p) => !p.certificate), "nothing that could be taken for checked");
  assert.deepEqual(read[1].policy, [[1, 0]]);
  assert.deepEqual(leanCurve(points, false).map((p) => p.policy), [[], []]);
  for (const bad of [null, 3, {}, [], [null], [{ value: 1 }], [{ ...point(1), value: "1" }], [point(1, { feasible: 1 })], [point(NaN)]])
    assert.equal(readCurve(problem, bad), null, JSON.stringify(bad));
  assert.equal(readCurve(problem, [point(1, { objective: { ...point(1).objective, value: null } })]), null, "a plan without its cost");
  assert.equal(readCurve(problem, [point(1, { objective: { ...point(1).objective, lowerBound: "8" } })]), null, "a bound that is no number");
});

test("a painted grid of 5 by 7 travels in a link of under 400 characters, and every painting comes back the same", async () => {
  const address = async (/** @type {Doc} */ doc) =>
    `https://example.org/rcmdp-lab/${sealed(writeFragment({ algorithm: "solve", grid: await packGrid(doc) ?? assert.fail("not packed") }))}`;
  const first = await address(g.firstGridDocument());
  assert.ok(first.length < 400, `${first.length} characters`);
  assert.deepEqual(await carriedModel(readFragment(new URL(first).hash).link), g.firstGridDocument());
  let longest = 0;
  for (const [seed, grid] of paintings.entries()) {
    const doc = JSON.parse(JSON.stringify(g.painted({ ...g.firstGridDocument(), description: "γ & “so on”" }, grid)));
    const text = await packGrid(doc);
    assert.ok(text, `painting ${seed}`);
    assert.deepEqual(await unpackGrid(text), doc, `painting ${seed}`);
    if (grid.rows * grid.columns <= 35) longest = Math.max(longest, (await address(doc)).length);
  }
  assert.ok(longest < 400, `${longest} characters`);
});

test("what painting would lose is not packed as a grid, and a grid's text that is none is refused", async () => {
  const doc = JSON.parse(JSON.stringify(g.firstGridDocument()));
  assert.equal(await packGrid({ ...doc, states: doc.states.with(0, "home") }), null, "a name");
  assert.equal(await packGrid({ ...doc, uncertainty: { ...doc.uncertainty, note: "measured" } }), null, "a word beside the set");
  assert.equal(await packGrid(blankDocument()), null);
  for (const support of ["nominal", "all"]) {
    const own = { ...doc, uncertainty: { ...doc.uncertainty, support } };
    assert.deepEqual(await unpackGrid(await packGrid(own) ?? ""), own);
  }
  const code = [[7, 0.1, 0, 2, 0.05], [[1, 1, 0]], [0, 35], { name: "steps" }, [], {}];
  await unpackGrid((await pack(code)).text);
  for (
    const [i, part] of [[0, 3], [0, [0, 0, 0, 0, 0]], [0, [7, 0.1, 0, 9, 0]], [0, [7, 0.1, 2, 0, 0]], [1, null], [2, [0, 1e12]], [2, [0, 36]], [4, 7], [
      5,
      null,
    ]]
  ) {
    await assert.rejects(pack(code.with(Number(i), /** @type {any} */ (part))).then(({ text }) => unpackGrid(text)), LinkError, JSON.stringify([i, part]));
  }
});

test("an address is read as a person writes it, and what is none is told so", () => {
  const home = "https://lab.test/rcmdp/";
  for (
    const [text, href] of [
      ["https://example.org/a/model.json", "https://example.org/a/model.json"],
      [" example.org/model.json ", "https://example.org/model.json"],
      ["gallery/grid.json", "https://lab.test/rcmdp/gallery/grid.json"],
      ["http://localhost:8000/m.json", "http://localhost:8000/m.json"],
    ]
  ) {
    const found = addressIn(text, home);
    assert.equal("url" in found && found.url.href, href);
  }
  for (
    const [text, why] of /** @type {[string, RegExp][]} */ ([
      ["", /Type the address/],
      ["javascript:alert(1)", /no address of the web/],
      ["file:///etc/passwd", /no address of the web/],
      ["data:,x", /no address of the web/],
      ["https://", /no address of the web/],
      ["https://me:secret@example.org/x", /password/],
      ["http://example.org/x", /Try https:\/\/example\.org/],
    ])
  ) {
    const found = addressIn(text, home);
    assert.match("message" in found ? found.message : "an address", why, text);
  }
  assert.equal(nameIn(new URL("https://example.org/a/model.json?raw=1")), "model.json");
  assert.equal(nameIn(new URL("https://example.org")), "example.org");
});

test("why a file did not come is said with what to do", () => {
  const url = new URL("https://example.org/model.json");
  for (const answer of [{ failed: "refused" }, { failed: "status", status: 404 }, { failed: "status", status: 403 }, { failed: "absent" }])
    assert.match(reasonOf(url, answer), /[Dd]ownload|Look at the address/, JSON.stringify(answer));
  assert.match(reasonOf(url, { failed: "refused" }), /does not let pages of other sites read/);
});

test("a report has all that is needed, the model only when it may go along, and a mail's address is never too long", () => {
  const of = {
    happened: "It said 3 & I had expected 4.",
    page: "https://lab.test/",
    version: "1",
    browser: "B",
    screen: "390 × 844",
    model: "#v1=abc",
    answer: "bounded by solve, 3",
    trouble: ["no"],
  };
  for (const part of [of.happened, "Version: 1", "Browser: B", "Answer: bounded", "The page said: no", "Model: #v1=abc"])
    assert.ok(reportText(of).includes(part), part);
  assert.doesNotMatch(reportText({ ...of, model: "" }), /Model/);
  assert.deepEqual([mailOf("s", of).whole, mailOf("s", { ...of, model: "" }).whole, mailOf("s", { ...of, model: "x".repeat(3000) }).whole], [
    true,
    true,
    false,
  ]);
  assert.ok(mailOf("s", { ...of, model: "x".repeat(3000) }).href.length < 1800);
  assert.equal(new URLSearchParams(mailOf("s", of).href.split("?")[1]).get("body"), reportText(of));
});

test("a QR code's path has the squares of its library, with a quiet margin of four", () => {
  const text = "https://example.org/rcmdp-lab/#v1=00000000&example=grid";
  const { size, path } = qrOf(text);
  const squares = new Set();
  for (const [, x, y, w] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) for (let i = 0; i < Number(w); i++) squares.add(`${Number(x) + i},${y}`);
  const { data } = encode(text, { ecc: "L", border: 4 });
  assert.equal(squares.size, data.flat().filter(Boolean).length);
  data.forEach((row, y) => row.forEach((/** @type {boolean} */ on, /** @type {number} */ x) => assert.equal(squares.has(`${x},${y}`), on)));
  assert.ok(![...squares].some((at) => at.split(",").some((/** @type {string} */ x) => Number(x) < 4 || Number(x) >= size - 4)));
});
