// @ts-check
// examples.js — actions that bring in a model of the gallery.

import { said } from "./core.js";

/**
 * @param {import("./core.js").Core} core
 * @param {import("./editing.js").Editing} editing
 * @param {import("./gallery.js").Gallery} gallery
 */
export function examples(core, { start, put }, { itemOf, showItem }) {
  const { get } = core;
  /** Examples asked for so far: only the newest is shown. */
  let choices = 0;

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

  /** @param {string} name @param {number} value */
  async function setParameter(name, value) {
    const from = core.origin();
    if (from.kind === "example") await openExample(from.id, { ...from.parameters, [name]: value }, get().history.present.line);
  }

  return { show, openExample, setParameter };
}

/** @typedef {ReturnType<typeof examples>} Examples */
