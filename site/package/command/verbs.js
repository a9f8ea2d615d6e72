// @ts-check
// verbs.js — the verbs that work on one model at a time.

import { pairsOf, UsageError, valuesOf } from "./arguments.js";
import { about, complain } from "./complain.js";
import { codeOf, codes, onInterrupt, worst } from "./ending.js";
import { imported, readJson, readModel, sink, source } from "./files.js";
import { closePart, joinParts, splitProof } from "./parts.js";
import { whole } from "./written.js";
import { aligned, line, number, progress, progressText, proved, resultTable } from "./output.js";

/** @typedef {import('./arguments.js').Call} Call */
/** @typedef {import('../../src/rcmdp.js').Solver} Solver */
/** @typedef {import('../../src/rcmdp.js').Result} Result */
/** @typedef {import('../../src/rcmdp.js').Run} Run */
/** @typedef {import('../../src/rcmdp.js').Problem} Problem */
/** @typedef {(workers?: number, runsFolder?: string) => Promise<Solver>} Open */

/** Whether the reader is a person. @param {Call} call */
const forPeople = (call) => call.flags.table === true || (call.flags.json !== true && process.stdout.isTTY === true);

/** @param {Problem | string} problem @returns {Problem} */
const documentOf = (problem) => (typeof problem === "string" ? JSON.parse(problem) : problem);

/** A run followed to its end, with progress and Ctrl+C. @param {Run} run @param {Call} call @param {string} label @returns {Promise<Result>} */
export async function follow(run, call, label) {
  const shown = progress(call.flags.quiet === true, label);
  const release = onInterrupt(() => run.stop());
  try {
    for await (const record of run) shown.say(progressText(record));
    return await run.result;
  } finally {
    shown.clear();
    release();
  }
}

/** @param {Call} call @param {Open} open @param {(solver: Solver, problem: Problem | string) => Run} start */
async function solved(call, open, start) {
  const out = sink(call.flags.output, call.files);
  const solver = await open();
  const endings = [];
  for (const file of call.files) {
    try {
      const problem = await readModel(solver, file, choicesOf(call));
      const result = await about({ "invalid-problem": file }, follow(start(solver, problem), call, file));
      endings.push(codeOf(result));
      out.write(forPeople(call) ? `${resultTable(file, result, documentOf(problem))}\n` : line({ file, ...result }));
    } catch (error) { // the other files are none the worse for it
      if (call.files.length === 1) {
        out.drop();
        throw error;
      }
      endings.push(complain(error));
    }
  }
  out.end();
  return worst(endings);
}

/** @param {Call} call @param {Open} open */
export const solve = (call, open) => solved(call, open, (solver, problem) => solver.solve(problem, call.options));

/** @param {Call} call @param {Open} open */
export async function bound(call, open) {
  if (call.flags.split !== undefined) return splitProof(call, open);
  if (call.flags.part !== undefined) return closePart(call, open);
  if (call.flags.join) return joinParts(call, open);
  return solved(call, open, (solver, problem) => solver.bound(problem, call.options));
}

/** A policy: a document, rows, or a result that has one. @param {string} file */
function readPolicy(file) {
  const value = readJson(file);
  return Array.isArray(value) || value?.format === "rcmdp-policy/1" ? value : value?.policy ?? value?.result?.policy ?? value;
}

/** @param {Call} call @param {Open} open */
export async function evaluate(call, open) {
  const solver = await open(1);
  const problem = await readModel(solver, call.files[0], choicesOf(call));
  const policy = typeof call.flags.policy === "string"
    ? readPolicy(call.flags.policy)
    : (await about({ "invalid-problem": call.files[0] }, solver.solve(problem, { algorithm: "uniform" }).result)).policy;
  const evaluation = await about({ "invalid-problem": call.files[0], "invalid-option": String(call.flags.policy) }, solver.evaluate(problem, policy));
  const rows = evaluation.returns.map((
    r,
  ) => [
    r.name,
    number(r.value),
    number(r.errorBound),
    r.threshold === undefined ? "" : `${r.sense === "atMost" ? "<=" : ">="} ${number(r.threshold)}`,
    r.violation === undefined ? "" : number(r.violation),
    r.worst.kernel?.name ?? "",
  ]);
  process.stdout.write(forPeople(call) ? `${aligned([["", "worst case", "error at most", "limit", "violation", "kernel"], ...rows])}\n` : line(evaluation));
  return codes.proved;
}

/** @param {Call} call @param {Open} open */
export async function check(call, open) {
  const solver = await open(1);
  const problem = await readModel(solver, call.files[0], choicesOf(call));
  const given = typeof call.flags.certificate === "string" ? readJson(call.flags.certificate) : null;
  const result = given?.result ?? given;
  const certificate = result?.certificate ?? (result?.status === undefined ? result : null);
  const policy = typeof call.flags.policy === "string" ? readPolicy(call.flags.policy) : result?.policy?.length > 0 ? result.policy : null;
  if (certificate === null && policy === null) throw new UsageError("check needs --certificate, --policy, or both.");
  const beside = String(call.flags.policy ?? call.flags.certificate);
  const files = { "invalid-problem": call.files[0], "invalid-option": beside };
  const report = await about(files, solver.check(problem, certificate, policy));
  // What a result says beside its certificate is compared too: the proof may be of other numbers.
  const { differs } = (result?.status ?? result?.objective) === undefined ? { differs: [] } : await about(files, solver.judge(problem, result));
  const ok = report.ok && differs.length === 0;
  if (typeof call.flags.vipr === "string" && ok) {
    if (certificate === null) throw new UsageError("--vipr needs a certificate.");
    const out = whole(call.flags.vipr, [...call.files, beside], (text) => text.startsWith("% A proof of RCMDP Lab"));
    out.write(await about(files, solver.vipr(problem, certificate)));
    out.end();
  }
  const reasons = [...report.reasons, ...differs];
  process.stdout.write(
    forPeople(call) ? `${ok ? "holds" : "does not hold"}\n${reasons.map((reason) => `  ${reason}\n`).join("")}` : line({ ...report, ok, reasons }),
  );
  return ok ? codes.proved : codes.fault;
}

/** What the person said of what a file leaves open. @param {Call} call @returns {Record<string, unknown>} */
const choicesOf = (call) => Object.fromEntries(pairsOf(call, "choice"));

/** @param {Call} call @param {Open} open */
export async function importFrom(call, open) {
  const solver = await open(1);
  const choices = { ...call.options, ...choicesOf(call), ...(typeof call.flags.format === "string" ? { format: call.flags.format } : {}) };
  process.stdout.write(line(await imported(solver, call.files.join(", "), call.files.map(source), choices)));
  return codes.proved;
}

/** @param {Call} call @param {Open} open */
export async function estimateOf(call, open) {
  const solver = await open(1);
  const [file] = call.files;
  /** @type {Record<string, unknown>} what columns are: one, or several of a role that has several */
  const columns = {};
  for (const [role, name] of pairsOf(call, "column")) columns[role] = columns[role] === undefined ? String(name) : [columns[role], String(name)].flat();
  const constraints = /** @type {const} */ ([["at-most", "atMost"], ["at-least", "atLeast"]])
    .flatMap(([flag, side]) => pairsOf(call, flag).map(([column, bound]) => ({ column, [side]: bound })));
  const { objective, sense, ...options } = call.options;
  /** @type {any} */
  const said = {
    ...options,
    columns,
    ...(constraints.length > 0 ? { constraints } : {}),
    ...(objective === undefined ? {} : { objective: sense === undefined ? objective : { column: objective, sense } }),
  };
  const names = { "invalid-problem": file, "choice-needed": file };
  const table = await about(names, solver.table(source(file), choicesOf(call)));
  const { problem, warnings, summary } = await about(names, solver.estimate(table, said));
  for (const warning of warnings) process.stderr.write(`${file}: ${warning}\n`);
  process.stderr.write(
    `${file}: ${summary.rows} rows${
      summary.episodes > 0 ? ` of ${summary.episodes} episodes` : ""
    }. ${summary.title}: ${summary.formula}. Source: ${summary.source}. ${summary.guarantee}\n`,
  );
  process.stdout.write(line(problem));
  return codes.proved;
}

/** @param {Call} call @param {Open} open */
export async function exportTo(call, open) {
  if (typeof call.flags.format !== "string") throw new UsageError("export needs --format.");
  const solver = await open(1);
  const problem = await readModel(solver, call.files[0], choicesOf(call));
  const { policy, kernel = "0", format } = call.flags;
  const chain = typeof policy === "string" ? { policy: readPolicy(policy), kernel: Number(kernel) } : {};
  const { text, bytes } = await about({ "invalid-problem": call.files[0], "invalid-option": String(policy) }, solver.exported(problem, format, chain));
  process.stdout.write(bytes ?? text);
  return codes.proved;
}

/** @param {Call} call @param {Open} open */
export async function sweep(call, open) {
  const { pointer, values } = call.flags;
  if (typeof pointer !== "string" || typeof values !== "string") throw new UsageError("sweep needs --pointer and --values.");
  const solver = await open();
  const problem = await readModel(solver, call.files[0], choicesOf(call));
  const run = solver.sweep(problem, { pointer, values: valuesOf(values), ...call.options });
  const shown = progress(call.flags.quiet === true, call.files[0]);
  const release = onInterrupt(() => run.stop());
  const followed = async () => {
    for await (const record of run) shown.say(`${record.done} of ${record.total}`);
    return (await run.result).points;
  };
  try {
    const points = await about({ "invalid-problem": call.files[0] }, followed());
    const rows = points.filter((p) => p !== null).map((p) => [
      number(p.value),
      p.status,
      number(p.objective.value),
      proved(p.objective),
    ]);
    // Why one was not run, or what is best nowhere.
    const why = points.flatMap((p) => (p && (p.status === "failed" || p.status === "feasible") ? p.warnings.map((w) => `${number(p.value)}: ${w}\n`) : []));
    process.stdout.write(
      forPeople(call) ? `${aligned([[pointer, "status", "value", "bound"], ...rows])}\n${why.join("")}` : points.map(line).join(""),
    );
    // That a limit cannot be met at some value is an answer as good as any.
    return worst(points.map((p) => (p === null ? codes.open : p.status === "proved-infeasible" ? codes.proved : codeOf(p))));
  } finally {
    shown.clear();
    release();
  }
}
