// @ts-check
// ending.js — how a command ended, as an exit code, and Ctrl+C.

/** @typedef {Pick<import('../../src/rcmdp.js').Result, "status" | "options" | "objective" | "feasible">} Ending */

/** The exit codes, from the best ending to the worst. */
export const codes = Object.freeze({
  /** Proved: optimal, or within the gap that was asked for; also: nothing was to be proved. */
  proved: 0,
  /** The input is at fault: a document, an option, a file, a certificate that does not hold. */
  fault: 1,
  /** Proved: no policy meets the limits. */
  infeasible: 2,
  /** A policy whose distance to the best is unknown or larger than asked for, or none was found. */
  open: 3,
  /** The command itself failed; EX_SOFTWARE of sysexits.h. */
  broken: 70,
});

/**
 * The exit code of a result. A bound within the gap that was asked for counts as proved, because
 * that is all the run was to show.
 * @param {Ending} result
 */
export function codeOf(result) {
  switch (result.status) {
    case "proved-optimal":
      return codes.proved;
    case "proved-infeasible":
      return codes.infeasible;
    case "failed":
      return codes.fault;
    default: {
      const asked = Number(result.options?.gap ?? 0);
      const { relativeGap } = result.objective;
      return result.feasible && relativeGap !== null && asked > 0 && relativeGap <= asked ? codes.proved : codes.open;
    }
  }
}

/** The worst of several endings: a fault says more than an open gap, and that more than infeasible. @param {number[]} endings */
export function worst(endings) {
  const order = [codes.proved, codes.infeasible, codes.open, codes.fault, codes.broken];
  return endings.reduce(
    (a, b) => (order.indexOf(/** @type {any} */ (b)) > order.indexOf(/** @type {any} */ (a)) ? b : a),
    /** @type {number} */ (codes.proved),
  );
}

/**
 * Ctrl+C asks for the best so far; pressed again it ends the command.
 * @param {() => void} stop
 * @returns {() => void} gives Ctrl+C back
 */
export function onInterrupt(stop) {
  let asked = false;
  const heard = () => {
    if (asked) process.exit(130);
    asked = true;
    process.stderr.write("\nstopping with the best so far; once more ends at once\n");
    stop();
  };
  process.on("SIGINT", heard);
  process.on("SIGTERM", heard);
  return () => {
    process.off("SIGINT", heard);
    process.off("SIGTERM", heard);
  };
}
