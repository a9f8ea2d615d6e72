// @ts-check
// files.js — files and pasted texts, opened for what they are: a model, saved runs, a policy, a
// certificate, a picture with a model in it, or a model in another format.

import { decisions } from "../document/steps.js";
import { documentInside, documentInsidePng, isPicture, isPngFile } from "../picture/inside.js";
import { parseDocument } from "../document/json.js";
import { sameValue } from "../document/same.js";
import { isPolicyTable } from "../engine/claims.js";
import { unreadable } from "../document/shape.js";
import { count, sentence } from "../words/format.js";
import { boundText } from "../words/words.js";
import { shownAnswer } from "./state.js";
import { PASTED } from "./core.js";

/** Larger files are not even read. */
const LARGEST_FILE = 50 * 2 ** 20;

/**
 * @param {import("./core.js").Core} core
 * @param {import("./editing.js").Editing & import("./library.js").Library & import("./judging.js").Judging & Pick<import("../lab.js").Lab, "consider">
 *   & import("./opening.js").Opening} given
 */
export function files(core, { put, importRuns, evaluatePolicy, consider, arrive }) {
  /**
   * Opens the text of a file, whatever it is: a model, saved runs, a policy, or a
   * model in another format.
   * @param {string} text
   * @param {string} name
   */
  async function openText(text, name) {
    const pictured = documentInside(text);
    if (pictured) return openDocument(pictured, name);
    const parsed = parseDocument(text);
    const value = parsed.ok ? parsed.value : null;
    const format = typeof value?.format === "string" ? value.format : "";
    if (format === "rcmdp-policy/1") return tryPolicy(value, name);
    if (format.startsWith("rcmdp-certificate/")) return tryCertificate(value, name);
    if (/^rcmdp-runs?\//.test(format)) return importRuns(text);
    if (format === "rcmdp/1") return openDocument(value, name);
    if (isOurs(value)) return openDocument(value, name);
    if (!parsed.ok && /^\s*\{[^]*"rcmdp\/\d/.test(text)) return core.notify(`${name} was not opened. ${parsed.message}`, [], "bad");
    return consider([{ name: name === PASTED ? "" : name, data: text }]);
  }

  /**
   * Files dropped or chosen together: those in our own formats one by one, the others as the parts
   * of one model.
   * @param {Iterable<File>} files
   */
  async function openFiles(files) {
    /** @type {import("./importing.js").Source[]} */
    const others = [];
    for (const file of files) {
      const before = core.asked();
      const start = await file.slice(0, 4096).arrayBuffer();
      const head = new TextDecoder().decode(start);
      if (isPicture(head) || /^\s*\{[^]*"rcmdp[a-z-]*\/\d/.test(head)) {
        const text = await file.text();
        if (core.asked() !== before) return; // another model was asked for while this was read
        await openText(text, file.name);
      } else if (isPngFile(new Uint8Array(start))) await openPng(file, before);
      else if (file.size > LARGEST_FILE) core.notify(`${file.name} is too large: at most 50 MB are read.`, [], "bad");
      else others.push({ name: file.name, data: new Uint8Array(await file.arrayBuffer()) });
    }
    if (others.length > 0) await consider(others);
  }

  /** @param {File} file @param {number} before how many models were asked for when it came */
  async function openPng(file, before) {
    const doc = await documentInsidePng(new Uint8Array(await file.arrayBuffer()));
    if (core.asked() !== before) return;
    if (doc) await openDocument(doc, file.name);
    else core.notify(`${file.name} was not opened. It is a picture without a model in it.`, [], "bad");
  }

  /** @param {Doc} doc @param {string} name */
  async function openDocument(doc, name) {
    const why = unreadable(doc);
    if (why !== null) core.notify(`${name} was not opened. ${why}`, [], "bad");
    else {
      await put({ doc, origin: { kind: "file", name } });
      core.succeeded();
      await arrive();
    }
  }

  /** Has a certificate from a file checked against the model. @param {unknown} certificate @param {string} name */
  async function tryCertificate(certificate, name) {
    const doc = core.doc();
    const model = () => (core.doc() === doc ? "this model" : `“${doc.name || "the model before"}”, as it was when the file came`);
    await core.attempt(`${name} was not checked: `, async () => {
      if (!core.solver) return;
      const { ok, lowerBound, upperBound, infeasible, reasons } = await core.solver.check(doc, certificate);
      const shows = infeasible ? "no stationary policy keeps every limit" : `no stationary policy is better than ${boundText({ lowerBound, upperBound })}`;
      if (ok) core.notify(`${name} holds for ${model()}: ${shows}.`);
      else core.notify(`${name} does not hold for ${model()}. ${sentence(reasons.at(-1) ?? "")}`, [], "bad");
    });
  }

  /** Puts a policy from a file on trial. @param {Partial<import("../rcmdp.js").PolicyDocument>} document @param {string} name */
  async function tryPolicy({ states, actions, probabilities }, name) {
    const { answer } = shownAnswer(core.get());
    if (!answer || !sameValue(states, answer.problem.states) || !sameValue(actions, answer.problem.actions)) {
      return core.notify(`${name} holds a policy of another model: its states or actions are not those of the answer shown here.`, [], "bad");
    }
    const isTable = isPolicyTable(answer.problem.states.length, answer.problem.actions.length);
    const steps = decisions(answer.problem);
    if (!Array.isArray(probabilities) || !(isTable(probabilities) || (steps > 0 && probabilities.length === steps && probabilities.every(isTable)))) {
      const tables = steps > 0 ? `, in ${count(steps, "table")}, one for each decision` : "";
      return core.notify(
        `${name} holds no policy of this model: “probabilities” is not a row of numbers, one for each action, for each state${tables}.`,
        [],
        "bad",
      );
    }
    core.set({
      edit: {
        policy: steps > 0 && isTable(probabilities) ? Array.from({ length: steps }, () => /** @type {number[][]} */ (probabilities)) : probabilities,
        outcome: null,
        message: "",
        busy: false,
      },
    });
    await evaluatePolicy();
  }

  return { openText, openFiles };
}

/** A document that forgot to say its format; arrays of other tools have names of states too. @param {any} value */
const isOurs = (value) =>
  value !== null && typeof value === "object" && "states" in value && !["P", "Q", "T", "transitions", "lower"].some((key) => key in value);
