// @ts-check
// opening.js — actions that bring a model in and send it out: loading the solver,
// examples, files, links. Opening never destroys: what was there is one undo away.

import { blankDocument, unreadable } from "../document/edits.js";
import { count } from "../words/format.js";
import { namesModel, readFragment, writeFragment } from "../share/fragment.js";
import { changedOptions, defaultMethod, presetsOf, settingsOf } from "./presets.js";
import { parseDocument } from "../document/pretty.js";
import { LinkError, pack, unpack } from "../share/share.js";
import { isOwn } from "./state.js";
import { said } from "./core.js";

/** @typedef {import("./state.js").Origin} Origin */
/** @typedef {import("./state.js").Version} Version */
/** @typedef {import("../share/fragment.js").Link} Link */

/**
 * @param {import("./core.js").Core} core
 * @param {import("./editing.js").Editing} editing
 * @param {import("./methods.js").Methods} methods
 * @param {import("./library.js").Library} library
 * @param {import("./running.js").Running} running
 */
export function opening(
  core,
  { start, put, undo },
  { applyMethod, setAll },
  { loadRuns, importRuns, restoreAnswer },
  { solve, tryPolicy, tryCertificate },
) {
  const { get, set, world } = core;
  /** @type {Promise<boolean> | null} */
  let connecting = null;

  // ---- the solver

  /** Loads the solver once; again after a failure. @returns {Promise<boolean>} whether it is there */
  function connect() {
    connecting ??= (async () => {
      const phase = (/** @type {any} */ part) => set({ engine: { phase: "download", loaded: 0, total: null, message: "", ...part } });
      phase({});
      try {
        core.solver = await world.openSolver((event) => {
          if (event.phase === "download" || event.phase === "compile") phase({ phase: event.phase, loaded: event.loaded ?? 0, total: event.total ?? null });
        });
        const [examples, algorithms] = await Promise.all([core.solver.examples(), core.solver.algorithms()]);
        set({
          examples,
          algorithms,
          version: core.solver.version,
          method: defaultMethod(algorithms),
          settings: Object.fromEntries(algorithms.map((/** @type {any} */ a) => [a.id, settingsOf(a, presetsOf(a.id)[0])])),
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

  /** Opens what the address, the last draft or the gallery names, solved. */
  async function boot() {
    if (!(await connect())) return;
    const { link } = readLink();
    const linked = namesModel(link) && (await openLink(link));
    if (!linked && !(await restoreDraft())) await openExample();
    offerLastEdit();
    void loadRuns();
    if (!linked) applyMethod(link);
    // An example opens solved. A model of one's own is solved when one says so; the
    // answer it had comes back with it.
    const example = get().history.present.origin.kind === "example";
    if (linked ? link.run : example && get().answer === null) await solve({ auto: true });
  }

  function readLink() {
    const { link, unknown } = readFragment(world.fragment());
    if (unknown.length > 0) core.notify(`This link has parts that this page does not know and has left out: ${unknown.join(", ")}.`);
    return { link };
  }

  /** @returns {Promise<boolean>} */
  async function restoreDraft() {
    const kept = parse(world.draft?.read());
    if (kept?.version !== 1) return false;
    applyMethod({ algorithm: kept.method });
    for (const [id, values] of Object.entries(kept.settings ?? {})) {
      if (core.algorithm(id)) setAll(id, { ...core.settings(id), .../** @type {any} */ (values) });
    }
    const example = kept.origin?.kind === "example" && kept.doc === undefined;
    if (!example && unreadable(kept.doc) !== null) return false;
    if (example && !(await openExample(kept.origin.id, kept.origin.parameters))) return false;
    if (!example) await start({ doc: kept.doc, origin: { kind: "draft" } });
    if (kept.answer) await restoreAnswer(kept.answer);
    return true;
  }

  /** A model edited in an earlier visit and perhaps never saved is offered, not opened. */
  function offerLastEdit() {
    const kept = parse(world.lastEdit?.read());
    if (kept?.version !== 1 || unreadable(kept.doc) !== null || same(kept.doc, core.doc())) return;
    core.notify(`The model you last edited here, “${kept.name || "without a name"}”, is kept.`, [
      { label: "Open it", run: () => void put({ doc: kept.doc, origin: { kind: "draft" } }) },
      { label: "Forget it", run: () => world.lastEdit?.write(null) },
    ]);
  }

  // ---- bringing in

  /** Shows a version: the first of a visit, or in place of another. @param {Version} version */
  async function show(version) {
    await (get().opened || get().history.past.length > 0 ? put(version) : start(version));
  }

  /**
   * @param {string} [id]
   * @param {Record<string, number>} [parameters] others take their defaults
   * @returns {Promise<boolean>}
   */
  async function openExample(id = get().examples[0]?.id, parameters = {}) {
    const example = get().examples.find((e) => e.id === id);
    if (!example) {
      core.notify(`There is no example “${id}”.`, [], "bad");
      return false;
    }
    const full = { ...Object.fromEntries(example.parameters.map((/** @type {any} */ p) => [p.name, p.default])), ...parameters };
    try {
      const doc = await core.solver.example(id, full);
      await show({ doc, origin: { kind: "example", id, parameters: full, doc } });
      return true;
    } catch (error) {
      core.notify(said(error), [], "bad");
      return false;
    }
  }

  /** @param {string} name @param {number} value */
  async function setParameter(name, value) {
    const from = core.origin();
    if (from.kind === "example") await openExample(from.id, { ...from.parameters, [name]: value });
  }

  /**
   * Opens the model that a link carries or names.
   * @param {Link} link
   * @returns {Promise<boolean>}
   */
  async function openLink(link) {
    if (link.problem) {
      try {
        const doc = await unpack(link.problem, link.sum);
        const why = unreadable(doc);
        if (why !== null) throw new LinkError(`The link holds no model that can be shown. ${why}`);
        await show({ doc, origin: { kind: "link" } });
      } catch (error) {
        core.notify(said(error), [], "bad");
        return false;
      }
    } else if (!(await openExample(link.example, Object.fromEntries(Object.entries(link.param ?? {}).map(([k, v]) => [k, Number(v)]))))) {
      return false;
    }
    if (core.solver) applyMethod(link);
    return true;
  }

  /** A link typed or followed while the page is open. */
  async function followFragment() {
    if (!core.solver) return;
    const { link } = readLink();
    if (!namesModel(link)) return;
    const had = get().history.past.length > 0 || isOwn(get().history.present);
    if (!(await openLink(link))) return;
    if (had) core.notify("The link was opened as a new model.", [{ label: "Back to the model before", run: undo }]);
    if (link.run) await solve({ auto: true });
  }

  /**
   * Opens the text of a file, whatever it is: a model, saved runs, a policy, or a
   * model in another format.
   * @param {string} text
   * @param {string} name
   */
  async function openText(text, name) {
    const parsed = parseDocument(text);
    const value = parsed.ok ? parsed.value : null;
    const format = typeof value?.format === "string" ? value.format : "";
    if (format === "rcmdp-policy/1") return tryPolicy(value, name);
    if (format.startsWith("rcmdp-certificate/")) return tryCertificate(value, name);
    if (/^rcmdp-runs?\//.test(format)) return importRuns(text);
    if (format === "rcmdp/1") return openDocument(value, name);
    try {
      const { problem, warnings = [] } = await core.solver.import(text, {});
      await put({ doc: problem, origin: { kind: "file", name } });
      if (warnings.length > 0) core.notify(`${name} was read with ${count(warnings.length, "remark")}: ${warnings.slice(0, 3).join(" ")}`);
    } catch (error) {
      if (value !== null && typeof value === "object" && "states" in value) return openDocument(value, name);
      core.notify(`${name} was not opened. ${parsed.ok ? said(error) : parsed.message}`, [], "bad");
    }
  }

  /** @param {any} doc @param {string} name */
  async function openDocument(doc, name) {
    const why = unreadable(doc);
    if (why !== null) core.notify(`${name} was not opened. ${why}`, [], "bad");
    else await put({ doc, origin: { kind: "file", name } });
  }

  // ---- sending out

  /** The model and method as a link's fragment. @param {{ run?: boolean }} [choices] */
  async function fragment({ run = false } = {}) {
    const { doc, origin } = get().history.present;
    const method = core.algorithm();
    const changed = method ? changedOptions(method, core.settings()) : {};
    /** @type {Link} */
    const link = { algorithm: method?.id, option: texts(changed), run };
    if (origin.kind === "example" && origin.doc === doc) {
      const known = get().examples.find((e) => e.id === origin.id)?.parameters ?? [];
      link.example = origin.id;
      link.param = texts(
        Object.fromEntries(Object.entries(origin.parameters).filter(([name, v]) => known.find((/** @type {any} */ p) => p.name === name)?.default !== v)),
      );
    } else {
      const { text, sum } = await pack(doc);
      Object.assign(link, { problem: text, sum });
    }
    return writeFragment(link);
  }

  const pageLink = async () => world.labUrl() + (await fragment());

  /** HTML that shows this model in another page. */
  async function embedCode() {
    const safe = (/** @type {string} */ text) => text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");
    const src = world.embedUrl() + (await fragment());
    return `<iframe src="${safe(src)}" title="RCMDP Lab: ${
      safe(String(core.doc().name || "model"))
    }" width="100%" height="720" loading="lazy" allow="clipboard-write"></iframe>`;
  }

  return {
    connect,
    boot,
    retry: boot,
    openExample,
    setParameter,
    openLink,
    followFragment,
    openText,
    fragment,
    pageLink,
    embedCode,
    newModel: () => put({ doc: blankDocument(), origin: { kind: "blank" } }),
  };
}

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

/** @param {any} a @param {any} b */
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
