// @ts-check
// computed.js — what a slow function gives for changing inputs: while one call is
// under way the changes wait, and then only the latest is computed. Every result
// is shown, so that something is seen however quickly the inputs change.

import { useEffect, useRef, useState } from "../view.js";

/**
 * @template T
 * @param {() => Promise<T>} compute
 * @param {unknown} inputs plain data that the result depends on
 * @param {(error: unknown) => void} tell hears why there is none
 * @returns {{ value: T | null, current: boolean }} the newest result, and whether it is for these inputs
 */
export function useComputed(compute, inputs, tell) {
  const [got, setGot] = useState(/** @type {{ value: T | null, of: string }} */ ({ value: null, of: "" }));
  const work = useRef(latest());
  const key = JSON.stringify(inputs);
  useEffect(() => {
    work.current(async () => setGot({ value: await compute(), of: key })).catch(tell);
  }, [key]);
  useEffect(() => () => void work.current(async () => {}), []);
  return { value: got.value, current: got.of === key };
}

/**
 * A place for one task at a time: a task that is given while another runs waits
 * for it, and is dropped when a newer one comes.
 * @returns {(task: () => Promise<void>) => Promise<void>}
 */
export function latest() {
  /** @type {Promise<void> | null} */
  let running = null;
  let turn = 0;
  return async (task) => {
    const mine = ++turn;
    while (running) await running.catch(() => {});
    if (mine !== turn) return;
    running = task();
    try {
      await running;
    } finally {
      running = null;
    }
  };
}
