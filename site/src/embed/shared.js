// @ts-check
// shared.js — one compiled solver for all embeds of a page: frames of the same origin find each
// other through the page that holds them, and the first to run compiles for all.

/** @typedef {{ module?: Promise<WebAssembly.Module> }} Shared */

const NAME = "rcmdpShared";

/** @returns {Shared} that of a frame beside this one, when there is one that this one may look into */
export function sharedModule() {
  const own = /** @type {Record<string, any>} */ (/** @type {unknown} */ (globalThis));
  for (const frame of siblings()) {
    try {
      const found = /** @type {any} */ (frame)[NAME];
      if (found?.module) return found;
    } catch { /* of another origin */ }
  }
  own[NAME] ??= {};
  return own[NAME];
}

/** The frames of the page around this one. @returns {Window[]} */
function siblings() {
  const found = [];
  try {
    for (let i = 0; i < parent.frames.length; i++) if (parent.frames[i] !== window) found.push(parent.frames[i]);
  } catch { /* a page that lets nobody count */ }
  return found;
}
