// @ts-check
// opening.js — actions that bring a model in and send it out: loading the solver,
// examples, files, links. Opening never destroys: what was there is one undo away.

import { documentInside, documentInsidePng, isPicture, isPngFile } from "../picture/inside.js";
import { unreadable } from "../document/edits.js";
import { sameValue } from "../document/same.js";
import { leanAnswer, readAnswer } from "../share/answer.js";
import { namesModel, readFragment, sealed, writeFragment } from "../share/fragment.js";
import { changedOptions, defaultMethod, presetsOf, settingsOf } from "./presets.js";
import { parseDocument } from "../document/pretty.js";
import { LinkError, pack, unpack } from "../share/share.js";
import { shownAnswer } from "./answers.js";
import { isOwn } from "./state.js";
import { said } from "./core.js";

/** @typedef {import("./state.js").Origin} Origin */
/** @typedef {import("./state.js").Version} Version */
/** @typedef {import("../share/fragment.js").Link} Link */

/** An answer travels in a link when it takes no more than so many characters, */
const LONGEST_ANSWER = 1600;
/** and the model in the page's own address when the link takes no more than so many. */
const LONGEST_ADDRESS = 12_000;
/** A longer model stands in the tab's history beside the address, when its text takes no more than so many. */
const LONGEST_KEPT = 6_000_000;
const ADDRESS_MS = 300;

/** Larger files are not even read. */
const LARGEST_FILE = 50 * 2 ** 20;
/** What a text from the clipboard is called. */
export const PASTED = "The pasted text";

/**
 * @param {import("./core.js").Core} core
 * @param {import("./editing.js").Editing} editing
 * @param {import("./methods.js").Methods} methods
 * @param {import("./library.js").Library} library
 * @param {import("./running.js").Running} running
 * @param {import("./gallery.js").Gallery} gallery
 * @param {import("./importing.js").Importer} importer
 */
export function opening(
  core,
  { start, put, check, undo, keepDraft, restoreHistory },
  { applyMethod, setAll },
  { loadRuns, importRuns, restoreAnswer },
  { solve, setLive, tryPolicy, tryCertificate },
  { loadGallery, itemOf, showItem, offer, confirmAnswers },
  { consider },
) {
  const { get, set, world } = core;
  /** @type {Promise<boolean> | null} */
  let connecting = null;
  let choices = 0;

  // ---- the solver

  /** Loads the solver once; again after a failure. @returns {Promise<boolean>} whether it is there */
  function connect() {
    connecting ??= (async () => {
      const phase = (/** @type {Partial<import("./state.js").Engine>} */ part) =>
        set({ engine: { phase: "download", loaded: 0, total: null, message: "", ...part } });
      phase({});
      try {
        const solver = await world.openSolver((event) => {
          if (event.phase === "download" || event.phase === "compile") phase({ phase: event.phase, ...travelled(event) });
        });
        core.solver = solver;
        const [examples, algorithms] = await Promise.all([solver.examples(), solver.algorithms()]);
        set({
          examples,
          algorithms,
          version: solver.version,
          method: defaultMethod(algorithms),
          settings: Object.fromEntries(algorithms.map((a) => [a.id, settingsOf(a, presetsOf(a.id)[0])])),
        });
        phase({ phase: "ready" });
        return true;
      } catch (error) {
        connecting = null;
        phase({ phase: "failed", message: said(error) });
        return false;
      }
    })();
    return connecting;
  }

  /**
   * Opens what the address, the last draft or the gallery names, with its answer:
   * what needs no solver before it is there, the rest as soon as it is.
   */
  async function boot() {
    const loading = connect();
    await loadGallery();
    const { link, damage } = readLink();
    const kept = draftOf(link, damage);
    const early = get().opened || damage !== "" || (kept ? await restoreDraft(kept) : namesModel(link) ? await openLink(link) : await openExample());
    if (damage) showEmpty(damage);
    if (!(await loading)) return;
    if (!early && !get().opened && !(kept ? await restoreDraft(kept) : namesModel(link) && await openLink(link))) {
      if (namesModel(link) && !kept) showEmpty(get().notices.at(-1)?.text ?? "The link names no model of this page.");
      else await openExample();
    }
    await check();
    if (kept) restoreSettings(kept);
    else applyMethod(link);
    void loadRuns();
    if (kept?.answer) await restoreAnswer(kept.answer);
    else if (!damage) offerLastEdit();
    await arrive();
    if (get().wanted) await solve();
  }

  /** A model that has just come gets its answer: one that came with it and holds, or a short run. */
  async function arrive() {
    if (!core.solver || get().empty || !get().opened) return;
    const { line } = get().history.present;
    await confirmAnswers();
    if (line !== get().history.present.line) return; // another has come meanwhile
    if (!shownAnswer(get()).fresh) await solve({ auto: "arrival" });
  }

  /** What is shown in place of a model that could not be opened. @param {string} why */
  function showEmpty(why) {
    set({ empty: true, opened: true });
    core.notify(why, [{ label: "Open an example", run: () => void openExample() }], "bad");
  }

  function readLink() {
    const { link, unknown, damage } = readFragment(world.fragment());
    if (unknown.length > 0) core.notify(`This link has parts that this page does not know and has left out: ${unknown.join(", ")}.`);
    return { link, damage };
  }

  /**
   * What this tab held before a reload, unless the address is of something else. A reload that was
   * on its way when the address followed an edit still goes to the one before.
   * @param {Link} link
   * @param {string} damage
   */
  function draftOf(link, damage) {
    const kept = parse(world.draft?.read());
    if (kept?.version !== 1 || damage) return null;
    const own = kept.address === world.fragment() || (world.reloaded?.() && kept.before === world.fragment());
    return !namesModel(link) || own ? kept : null;
  }

  /** @param {any} kept @returns {Promise<boolean>} */
  async function restoreDraft(kept) {
    const example = kept.origin?.kind === "example" && kept.doc === undefined;
    if (!example && unreadable(kept.doc) !== null) return false;
    if (!example) await start({ doc: kept.doc, origin: { kind: "draft" } });
    else if (!await openExample(kept.origin.id, kept.origin.parameters)) return false;
    restoreHistory(kept);
    return true;
  }

  /** @param {any} kept */
  function restoreSettings(kept) {
    applyMethod({ algorithm: kept.method });
    for (const [id, values] of Object.entries(kept.settings ?? {})) {
      if (core.algorithm(id)) setAll(id, { ...core.settings(id), .../** @type {any} */ (values) });
    }
    if (kept.live === false) setLive(false);
  }

  /** A model edited in an earlier visit and perhaps never saved is offered, not opened. */
  function offerLastEdit() {
    const kept = parse(world.lastEdit?.read());
    if (kept?.version !== 1 || get().notices.length > 0 || unreadable(kept.doc) !== null || sameValue(kept.doc, core.doc())) return;
    core.notify(`The model you last edited here, “${kept.name || "without a name"}”, is kept.`, [
      { label: "Open it", run: () => void put({ doc: kept.doc, origin: { kind: "draft" } }).then(arrive) },
      { label: "Forget it", run: () => world.lastEdit?.write(null) },
    ]);
  }

  // ---- bringing in

  /** Shows a version: the first of a visit, or in place of another. @param {import("./editing.js").Incoming} version */
  async function show(version) {
    await (get().opened || get().history.past.length > 0 ? put(version) : start(version));
  }

  /**
   * @param {string} [id]
   * @param {Record<string, number>} [parameters] others take their defaults
   * @param {number} [line] of the model that it is another form of
   * @returns {Promise<boolean>}
   */
  async function openExample(id = get().examples[0]?.id, parameters = {}, line = core.newLine()) {
    const example = get().examples.find((e) => e.id === id);
    if (!example) {
      if (get().examples.length > 0 && core.solver) core.notify(`There is no example “${id}”.`, [], "bad");
      return false;
    }
    const full = { ...Object.fromEntries(example.parameters.map((/** @type {any} */ p) => [p.name, p.default])), ...parameters };
    const mine = ++choices;
    const item = await itemOf(id, full);
    if (mine !== choices) return false; // another was chosen while this one was on its way
    try {
      if (!item && !core.solver) return false;
      const doc = item?.problem ?? await /** @type {import("../rcmdp.js").Solver} */ (core.solver).example(id, full);
      const shown = show({ doc, origin: { kind: "example", id, parameters: full, doc }, line });
      if (item) showItem(item, line);
      await shown;
      core.succeeded();
      return true;
    } catch (error) {
      core.notify(said(error), [], "bad");
      return false;
    }
  }

  /** An example that a person chooses, with its answer. @param {string} id @param {Record<string, number>} [parameters] */
  async function chooseExample(id, parameters) {
    if (await openExample(id, parameters)) await arrive();
  }

  /** @param {string} name @param {number} value */
  async function setParameter(name, value) {
    const from = core.origin();
    if (from.kind === "example") await openExample(from.id, { ...from.parameters, [name]: value }, get().history.present.line);
  }

  /**
   * Opens the model that a link carries or names, with the answer it carries.
   * @param {Link} link
   * @returns {Promise<boolean>}
   */
  async function openLink(link) {
    if (link.problem !== undefined || link.kept !== undefined) {
      try {
        const doc = link.problem !== undefined ? await unpack(link.problem, link.sum) : fromHistory(link.kept ?? "");
        const why = unreadable(doc);
        if (why !== null) throw new LinkError(`The link holds no model that can be shown. ${why}`);
        const line = core.newLine();
        const shown = show({ doc, origin: { kind: "link" }, line });
        if (link.answer) await offerAnswer(link.answer, doc, line);
        await shown;
        core.succeeded();
      } catch (error) {
        core.notify(said(error), [], "bad");
        return false;
      }
    } else if (!(await openExample(link.example, Object.fromEntries(Object.entries(link.param ?? {}).map(([k, v]) => [k, Number(v)]))))) {
      return false;
    }
    return true;
  }

  /** The model that stands in this tab's history beside the address. @param {string} sum */
  function fromHistory(sum) {
    const kept = world.kept?.();
    const doc = kept?.sum === sum ? parse(kept.text) : null;
    if (doc !== null) return doc;
    throw new LinkError(
      "This address is of a model that is too long for one, and only the tab that it was made in has it. Share, there, makes one file or a document to send.",
    );
  }

  /** The answer that came with a link, to be checked. One that cannot be read is left out. @param {string} text @param {Doc} problem @param {number} line */
  async function offerAnswer(text, problem, line) {
    const result = await unpack(text).then(readAnswer, () => null);
    if (result) offer({ problem, result, id: `link:${line}`, name: String(problem.name ?? ""), line, source: "link" });
  }

  /** A link typed or followed while the page is open, or the way back. */
  async function followFragment() {
    known = world.fragment();
    if (!core.solver) return;
    const { link, damage } = readLink();
    if (damage) {
      core.leaving();
      showEmpty(damage);
      return;
    }
    if (!namesModel(link) || world.fragment() === written) return;
    const had = get().history.past.length > 0 || isOwn(get().history.present);
    if (!(await openLink(link))) {
      showEmpty(get().notices.at(-1)?.text ?? "The link names no model of this page.");
      return;
    }
    applyMethod(link);
    if (had) core.notify("The link was opened as a new model.", [{ label: "Back to the model before", run: undo }]);
    await arrive();
  }

  // ---- the address

  /** The fragment that this page has put there. */
  let written = "";
  /** The fragment that this page has read or put there: another is a link that it is about to be told of. */
  let known = world.fragment();
  /** The model that it is of. */
  let addressed = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let addressTimer;
  /** @type {unknown[]} */
  let addressParts = [];

  /** Keeps the address to the model: another one is a step of the browser's history, an edit is none. */
  function followModel() {
    const s = get();
    if (!world.address || !s.opened || s.empty || s.engine.phase !== "ready") return;
    const parts = [s.history.present, s.method, s.settings];
    if (parts.every((part, i) => part === addressParts[i])) return;
    addressParts = parts;
    clearTimeout(addressTimer);
    addressTimer = setTimeout(async () => {
      const { line, doc } = get().history.present;
      const { next, kept } = await addressOf(doc);
      if (get().history.present.doc !== doc || next === written) return;
      if (world.fragment() !== known) return; // the link goes first
      const another = addressed !== 0 && addressed !== line && next !== world.fragment();
      written = next;
      addressed = line;
      core.addressBefore = another ? "" : world.fragment();
      if (another) world.address?.push(next, kept);
      else world.address?.replace(next, kept);
      known = world.fragment();
      keepDraft();
    }, ADDRESS_MS);
  }
  core.store.subscribe(followModel);

  /** The page's own address, and what has to stand beside it. @param {Doc} doc as it is now @returns {Promise<{ next: string, kept?: import("./core.js").Kept }>} */
  async function addressOf(doc) {
    const link = await linkOf({});
    const next = sealed(writeFragment(link));
    if (next.length <= LONGEST_ADDRESS) return { next };
    const text = JSON.stringify(doc);
    if (text.length > LONGEST_KEPT) return { next: "" };
    const { problem: _, sum = "", ...rest } = link;
    return { next: sealed(writeFragment({ ...rest, kept: sum })), kept: { sum, text } };
  }

  /**
   * Opens the text of a file, whatever it is: a model, saved runs, a policy, or a
   * model in another format.
   * @param {string} text
   * @param {string} name
   */
  async function openText(text, name) {
    const pictured = documentInside(text);
    if (pictured) return openDocument(pictured, name);
    const parsed = parseDocument(text);
    const value = parsed.ok ? parsed.value : null;
    const format = typeof value?.format === "string" ? value.format : "";
    if (format === "rcmdp-policy/1") return tryPolicy(value, name);
    if (format.startsWith("rcmdp-certificate/")) return tryCertificate(value, name);
    if (/^rcmdp-runs?\//.test(format)) return importRuns(text);
    if (format === "rcmdp/1") return openDocument(value, name);
    if (isOurs(value)) return openDocument(value, name);
    if (!parsed.ok && /^\s*\{[^]*"rcmdp\/\d/.test(text)) return core.notify(`${name} was not opened. ${parsed.message}`, [], "bad");
    return consider([{ name: name === PASTED ? "" : name, data: text }]);
  }

  /**
   * Files dropped or chosen together: those in our own formats one by one, the others as the parts
   * of one model.
   * @param {Iterable<File>} files
   */
  async function openFiles(files) {
    /** @type {import("./importing.js").Source[]} */
    const others = [];
    for (const file of files) {
      const start = await file.slice(0, 4096).arrayBuffer();
      const head = new TextDecoder().decode(start);
      if (isPicture(head) || /^\s*\{[^]*"rcmdp[a-z-]*\/\d/.test(head)) await openText(await file.text(), file.name);
      else if (isPngFile(new Uint8Array(start))) await openPng(file);
      else if (file.size > LARGEST_FILE) core.notify(`${file.name} is too large: at most 50 MB are read.`, [], "bad");
      else others.push({ name: file.name, data: new Uint8Array(await file.arrayBuffer()) });
    }
    if (others.length > 0) await consider(others);
  }

  /** @param {File} file */
  async function openPng(file) {
    const doc = await documentInsidePng(new Uint8Array(await file.arrayBuffer()));
    if (doc) await openDocument(doc, file.name);
    else core.notify(`${file.name} was not opened. It is a picture without a model in it.`, [], "bad");
  }

  /** @param {Doc} doc @param {string} name */
  async function openDocument(doc, name) {
    const why = unreadable(doc);
    if (why !== null) core.notify(`${name} was not opened. ${why}`, [], "bad");
    else {
      await put({ doc, origin: { kind: "file", name } });
      core.succeeded();
      await arrive();
    }
  }

  // ---- sending out

  /** The model and method as a link's fragment; with the answer when it is a small one. @param {{ run?: boolean, answer?: boolean, more?: Link }} [choices] */
  const fragment = async (choices = {}) => sealed(writeFragment(await linkOf(choices)));

  /** @param {{ run?: boolean, answer?: boolean, more?: Link }} choices @returns {Promise<Link>} */
  async function linkOf({ run = false, answer: along = false, more = /** @type {Link} */ ({}) }) {
    const { doc, origin } = get().history.present;
    const method = core.algorithm();
    const changed = method ? changedOptions(method, core.settings()) : {};
    /** @type {Link} */
    const link = { algorithm: method?.id, option: texts(changed), run, ...more };
    if (origin.kind === "example" && !isOwn(get().history.present)) {
      const known = get().examples.find((e) => e.id === origin.id)?.parameters ?? [];
      link.example = origin.id;
      link.param = texts(
        Object.fromEntries(Object.entries(origin.parameters).filter(([name, v]) => known.find((/** @type {any} */ p) => p.name === name)?.default !== v)),
      );
    } else {
      const { text, sum } = await pack(doc);
      Object.assign(link, { problem: text, sum });
      const { answer, fresh } = shownAnswer(get());
      const lean = along && fresh && answer ? (await pack(leanAnswer(answer.result))).text : "";
      if (lean !== "" && lean.length <= LONGEST_ANSWER) link.answer = lean;
    }
    return link;
  }

  const pageLink = async () => world.labUrl() + (await fragment({ answer: true }));

  return {
    connect,
    boot,
    retry: boot,
    openExample,
    chooseExample,
    setParameter,
    arrive,
    openLink,
    followFragment,
    openText,
    openFiles,
    fragment,
    pageLink,
    embedUrl: world.embedUrl,
    /** Shows the model that an answer is of again, with the answer. @param {import("./state.js").Answer} answer */
    openAnswer: (answer) => put({ doc: answer.problem, origin: { kind: "draft" }, line: answer.line }),
  };
}

/** A document that forgot to say its format; arrays of other tools have names of states too. @param {any} value */
const isOurs = (value) =>
  value !== null && typeof value === "object" && "states" in value && !["P", "Q", "T", "transitions", "lower"].some((key) => key in value);

/** @param {Record<string, any>} values */
const texts = (values) => Object.fromEntries(Object.entries(values).map(([k, v]) => [k, String(v)]));

/** @param {string | null | undefined} text */
function parse(text) {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}

/**
 * A download in bytes that travel, which is what a person pays for and waits for.
 * @param {import("../rcmdp.js").LoadProgress} event
 */
function travelled({ loaded, total, sent }) {
  if (!total) return { loaded: sent ? Math.min(loaded, sent) : 0, total: sent ?? null };
  return sent ? { loaded: Math.round((loaded / total) * sent), total: sent } : { loaded: 0, total: null };
}
