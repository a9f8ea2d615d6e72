// @ts-check
// made.js — what is made of choices and takes a while: the last one is shown until the next is there, and never
// taken for it.

import { useEffect, useReducer, useRef } from "../view.js";
import { said } from "../lab/core.js";

/**
 * One making, of the choices of one moment.
 * @template T
 * @typedef {{ choices: unknown[], make: (() => Promise<T>) | null, going: Promise<void> | null, made: T | null, failed: string, over: boolean }} Task going: once it has begun
 */

/**
 * @template T
 * @param {(() => Promise<T>) | null} make of the choices as they are; null where there is nothing to make
 * @param {unknown[]} choices compared one by one
 * @param {number} [pause] it begins so many milliseconds after a choice, unless it is asked for before
 * @returns {{ made: T | null, failed: string, current: boolean, newest: () => Promise<T | null> }} current: what is shown is of the
 *   choices as they are; newest: what is made of them, however late it comes; null when it cannot be made, or the part of the page is gone
 */
export function useMade(make, choices, pause = 0) {
  const [, again] = useReducer((/** @type {number} */ n) => n + 1, 0);
  const task = useRef(/** @type {Task<T>} */ (taskOf(make, choices)));
  const shown = useRef(task.current);
  const gone = useRef(false);
  if (choices.some((choice, i) => choice !== task.current.choices[i])) task.current = taskOf(make, choices);
  if (!task.current.make) shown.current = task.current;

  const begin = (/** @type {Task<T>} */ mine) =>
    mine.going ??= work(mine).then(() => {
      if (mine !== task.current || gone.current) return;
      shown.current = mine;
      again(0);
    });
  useEffect(() => {
    const mine = task.current;
    const timer = setTimeout(() => void begin(mine), pause);
    return () => clearTimeout(timer);
  }, [task.current]);
  useEffect(() => {
    gone.current = false;
    return () => {
      gone.current = true;
    };
  }, []);

  /** A choice that is made meanwhile counts too. */
  async function newest() {
    await null; // a choice of this very moment is drawn first
    while (!gone.current && !task.current.over) await begin(task.current);
    return gone.current ? null : task.current.made;
  }
  const { made, failed } = shown.current;
  return { made, failed, current: shown.current === task.current, newest };
}

/** @template T @param {(() => Promise<T>) | null} make @param {unknown[]} choices @returns {Task<T>} */
const taskOf = (make, choices) => ({ choices, make, going: null, made: null, failed: "", over: make === null });

/** @template T @param {Task<T>} task */
async function work(task) {
  try {
    task.made = await (task.make?.() ?? null);
  } catch (error) {
    task.failed = said(error);
  }
  task.over = true;
}
