// @ts-check
// dist/ as a whole: what the pages point at is there, nothing is inline or from elsewhere, compressed twins
// and hashes belong to their files, and the same input gives the same bytes. And serve.go as a person runs it.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import zlib from "node:zlib";
import { copyOfSources, dist, root, temporaryFolder, until } from "./harness.js";

/** Files below a folder, with slashes, in order. @param {string} folder */
const filesOf = (folder) =>
  fs.readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, "/"))
    .sort();
const names = filesOf(dist);
const read = (/** @type {string} */ name) => fs.readFileSync(path.join(dist, name));
/** The lab as one file is a template for a disk, with everything inline; one-file.test.js looks at it. */
const pages = names.filter((name) => name.endsWith(".html") && !name.startsWith("assets/one-file-"));

test("every link and source of every page is there, and so are the places within pages", () => {
  assert(pages.length >= 5, pages.join());
  const ids = new Map(pages.map((page) => [page, new Set([...read(page).toString().matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id))]));
  const broken = [];
  for (const page of pages) {
    const text = read(page).toString().replace(/<(pre|code)\b[\s\S]*?<\/\1>/g, ""); // examples show addresses too
    for (const [, url] of text.matchAll(/\b(?:href|src)="([^"]*)"/g)) {
      if (/^(https?:|mailto:|data:)/.test(url)) continue;
      const [file, place] = url.split("#");
      let target = file === "" ? page : path.posix.join(path.posix.dirname(page), file);
      if (target === "." || target.endsWith("/") || url === "./") target = path.posix.join(target, "index.html");
      if (!names.includes(target)) broken.push(`${page}: ${url}`);
      // Fragments of the lab and the embed carry state.
      else if (place && !["index.html", "embed.html"].includes(target) && !place.includes("=") && !ids.get(target)?.has(place))
        broken.push(`${page}: no place ${url}`);
    }
  }
  assert.deepEqual(broken, []);
});

test("no page has inline scripts, inline styles or anything from another origin", () => {
  for (const page of pages) {
    const text = read(page).toString();
    const whole = page === "404.html" || page === "fetch.html"; // these have their parts within them, each by its digest
    if (!whole) assert.doesNotMatch(text, /<script(?![^>]*\bsrc=)|<style/i, `${page}: an inline script or style`);
    else for (const [, part] of text.matchAll(/<(?:script|style)>([^]*?)<\/(?:script|style)>/g)) {
        assert.ok(text.includes(`'sha256-${createHash("sha256").update(part).digest("base64")}'`), `${page}: a part without its digest`);
      }
    assert.doesNotMatch(text, /\sstyle="|\son[a-z]+="/i, `${page}: inline style or handler`);
    for (const [tag] of text.matchAll(/<(?!a\b)[a-z]+[^>]*\b(?:src|href)="(?:https?:)?\/\/[^>]*>/gi)) assert.fail(`${page}: ${tag}`);
    assert.match(text, /http-equiv="Content-Security-Policy"/, `${page}: no policy for hosts that send none`);
    assert.match(text, /<html lang="en"/, page);
    assert.match(text, /<meta name="viewport"/, page);
    assert.match(text, /<title>[^<]+<\/title>/, page);
  }
});

test("no code of ours names another origin to load from", () => {
  for (const name of names.filter((n) => /\.(js|css)$/.test(n))) {
    for (const [url] of read(name).toString().matchAll(/https?:\/\/[^\s"'`)\\]+/g)) {
      // Names of namespaces, and pages that texts point people to.
      assert(
        /^https?:\/\/(www\.w3\.org|schemas\.openxmlformats\.org|purl\.oclc\.org|go\.dev|github\.com|arxiv\.org|nodejs\.org)\//.test(url) ||
          /^https?:\/\/(…|\$\{)/.test(url),
        `${name}: ${url}`,
      );
    }
  }
});

test("bundles rely on nothing that a browser or an embed may lack", () => {
  for (const name of names.filter((n) => n.endsWith(".js"))) {
    assert.doesNotMatch(read(name).toString(), /SharedArrayBuffer|\brequire\(|process\.env/, name);
  }
});

test("compressed twins hold their file, and hashed names belong to their content", () => {
  for (const name of names) {
    if (name.endsWith(".br")) assert(zlib.brotliDecompressSync(read(name)).equals(read(name.slice(0, -3))), name);
    if (name.endsWith(".gz")) assert(zlib.gunzipSync(read(name)).equals(read(name.slice(0, -3))), name);
    if (/\.(html|js|css|wasm|svg)$/.test(name)) assert(names.includes(`${name}.br`) && names.includes(`${name}.gz`), `${name} has no twins`);
    assert(!name.endsWith(".part"), name);
    const [, hash] = /^assets\/(?:rcmdp|worker)-([0-9a-f]{8})\./.exec(name.replace(/\.(br|gz)$/, "")) ?? [];
    if (hash && !/\.(br|gz)$/.test(name)) assert.equal(createHash("sha256").update(read(name)).digest("hex").slice(0, 8), hash, name);
  }
});

test("the service worker lists every file a visitor may need", () => {
  const text = read("service-worker.js").toString();
  const listed = new Set([...text.matchAll(/\["([^"]+)","sha256-[^"]+"\]/g)].map(([, name]) => name));
  // The package's own files are for Node; who is lost, or fetches a file of another site, asks the network; readers of workbooks, YAML and UMB come with the first of them; the solver packed for one file is fetched when somebody asks for the file, names of functions when it breaks, the solver as it was linked where it does not start packed.
  const others = ["service-worker.js", "404.html", "fetch.html", "build.json", "package.json", "command.js", "folder.js", "README.md", "LICENSE"];
  const wanted = names.filter((name) =>
    !/\.(br|gz|d\.ts|lzma|txt)$|rcmdp-plain|(^|\/)(sheets|yaml|umb)[-.]|^(gallery\/([^/]+\/|index)|python\/|sitemap\.xml$|widget\.mjs$)/.test(name) &&
    !others.includes(name)
  );
  assert.deepEqual([...listed].sort(), wanted);
});

test("the same input gives the same bytes, wherever it lies", () => {
  const wasm = path.join(temporaryFolder("wasm"), "x.wasm");
  fs.writeFileSync(wasm, Buffer.from([0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0])); // a module of nothing
  const goroot = execFileSync("go", ["env", "GOROOT"], { encoding: "utf8" }).trim();
  const digests = [0, 1].map((n) => {
    const folder = temporaryFolder(`copy${n}`);
    const site = copyOfSources(path.join(folder, "x".repeat(n + 1)));
    const out = path.join(folder, "dist");
    execFileSync("node", [
      path.join(site, "build.mjs"),
      "--wasm",
      wasm,
      "--wasm-exec",
      path.join(goroot, "lib/wasm/wasm_exec.js"),
      "--commit",
      "c",
      "--go",
      "go",
      "--out",
      out,
    ], { env: { ...process.env, QUICK: "1" } });
    return filesOf(out).map((name) => `${name} ${createHash("sha256").update(fs.readFileSync(path.join(out, name))).digest("hex")}`);
  });
  assert.deepEqual(digests[0], digests[1]);
});

test("a second build changes nothing", () => {
  const times = () => filesOf(dist).map((name) => `${name} ${fs.statSync(path.join(dist, name)).mtimeMs}`);
  execFileSync("./build.sh", ["build"], { cwd: root, stdio: "ignore" });
  const before = times();
  execFileSync("./build.sh", ["build"], { cwd: root, stdio: "ignore" });
  assert.deepEqual(times(), before);
});

test("go run serve.go serves dist/ and ends when it is told to", async () => {
  const child = spawn("go", ["run", "serve.go", "-dist", "dist", "-addr", "127.0.0.1:0"], { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  const url = /http:\S+/.exec(await new Promise((resolve) => child.stdout.once("data", (data) => resolve(String(data)))))?.[0] ?? assert.fail("no address");
  const response = await fetch(url);
  assert.equal(response.status, 200);
  assert.match(await response.text(), /<title>RCMDP Lab/);
  child.kill("SIGTERM"); // go run itself: it does not pass this on
  await until(() => fetch(url).then(() => false, () => true), "the port is free again");
});
