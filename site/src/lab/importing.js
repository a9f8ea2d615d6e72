// @ts-check
// importing.js — actions that bring in models of other tools and tables: look at the files, answer
// what they leave open, take the model in. What is being looked at is the slice `import`; nothing
// of the document changes before `take`.

import { columnOfNames } from "../document/block.js";
import { renameAll } from "../document/edits.js";
import { blankDocument } from "../document/reading.js";
import { said } from "./core.js";

/** @typedef {{ name: string, data: Uint8Array | string }} Source */
/**
 * @typedef {{
 *   files: Source[], options: Record<string, unknown>, found: import("../rcmdp.js").Inspection | null, busy: boolean, message: string,
 *   counts: Counts, names: Record<string, string>,
 * }} Importing options: the answers of the person, by the name of the choice; names: what was pasted for states, actions and kernels, one a line
 * @typedef {{ use: "estimate" | "frequencies", kind: string, confidence: number, untried: string }} Counts what becomes of a table of counts
 */

/** @type {Counts} */
const COUNTS = { use: "estimate", kind: "l1", confidence: 0.95, untried: "unavailable" };

/** An estimate knows these choices of an import too. */
const SHARED = ["discount", "initial"];

/**
 * @param {import("./core.js").Core} core
 * @param {import("./editing.js").Editing} editing
 * @param {() => void} arrived told when a model was taken in
 */
export function importing(core, editing, arrived) {
  const { set } = core;
  const { put, look: show } = editing;
  const { consider, answerImport, cancelImport, read } = considering(core);
  return {
    consider,
    answerImport,
    cancelImport,
    ...taking(core, editing, read, arrived),
    ...recognising(core),
    /** @param {Partial<Counts>} part */
    useCounts: (part) => set((s) => (s.import ? { import: { ...s.import, counts: { ...s.import.counts, ...part } } } : {})),
    /** Names to take instead of the file's. @param {"states" | "actions" | "kernels"} list @param {string} text one a line */
    nameImport: (list, text) => set((s) => (s.import ? { import: { ...s.import, names: { ...s.import.names, [list]: text } } } : {})),
    /** A small model of one's own to begin with, its tables open. */
    async newModel() {
      const opened = put({ doc: blankDocument(), origin: { kind: "blank" } });
      show({ open: true });
      await opened;
    },
    /** A grid world to paint on. */
    async newGrid() {
      const { firstGridDocument } = await import("../document/grid.js");
      const opened = put({ doc: firstGridDocument(), origin: { kind: "blank" } });
      show({ tab: "", open: true });
      await opened;
      arrived();
    },
  };
}

/** @typedef {ReturnType<typeof importing>} Importer */

/** @param {import("./core.js").Core} core */
const solverOf = (core) => /** @type {import("../rcmdp.js").Solver} */ (core.solver);

/** Changes what is being looked at, if anything is. @param {import("./core.js").Core} core @param {Partial<Importing>} part */
const change = ({ set }, part) => set((s) => (s.import ? { import: { ...s.import, ...part } } : {}));

/** The solver may still be loading when a file is dropped. @param {import("./core.js").Core} core */
const ready = (core) =>
  new Promise((resolve) => {
    if (core.solver) return resolve(true);
    const stop = core.store.subscribe(() => {
      const { phase } = core.get().engine;
      if (phase !== "ready" && phase !== "failed") return;
      stop();
      resolve(phase === "ready");
    });
  });

/** Files as they are looked at, and the answers to what they leave open. @param {import("./core.js").Core} core */
function considering(core) {
  const { get, set } = core;
  /** Readings so far: only the newest counts. */
  let turn = 0;
  /** Ends with the newest of them. */
  let reading = Promise.resolve();

  /**
   * Files, or a pasted text, that are not in our own format.
   * @param {Source[]} files
   * @param {Record<string, unknown>} [options] answers known already
   */
  async function consider(files, options = {}) {
    set({ import: { files, options, found: null, busy: true, message: "", counts: COUNTS, names: {} } });
    if (await ready(core)) await look();
    else change(core, { busy: false, message: "The solver could not be loaded." });
  }

  const look = () => reading = again();

  /** Reads the files again with the answers as they are; only the newest reading counts. */
  async function again() {
    const now = get().import;
    if (!now) return;
    const mine = ++turn;
    change(core, { busy: true, message: "" });
    try {
      const found = await solverOf(core).inspect(now.files, now.options);
      if (mine === turn) change(core, { found, busy: false });
    } catch (error) {
      if (mine === turn) change(core, { busy: false, message: said(error) });
    }
  }

  return {
    consider,
    /** @param {string} name of a choice @param {unknown} value null takes the default again */
    answerImport(name, value) {
      const now = get().import;
      if (!now) return;
      const { [name]: _, ...rest } = now.options;
      // Another way to cut the table makes other columns; another format has other choices.
      if (name === "format") return consider(now.files, value === null ? {} : { format: value });
      if (["separator", "header", "layout"].includes(name)) delete rest.columns;
      change(core, { options: value === null ? rest : { ...rest, [name]: value } });
      return look();
    },
    cancelImport() {
      turn++;
      set({ import: null });
    },
    /** Ends when the files are read with the answers as they are then. */
    async read() {
      for (let last = null; last !== reading; await last) last = reading;
    },
  };
}

/**
 * Takes a model in as a new document; the one before is one undo away.
 * @param {import("./core.js").Core} core
 * @param {import("./editing.js").Editing} editing
 * @param {() => Promise<void>} read
 * @param {() => void} arrived
 */
function taking(core, { put }, read, arrived) {
  const { get, set } = core;
  /** Only one press is at work. */
  let busy = false;

  /** What is being looked at, as it was answered last, if it is still these files. @param {Source[] | undefined} files */
  const still = (files) => (files && get().import?.files === files ? get().import : null);

  /** @param {Importing} now @param {import("../rcmdp.js").Inspection} found */
  async function taken(now, found) {
    const { files } = now;
    const name = nameOf(files);
    if (found.counts && now.counts.use === "estimate") return estimated(files, name);
    if (!found.problem || misnamed(found.problem, now.names)) return;
    set({ import: null });
    await put({
      doc: withPasted(named(found.problem, files), now.names),
      origin: { kind: "file", name, imported: { title: found.title, report: found.report, warnings: found.warnings } },
    });
    arrived();
    core.say(`Opened ${name} as ${found.title}.`);
  }

  /** A robust model of a table of counts. @param {Source[]} files @param {string} name */
  async function estimated(files, name) {
    change(core, { busy: true, message: "" });
    try {
      const made = await newest(files);
      if (made) await takeEstimate(made, made.now, name); // else cancelled
    } catch (error) {
      if (still(files)) change(core, { busy: false, message: said(error) });
    }
  }

  /**
   * A model that was estimated of the files that are looked at.
   * @param {import("../rcmdp.js").Estimate} made @param {Importing} now @param {string} [name]
   */
  async function takeEstimate({ problem, warnings, summary }, now, name = nameOf(now.files)) {
    set({ import: null });
    const report = [
      `${summary.rows} rows${summary.episodes > 0 ? `, ${summary.episodes} episodes` : ""}; confidence ${summary.confidence}`,
      `${summary.title}: ${summary.formula}`,
      `Source: ${summary.source}`,
      summary.guarantee,
      ...(now.found?.report ?? []).filter((line) => !/^counts:/.test(line)),
    ];
    await put({
      doc: withPasted(named(problem, now.files), now.names),
      origin: { kind: "file", name, imported: { title: "estimate", report, warnings } },
    });
    arrived();
    core.say(`A robust model was estimated from ${name}.`);
  }

  /** The estimate by the choices as they are when it is there. @param {Source[]} files */
  async function newest(files) {
    for (;;) {
      await read();
      const now = still(files);
      if (!now) return null;
      const made = await estimateOf(core, now);
      const { options, counts, names } = still(files) ?? {};
      if (options === now.options && counts === now.counts) return { ...made, now: { ...now, names: names ?? now.names } };
    }
  }

  return {
    /** Takes what is chosen at the press, or is changed while that is worked out. */
    async takeImport() {
      if (busy) return;
      busy = true;
      const files = get().import?.files;
      try {
        await read();
        if (Object.keys(still(files)?.options.limits ?? {}).length > 0) {
          await (await import("./limits.js")).sought();
          await read();
        }
        const now = still(files);
        if (now?.found && now.message === "" && now.found.errors.length === 0) await taken(now, now.found);
      } finally {
        busy = false;
      }
    },
    takeEstimate,
  };
}

/** @param {Source[]} files */
const nameOf = (files) => files.map((f) => f.name).filter(Boolean).join(", ") || "the pasted text";

/** @param {import("./core.js").Core} core @param {Importing} now */
async function estimateOf(core, now) {
  const { files, options, counts: { kind, confidence, untried } } = now;
  const table = await solverOf(core).table(files, options);
  const shared = Object.fromEntries(SHARED.map((key) => [key, shown(now, key)]).filter(([, value]) => value !== undefined && !Array.isArray(value)));
  return solverOf(core).estimate(table, { kind, confidence, untried, ...shared, ...costs(now) });
}

/** The choices of objective and limits, as an estimate has them. @param {Importing} now */
function costs(now) {
  const { found, options } = now;
  const objective = shown(now, "objective");
  const columns = found?.choices.find((c) => c.name === "objective")?.options?.map((o) => o.value) ?? [];
  if (!columns.includes(String(objective)) || String(objective).startsWith("reach ") || found?.report.some((r) => r.startsWith("the file has no rewards")))
    return {};
  return {
    objective: { column: objective, sense: shown(now, "sense") },
    constraints: Object.entries(options.limits ?? {}).map(([column, limit]) => ({ column, ...(/** @type {Limit} */ (limit)) })),
  };
}

/** What texts are, and models as other tools have them. @param {import("./core.js").Core} core */
function recognising(core) {
  const { get, set } = core;

  /**
   * Whether text that is no JSON looks like a model of another tool.
   * @param {string} text
   * @returns {Promise<string>} the format's title, or ""
   */
  async function recognise(text) {
    if (!core.solver || text.trim() === "") return "";
    try {
      const found = await solverOf(core).inspect(text, {});
      return found.format === "rcmdp" || found.format === "" ? "" : found.title;
    } catch {
      return "";
    }
  }

  return {
    /**
     * The model in another tool's format, or why it cannot be.
     * @param {string} format @param {boolean} lossy what the format cannot carry is left out
     * @returns {Promise<{ ok: true, file: import("../rcmdp.js").Exported } | { ok: false, message: string }>}
     */
    async exportAs(format, lossy) {
      try {
        return { ok: true, file: await solverOf(core).exported(core.doc(), format, { lossy }) };
      } catch (error) {
        return { ok: false, message: said(error) };
      }
    },
    /** Says under the JSON view what a text that is no JSON looks like. @param {string} text */
    async looksLike(text) {
      if (get().json?.text !== text || /^\s*[{[]\s*"(format|states)"/.test(text)) return;
      const looks = await recognise(text);
      set((s) => (looks && s.json?.text === text ? { json: { ...s.json, looks } } : {}));
    },
    /** The formats that can be read and written. */
    formats: async () => {
      await ready(core);
      return solverOf(core).formats();
    },
  };
}

/** What the form shows for a choice. @param {Importing} now @param {string} name @returns {any} */
const shown = ({ found }, name) => found?.choices.find((c) => c.name === name)?.value;

/** The document with a name, that of the file when it has none. @param {Doc} doc @param {Source[]} files */
function named(doc, files) {
  const stem = files[0]?.name.replace(/^.*[\\/]/, "").replace(/\.[^.]*$/, "") ?? "";
  return doc.name || !stem ? doc : { ...{ format: doc.format, name: stem }, ...doc, name: stem };
}

/** The lists of a model that can be named anew, with how many are in each. @param {Doc} doc @returns {["states" | "actions" | "kernels", number][]} */
export const nameable = (doc) => [
  ["states", doc.states.length],
  ["actions", doc.actions.length],
  ...((doc.uncertainty.kernels ?? []).length > 1 ? [/** @type {["kernels", number]} */ (["kernels", doc.uncertainty.kernels?.length])] : []),
];

/** Whether names were pasted for it that do not fit. @param {Doc} doc @param {Record<string, string>} pasted */
export const misnamed = (doc, pasted) => nameable(doc).some(([list, count]) => columnOfNames(pasted[list] ?? "", count).message !== "");

/** With the names that were pasted for it and fit. @param {Doc} doc @param {Record<string, string>} pasted */
const withPasted = (doc, pasted) =>
  nameable(doc).reduce((d, [list, count]) => {
    const { names } = columnOfNames(pasted[list] ?? "", count);
    return names ? renameAll(d, list, names) : d;
  }, doc);
