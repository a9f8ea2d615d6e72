// @ts-check
// examples.js — actions that bring in a model of the gallery.

/**
 * @param {import("./core.js").Core} core
 * @param {import("./editing.js").Editing & import("./gallery.js").Gallery} given
 */
export function examples(core, { start, put, itemOf, showItem }) {
  const { get } = core;
  /** Shows a version: the first of a visit, or in place of another. @param {import("./editing.js").Incoming} version */
  async function show(version) {
    await (get().opened || get().history.past.length > 0 ? put(version) : start(version));
  }

  /**
   * @param {string} [id]
   * @param {Record<string, number>} [parameters] others take their defaults
   * @param {number} [line] of the model that it is another form of
   * @returns {Promise<boolean | null>} null when another model was asked for while this one was on its way
   */
  async function openExample(id = get().examples[0]?.id, parameters = {}, line = core.newLine()) {
    const example = get().examples.find((e) => e.id === id);
    if (!example) {
      if (get().examples.length > 0 && core.solver) core.notify(`There is no example “${id}”.`, [], "bad");
      return false;
    }
    const full = { ...Object.fromEntries(example.parameters.map((p) => [p.name, p.default])), ...parameters };
    const came = await core.bringIn((wanted) => bringing(id, full, line, wanted));
    return came && true;
  }

  /** Fetches or makes an example and shows it. @param {string} id @param {Record<string, number>} parameters all of them @param {number} line @param {() => boolean} wanted */
  async function bringing(id, parameters, line, wanted) {
    const item = await itemOf(id, parameters);
    if (!wanted()) return null;
    if (!item && !core.solver) return false;
    const doc = item?.problem ?? await /** @type {import("../rcmdp.js").Solver} */ (core.solver).example(id, parameters);
    if (!wanted()) return null;
    const checked = show({ doc, origin: { kind: "example", id, parameters, doc }, line });
    if (item) showItem(item, line);
    return { checked };
  }

  /** The parameters that were set last, while the model made of them is on its way. @type {{ line: number, parameters: Record<string, number> } | null} */
  let turned = null;

  return {
    show,
    openExample,
    /** @param {string} name @param {number} value */
    async setParameter(name, value) {
      const from = core.origin();
      if (from.kind !== "example") return;
      const { line } = get().history.present;
      const parameters = { ...(turned?.line === line ? turned.parameters : from.parameters), [name]: value };
      turned = { line, parameters };
      await openExample(from.id, parameters, line);
      if (turned.parameters === parameters) turned = null;
    },
  };
}

/** @typedef {ReturnType<typeof examples>} Examples */
