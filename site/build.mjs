// @ts-check
// build.mjs — turns site/ and one wasm file into dist/, the static files that any web server can host.
//
//   node site/build.mjs --wasm bin/rcmdp.wasm --wasm-exec $(go env GOROOT)/lib/wasm/wasm_exec.js --commit 1a2b3c4 --go go1.26.8
//
// HTML is written against its sources (src="src/pages/main.js", href="src/style/page.css"); here each such
// reference becomes a bundled file named by its content, assets/<name>-<hash>.<ext>, which a
// server may call immutable. Library users get stable names beside them (rcmdp.js, rcmdp.wasm,
// worker.js, rcmdp.d.ts, embed.js). The same input gives the same bytes.
//
// A running server may be serving dist/ meanwhile, so files are replaced one by one in an order
// that never leaves a page pointing at nothing: assets, then pages, then the service worker, then
// what no longer belongs is removed.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs, promisify } from "node:util";
import zlib from "node:zlib";
import * as esbuild from "esbuild";
import { compress as lzma } from "lzma1";
import { laidOut } from "./layout.mjs";
import { illustrated } from "./pictures.mjs";
import { everyCall } from "./reference.mjs";
import { loops } from "./loops.mjs";
import { wheel } from "./wheel.mjs";
import { card, galleryList, galleryPage, oembed, previews, sitemap } from "./gallery.mjs";
import { joined } from "./pack/module.mjs";
import { solverParts } from "./pack/kept.mjs";
import { pack, packable, pointing, prepared } from "./pack/pack.mjs";
import { carrier, carriers, inOne, program, toText } from "./src/share/one-file.js";

const site = path.dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({
  options: {
    wasm: { type: "string" },
    "wasm-exec": { type: "string", default: "" },
    gallery: { type: "string", default: "" },
    commit: { type: "string", default: "unknown" },
    go: { type: "string", default: "unknown" },
    home: { type: "string", default: "" }, // where the site will be: what link previews and notebooks ask for needs whole addresses
    out: { type: "string", default: path.join(site, "..", "dist") },
  },
});
const dist = path.resolve(options.out);
const home = options.home && new URL(options.home.replace(/\/*$/, "/")).href;
/** Packed quickly and not closely, as tests want it; a build without this packs everything anew. */
const quick = Boolean(process.env.QUICK);

/** The policy of every page; serve.go sends the same as a header, other hosts have only this. */
const csp = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; " +
  "img-src 'self' data: blob:; worker-src 'self' blob:; connect-src 'self'";

/** @type {esbuild.Plugin} */
const motionless = {
  name: "motionless",
  setup: ({ onResolve }) => {
    onResolve(
      { filter: /^d3-(transition|interpolate)$/ },
      ({ importer }) => (/[\\/]d3-zoom[\\/]/.test(importer) ? { path: source("src/picture/motionless.js") } : undefined),
    );
  },
};

/** @type {esbuild.BuildOptions} */
const common = {
  absWorkingDir: site,
  bundle: true,
  minify: true,
  write: false,
  metafile: true,
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  external: ["node:*"],
  loader: { ".svg": "file", ".png": "file", ".webp": "file", ".woff2": "file" },
  plugins: [motionless],
  assetNames: "assets/[name]-[hash]",
  chunkNames: "assets/[name]-[hash]",
  outdir: dist,
  logLevel: "warning",
};

/** Whether what dist/ holds is packed as closely as it is to be now. */
const closely = quick || !(fs.existsSync(path.join(dist, "build.json")) && JSON.parse(fs.readFileSync(path.join(dist, "build.json"), "utf8")).quick);

/** What dist/ will hold: path from dist/, with slashes, to content. @type {Map<string, Buffer>} */
const files = new Map();
/** What should be there and is not. @type {string[]} */
const missing = [];

/** @param {Uint8Array | string} content */
const hash = (content) => createHash("sha256").update(content).digest("hex").slice(0, 8);

/** @param {string} file from site/ */
const source = (file) => path.join(site, file);

/** Whether a source is there; the others are named at the end, all at once. @param {string} file from site/ */
function have(file) {
  if (fs.existsSync(source(file))) return true;
  missing.push(file);
  return false;
}

/** Adds content under a name that tells its content apart. @param {string} name @param {Buffer} content */
function addHashed(name, content) {
  const { name: stem, ext } = path.parse(name);
  const hashed = `assets/${stem}-${hash(content)}${ext}`;
  files.set(hashed, content);
  return hashed;
}

/** The same for what the wasm finds beside itself, under both of its names. @param {string} name @param {Buffer} content @returns {string} */
function addBeside(name, content) {
  const hashed = path.posix.basename(addHashed(name, content));
  files.set(hashed, content);
  return hashed;
}

/**
 * Bundles and keeps what esbuild wrote. It has every chunk import the one that makes modules of CommonJS, which does nothing by
 * itself: who takes nothing from it does without.
 * @param {esbuild.BuildOptions} overrides
 */
async function bundle(overrides) {
  const result = await esbuild.build({ ...common, ...overrides });
  const { outputs } = /** @type {esbuild.Metafile} */ (result.metafile);
  const idle = Object.keys(outputs).filter((name) => name.endsWith(".js") && Object.keys(outputs[name].inputs).length === 0).map((name) => path.basename(name));
  const isIdle = (/** @type {string} */ name) => idle.includes(path.posix.basename(name));
  for (const { path: file, contents, text } of result.outputFiles ?? []) {
    const needed = file.endsWith(".js") ? text.replace(/import"([^"]+)";/g, (all, name) => (isIdle(name) ? "" : all)) : "";
    const of = outputs[path.relative(site, file).replaceAll(path.sep, "/")];
    of.imports = of.imports.filter(({ path: name }) => !isIdle(name) || needed.includes(path.posix.basename(name)));
    files.set(path.relative(dist, file).replaceAll(path.sep, "/"), Buffer.from(needed || contents));
  }
  return outputs;
}

/**
 * Bundles into text, for a page that has its parts within it.
 * @param {esbuild.BuildOptions} overrides
 */
async function bundledText(overrides) {
  const { outputFiles = [] } = await esbuild.build({ ...common, define, ...overrides });
  const of = (/** @type {string} */ end) => outputFiles.find(({ path: file }) => file.endsWith(end))?.text ?? "";
  return { js: of(".js"), css: of(".css") };
}

/** Fetched only when somebody asks for it. @type {Set<string>} */
const onDemand = new Set();

// ---- the solver: one wasm, one worker script with Go's own runtime glue in front

/** @type {Record<string, string>} */
const define = {
  __WASM_URL__: "\"\"",
  __SECOND_URL__: "undefined",
  __PLAIN_WASM__: "\"\"",
  __SECOND_FILE__: "undefined",
  __NAMES_FILE__: "\"\"",
  __PLAIN_FILE__: "\"\"",
  __WORKER_URL__: "\"\"",
  __LAYOUT_URL__: "\"\"",
  __WASM_BYTES__: "0",
  __ONE_FILE_URL__: "\"\"",
  __PACKED_WASM_URL__: "\"\"",
  __GALLERY_URL__: "\"\"",
  __GALLERY_FILES__: JSON.stringify("{}"),
  __COMMIT__: JSON.stringify(options.commit),
  __HOME__: JSON.stringify(home),
};

/** The solver in one part, for a page that carries it all. @type {Buffer | null} */
let undivided = null;
/** What the library names of it. @type {Record<string, string>} */
const named = { __WASM_URL__: "undefined" };
if (options.wasm) {
  const linked = fs.readFileSync(options.wasm);
  let wasm = joined(linked);
  if (!process.env.PLAIN && packable(options.go)) {
    const elsewhere = options.wasm.replace(/(\.wasm)?$/, "-elsewhere.wasm");
    /** @type {Partial<import("./pack/pack.mjs").Packed & { undivided: Buffer }> & Pick<import("./pack/pack.mjs").Packed, "first" | "second" | "names">} */
    const { first, second, names, marks = 0, undivided: one } = process.env.RECORD
      ? await pack(await prepared(linked), { counted: true })
      : await solverParts(options.wasm, fs.existsSync(elsewhere) ? fs.readFileSync(elsewhere) : null);
    undivided = one ?? null;
    const functions = addBeside("rcmdp-names.txt", Buffer.from(names));
    const plain = addBeside("rcmdp-plain.wasm", wasm);
    define.__PLAIN_WASM__ = JSON.stringify(plain);
    for (const name of [functions, plain]) onDemand.add(name).add(`assets/${name}`); // when the solver breaks, or does not start
    const added = second && addBeside("rcmdp-second.wasm", second);
    wasm = pointing(first, { names: functions, ...(added ? { second: added } : { marks, functions: names.split("\n").length }) });
    if (added)
      Object.entries({ SECOND: added, NAMES: functions, PLAIN: plain }).forEach(([of, name]) => (named[`__${of}_FILE__`] = JSON.stringify(`./${name}`)));
  } else if (!process.env.PLAIN && options.go !== "unknown") {
    console.warn(`build.mjs: the solver is left as ${options.go} links it, twice as large, for site/pack knows other versions`);
  }
  undivided ??= wasm;
  files.set("rcmdp.wasm", wasm);
  define.__WASM_URL__ = JSON.stringify(addHashed("rcmdp.wasm", wasm));
  define.__WASM_BYTES__ = String(wasm.length); // with compression, Content-Length is not what a progress bar needs
} else {
  missing.push("the solver (--wasm)");
}

if (have("src/worker.js")) {
  // A classic script, because a Worker made from a blob in a sandboxed frame may be nothing else.
  const result = await esbuild.build({ ...common, entryPoints: ["src/worker.js"], format: "iife", define });
  const glue = await esbuild.transform(fs.readFileSync(options["wasm-exec"], "utf8"), { minify: true, charset: "utf8" });
  const recording = process.env.RECORD ? fs.readFileSync(source("pack/recording.js"), "utf8") : "";
  const worker = Buffer.from(recording + glue.code + (await loops()) + result.outputFiles?.[0].text);
  files.set("worker.js", worker);
  define.__WORKER_URL__ = JSON.stringify(addHashed("worker.js", worker));
}

if (have("src/picture/layout-worker.js")) {
  const result = await esbuild.build({ ...common, entryPoints: ["src/picture/layout-worker.js"], format: "iife" });
  define.__LAYOUT_URL__ = JSON.stringify(addHashed("layout.js", Buffer.from(result.outputFiles?.[0].contents ?? "")));
}

// ---- the gallery: models with their answers, and each certificate in a file of its own

/** @type {{ html: string, head: string } | null} */
let paint = null;
/** Pages that are made here, by their path: source, and what stands in the head besides. @type {Map<string, { text: string, head: string }>} */
const madePages = new Map();
if (options.gallery) {
  const { painted, inLittle } = await painter();
  const items = JSON.parse(fs.readFileSync(options.gallery, "utf8")).map((/** @type {any} */ { certificate, ...item }) => ({
    ...item,
    ...(certificate && { certificate: addHashed(`certificate-${item.id}.json`, Buffer.from(JSON.stringify(certificate))) }),
    thumbnail: inLittle(item.problem, item.result.policy) || item.thumbnail,
    heat: item.thumbnail.replace("<svg ", "<svg class=\"heat\" role=\"img\" aria-label=\"The plan as a picture: a column a state, a row an action\" "),
  }));
  madePages.set("gallery/index.html", { text: galleryList(items), head: "" });
  for (const item of items) {
    const folder = `gallery/${item.id}`;
    madePages.set(`${folder}/index.html`, { text: galleryPage(item), head: previews(item, home) });
    files.set(`${folder}/card.png`, card(item));
    if (home) files.set(`${folder}/oembed.json`, Buffer.from(JSON.stringify(oembed(item, home))));
    delete item.heat;
    files.set(`gallery/${item.id}.json`, Buffer.from(JSON.stringify(item))); // an embed shows one, with its curve
    delete item.curve;
  }
  // The page begins with the first and fetches the model and answer of another when it is chosen.
  const text = Buffer.from(JSON.stringify(items.map((/** @type {any} */ item, /** @type {number} */ i) => {
    if (i === 0) return item;
    const { problem, result, ...rest } = item;
    return { ...rest, file: addHashed(`gallery-${item.id}.json`, Buffer.from(JSON.stringify({ problem, result }))) };
  })));
  files.set("gallery.json", text);
  define.__GALLERY_URL__ = JSON.stringify(addHashed("gallery.json", text));
  const others = JSON.parse(String(text)).flatMap((/** @type {any} */ { id, file }) => (file ? [[id, file]] : []));
  define.__GALLERY_FILES__ = JSON.stringify(JSON.stringify(Object.fromEntries(others))); // as text: esbuild puts an object into a module of its own
  const { html: inside, css } = await painted(items);
  const style = addHashed("painted.css", Buffer.from(css));
  paint = { html: inside, head: `<link rel="stylesheet" href="${style}"><link rel="preload" as="fetch" crossorigin href=${define.__GALLERY_URL__}>` };
}

/** What draws with the page's own panels: src/pages/painted.js, to be run here. */
async function painter() {
  const file = path.join(site, "node_modules", `.painted-${process.pid}.mjs`); // builds of several copies may share the folder
  const result = await esbuild.build({ ...common, entryPoints: ["src/pages/painted.js"], format: "esm", platform: "node", splitting: false, define });
  fs.writeFileSync(file, result.outputFiles?.[0].contents ?? "");
  const drawing = await import(pathToFileURL(file).href);
  fs.rmSync(file);
  return drawing;
}

// ---- the library, the custom element and the notebooks' widget, under names that stay

/** Parts of the library that stay apart from it. */
const unpackers = ["./sheets.js", "./yaml.js", "./umb.js"];

for (const [entry, out, own] of /** @type {const} */ ([["src/engine.js", "rcmdp", named], ["src/embed/embed-element.js", "embed", {}]])) {
  if (!have(entry)) continue;
  await bundle({ entryPoints: [{ in: entry, out }], format: "esm", define: { ...define, ...own }, external: [...common.external ?? [], ...unpackers] });
}
// What only Node imports is named in parts, and bundlers are told not to look for it; the minifier has dropped the words.
const told = String(files.get("rcmdp.js")).replace(/\bawait import\((?=\w+\))/g, "$&/* @vite-ignore *//* webpackIgnore: true */");
files.set("rcmdp.js", Buffer.from(told));

await bundle({ entryPoints: [{ in: "src/embed/widget.js", out: "widget" }], format: "esm", define, outExtension: { ".js": ".mjs" } });

// What unpacks workbooks, YAML and UMB, loaded with the first of them.
for (const name of ["sheets", "yaml", "umb"]) await bundle({ entryPoints: [{ in: `src/engine/${name}.js`, out: name }], format: "esm", define });

// Where runs are kept in files: loaded by Node when a caller names a folder, never by a browser.
await bundle({ entryPoints: [{ in: "src/engine/folder.js", out: "folder" }], format: "esm", platform: "node" });

// ---- the package: the same folder is what npm installs, with a command beside the library

if (have("package/command.js")) {
  // The command stands on the library as everybody else does, not on a second copy of it.
  const library = {
    name: "library",
    setup: (/** @type {esbuild.PluginBuild} */ build) => {
      build.onResolve({ filter: /\/src\/engine\.js$/ }, () => ({ path: "./rcmdp.js", external: true }));
    },
  };
  await bundle({ entryPoints: [{ in: "package/command.js", out: "command" }], format: "esm", platform: "node", plugins: [library] });
}
for (const [from, to] of [["package/README.md", "README.md"], ["../LICENSE", "LICENSE"]]) {
  if (have(from)) files.set(to, fs.readFileSync(source(from)));
}
const { version, repository } = JSON.parse(fs.readFileSync(source("package.json"), "utf8"));
files.set(
  "package.json",
  Buffer.from(JSON.stringify(
    {
      name: "rcmdp",
      version,
      license: "MIT",
      description: "Robust constrained Markov decision processes, solved and proved, in the browser, in Node and on the command line",
      keywords: ["mdp", "markov-decision-process", "robust", "constrained", "reinforcement-learning", "optimization", "certificate", "solver", "wasm"],
      ...(repository && { repository }),
      type: "module",
      sideEffects: false,
      main: "./rcmdp.js",
      types: "./rcmdp.d.ts",
      bin: { rcmdp: "command.js" },
      engines: { node: ">=20" },
      exports: {
        ".": { types: "./rcmdp.d.ts", default: "./rcmdp.js" },
        "./rcmdp.wasm": "./rcmdp.wasm",
        ...(named.__SECOND_FILE__ && { "./rcmdp-second.wasm": JSON.parse(named.__SECOND_FILE__) }),
        "./worker.js": "./worker.js",
        "./package.json": "./package.json",
      },
      // Compressed forms and the pages are for web servers.
      files: [
        "rcmdp.js",
        "rcmdp.d.ts",
        "rcmdp.wasm",
        ...[...files.keys()].filter((name) => name.startsWith("rcmdp-")),
        "worker.js",
        "command.js",
        "folder.js",
        "sheets.js",
        "yaml.js",
        "umb.js",
      ],
    },
    null,
    1,
  )),
);
if (have("src/rcmdp.d.ts")) files.set("rcmdp.d.ts", fs.readFileSync(source("src/rcmdp.d.ts")));

if (have("python/rcmdp_lab.py")) {
  const { name, content } = wheel(version, {
    module: fs.readFileSync(source("python/rcmdp_lab.py"), "utf8"),
    widget: /** @type {Buffer} */ (files.get("widget.mjs")),
    license: fs.readFileSync(source("../LICENSE"), "utf8"),
  });
  files.set(`python/${name}`, content);
}

/** As LZMA: by a program of the system, which is quicker and packs closer, or by a library where there is none. @param {Buffer} content */
function packedAlone(content) {
  const how = quick ? "preset=2" : "preset=9e,dict=16MiB,nice=273,lc=4";
  const { status, stdout } = spawnSync("xz", ["--format=lzma", `--lzma1=${how}`, "--stdout"], { input: content, maxBuffer: content.length + 1024 });
  return status === 0 ? stdout : Buffer.from(lzma(content, quick ? 1 : 8));
}

const icon = have("src/icon.svg") ? `data:image/svg+xml;base64,${fs.readFileSync(source("src/icon.svg")).toString("base64")}` : "";

// ---- the lab as one file: a template that the page fills, and the solver packed closer than gzip can

if (have("src/pages/one-file.js")) {
  const page = await bundledText({
    entryPoints: ["src/pages/file-main.js"],
    external: [...common.external ?? [], ...unpackers], // a page by itself takes sheets as CSV
    format: "esm",
    charset: "ascii",
    loader: { ".svg": "dataurl" },
    define: {
      ...define,
      __WASM_URL__: "globalThis.rcmdpFile.wasm",
      __SECOND_URL__: "globalThis.rcmdpFile.second",
      __WORKER_URL__: "globalThis.rcmdpFile.worker",
      __LAYOUT_URL__: "\"\"",
    },
  });
  /** The file unpacks and never packs, so the half of lzma1 that packs stays out. @type {esbuild.Plugin} */
  const unpacking = {
    name: "unpacking",
    setup: ({ onLoad }) => {
      onLoad({ filter: /lzma1.lib.encoder\.js$/ }, () => ({ contents: "export class Encoder {}" }));
    },
  };
  const first = await bundledText({ entryPoints: ["src/pages/one-file.js"], charset: "ascii", format: "iife", plugins: [unpacking] });
  const sheet = async (/** @type {string} */ name) => (await bundledText({ entryPoints: [`src/style/${name}.css`] })).css;
  const styles = { page: page.css + await sheet("page"), embed: await sheet("embed"), dark: await sheet("dark") };
  const packed = (/** @type {string} */ part) => toText(quick ? packedAlone(Buffer.from(part)) : lzma(Buffer.from(part), 6));
  const inside = (/** @type {string} */ code) => code.replaceAll("</script", "<\\/script");
  const template = fs.readFileSync(source("index.html"), "utf8")
    .replace(/<link rel="(?!icon|stylesheet)[^>]*>\n?/g, "")
    .replace(/<meta property="og:[^>]*>\n?/g, "")
    .replace(/<link rel="icon"[^>]*>/, `<link rel="icon" href="${icon}">`)
    .replace(/<link rel="stylesheet"[^>]*>/, "")
    .replace(/<script type="module"[^>]*><\/script>\n?/, "")
    .replace(/<script src="src\/pages\/first.js"><\/script>\n?/, "") // it speaks of pages that cannot load from disk
    .replace(/<p class="notice-line disk"[^]*?<\/p>\n?/, "")
    .replace(/<nav [^]*?<\/nav>|<a href="guide[^]*?<\/a> /g, "") // its pages are not on the disk
    .replace(/href="\.\/"/g, "href=\"#\"")
    // Nothing from anywhere: what is not in the file is not there.
    .replace(
      /(<meta charset="utf-8">)/,
      `$1\n<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; style-src 'unsafe-inline'; img-src data: blob:; worker-src blob:; connect-src blob: data:">`,
    )
    .replace("</head>", () =>
      `${carrier(program.style, packed(JSON.stringify(styles)))}
<script>${inside(first.js)}</script>
</head>`)
    .replace("</body>", () =>
      `${Object.values(carriers).map((id) => carrier(id)).join("\n")}
${carrier(program.page, packed(page.js))}
</body>`);
  const file = addHashed("one-file.html", Buffer.from(template));
  define.__ONE_FILE_URL__ = JSON.stringify(file);
  if (undivided) {
    const solver = Buffer.from(inOne([undivided]));
    // Named by what is packed, so that a build with the same solver need not pack it again.
    const name = `assets/rcmdp.wasm-${hash(solver)}.lzma`;
    const before = path.join(dist, name);
    files.set(name, fs.existsSync(before) && closely ? fs.readFileSync(before) : packedAlone(solver));
    onDemand.add(name); // offline the page packs what it has
    define.__PACKED_WASM_URL__ = JSON.stringify(name);
  }
}

for (const name of fs.readdirSync(source("icons"))) files.set(`icons/${name}`, fs.readFileSync(source(`icons/${name}`)));

// ---- the pages

const pages = ["index.html", "embed.html"].filter(have);
if (have("guide")) {
  for (const name of fs.readdirSync(source("guide")).sort()) {
    if (name.endsWith(".html")) pages.push(`guide/${name}`);
  }
}

pages.push(...madePages.keys());

/** The program that checks a certificate, shown by the guide and there to be downloaded. */
const checker = fs.readFileSync(source("guide/check.py"), "utf8");
files.set("guide/check.py", Buffer.from(checker));
const asText = (/** @type {string} */ code) => code.trimEnd().replace(/&/g, "&amp;").replace(/</g, "&lt;");

const reference = /\b(src|href)="([^"#?:]+\.(?:js|css|svg|png|webp|ico|webmanifest))"/g;

/** Local sources that the pages point at. @type {Set<string>} */
const referenced = new Set();
/** @type {Map<string, string>} */
const html = new Map();
for (const page of pages) {
  const made = madePages.get(page);
  const text = illustrated(laidOut(page, made?.text ?? fs.readFileSync(source(page), "utf8")))
    .replace("</head>", () => `${made?.head ?? ""}</head>`)
    .replace(/(property="og:image" content=")(icons)/, (_all, before, at) => before + home + at)
    .replace("<!--reference-->", () => everyCall(fs.readFileSync(source("src/rcmdp.d.ts"), "utf8")))
    .replace("<!--check.py-->", () => asText(checker));
  html.set(page, text);
  for (const [, , url] of text.matchAll(reference)) {
    const file = path.posix.join(path.posix.dirname(page), url);
    if (have(file)) referenced.add(file);
  }
}

/** Source, from site/, to built file, from dist/. @type {Map<string, string>} */
const built = new Map();
/** Built script to the style sheet that its imports made. @type {Map<string, string>} */
const styles = new Map();
/** @type {esbuild.Metafile['outputs']} */
const outputs = {};
const entries = [...referenced].filter((file) => /\.(js|css)$/.test(file));
// A frame in another's page shares nothing with the lab: cut for both, it would come in more and smaller pieces, an eighth more bytes.
const apart = (/** @type {string} */ file) => file.endsWith("embed-main.js");
/** Nor has it a door for files of other tools, or an address that follows what is done. @type {esbuild.Plugin} */
const withoutImport = {
  name: "without import",
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]lab[\\/](importing|address)\.js$/ }, () => ({ contents: "export const importing = () => ({}), addressing = importing;" }));
  },
};
for (const [entryPoints, plugins] of /** @type {const} */ ([[entries.filter(apart), [withoutImport]], [entries.filter((file) => !apart(file)), []]])) {
  if (entryPoints.length === 0) continue;
  const written = await bundle({ entryPoints, entryNames: "assets/[name]-[hash]", format: "esm", splitting: true, define, plugins: [motionless, ...plugins] });
  const fromDist = (/** @type {string} */ file) => path.relative(dist, path.join(site, file)).replaceAll(path.sep, "/");
  const made = Object.fromEntries(Object.entries(written).map(([name, output]) => [fromDist(name), output]));
  Object.assign(outputs, made);
  for (const [name, output] of Object.entries(made)) {
    if (output.entryPoint) built.set(output.entryPoint, name);
    if (output.cssBundle) styles.set(name, fromDist(output.cssBundle));
    for (const imported of output.imports) {
      if (!imported.external && imported.kind !== "url-token") imported.path = fromDist(imported.path);
    }
  }
}
for (const file of referenced) {
  if (!built.has(file)) built.set(file, addHashed(path.basename(file), fs.readFileSync(source(file))));
}

/** What each page loads at once: scripts, their static imports, style sheets. @type {Record<string, string[]>} */
const loads = {};
/** What it loads when it is asked for, or idle. @type {Record<string, string[]>} */
const later = {};

/** A built file and all that it imports, into a set. @param {string} file @param {Set<string>} all @param {string[]} kinds of import */
function closure(file, all, kinds = ["import-statement"]) {
  if (all.has(file)) return;
  all.add(file);
  for (const i of outputs[file]?.imports ?? []) if (kinds.includes(i.kind) && !i.external) closure(i.path, all, kinds);
}

for (const [page, text] of html) {
  const up = "../".repeat(page.split("/").length - 1);
  const needs = new Set();
  const need = (/** @type {string} */ file) => closure(file, needs);
  let out = text.replace(reference, (all, attribute, url) => {
    const file = built.get(path.posix.join(path.posix.dirname(page), url));
    if (file === undefined) return all;
    if (/\.(js|css)$/.test(file)) need(file);
    return `${attribute}="${up}${file}"`;
  });
  // What a script imports is asked for with it, not when it has come.
  const imported = [...needs].filter((file) => file.endsWith(".js") && !outputs[file]?.entryPoint);
  const ahead = imported.map((file) => `<link rel="modulepreload" href="${up}${file}">`).join("");
  out = out.replace(/<script type="module"[^>]*><\/script>/, (script) => script + ahead);
  let head = `<meta http-equiv="Content-Security-Policy" content="${csp}">`;
  for (const script of [...needs]) {
    const style = styles.get(script);
    if (!style || needs.has(style)) continue;
    need(style);
    head += `<link rel="stylesheet" href="${up}${style}">`;
  }
  if (page === "index.html" && paint) {
    head += paint.head;
    const { html: inside } = paint;
    out = out.replace(/(<main id="app">)[^]*?(<\/main>)/, (_all, open, close) => open + inside + close);
  }
  out = out.replace(/(<meta charset="?utf-8"?\s*\/?>)/i, `$1${head}`);
  if (!out.includes(head)) throw new Error(`${page}: no <meta charset="utf-8"> to put the security policy behind`);
  files.set(page, Buffer.from(out));
  loads[page] = [...needs].sort();
  const all = new Set();
  for (const file of needs) closure(file, all, ["import-statement", "dynamic-import"]);
  later[page] = [...all].filter((file) => !needs.has(file)).sort();
}

// ---- pages that have all they need within them, each with a policy of its own: for addresses that are of nothing,
// shown at any depth; and the one that fetches from other origins, framed without any rights

const digest = (/** @type {string} */ part) => `'sha256-${createHash("sha256").update(part).digest("base64")}'`;

/** @param {string} page @param {string} script @param {string} style a file, or "" @param {string} connect where it may ask */
async function wholePage(page, script, style, connect) {
  const { css } = style ? await bundledText({ entryPoints: [style] }) : { css: "" };
  const { js } = await bundledText({ entryPoints: [script], format: "iife" });
  const own = `default-src 'none'; script-src ${digest(js)}; connect-src ${connect}${style && `; style-src ${digest(css)}; img-src data:`}`;
  const text = fs.readFileSync(source(page), "utf8")
    .replace("<meta charset=\"utf-8\">", (charset) => `${charset}\n<meta http-equiv="Content-Security-Policy" content="${own}">`)
    .replace("src/icon.svg", icon)
    .replace("<!--style-->", () => `<style>${css}</style>`)
    .replace("<!--script-->", () => `<script>${js}</script>`);
  files.set(page, Buffer.from(text));
}
if (have("404.html")) await wholePage("404.html", "src/pages/lost.js", "src/style/lost.css", "'self'");
if (have("fetch.html")) await wholePage("fetch.html", "src/pages/fetch.js", "", "https: http:");

if (home) files.set("sitemap.xml", Buffer.from(sitemap(pages.filter((page) => page !== "embed.html"), home)));

// ---- the service worker: every file by its content, once

if (have("src/service-worker.js")) {
  /** Path to digest, in the form that fetch's `integrity` takes. @type {[string, string][]} */
  const precache = [...files]
    .filter(([name]) =>
      !onDemand.has(name) &&
      !/(\.d\.ts|package\.json)$|^(gallery\/([^/]+\/.*|index\.html)|python\/.*|sitemap\.xml|widget\.mjs|command\.js|folder\.js|sheets\.js|yaml\.js|umb\.js|assets\/(sheets|yaml|umb)-\w+\.js|README\.md|LICENSE|404\.html|fetch\.html)$/
        .test(
          name,
        )
    ) // the rest of the package is for Node, what others' pages load is not this one's, and who is lost or fetches asks the network
    .map(([name, content]) => /** @type {[string, string]} */ ([name, "sha256-" + createHash("sha256").update(content).digest("base64")]))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  await bundle({
    entryPoints: [{ in: "src/service-worker.js", out: "service-worker" }],
    format: "iife",
    define: { __PRECACHE__: JSON.stringify(precache), __BUILD__: JSON.stringify(hash(JSON.stringify(precache))) },
  });
}

if (missing.length > 0) throw new Error(`site/ lacks ${missing.join(", ")}, which the build or a page needs`);

// ---- compress and write

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);

/** Writes by rename, so that a reader sees the old file or the new one. @param {string} name @param {Uint8Array} content */
function write(name, content) {
  const file = path.join(dist, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(`${file}.part`, content);
  fs.renameSync(`${file}.part`, file);
}

/** Whether dist/ already holds this content and, when it should, its two compressed forms. @param {string} name @param {Buffer} content @param {boolean} compress */
function upToDate(name, content, compress) {
  const file = path.join(dist, name);
  return fs.existsSync(file) && fs.readFileSync(file).equals(content) &&
    (!compress || (closely && fs.existsSync(`${file}.br`) && fs.existsSync(`${file}.gz`)));
}

/** Compressed forms by content: the stable and the hashed name of one file share them. @type {Map<string, Promise<[Buffer, Buffer]>>} */
const compressed = new Map();

/** @param {string} name @param {Buffer} content @returns {Promise<[Buffer, Buffer]>} */
function compress(name, content) {
  const key = createHash("sha256").update(content).digest("hex");
  let forms = compressed.get(key);
  if (!forms) {
    forms = Promise.all([
      brotli(content, {
        params: {
          [zlib.constants.BROTLI_PARAM_QUALITY]: quick ? 3 : onDemand.has(name) ? 6 : 11, // what is seldom asked for is not worth the build's time
          [zlib.constants.BROTLI_PARAM_LGWIN]: zlib.constants.BROTLI_MAX_WINDOW_BITS, // a solver longer than the usual window is 2 % smaller with it
          [zlib.constants.BROTLI_PARAM_SIZE_HINT]: content.length,
        },
      }),
      gzip(content, { level: quick ? 1 : 9 }),
    ]);
    compressed.set(key, forms);
  }
  return forms;
}

/** When a file appears in dist/: nothing is pointed at before it is there. @param {string} name */
const order = (name) => (name.startsWith("assets/") ? 0 : name === "service-worker.js" ? 3 : name.endsWith(".html") ? 2 : 1);
/** @param {string} name */
const compressible = (name) => /\.(html|m?js|css|wasm|svg|json|ts|txt|xml|webmanifest|ico)$/.test(name);

const names = [...files.keys()].sort((a, b) => order(a) - order(b) || (a < b ? -1 : 1));
const stale = names.filter((name) => !upToDate(name, /** @type {Buffer} */ (files.get(name)), compressible(name)));
for (const name of stale) {
  if (compressible(name)) compress(name, /** @type {Buffer} */ (files.get(name))); // all at once, on the thread pool
}
for (const name of stale) {
  const content = /** @type {Buffer} */ (files.get(name));
  write(name, content);
  if (compressible(name)) {
    const [br, gz] = await compress(name, content);
    write(`${name}.br`, br);
    write(`${name}.gz`, gz);
  }
}

// What build.sh size reads: which files a page loads at once, and later; an embed with a trade-off loads its explorer at once.
const explorer = new Set(loads["embed.html"]);
for (const [file, { entryPoint }] of Object.entries(outputs)) if (entryPoint === "src/panels/embed-explorer.js") closure(file, explorer);
// And what an embed loads until its first answer.
const answering = new Set(["embed.html", ...loads["embed.html"], "worker.js", "rcmdp.wasm"]);
for (const [file, { entryPoint }] of Object.entries(outputs)) if (entryPoint === "src/engine.js") closure(file, answering);
write(
  "build.json",
  Buffer.from(
    JSON.stringify({ commit: options.commit, go: options.go, quick, loads, later, explorer: [...explorer, "embed.js"], answering: [...answering] }, null, 1),
  ),
);

const keep = new Set(["build.json", ...names.flatMap((name) => (compressible(name) ? [name, `${name}.br`, `${name}.gz`] : [name]))]);
for (const entry of fs.readdirSync(dist, { recursive: true, withFileTypes: true })) {
  const name = path.relative(dist, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, "/");
  if (!entry.isDirectory() && !keep.has(name)) fs.rmSync(path.join(dist, name));
}
