// @ts-check
// umb.js — UMB (github.com/pmc-tools/umb, its specification of January 2026) as PRISM's explicit text, and back: a tar,
// perhaps under gzip, of index.json and files of little-endian numbers. Loaded with the first file of it. What is wrong is one
// Error whose message is a sentence.

import { pack, unpack } from "./tar.js";

/** @typedef {{ type: string, size?: number }} Type */
/** @typedef {{ alias?: string, "applies-to": string[], type: Type }} Annotation */
/** @typedef {{ file: (name: string) => Uint8Array | undefined, states: number, choices: number, branches: number }} Model */

/** @param {string} what @returns {never} */
const refuse = (what) => {
  throw new Error(what);
};

// ---- numbers

/** @param {Uint8Array} bytes */
const viewOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** @param {Uint8Array} bytes @param {string} name @param {number} size in bytes @param {number} count @param {string} of */
function sized(bytes, name, size, count, of) {
  if (bytes.length !== size * count) refuse(`${name} has ${bytes.length} bytes; want ${size * count}, ${size} for each of ${count} ${of}`);
  return viewOf(bytes);
}

/** A whole number of 64 bits that is one here too. @param {DataView} view @param {number} i @param {string} name */
function index(view, i, name) {
  const x = Number(view.getBigUint64(8 * i, true));
  return Number.isSafeInteger(x) ? x : refuse(`${name} holds ${x}, which is no index`);
}

/** A CSR mapping: where each of n begins; without a file each has the one of its own number. @param {Model} model @param {string} name @param {number} n @param {number} end @param {string} of */
function ranges({ file }, name, n, end, of) {
  const bytes = file(name);
  if (!bytes && n !== end) refuse(`${name} is missing`);
  const from = new Float64Array(n + 1);
  const view = bytes && sized(bytes, name, 8, n + 1, `${of} and their end`);
  for (let i = 0; i <= n; i++) {
    from[i] = view ? index(view, i, name) : i;
    if (from[i] < (i > 0 ? from[i - 1] : 0) || (i === 0 && from[0] !== 0)) refuse(`${name} does not rise from 0: entry ${i} is ${from[i]}`);
  }
  return from[n] === end ? from : refuse(`${name} ends at ${from[n]}; the index says ${end}`);
}

/** @param {Uint8Array} bytes @param {number} at @param {number} length @param {boolean} signed */
function integer(bytes, at, length, signed) {
  let x = 0n;
  for (let i = length - 1; i >= 0; i--) x = (x << 8n) | BigInt(bytes[at + i]);
  return signed ? BigInt.asIntN(8 * length, x) : x;
}

/**
 * The numbers of a TO1 file as they are written in a text: a float in the digits that give it back, a fraction as one; of an interval both ends.
 * @param {Uint8Array} bytes @param {string} name @param {Type} type @param {number} count @param {string} of @returns {string[][]}
 */
function numbers(bytes, name, { type, size }, count, of) {
  const interval = type.endsWith("-interval");
  const kind = type.replace("-interval", "");
  if (kind !== "double" && kind !== "rational") refuse(`${name} is of type ${type}; double, rational and their intervals are read`);
  const ends = interval ? 2 : 1;
  const width = (size ?? (kind === "double" ? 64 : 128) * ends) / 8 / ends;
  if (!(kind === "double" ? width === 8 : width > 0 && width % 16 === 0)) refuse(`${name} is of type ${type} with ${size} bits, which there is not`);
  const view = sized(bytes, name, width * ends, count, of);
  return Array.from({ length: count }, (_, i) =>
    Array.from({ length: ends }, (_, end) => {
      const at = (i * ends + end) * width;
      if (kind === "double") return String(view.getFloat64(at, true));
      const below = integer(bytes, at + width / 2, width / 2, false);
      return below === 0n ? refuse(`${name} has a fraction over 0`) : `${integer(bytes, at, width / 2, true)}/${below}`;
    }));
}

/** @param {string} text of a number or a fraction */
const numberOf = (text) => {
  const [above, below = "1"] = text.split("/");
  return Number(above) / Number(below);
};

/** The members of a set of n that is kept by bit. @param {Uint8Array | undefined} bytes @param {string} name @param {number} n */
function members(bytes, name, n) {
  if (!bytes) return [];
  sized(bytes, name, 8, Math.ceil(n / 64), "words of 64 bits");
  return Array.from({ length: n }, (_, i) => i).filter((i) => (bytes[i >> 3] >> (i & 7)) & 1);
}

/** Strings, by the mapping beside them. @param {Model} model @param {string} folder @param {number} n */
function strings({ file }, folder, n) {
  const mapping = file(`${folder}/string-mapping.bin`);
  if (!mapping) return null;
  const bytes = file(`${folder}/strings.bin`) ?? new Uint8Array();
  const view = sized(mapping, `${folder}/string-mapping.bin`, 8, n + 1, "strings and their end");
  return Array.from(
    { length: n },
    (_, i) => new TextDecoder().decode(bytes.subarray(index(view, i, "string-mapping.bin"), index(view, i + 1, "string-mapping.bin"))),
  );
}

/** A name as one word, each another one. */
function words() {
  const taken = new Map();
  return (/** @type {string} */ name) => {
    const word = name.replace(/[\s"',:=()[\]#]+/g, "_") || "_";
    for (let n = 1;; n++) {
      const free = n === 1 ? word : `${word}_${n}`;
      if ((taken.get(free) ?? name) === name) {
        taken.set(free, name);
        return free;
      }
    }
  };
}

// ---- reading

/** @param {Uint8Array} bytes */
export async function textOfUmb(bytes) {
  const files = await unpack(bytes);
  try {
    return textOf(files);
  } catch (error) { // what is another thing than it has to be is met where it is used
    throw /** @type {Error} */ (error).constructor === Error ? error : new Error("its index.json is not as the specification has it");
  }
}

/** @param {Map<string, Uint8Array>} files */
function textOf(files) {
  const index = files.get("index.json");
  if (!index) refuse("it is a tar without index.json, and so no UMB model");
  /** @type {any} */
  let root;
  try {
    root = JSON.parse(new TextDecoder().decode(index));
  } catch {
    refuse("its index.json is no JSON");
  }
  const system = root["transition-system"] ?? refuse("its index.json has no transition-system");
  if (root["format-version"] !== 1) refuse(`it is of version ${root["format-version"]} of the format; version 1 is read`);
  const count = (/** @type {string} */ name) => {
    const x = system[name] ?? 0;
    return Number.isSafeInteger(x) && x >= 0 ? x : refuse(`its index.json says ${name}: ${JSON.stringify(x)}; want a whole number`);
  };
  /** @type {Model} */
  const model = { file: (name) => files.get(name), states: count("#states"), choices: count("#choices"), branches: count("#branches") };
  for (const [of, n] of Object.entries({ states: model.states, choices: model.choices, branches: model.branches }))
    if (n > 8e6) refuse(`it has ${n} ${of}, which is too much`);
  const players = count("#players");
  if (players > 1) refuse("it is a game of several players; models of one, or of none, are read");
  if (system.time !== "discrete" && !(system.time === "stochastic" && players === 0))
    refuse(`it is in ${system.time} time with choices; models in steps, and continuous-time chains, are read`);
  if (!system["branch-probability-type"]) refuse("it has no probabilities; MDPs and Markov chains, and their interval kinds, are read");
  const rows = transitionsOf(model, system, players);
  return [
    `# UMB${count("#observations") > 0 ? " observed in part" : ""}`,
    ...remarkOf(root["model-data"]?.comment),
    ...rows.lines,
    ...valuationsOf(model, root.valuations?.states),
    ...labelsOf(model, root.annotations?.aps ?? {}),
    ...rewardsOf(model, root.annotations?.rewards ?? {}, rows),
    "",
  ].join("\n");
}

/** What our own writer leaves in the comment. @param {unknown} comment */
const remarkOf = (comment) => (typeof comment === "string" && /^rcmdp: \{[^\n]*\}$/.test(comment) ? [`# ${comment}`] : []);

/**
 * @typedef {{ s: number, k: number, targets: Map<number, { p: string[], from: [branch: number, p: number][] }> }} Choice targets: those of one state are one transition
 * @param {Model} model @param {any} system @param {number} players
 */
function transitionsOf(model, system, players) {
  const { states, choices, branches, file } = model;
  const choice = ranges(model, "state-to-choices.bin", states, choices, "states");
  const branch = ranges(model, "choice-to-branches.bin", choices, branches, "choices");
  const target = sized(file("branch-to-target.bin") ?? refuse("branch-to-target.bin is missing"), "branch-to-target.bin", 8, branches, "branches");
  const given = file("branch-to-probability.bin") ?? refuse("branch-to-probability.bin is missing");
  const probability = numbers(given, "branch-to-probability.bin", system["branch-probability-type"], branches, "branches");
  const interval = (probability[0]?.length ?? 1) === 2;
  const exit = system.time === "stochastic"
    ? numbers(
      file("state-to-exit-rate.bin") ?? refuse("state-to-exit-rate.bin is missing"),
      "state-to-exit-rate.bin",
      system["exit-rate-type"] ?? refuse("its index.json has no exit-rate-type"),
      states,
      "states",
    )
    : null;
  const label = actionsOf(model, system["#choice-actions"] ?? 0);
  /** @type {Choice[]} */
  const all = [];
  const lines = [];
  for (let s = 0; s < states; s++) {
    for (let c = choice[s]; c < choice[s + 1]; c++) {
      /** @type {Choice} */
      const one = { s, k: c - choice[s], targets: new Map() };
      for (let b = branch[c]; b < branch[c + 1]; b++) {
        const t = index(target, b, "branch-to-target.bin");
        if (t >= states) refuse(`branch ${b} leads to state ${t}; there are ${states}`);
        const before = one.targets.get(t);
        one.targets.set(t, {
          p: before ? before.p.map((x, end) => String(numberOf(x) + numberOf(probability[b][end]))) : probability[b],
          from: [...before?.from ?? [], [b, numberOf(probability[b][0])]],
        });
      }
      for (const [t, { p }] of one.targets) {
        const shown = exit ? String(numberOf(p[0]) * numberOf(exit[s][0])) : interval ? `[${p.join(",")}]` : p[0];
        lines.push(`${s}${players === 0 ? "" : ` ${one.k}`} ${t} ${shown}${label(c)}`);
      }
      all.push(one);
    }
  }
  const kind = `${interval ? "I" : ""}${exit ? "CTMC" : players === 0 ? "DTMC" : "MDP"}`;
  lines.unshift(`# Transitions (${kind})`, players === 0 ? `${states} ${lines.length}` : `${states} ${choices} ${lines.length}`);
  return { lines, all, branch, choice, players };
}

/** The action of a choice behind its line. @param {Model} model @param {number} n */
function actionsOf(model, n) {
  if (n === 0) return () => "";
  const names = strings(model, "actions/choices", n);
  const values = model.file("actions/choices/values.bin");
  const view = values && sized(values, "actions/choices/values.bin", 4, model.choices, "choices");
  const word = words();
  return (/** @type {number} */ c) => {
    const a = view ? view.getUint32(4 * c, true) : 0;
    if (a >= n) refuse(`choice ${c} has action ${a}; there are ${n}`);
    const name = names ? names[a] : `a${a}`;
    return name === "" ? "" : ` ${word(name)}`;
  };
}

/** @param {Model} model @param {Record<string, Annotation>} aps */
function labelsOf({ file, states }, aps) {
  const word = words();
  const all = [["init", members(file("state-is-initial.bin"), "state-is-initial.bin", states)], ["deadlock", /** @type {number[]} */ ([])]];
  for (const [id, { alias, "applies-to": to }] of Object.entries(aps)) {
    const name = `annotations/aps/${id}/states/values.bin`;
    if (to.includes("states") && !/^(init|deadlock)$/.test(alias ?? id)) all.push([word(alias ?? id), members(file(name), name, states)]);
  }
  const of = /** @type {[string, number[]][]} */ (all);
  return [
    "# Labels",
    of.map(([name], i) => `${i}="${name}"`).join(" "),
    ...of.flatMap(([, set], i) => set.map((s) => `${s}: ${i}`)),
  ];
}

/** @param {Model} model @param {Record<string, Annotation>} rewards @param {ReturnType<typeof transitionsOf>} rows */
function rewardsOf(model, rewards, { all, branch, choice, players }) {
  const word = words();
  return Object.entries(rewards).flatMap(([id, { alias, "applies-to": to, type }]) => {
    const of = (/** @type {string} */ entity, /** @type {number} */ n) => {
      const folder = `annotations/rewards/${id}/${entity}`;
      if (model.file(`${folder}/distribution-mapping.bin`)) refuse(`the reward ${alias ?? id} is drawn at random, which is not read`);
      if (type.type.endsWith("interval")) refuse(`the reward ${alias ?? id} is an interval, which is not read`);
      const bytes = to.includes(entity) ? model.file(`${folder}/values.bin`) : undefined;
      return bytes ? numbers(bytes, `${folder}/values.bin`, type, n, entity).map(([x]) => x) : null;
    };
    const name = word(alias ?? id);
    const [onState, onChoice, onBranch] = [of("states", model.states), of("choices", model.choices), of("branches", model.branches)];
    const lines = [`# Reward structure "${name}"`, "# State rewards", `${model.states} ${onState?.length ?? 0}`, ...(onState ?? []).map((x, s) => `${s} ${x}`)];
    if (!onChoice && !onBranch) return lines;
    const more = all.flatMap(({ s, k, targets }) => {
      const c = choice[s] + k;
      return [...targets].map(([t, { from }]) => {
        const total = from.reduce((sum, [, p]) => sum + p, 0);
        const mean = onBranch === null ? 0 : from.reduce((sum, [b, p]) => sum + numberOf(onBranch[b]) * (total > 0 ? p / total : 1 / from.length), 0);
        const x = onBranch && from.length === 1 && !onChoice
          ? onBranch[from[0][0]]
          : onChoice && !onBranch
          ? onChoice[c]
          : String(mean + numberOf(onChoice?.[c] ?? "0"));
        return `${s}${players === 0 ? "" : ` ${k}`} ${t} ${x}`;
      });
    });
    const sizes = players === 0 ? `${model.states} ${more.length}` : `${model.states} ${branch.length - 1} ${more.length}`;
    return [...lines, `# Reward structure "${name}"`, "# Transition rewards", sizes, ...more];
  });
}

/**
 * The names of states by the values of their variables, which are packed by bit, the first in the lowest.
 * @param {Model} model @param {{ classes: { variables: any[] }[], "#strings"?: number } | undefined} described
 */
function valuationsOf(model, described) {
  const bytes = model.file("valuations/states/valuations.bin");
  if (!described || !bytes) return [];
  const texts = strings(model, "valuations/states", described["#strings"] ?? 0);
  const kinds = described.classes.map(({ variables }) => ({
    variables,
    size: variables.reduce((sum, v) => sum + (v.padding ?? (v["is-optional"] ? 1 : 0) + sizeOf(v.type)), 0) / 8,
  }));
  const of = model.file("valuations/states/valuation-to-class.bin");
  const view = of && sized(of, "valuations/states/valuation-to-class.bin", 4, model.states, "states");
  const one = kinds.length === 1 && kinds[0].variables.filter((v) => v.name).length === 1;
  const lines = ["# States", "(state)"];
  let at = 0;
  for (let s = 0; s < model.states; s++) {
    const { variables, size } = kinds[view ? view.getUint32(4 * s, true) : 0] ?? refuse(`state ${s} is of a class of valuations that there is not`);
    if (!Number.isInteger(size) || at + size > bytes.length) refuse("valuations/states/valuations.bin is not as long as its description says");
    let bits = integer(bytes, at, size, false);
    at += size;
    const take = (/** @type {number} */ n) => {
      const x = BigInt.asUintN(n, bits);
      bits >>= BigInt(n);
      return x;
    };
    const values = [];
    for (const v of variables) {
      if (v.padding) take(v.padding);
      else {
        const there = !v["is-optional"] || take(1) === 1n;
        const value = variableOf(v, take(sizeOf(v.type)), texts);
        if (there) values.push(one ? value : `${v.name}=${value}`);
      }
    }
    lines.push(`${s}:(${values.join(",")})`);
  }
  return lines;
}

/** In bits. @param {Type} type */
const sizeOf = ({ type, size }) => size ?? /** @type {Record<string, number>} */ ({ bool: 1, rational: 128 })[type] ?? 64;

/** What the bits of a variable say, by its type; the others are whole numbers from 0. @type {Record<string, (bits: bigint, size: number, texts: string[] | null, offset: bigint) => string>} */
const variables = {
  bool: (bits) => String(bits !== 0n),
  string: (bits, _, texts) => (texts?.[Number(bits)] ?? "?").replace(/[(),]/g, " "),
  double: (bits) => String(new Float64Array(BigUint64Array.of(bits).buffer)[0]),
  rational: (bits, size) => `${BigInt.asIntN(size / 2, bits)}/${bits >> BigInt(size / 2)}`,
  int: (bits, size, _, offset) => String(BigInt.asIntN(size, bits) + offset),
  uint: (bits, _, __, offset) => String(bits + offset),
};

/** @param {any} variable @param {bigint} bits @param {string[] | null} texts */
const variableOf = ({ type, offset = 0 }, bits, texts) => (variables[type.type] ?? variables.uint)(bits, sizeOf(type), texts, BigInt(offset));

// ---- writing

const DOUBLE = { type: "double", size: 64 };

/** The text that core/interchange writes for it, as the bytes of a file. @param {string} text */
export async function umbOfText(text) {
  const { comment, rows, initial, rewards, states } = parsed(text);
  /** @type {[string, Uint8Array][]} */
  const files = [];
  const put = (/** @type {string} */ name, /** @type {ArrayBufferView} */ values) =>
    files.push([name, new Uint8Array(values.buffer, values.byteOffset, values.byteLength)]);
  const state = [0], branch = [0];
  const actions = [...new Set(rows.map((r) => r.action))];
  /** @type {typeof rows} */
  const first = [];
  rows.forEach((r, i) => {
    if (i > 0 && r.s === rows[i - 1].s && r.k === rows[i - 1].k) return;
    if (i > 0) branch.push(i);
    while (state.length <= r.s) state.push(first.length);
    first.push(r);
  });
  branch.push(rows.length);
  while (state.length <= states) state.push(first.length);
  const interval = rows.some((r) => r.p.length === 2);
  const set = new Uint8Array(8 * Math.ceil(states / 64));
  for (const s of initial) set[s >> 3] |= 1 << (s & 7);
  const longs = (/** @type {number[]} */ all) => BigUint64Array.from(all, BigInt);
  put("state-to-choices.bin", longs(state));
  put("state-is-initial.bin", set);
  put("choice-to-branches.bin", longs(branch));
  put("branch-to-target.bin", longs(rows.map((r) => r.t)));
  put("branch-to-probability.bin", Float64Array.from(rows.flatMap((r) => (interval && r.p.length === 1 ? [r.p[0], r.p[0]] : r.p))));
  put("actions/choices/values.bin", Uint32Array.from(first, (r) => actions.indexOf(r.action)));
  const labels = actions.map((a) => new TextEncoder().encode(a));
  const ends = [0];
  for (const l of labels) ends.push(ends[ends.length - 1] + l.length);
  put("actions/choices/string-mapping.bin", longs(ends));
  put("actions/choices/strings.bin", Uint8Array.from(labels.flatMap((l) => [...l])));
  /** @type {Record<string, unknown>} */
  const annotations = {};
  rewards.forEach(({ name, values }, i) => {
    const level = branch.slice(0, -1).every((from, c) => values.slice(from, branch[c + 1]).every((x) => x === values[from]));
    const to = level ? "choices" : "branches";
    const id = name.toLowerCase().replace(/[^0-9a-z_-]+/g, "-");
    const free = id !== "" && !(id in annotations) ? id : `reward-${i}`;
    annotations[free] = { alias: name, "applies-to": [to], type: DOUBLE };
    put(`annotations/rewards/${free}/${to}/values.bin`, Float64Array.from(level ? branch.slice(0, -1).map((from) => values[from]) : values));
  });
  const index = {
    "format-version": 1,
    "format-revision": 0,
    "model-data": comment ? { comment } : {},
    "file-data": { tool: "RCMDP Lab" },
    "transition-system": {
      time: "discrete",
      "#players": 1,
      "#states": states,
      "#initial-states": initial.length,
      "#choices": first.length,
      "#choice-actions": actions.length,
      "#branches": rows.length,
      "#branch-actions": 0,
      "#observations": 0,
      "branch-probability-type": interval ? { type: "double-interval", size: 128 } : DOUBLE,
    },
    annotations: { rewards: annotations },
  };
  return pack([["index.json", new TextEncoder().encode(JSON.stringify(index, null, 1))], ...files]);
}

/** @param {string} text */
function parsed(text) {
  /** What stands below each heading, which comes first. */
  const parts = text.split(/^# /m).map((part) => part.split("\n").filter((line) => line !== ""));
  const below = (/** @type {string} */ heading) => parts.find(([first]) => first?.startsWith(heading)) ?? [];
  const [, sizes, ...transitions] = below("Transitions");
  const rows = transitions.map((line) => {
    const [s, k, t, p, action] = line.split(" ");
    return { s: Number(s), k: Number(k), t: Number(t), p: p.replace(/[[\]]/g, "").split(",").map(Number), action };
  });
  const rewards = parts.filter(([heading]) => heading === "Transition rewards").map((part) => {
    const [named] = parts.slice(0, parts.indexOf(part)).findLast(([heading]) => heading?.startsWith("Reward structure")) ?? [""];
    return { name: named.slice(18, -1), values: part.slice(2).map((line) => Number(line.split(" ")[3])) };
  });
  const [comment = ""] = below("rcmdp: ");
  return { comment, rows, initial: below("Labels").slice(2).map((line) => Number.parseInt(line, 10)), rewards, states: Number(sizes.split(" ")[0]) };
}
