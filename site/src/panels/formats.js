// @ts-check
// formats.js — the formats that can be read and written, as the solver lists them.

import { useEffect, useState } from "preact/hooks";

/** @typedef {import("../rcmdp.js").Format} Format */

/**
 * The one list of formats; empty until the solver is there.
 * @param {import("./parts.js").Lab} lab @param {boolean} [wanted] whether it is looked at
 * @returns {Format[]}
 */
export function useFormats(lab, wanted = true) {
  const [formats, setFormats] = useState(/** @type {Format[]} */ ([]));
  useEffect(() => {
    let here = wanted;
    if (wanted && formats.length === 0) lab.formats().then((all) => here && setFormats(all), () => {});
    return () => {
      here = false;
    };
  }, [wanted]);
  return formats;
}
