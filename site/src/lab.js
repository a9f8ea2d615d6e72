// @ts-check
// lab.js — everything a person can do on the page, over one state. No DOM: the
// panels draw the state and call these actions; the solver, the clock and the
// small storage come in from outside.

import { blankDocument, unreadable } from "./edits.js";
import { placeOf } from "./faults.js";
import { count } from "./format.js";
import { namesModel, readFragment, writeFragment } from "./fragment.js";
import { edited, redone, settled, startHistory, undone } from "./history.js";
import { applyPatch } from "./patch.js";
import { changedOptions, defaultMethod, presetsOf, readOption, settingsOf } from "./presets.js";
import { parseDocument } from "./pretty.js";
import { LinkError, pack, unpack } from "./share.js";
import { createStore } from "./store.js";
import { emptyTrace, extended } from "./trace.js";
import { announcement } from "./words.js";

/**
 * @typedef {{ kind: "example", id: string, parameters: Record<string, number>, doc: any }
 *   | { kind: "blank" } | { kind: "file", name: string } | { kind: "link" } | { kind: "run", id: string, name: string } | { kind: "draft" }} Origin
 *   where a document came from; an example keeps what it was, to tell an edited one
 * @typedef {{ doc: any, origin: Origin }} Version
 * @typedef {{ id: number, tone: "plain" | "bad", text: string, actions: { label: string, run: () => void }[] }} Notice
 * @typedef {{ phase: "waiting" | "download" | "compile" | "ready" | "failed", loaded: number, total: number | null, message: string }} Engine
 * @typedef {{ problem: any, algorithm: string, options: Record<string, any>, news: any, trace: import("./trace.js").Trace, ending: "" | "stop" | "cancel", saidFeasible: boolean, auto: boolean }} Running
 * @typedef {{ problem: any, result: any, algorithm: string, id: string, name: string, saving: "" | "saving" | "saved" | "failed" }} Answer
 *   saving: "failed" is a run that only this tab keeps
 * @typedef {{ phase: "loading" | "ready" | "memory" | "failed", list: any[], message: string, compare: { id: string, label: string, run: any } | null }} Runs
 * @typedef {{ message: string, details: string[] }} Crash
 * @typedef {{ policy: number[][], outcome: any, message: string, busy: boolean }} PolicyEdit
 */

/**
 * @typedef {{
 *   history: import("./history.js").History<Version>, epoch: number,
 *   drafts: Record<string, { text: string, message: string }>,
 *   json: { text: string, message: string } | null,
 *   check: { doc: any, errors: import("./faults.js").Fault[], warnings: string[], summary: any } | null,
 *   engine: Engine, examples: any[], algorithms: any[], version: any,
 *   method: string, settings: Record<string, Record<string, any>>,
 *   run: Running | null, answer: Answer | null, crash: Crash | null, edit: PolicyEdit | null,
 *   runs: Runs, notices: Notice[], said: string,
 *   view: { tab: import("./faults.js").Tab, cost: number, kernel: number, state: number, open: boolean, settings: boolean, keys: boolean },
 *   focus: { pointer: string, turn: number } | null,
 * }} State
 */

/**
 * @typedef {{
 *   openSolver: (onProgress: (event: any) => void) => Promise<any>,
 *   fragment: () => string,
 *   here: () => string,
 *   embedUrl: () => string,
 *   draft?: { read: () => string | null, write: (text: string | null) => void },
 *   lastEdit?: { read: () => string | null, write: (text: string | null) => void },
 *   confirmDelay?: number,
 * }} World
 */

/** The editor waits this long after a keystroke before it asks for the faults. */
const CHECK_MS = 120;
const DRAFT_MS = 400;
/** Runs that are kept while the browser keeps none: the newest so many. */
const MEMORY_RUNS = 50;

/** @returns {State} */
function initialState() {
  return {
    history: startHistory({ doc: blankDocument(), origin: { kind: "blank" } }), epoch: 0, drafts: {}, json: null, check: null,
    engine: { phase: "waiting", loaded: 0, total: null, message: "" }, examples: [], algorithms: [], version: null,
    method: "", settings: {}, run: null, answer: null, crash: null, edit: null,
    runs: { phase: "loading", list: [], message: "", compare: null }, notices: [], said: "",
    view: { tab: "goal", cost: 0, kernel: 0, state: 0, open: true, settings: false, keys: false }, focus: null,
  };
}

/**
 * @param {World} world
 */
export function createLab(world) {
  const store = createStore(initialState());
  const { get, set } = store;
  /** @type {any} */
  let solver = null;
  /** @type {Promise<void> | null} */
  let opening = null;
  /** @type {any} */
  let handle = null;
  /** @type {AbortController | null} */
  let abort = null;
  /** @type {any} */
  let checkTimer;
  /** @type {any} */
  let draftTimer;
  let checks = 0;
  let ids = 0;
  let turns = 0;

  const doc = () => get().history.present.doc;
  const origin = () => get().history.present.origin;
  const algorithm = (id = get().method) => get().algorithms.find((a) => a.id === id);
  const settings = (id = get().method) => get().settings[id] ?? {};

  // ---- the document

  /** @param {Version} version */
  function put(version) {
    set((s) => ({
      history: edited(s.history, version), epoch: s.epoch + 1, drafts: {}, json: null, edit: null,
      view: { ...s.view, cost: 0, kernel: 0, state: 0, tab: s.view.tab === "json" ? "json" : "goal" },
    }));
    later();
  }

  /**
   * Changes the document. Edits in a row with one key are one step of undo.
   * @param {any | ((doc: any) => any)} change
   * @param {string | null} [key]
   */
  function edit(change, key = null) {
    set((s) => {
      const { doc: before, origin: from } = s.history.present;
      const after = typeof change === "function" ? change(before) : change;
      if (after === before) return {};
      return { history: edited(s.history, { doc: after, origin: from }, key) };
    });
    later();
  }

  /** An edit that changes which rows and columns there are. @param {(doc: any) => any} change */
  function reshape(change) {
    edit(change);
    set((s) => ({ epoch: s.epoch + 1, drafts: {} }));
  }

  function later() {
    clearTimeout(checkTimer);
    checkTimer = setTimeout(check, CHECK_MS);
    clearTimeout(draftTimer);
    draftTimer = setTimeout(keepDraft, DRAFT_MS);
  }

  /** Asks the solver for every fault; only the newest answer counts. */
  async function check() {
    clearTimeout(checkTimer);
    if (!solver) return;
    const asked = doc();
    const mine = ++checks;
    try {
      const { errors, warnings, summary } = await solver.validate(asked);
      if (mine === checks) set({ check: { doc: asked, errors, warnings: warnings ?? [], summary } });
    } catch (error) {
      if (mine === checks) failed(error);
    }
  }

  function keepDraft() {
    clearTimeout(draftTimer);
    const { history, method } = get();
    const own = isOwn(history.present);
    const text = JSON.stringify({ version: 1, doc: own ? history.present.doc : undefined, origin: slim(history.present.origin), method, settings: get().settings });
    if (text.length > 4_000_000) return; // more than a browser keeps this way
    world.draft?.write(text);
    if (own && history.past.length > 0) world.lastEdit?.write(JSON.stringify({ version: 1, name: history.present.doc?.name, doc: history.present.doc }));
  }

  /**
   * Whether the document holds work of the person: not just an example as it came.
   * @param {Version} version
   */
  const isOwn = (version) => !(version.origin.kind === "example" && version.origin.doc === version.doc);

  /** @param {Origin} from */
  const slim = (from) => (from.kind === "example" ? { ...from, doc: undefined } : from);

  // ---- what may be told apart by reading the state

  /** Why Solve cannot be pressed; empty when it can. @param {State} [s] */
  function blocked(s = get()) {
    if (s.engine.phase === "failed") return "The solver could not be loaded.";
    if (s.engine.phase !== "ready") return "The solver is loading.";
    if (s.run) return "A run is going on.";
    if (s.json) return "The JSON view holds text that is not a model yet.";
    const wrong = faults(s).length;
    if (wrong > 0) return `${count(wrong, "fault")} in the model or the settings.`;
    if (s.check?.doc !== s.history.present.doc) return "The model is being checked.";
    return "";
  }

  /** Every fault: fields that hold no number, then what the solver found. @param {State} [s] @returns {import("./faults.js").Fault[]} */
  function faults(s = get()) {
    const own = Object.entries(s.drafts).map(([pointer, { message }]) => ({ pointer, message }));
    return [...own, ...(s.check?.errors ?? []).filter((f) => !(f.pointer in s.drafts))];
  }

  // ---- start

  /** Loads the solver and opens what the address, the last draft or the gallery names. */
  async function boot() {
    await connect();
    if (get().engine.phase !== "ready") return;
    const { link, unknown } = readFragment(world.fragment());
    mentionUnknown(unknown);
    if (namesModel(link)) {
      if (await openLink(link)) {
        offerLastEdit();
        if (link.run) await solve({ auto: true });
        void loadRuns();
        return;
      }
      await openExample();
    } else if (!(await restoreDraft())) {
      await openExample();
      offerLastEdit();
    }
    void loadRuns();
    applyMethod(link);
    await solve({ auto: true });
  }

  /** Loads the solver; again after a failure. */
  function connect() {
    opening ??= (async () => {
      set({ engine: { phase: "download", loaded: 0, total: null, message: "" } });
      try {
        solver = await world.openSolver((event) => {
          if (event.phase === "download" || event.phase === "compile") set({ engine: { phase: event.phase, loaded: event.loaded ?? 0, total: event.total ?? null, message: "" } });
        });
        const [examples, algorithms] = await Promise.all([solver.examples(), solver.algorithms()]);
        const all = Object.fromEntries(algorithms.map((/** @type {any} */ a) => [a.id, settingsOf(a, presetsOf(a.id)[0])]));
        set({ examples, algorithms, version: solver.version, method: defaultMethod(algorithms), settings: all, engine: { phase: "ready", loaded: 0, total: null, message: "" } });
        await check();
      } catch (error) {
        opening = null;
        set({ engine: { phase: "failed", loaded: 0, total: null, message: said(error) } });
      }
    })();
    return opening;
  }

  async function retry() {
    opening = null;
    await boot();
  }

  /** @returns {Promise<boolean>} */
  async function restoreDraft() {
    let kept;
    try {
      kept = JSON.parse(world.draft?.read() ?? "null");
    } catch {
      return false;
    }
    if (kept?.version !== 1) return false;
    applyMethod({ algorithm: kept.method });
    for (const [id, values] of Object.entries(kept.settings ?? {})) {
      if (algorithm(id)) set((s) => ({ settings: { ...s.settings, [id]: { ...s.settings[id], .../** @type {any} */ (values) } } }));
    }
    if (kept.origin?.kind === "example" && kept.doc === undefined) return openExample(kept.origin.id, kept.origin.parameters);
    if (unreadable(kept.doc) !== null) return false;
    start({ doc: kept.doc, origin: { kind: "draft" } });
    return true;
  }

  /** The first document of a visit: there is nothing to undo to. @param {Version} version */
  function start(version) {
    set((s) => ({ history: startHistory(version), epoch: s.epoch + 1 }));
    return check();
  }

  /** A model edited in an earlier visit and perhaps never saved is offered, not opened. */
  function offerLastEdit() {
    let kept;
    try {
      kept = JSON.parse(world.lastEdit?.read() ?? "null");
    } catch {
      return;
    }
    if (kept?.version !== 1 || unreadable(kept.doc) !== null || sameJson(kept.doc, doc())) return;
    notify(`The model you last edited here, “${kept.name || "without a name"}”, is kept.`, [
      { label: "Open it", run: () => put({ doc: kept.doc, origin: { kind: "draft" } }) },
      { label: "Forget it", run: () => world.lastEdit?.write(null) },
    ]);
  }

  /** @param {string[]} unknown */
  function mentionUnknown(unknown) {
    if (unknown.length > 0) notify(`This link has parts that this page does not know and has left out: ${unknown.join(", ")}.`);
  }

  // ---- opening

  /**
   * @param {string} [id]
   * @param {Record<string, number>} [parameters]
   * @returns {Promise<boolean>}
   */
  async function openExample(id = get().examples[0]?.id, parameters = {}) {
    const example = get().examples.find((e) => e.id === id);
    if (!example) {
      notify(`There is no example “${id}”.`, [], "bad");
      return false;
    }
    const full = { ...Object.fromEntries(example.parameters.map((/** @type {any} */ p) => [p.name, p.default])), ...parameters };
    try {
      const made = await solver.example(id, full);
      const version = { doc: made, origin: /** @type {Origin} */ ({ kind: "example", id, parameters: full, doc: made }) };
      if (isPristine()) await start(version);
      else {
        put(version);
        await check();
      }
      return true;
    } catch (error) {
      notify(said(error), [], "bad");
      return false;
    }
  }

  const isPristine = () => {
    const { past, present } = get().history;
    return past.length === 0 && present.origin.kind === "blank" && get().answer === null;
  };

  /** @param {string} name @param {number} value */
  async function setParameter(name, value) {
    const from = origin();
    if (from.kind === "example") await openExample(from.id, { ...from.parameters, [name]: value });
  }

  /**
   * Opens what a link carries, as a new model. What was there stays one undo away.
   * @param {import("./fragment.js").Link} link
   * @returns {Promise<boolean>}
   */
  async function openLink(link) {
    if (link.problem) {
      try {
        const document = await unpack(link.problem, link.sum);
        const why = unreadable(document);
        if (why !== null) throw new LinkError(`The link holds no model that can be shown: ${why}`);
        const version = { doc: document, origin: /** @type {Origin} */ ({ kind: "link" }) };
        if (isPristine()) await start(version);
        else {
          put(version);
          await check();
        }
      } catch (error) {
        notify(said(error), [], "bad");
        return false;
      }
    } else if (!(await openExample(link.example, numbers(link.param)))) {
      return false;
    }
    applyMethod(link);
    return true;
  }

  /** @param {Record<string, string> | undefined} texts */
  const numbers = (texts) => Object.fromEntries(Object.entries(texts ?? {}).map(([k, v]) => [k, Number(v)]));

  /** @param {import("./fragment.js").Link} link */
  function applyMethod(link) {
    if (!link.algorithm) return;
    const method = algorithm(link.algorithm);
    if (!method) {
      notify(`There is no method “${link.algorithm}” here; ${algorithm()?.title ?? "another"} is chosen instead.`, [], "bad");
      return;
    }
    set({ method: method.id });
    // A link says what differs from the option table, so a preset must not shine through.
    if (link.option || presetsOf(method.id).length > 1) setAll(method.id, settingsOf(method, link.option ? { id: "", title: "", help: "", options: {} } : presetsOf(method.id)[0]));
    for (const [name, text] of Object.entries(link.option ?? {})) {
      const option = method.options.find((/** @type {any} */ o) => o.name === name);
      const read = option ? readOption(option, text) : { ok: /** @type {const} */ (false), message: `${method.title} has no option “${name}”.` };
      if (read.ok) setOption(name, read.value);
      else notify(`${read.message} The link's value is left out.`, [], "bad");
    }
  }

  /** A link typed or followed while the page is open. */
  async function followFragment() {
    const { link, unknown } = readFragment(world.fragment());
    if (!namesModel(link) || get().engine.phase !== "ready") return;
    mentionUnknown(unknown);
    const had = get().history.past.length > 0 || isOwn(get().history.present);
    if (await openLink(link)) {
      if (had) notify("The link was opened as a new model.", [{ label: "Back to the model before", run: undo }]);
      if (link.run) await solve({ auto: true });
    }
  }

  function newModel() {
    put({ doc: blankDocument(), origin: { kind: "blank" } });
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
    if (value?.format === "rcmdp-policy/1") {
      setPolicyDocument(value, name);
      return;
    }
    if (value !== null && typeof value === "object" && /^rcmdp-runs?\//.test(value.format ?? "")) {
      await importRuns(text);
      return;
    }
    if (value?.format === "rcmdp/1") {
      await openDocument(value, name);
      return;
    }
    try {
      if (!solver) throw new Error("The solver is not loaded, and only it reads other formats.");
      const { problem, warnings } = await solver.import(text, {});
      put({ doc: problem, origin: { kind: "file", name } });
      await check();
      if (warnings?.length) notify(`${name} was read with ${count(warnings.length, "remark")}: ${warnings.slice(0, 3).join(" ")}`);
    } catch (error) {
      if (value !== null && typeof value === "object" && "states" in value) await openDocument(value, name);
      else notify(`${name} was not opened. ${parsed.ok ? said(error) : parsed.message}`, [], "bad");
    }
  }

  /** @param {any} value @param {string} name */
  async function openDocument(value, name) {
    const why = unreadable(value);
    if (why !== null) {
      notify(`${name} was not opened. ${why}`, [], "bad");
      return;
    }
    put({ doc: value, origin: { kind: "file", name } });
    await check();
  }

  /** @param {any} value @param {string} name */
  function setPolicyDocument(value, name) {
    const here = doc();
    if (!sameJson(value.states, here.states) || !sameJson(value.actions, here.actions) || !Array.isArray(value.probabilities)) {
      notify(`${name} holds a policy of another model: its states or actions are not those of “${here.name}”.`, [], "bad");
      return;
    }
    set({ edit: { policy: value.probabilities, outcome: null, message: "", busy: false } });
    void evaluatePolicy();
  }

  // ---- fields that do not hold a value yet, the JSON view, undo

  /**
   * What a field holds while it holds no value; null when it does again.
   * @param {string} pointer
   * @param {{ text: string, message: string } | null} draft
   */
  function setDraft(pointer, draft) {
    set((s) => {
      if (draft === null && !(pointer in s.drafts)) return {};
      const { [pointer]: _, ...rest } = s.drafts;
      return { drafts: draft ? { ...rest, [pointer]: draft } : rest };
    });
  }

  /** @param {string} text */
  function setJson(text) {
    const parsed = parseDocument(text);
    const message = parsed.ok ? unreadable(parsed.value) : parsed.message;
    if (message !== null) {
      set({ json: { text, message } });
      return;
    }
    set({ json: null });
    edit(/** @type {any} */ (parsed).value, "json");
    set((s) => ({ epoch: s.epoch + 1, drafts: {} }));
  }

  const discardJson = () => set((s) => ({ json: null, epoch: s.epoch + 1 }));

  const settle = () => set((s) => ({ history: settled(s.history) }));

  function undo() {
    set((s) => ({ history: undone(s.history), epoch: s.epoch + 1, drafts: {}, json: null }));
    later();
  }

  function redo() {
    set((s) => ({ history: redone(s.history), epoch: s.epoch + 1, drafts: {}, json: null }));
    later();
  }

  /** @param {import("./faults.js").Fault} fault */
  function applyFix(fault) {
    if (!fault.fix) return;
    const { patch, label } = fault.fix;
    try {
      edit((/** @type {any} */ d) => applyPatch(d, patch));
      set((s) => ({ epoch: s.epoch + 1, drafts: {} }));
      say(`Done: ${label}.`);
    } catch {
      notify(`“${label}” no longer fits the model; check it again.`, [], "bad");
    }
  }

  /** Shows a place of the document and asks the model panel to focus it. @param {string} pointer @param {import("./faults.js").Fault} [fault] */
  function reveal(pointer, fault) {
    if (pointer.startsWith("option:")) {
      set((s) => ({ view: { ...s.view, settings: true }, focus: { pointer, turn: ++turns } }));
      return;
    }
    const place = placeOf(pointer, doc(), fault);
    set((s) => ({ view: { ...s.view, open: true, tab: place.tab, cost: place.cost ?? s.view.cost, kernel: place.kernel ?? s.view.kernel, state: place.state ?? s.view.state }, focus: { pointer, turn: ++turns } }));
  }

  /** @param {Partial<State["view"]>} part */
  const look = (part) => set((s) => ({ view: { ...s.view, ...part } }));

  // ---- the method

  /** @param {string} id */
  const setMethod = (id) => {
    set((s) => ({ method: id, drafts: Object.fromEntries(Object.entries(s.drafts).filter(([p]) => !p.startsWith("option:"))) }));
    later();
  };

  /** @param {string} id @param {Record<string, any>} values */
  const setAll = (id, values) => set((s) => ({ settings: { ...s.settings, [id]: values } }));

  /** @param {string} name @param {any} value */
  function setOption(name, value) {
    setAll(get().method, { ...settings(), [name]: value });
    later();
  }

  /** @param {import("./presets.js").Preset} preset */
  function usePreset(preset) {
    setAll(get().method, settingsOf(algorithm(), preset));
    set((s) => ({ epoch: s.epoch + 1, drafts: Object.fromEntries(Object.entries(s.drafts).filter(([p]) => !p.startsWith("option:"))) }));
    later();
  }

  // ---- running

  /**
   * Solves the model as it is now. A run that nobody asked for (the one on
   * opening) is not saved until the person says so.
   * @param {{ auto?: boolean }} [choices]
   */
  async function solve({ auto = false } = {}) {
    if (get().check?.doc !== doc()) await check();
    if (blocked() !== "") return;
    const problem = doc();
    const method = algorithm();
    const options = changedOptions(method, settings());
    const announce = !auto;
    abort = new AbortController();
    set({ run: { problem, algorithm: method.id, options, news: null, trace: emptyTrace(), ending: "", saidFeasible: false, auto }, crash: null, edit: null });
    if (announce) say(announcement("start", problem));
    try {
      handle = solver.solve(problem, { algorithm: method.id, ...options, signal: abort.signal });
      for await (const news of handle) progress(news, announce);
      const result = await handle.result;
      set({ run: null, answer: { problem, result, algorithm: method.id, id: handle.id, name: problem.name || "Untitled model", saving: "" } });
      if (announce) say(announcement("done", problem, result));
      if (!auto && result.status !== "failed") await saveAnswer();
    } catch (error) {
      ended(error, problem);
    } finally {
      handle = null;
      abort = null;
      if (get().run) set({ run: null });
    }
  }

  /** @param {any} news @param {boolean} announce */
  function progress(news, announce) {
    const run = get().run;
    if (!run) return;
    const first = !run.saidFeasible && news.best?.feasible;
    set({ run: { ...run, news, trace: extended(run.trace, news), saidFeasible: run.saidFeasible || first } });
    if (first && announce) say(announcement("feasible", run.problem, news));
  }

  /** @param {any} error @param {any} problem */
  function ended(error, problem) {
    if (get().run?.ending === "cancel" || error?.name === "AbortError" || error?.code === "aborted") {
      say("Cancelled. The answer before is unchanged.");
      return;
    }
    if (error?.code === "crashed") set({ crash: { message: said(error), details: error.details ?? [] } });
    else if (error?.errors?.length) {
      set((s) => ({ check: { doc: problem, errors: error.errors, warnings: [], summary: s.check?.summary } }));
      notify(said(error), [], "bad");
    } else notify(said(error), [], "bad");
    say(announcement("failed", problem, error));
  }

  /** Ends the run and keeps the best policy so far. */
  function stop() {
    const run = get().run;
    if (!run || run.ending) return;
    set({ run: { ...run, ending: "stop" } });
    handle?.stop();
  }

  /** Ends the run at once and keeps nothing of it. */
  function cancel() {
    const run = get().run;
    if (!run) return;
    set({ run: { ...run, ending: "cancel" } });
    abort?.abort();
  }

  // ---- the policy on trial

  const editPolicy = () => set((s) => ({ edit: s.answer ? { policy: s.answer.result.policy, outcome: null, message: "", busy: false } : null }));
  const closePolicy = () => set({ edit: null });

  /** @param {number} s @param {number} a @param {number} p */
  function setPolicy(s, a, p) {
    const now = get().edit;
    if (!now) return;
    set({ edit: { ...now, outcome: null, message: "", policy: now.policy.map((row, i) => (i === s ? row.map((x, j) => (j === a ? p : x)) : row)) } });
  }

  async function evaluatePolicy() {
    const now = get().edit;
    const problem = get().answer?.problem ?? doc();
    if (!now || !solver) return;
    set({ edit: { ...now, busy: true, message: "" } });
    try {
      const outcome = await solver.evaluate(problem, { format: "rcmdp-policy/1", states: problem.states, actions: problem.actions, probabilities: now.policy });
      set((s) => ({ edit: s.edit && { ...s.edit, outcome, busy: false } }));
      say("The policy is evaluated.");
    } catch (error) {
      set((s) => ({ edit: s.edit && { ...s.edit, outcome: null, message: said(error), busy: false } }));
    }
  }

  // ---- saved runs

  /** @type {Map<string, any>} runs of this visit while the browser keeps none */
  const memory = new Map();

  async function loadRuns() {
    if (!solver) return;
    try {
      const list = await solver.runs.list();
      set((s) => ({ runs: { ...s.runs, phase: "ready", list, message: "" } }));
    } catch (error) {
      const code = /** @type {any} */ (error)?.code;
      const missing = code === "unavailable";
      set((s) => ({ runs: { ...s.runs, phase: missing ? "memory" : "failed", list: missing ? [...memory.values()].map(summaryOf).reverse() : s.runs.list, message: said(error) } }));
    }
  }

  /** @param {any} run */
  const summaryOf = (run) => ({ id: run.id, name: run.name, created: run.created, algorithm: run.algorithm, status: run.result?.status, objective: run.result?.objective?.value, feasible: run.result?.feasible, objectiveName: run.problem?.objective?.name });

  /** Saves the answer as a run, or its new name. */
  async function saveAnswer() {
    const answer = get().answer;
    if (!answer) return;
    const { id } = answer;
    const run = { id, name: answer.name, created: Date.now(), problem: answer.problem, algorithm: answer.algorithm, options: answer.result.options, result: answer.result };
    set({ answer: { ...answer, saving: "saving" } });
    const saving = await keep(run);
    set((s) => ({ answer: s.answer?.id === id ? { ...s.answer, saving } : s.answer }));
    await loadRuns();
  }

  /** @param {any} run @returns {Promise<"saved" | "failed">} */
  async function keep(run) {
    if (get().runs.phase !== "memory") {
      try {
        await solver.runs.put(run);
        return "saved";
      } catch (error) {
        if (/** @type {any} */ (error)?.code !== "unavailable") {
          notify(`The run is not saved: ${said(error)} It stays in this tab until you close it.`, [{ label: "Try again", run: saveAnswer }], "bad");
        }
      }
    }
    memory.set(run.id, run);
    while (memory.size > MEMORY_RUNS) memory.delete(/** @type {string} */ (memory.keys().next().value));
    return "failed";
  }

  /** @param {string} id */
  const fetchRun = async (id) => memory.get(id) ?? solver.runs.get(id);

  /** @param {string} id */
  async function openRun(id) {
    try {
      const run = await fetchRun(id);
      if (!run) throw new Error("This run is no longer there.");
      put({ doc: run.problem, origin: { kind: "run", id, name: run.name } });
      const method = algorithm(run.algorithm);
      if (method) {
        set({ method: method.id });
        const known = settingsOf(method, { id: "", title: "", help: "", options: {} });
        setAll(method.id, { ...known, ...Object.fromEntries(Object.entries(run.options ?? {}).filter(([name]) => name in known)) });
      }
      set({ answer: { problem: run.problem, result: run.result, algorithm: run.algorithm, id, name: run.name, saving: "saved" }, crash: null });
      await check();
      say(`Opened the run ${run.name}.`);
    } catch (error) {
      notify(`The run was not opened: ${said(error)}`, [], "bad");
    }
  }

  /** @param {string} id @param {string} name */
  async function renameRun(id, name) {
    try {
      const run = await fetchRun(id);
      const next = { ...run, name };
      if (memory.has(id)) memory.set(id, next);
      else await solver.runs.put(next);
      set((s) => ({ answer: s.answer?.id === id ? { ...s.answer, name } : s.answer }));
    } catch (error) {
      notify(`The run keeps its name: ${said(error)}`, [], "bad");
    }
    await loadRuns();
  }

  /** Deletes a run at once; the notice can bring it back. @param {string} id */
  async function deleteRun(id) {
    try {
      const run = await fetchRun(id);
      if (!memory.delete(id)) await solver.runs.delete(id);
      set((s) => ({
        runs: { ...s.runs, compare: s.runs.compare?.id === id ? null : s.runs.compare },
        answer: s.answer?.id === id ? { ...s.answer, saving: "" } : s.answer,
      }));
      notify(`Deleted the run “${run.name}”.`, [{ label: "Undo", run: () => void restoreRun(run) }]);
    } catch (error) {
      notify(`The run was not deleted: ${said(error)}`, [], "bad");
    }
    await loadRuns();
  }

  /** @param {any} run */
  async function restoreRun(run) {
    const saving = await keep(run);
    set(({ answer }) => (answer !== null && answer.id === run.id ? { answer: { ...answer, saving } } : {}));
    await loadRuns();
  }

  /** Every saved run as one text. @returns {Promise<string>} */
  async function exportRuns() {
    if (get().runs.phase === "memory") return runsText([...memory.values()]);
    return solver.runs.exportAll();
  }

  /** One run as a text that importRuns reads. @param {string} id */
  async function exportRun(id) {
    return solver.runs.exportOne ? solver.runs.exportOne(id) : runsText([await fetchRun(id)]);
  }

  /** @param {any[]} runs */
  const runsText = (runs) => JSON.stringify({ format: "rcmdp-runs/1", runs }, (_key, value) => (ArrayBuffer.isView(value) ? Array.from(/** @type {any} */ (value), (x) => (Number.isFinite(x) ? x : null)) : value));

  /** @param {string} text */
  async function importRuns(text) {
    try {
      const outcome = await solver.runs.importAll(text);
      const added = outcome?.added ?? outcome?.imported ?? outcome;
      await loadRuns();
      notify(typeof added === "number" ? `${count(added, "run")} imported.` : "The runs are imported.");
    } catch (error) {
      notify(`The runs were not imported: ${said(error)}`, [], "bad");
    }
  }

  /** @param {string | null} id */
  async function compareWith(id) {
    if (id === null) {
      set((s) => ({ runs: { ...s.runs, compare: null } }));
      return;
    }
    try {
      const run = await fetchRun(id);
      set((s) => ({ runs: { ...s.runs, compare: { id, label: run.name, run } } }));
    } catch (error) {
      notify(`The run cannot be compared with: ${said(error)}`, [], "bad");
    }
  }

  // ---- links

  /** The model and method as a link's fragment. @param {{ run?: boolean }} [choices] */
  async function fragment({ run = false } = {}) {
    const { doc: document, origin: from } = get().history.present;
    const method = algorithm();
    const changed = method ? changedOptions(method, settings()) : {};
    const option = Object.fromEntries(Object.entries(changed).map(([k, v]) => [k, String(v)]));
    /** @type {import("./fragment.js").Link} */
    const link = { algorithm: method?.id, option, run };
    if (from.kind === "example" && from.doc === document) {
      const example = get().examples.find((e) => e.id === from.id);
      link.example = from.id;
      link.param = Object.fromEntries(Object.entries(from.parameters).filter(([name, v]) => example?.parameters.find((/** @type {any} */ p) => p.name === name)?.default !== v).map(([k, v]) => [k, String(v)]));
    } else {
      const { text, sum } = await pack(document);
      Object.assign(link, { problem: text, sum });
    }
    return writeFragment(link);
  }

  const pageLink = async () => world.here() + (await fragment());

  /** HTML that shows this model in another page. */
  async function embedCode() {
    const src = (world.embedUrl() + (await fragment())).replace(/&/g, "&amp;").replace(/"/g, "&quot;");
    const title = String(doc().name || "model").replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");
    return `<iframe src="${src}" title="RCMDP Lab: ${title}" width="100%" height="720" loading="lazy" allow="clipboard-write"></iframe>`;
  }

  // ---- speaking

  /** @param {string} text @param {Notice["actions"]} [actions] @param {Notice["tone"]} [tone] */
  function notify(text, actions = [], tone = "plain") {
    const id = ++ids;
    set((s) => ({ notices: [...s.notices.filter((n) => n.text !== text), { id, tone, text, actions }].slice(-4) }));
    return id;
  }

  /** @param {number} id */
  const dismiss = (id) => set((s) => ({ notices: s.notices.filter((n) => n.id !== id) }));

  /** Says a milestone to a screen reader. @param {string} text */
  const say = (text) => set((s) => ({ said: s.said === text ? `${text}\u00a0` : text }));

  /** @param {any} error */
  function failed(error) {
    if (error?.code === "crashed") set({ crash: { message: said(error), details: error.details ?? [] } });
    else if (error?.code !== "closed") notify(said(error), [], "bad");
  }

  return {
    store, get, doc, algorithm, settings, blocked, faults, isOwn,
    boot, connect, retry, followFragment, openExample, openLink, setParameter, newModel, openText,
    edit, reshape, setDraft, setJson, discardJson, settle, undo, redo, applyFix, reveal, look, check, keepDraft,
    setMethod, setOption, usePreset, solve, stop, cancel, dismissCrash: () => set({ crash: null }),
    editPolicy, closePolicy, setPolicy, evaluatePolicy,
    loadRuns, saveAnswer, openRun, renameRun, deleteRun, exportRuns, exportRun, importRuns, compareWith,
    fragment, pageLink, embedCode, notify, dismiss, say, applyMethod,
  };
}

/** @typedef {ReturnType<typeof createLab>} Lab */

/** @param {any} error */
export const said = (error) => (error instanceof Error ? error.message : String(error));

/** @param {any} a @param {any} b */
const sameJson = (a, b) => JSON.stringify(a) === JSON.stringify(b);

