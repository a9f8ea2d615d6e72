// @ts-check
// methods.js — actions on the choice of a method and its settings.

import { presetsOf, readOption, settingsOf } from "./presets.js";

/** A preset that changes nothing: the option table's own defaults. */
export const TABLE = { id: "", title: "", help: "", options: {} };

/**
 * @param {import("./core.js").Core} core
 * @param {import("./editing.js").Editing} editing
 */
export function methods(core, { later }) {
  const { get, set } = core;

  const withoutOptionDrafts = () => Object.fromEntries(Object.entries(get().drafts).filter(([pointer]) => !pointer.startsWith("option:")));

  /** @param {string} id @param {Record<string, unknown>} values */
  const setAll = (id, values) => set((s) => ({ settings: { ...s.settings, [id]: values } }));

  /** @param {string} name @param {unknown} value */
  function setOption(name, value) {
    setAll(get().method, { ...core.settings(), [name]: value });
    later();
  }

  return {
    /** @param {string} id */
    setMethod(id) {
      set({ method: id, drafts: withoutOptionDrafts() });
      later();
    },
    setOption,
    /** @param {import("./presets.js").Preset} preset */
    usePreset(preset) {
      const algorithm = core.algorithm();
      if (!algorithm) return;
      setAll(get().method, settingsOf(algorithm, preset));
      set((s) => ({ epoch: s.epoch + 1, drafts: withoutOptionDrafts() }));
      later();
    },
    /** The method and settings of a saved run, as far as this build knows them. @param {string} id @param {Record<string, unknown>} options */
    adopt(id, options) {
      const method = core.algorithm(id);
      if (!method) return;
      const known = settingsOf(method, TABLE);
      set({ method: method.id });
      setAll(method.id, { ...known, ...Object.fromEntries(Object.entries(options).filter(([name]) => name in known)) });
    },
    /**
     * The method that a link names. A link with options says what differs from the
     * option table, so no preset may shine through.
     * @param {import("../share/fragment.js").Link} link
     */
    applyMethod(link) {
      if (!link.algorithm) return;
      const method = core.algorithm(link.algorithm);
      if (!method) {
        core.notify(`There is no method “${link.algorithm}” here; ${core.algorithm()?.title ?? "another"} is chosen instead.`, [], "bad");
        return;
      }
      set({ method: method.id });
      setAll(method.id, settingsOf(method, link.option ? TABLE : presetsOf(method.id)[0]));
      for (const [name, text] of Object.entries(link.option ?? {})) {
        const option = method.options.find((o) => o.name === name);
        const read = option ? readOption(option, text) : { ok: /** @type {const} */ (false), message: `${method.title} has no option “${name}”.` };
        if (read.ok) setOption(name, read.value);
        else core.notify(`${read.message} The link's value is left out.`, [], "bad");
      }
    },
    setAll,
  };
}

/** @typedef {ReturnType<typeof methods>} Methods */
