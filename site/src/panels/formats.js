// @ts-check
// formats.js — the formats that can be read and written, as the solver lists them.

import { useMade } from "./made.js";

/**
 * The one list of formats; empty until the solver is there.
 * @param {import("./parts.js").Lab} lab
 * @returns {import("../rcmdp.js").Format[]}
 */
export const useFormats = (lab) => useMade(() => lab.formats(), []).made ?? [];
