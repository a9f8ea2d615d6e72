// @ts-check
// arguments.js — what stands on the command line: a verb, files and options. Options of the
// methods are passed on by name; the solver knows their ranges. Pure.

/** A line that cannot be understood; its message is for the person who typed it. */
export class UsageError extends Error {}

/**
 * @typedef {object} Call
 * @property {string} verb
 * @property {string[]} files in the order given; "-" is standard input
 * @property {Record<string, string | boolean>} flags of the command itself
 * @property {Record<string, unknown>} options of the method
 * @property {number} [workers]
 */

/** @type {[value: string, help: string]} */
const CHOICE = ["NAME=VALUE", "decide what a file of another format leaves open, such as discount=0.9; may be repeated"];

/**
 * Flags of the command, by verb: whether a value follows, and one line of help.
 * @type {Record<string, { about: string, files: string, flags: Record<string, [value: string, help: string]> }>}
 */
const table = {
  solve: {
    about: "find a policy and prove how good it is",
    files: "FILE...",
    flags: {
      choice: CHOICE,
      output: ["FILE", "write there instead of to standard output"],
    },
  },
  bound: {
    about: "only the bound: how good any policy can be at most",
    files: "FILE...",
    flags: {
      choice: CHOICE,
      output: ["FILE", "write there instead of to standard output"],
      split: ["N", "write N open parts of the proof to the folder that --parts names"],
      parts: ["FOLDER", "where the parts are"],
      part: ["FILE", "close one part, on any machine; its result is written beside it"],
      join: ["", "put the results in --parts together and end the proof"],
    },
  },
  evaluate: {
    about: "the worst-case returns of a policy",
    files: "FILE",
    flags: {
      choice: CHOICE,
      policy: ["FILE", "the policy, a document or rows of probabilities; uniform when not given"],
    },
  },
  check: {
    about: "let the independent checker judge a certificate or a result",
    files: "FILE",
    flags: {
      choice: CHOICE,
      certificate: ["FILE", "a certificate, or a result that carries one"],
      policy: ["FILE", "a policy; that of the result when not given"],
      vipr: ["FILE", "write a proof by values there that holds, for other checkers such as SCIP's viprchk"],
    },
  },
  import: {
    about: "read a model of another format",
    files: "FILE...",
    flags: {
      format: ["ID", "the format; found out from the content when not given"],
      choice: CHOICE,
    },
  },
  estimate: {
    about: "make a robust model of a log or of counts",
    files: "FILE",
    flags: {
      column: ["ROLE=NAME", "what a column is: episode, step, state, action, next, count, done, cut, cost or reward; may be repeated"],
      choice: ["NAME=VALUE", "how the table is cut, such as decimal=,; may be repeated"],
      "at-most": ["NAME=VALUE", "a limit on a column of costs; may be repeated"],
      "at-least": ["NAME=VALUE", "the same from below; may be repeated"],
    },
  },
  export: {
    about: "write a model in another format",
    files: "FILE",
    flags: {
      choice: CHOICE,
      format: ["ID", "the format to write"],
      policy: ["FILE", "write the Markov chain of this policy, or of a result's, as drn or prism"],
      kernel: ["N", "under which kernel of the list, from 0"],
    },
  },
  sweep: {
    about: "solve for many values of one number",
    files: "FILE",
    flags: {
      choice: CHOICE,
      pointer: ["POINTER", "JSON Pointer of the number, such as /constraints/0/atMost"],
      values: ["LIST", "values with commas between, or FROM:TO:COUNT"],
    },
  },
  batch: {
    about: "many jobs, one a line: {\"id\", \"problem\", \"options\"}",
    files: "JOBS...",
    flags: {
      shard: ["I/N", "only every N-th job, beginning with the I-th; from 0 or from 1"],
      output: ["FILE", "append results to it; jobs whose lines are there already are not done again"],
    },
  },
  merge: {
    about: "put result lines of several files together, each once",
    files: "RESULTS...",
    flags: {
      jobs: ["FILE", "order the lines as these jobs"],
      runs: ["", "write a file that the page imports; needs --jobs"],
    },
  },
};

/** Flags that every verb has. @type {Record<string, [value: string, help: string]>} */
const common = {
  json: ["", "write JSON, one line a file"],
  table: ["", "write a table (default on a terminal)"],
  quiet: ["", "no progress on standard error"],
  workers: ["N", "most threads at once; default: the cores, at most 8"],
  help: ["", "this help"],
};

/** `timeLimit` from `time-limit`. @param {string} name */
const camel = (name) => name.replace(/-([a-z])/g, (_, letter) => letter.toUpperCase());
/** `time-limit` from `timeLimit`. @param {string} name */
export const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The names closest to what was typed come first in a hint. @param {string} verb */
const flagsOf = (verb) => ({ ...table[verb].flags, ...common });

/**
 * @param {string[]} argv without node and the script
 * @returns {Call}
 * @throws {UsageError}
 */
export function parse(argv) {
  const [verb, ...rest] = argv;
  if (verb === undefined || verb === "help" || verb === "--help" || verb === "-h") return { verb: "help", files: rest.slice(0, 1), flags: {}, options: {} };
  if (verb === "version" || verb === "--version" || verb === "-v") return { verb: "version", files: [], flags: {}, options: {} };
  if (!Object.hasOwn(table, verb)) throw new UsageError(`"${verb}" is not a verb; there are ${Object.keys(table).join(", ")}. See rcmdp help.`);
  const known = flagsOf(verb);
  /** @type {Call} */
  const call = { verb, files: [], flags: {}, options: {} };
  for (let i = 0; i < rest.length; i++) {
    const word = rest[i];
    if (word === "--") {
      call.files.push(...rest.slice(i + 1));
      break;
    }
    if (!word.startsWith("--") || word === "-") {
      if (word.startsWith("-") && word !== "-") throw new UsageError(`${word}: options begin with two dashes.`);
      call.files.push(word);
      continue;
    }
    const at = word.indexOf("=");
    const name = word.slice(2, at < 0 ? undefined : at);
    let given = at < 0 ? undefined : word.slice(at + 1);
    const flag = Object.hasOwn(known, name) ? known[name] : undefined;
    if (flag) {
      if (flag[0] === "") {
        if (given !== undefined) throw new UsageError(`--${name} takes no value.`);
        call.flags[name] = true;
        continue;
      }
      given ??= rest[++i];
      if (given === undefined) throw new UsageError(`--${name} needs a value: ${flag[1]}.`);
      const before = call.flags[name];
      call.flags[name] = /repeated/.test(flag[1]) && typeof before === "string" ? `${before}\n${given}` : given;
      continue;
    }
    // A switch of a method, such as --early-stop, may stand without a value.
    if (given === undefined) given = rest[i + 1] !== undefined && !/^--/.test(rest[i + 1]) ? rest[++i] : "true";
    call.options[camel(name)] = readValue(name, given);
  }
  if (call.flags.help) return { verb: "help", files: [verb], flags: {}, options: {} };
  if (typeof call.flags.workers === "string") {
    const n = Number(call.flags.workers);
    if (!Number.isInteger(n) || n < 1 || n > 64) throw new UsageError(`--workers: got ${call.flags.workers}; want a whole number from 1 to 64.`);
    call.workers = n;
  }
  if (call.flags.json && call.flags.table) throw new UsageError("--json and --table exclude each other.");
  if (call.files.length === 0 && !(verb === "bound" && (call.flags.part || call.flags.join))) {
    throw new UsageError(`${verb} needs a file; "-" is standard input. Usage: rcmdp ${verb} ${table[verb].files}`);
  }
  return call;
}

/** Seeds are text because they may exceed what a number holds. @param {string} name @param {string} text */
function readValue(name, text) {
  if (name === "seed" || name === "algorithm") return text;
  if (text === "true" || text === "false") return text === "true";
  if (text.trim() !== "" && Number.isFinite(Number(text))) return Number(text);
  if (/^[[{]/.test(text.trim())) {
    try {
      return JSON.parse(text);
    } catch {
      throw new UsageError(`--${name}: ${text} is not JSON.`);
    }
  }
  return text;
}

/** What a repeated NAME=VALUE says, in its order. @param {Call} call @param {string} flag @returns {[name: string, value: unknown][]} */
export function pairsOf(call, flag) {
  const given = call.flags[flag];
  return (typeof given === "string" ? given.split("\n") : []).map((text) => {
    const at = text.indexOf("=");
    if (at < 1) throw new UsageError(`--${flag}: got ${text}; want NAME=VALUE.`);
    return [text.slice(0, at), readValue(flag, text.slice(at + 1))];
  });
}

/** `"I/N"` as two numbers; I may count from 0 or from 1, because N of N is 0 of N. @param {string} text */
export function shardOf(text) {
  const found = /^(\d+)\/(\d+)$/.exec(text);
  const [i, n] = found ? [Number(found[1]), Number(found[2])] : [NaN, NaN];
  if (!(n >= 1 && i <= n)) throw new UsageError(`--shard: got ${text}; want I/N, such as 3/8.`);
  return { i: i % n, n };
}

/** @param {string} text @returns {number[]} */
export function valuesOf(text) {
  const range = text.split(":");
  const numbers = (range.length === 3 ? range : text.split(",")).map((part) => (part.trim() === "" ? NaN : Number(part)));
  if (numbers.some((x) => !Number.isFinite(x))) throw new UsageError(`--values: got ${text}; want numbers with commas between, or FROM:TO:COUNT.`);
  if (range.length !== 3) return numbers;
  const [from, to, count] = numbers;
  if (!Number.isInteger(count) || count < 2 || count > 100000) throw new UsageError(`--values: got ${count} as COUNT; want a whole number from 2 to 100000.`);
  return Array.from({ length: count }, (_, k) => (k === count - 1 ? to : from + ((to - from) * k) / (count - 1)));
}

/** @param {string} [verb] */
export function usage(verb) {
  const flagLines = (/** @type {Record<string, [string, string]>} */ flags) =>
    Object.entries(flags)
      .map(([name, [value, help]]) => `  ${`--${kebab(name)}${value ? ` ${value}` : ""}`.padEnd(22)} ${help}\n`).join("");
  if (verb !== undefined && Object.hasOwn(table, verb)) {
    return `rcmdp ${verb} ${table[verb].files}: ${table[verb].about}\n\n${flagLines(flagsOf(verb))}` +
      (verb === "estimate"
        ? "\nThe options of estimate have their own names: --kind l1 --confidence 0.9 --discount 0.95 --objective cost --sense minimize --initial STATE ...\n"
        : "") +
      (["solve", "bound", "sweep", "batch"].includes(verb)
        ? "\nThe options of the methods have their own names: --algorithm slp --gap 0.001 --time-limit 60 --seed 7 ...\n"
        : "");
  }
  return `rcmdp: robust constrained Markov decision processes, solved and proved

${Object.entries(table).map(([name, { about, files }]) => `  rcmdp ${`${name} ${files}`.padEnd(20)} ${about}\n`).join("")}
  rcmdp help VERB            the options of a verb
  rcmdp version

Files are rcmdp/1 documents, or of a format that import reads; "-" is standard input.
Exit code: 0 proved, 1 fault of the input, 2 proved infeasible, 3 open gap or none found.
Ctrl+C keeps the best so far.
`;
}
