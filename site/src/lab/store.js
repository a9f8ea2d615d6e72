// @ts-check
// store.js — one state object and who wants to know when it changes. Pure.

/**
 * @template S
 * @typedef {{ get: () => S, set: (change: Partial<S> | ((state: S) => Partial<S>)) => void, subscribe: (listener: () => void) => () => void }} Store
 */

/**
 * @template {object} S
 * @param {S} initial
 * @returns {Store<S>}
 */
export function createStore(initial) {
  let state = initial;
  /** @type {Set<() => void>} */
  const listeners = new Set();
  return {
    get: () => state,
    set(change) {
      const part = typeof change === "function" ? change(state) : change;
      if (Object.entries(part).every(([key, value]) => Object.is(/** @type {any} */ (state)[key], value))) return;
      state = { ...state, ...part };
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
