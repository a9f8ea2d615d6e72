// @ts-check
// opening.js — actions that bring a model in: loading the solver, examples, links, the last
// draft; and the page's address, which follows the model. Opening never destroys: what was there is one undo away.

import { sameValue } from "../document/same.js";
import { unreadable } from "../document/shape.js";
import { readAnswer } from "../share/answer.js";
import { namesModel, readFragment } from "../share/fragment.js";
import { defaultMethod, presetsOf, settingsOf } from "./presets.js";
import { LinkError, unpack } from "../share/share.js";
import { shownAnswer } from "./answers.js";
import { isOwn } from "./state.js";
import { said } from "./core.js";

/** @typedef {import("./state.js").Origin} Origin */
/** @typedef {import("./state.js").Version} Version */
/** @typedef {import("../share/fragment.js").Link} Link */

const ADDRESS_MS = 300;

/**
 * @param {import("./core.js").Core} core
 * @param {import("./editing.js").Editing} editing
 * @param {import("./methods.js").Methods} methods
 * @param {import("./library.js").Library} library
 * @param {import("./running.js").Running} running
 * @param {import("./gallery.js").Gallery} gallery
 * @param {import("./linking.js").Linking} links
 */
export function opening(
  core,
  { start, put, check, undo, keepDraft, restoreHistory },
  { applyMethod, setAll },
  { loadRuns, restoreAnswer },
  { solve, setLive },
  { loadGallery, itemOf, showItem, offer, confirmAnswers },
  { addressOf },
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
    const full = { ...Object.fromEntries(example.parameters.map((p) => [p.name, p.default])), ...parameters };
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
    embedUrl: world.embedUrl,
    /** Shows the model that an answer is of again, with the answer. @param {import("./state.js").Answer} answer */
    openAnswer: (answer) => put({ doc: answer.problem, origin: { kind: "draft" }, line: answer.line }),
  };
}

/** @typedef {ReturnType<typeof opening>} Opening */

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
