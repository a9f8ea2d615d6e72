// @ts-check
// Whatever a person clicks, edits, opens, stops, undoes or reloads, the page never shows an answer
// beside a document it does not belong to. The solver here gives every model a value of its own, so
// that the number on the page tells which model it is of.

import assert from "node:assert/strict";
import { test } from "node:test";
import { html } from "htm/preact";
import { renderToString } from "preact-render-to-string";
import { addState, removeState } from "../src/document/edits.js";
import { blankDocument } from "../src/document/reading.js";
import { replaceAt } from "../src/document/patch.js";
import { own } from "../src/engine/claims.js";
import { createLab } from "../src/lab.js";
import { knobsOf } from "../src/lab/knobs.js";
import { Page } from "../src/panels/page.js";
import { sealed, writeFragment } from "../src/share/fragment.js";
import { checksum, pack } from "../src/share/share.js";
import { fakeSolver } from "./fake-solver.js";

const memory = () => ({
  text: /** @type {string | null} */ (null),
  read() {
    return this.text;
  },
  /** @param {string | null} t */
  write(t) {
    this.text = t;
  },
});

/** A number that only this model has, whatever it is called. @param {any} doc */
function worthOf(doc) {
  const { name: _n, description: _d, source: _s, ...model } = JSON.parse(JSON.stringify(doc));
  return Number.parseInt(checksum(new TextEncoder().encode(JSON.stringify(sorted(model)))).slice(0, 5), 16) + 1;
}

/** @param {any} x @returns {any} */
const sorted = (
  x,
) => (Array.isArray(x) ? x.map(sorted) : x && typeof x === "object" ? Object.fromEntries(Object.keys(x).sort().map((k) => [k, sorted(x[k])])) : x);

/** The fake solver, but that a model's value is its own. */
function tellingSolver() {
  const solver = /** @type {any} */ (fakeSolver());
  const { solve } = solver;
  solver.solve = (/** @type {any} */ problem, /** @type {any} */ options) => {
    const run = solve.call(solver, problem, options);
    const { result } = run;
    Object.defineProperty(run, "result", {
      get: () => result.then((/** @type {any} */ r) => own({ ...r, objective: { ...r.objective, value: worthOf(problem) } })),
    });
    return run;
  };
  solver.judge = async (/** @type {any} */ problem, /** @type {any} */ told) => {
    const value = worthOf(problem);
    const holds = told.objective.value === value;
    return { holds, differs: holds ? [] : ["It is worth another."], result: own({ ...told, status: "feasible", objective: { ...told.objective, value } }) };
  };
  return solver;
}

/** A generator of whole numbers below n, the same for the same seed. @param {number} seed */
function generator(seed) {
  let x = seed >>> 0;
  return (/** @type {number} */ n) => {
    x = (Math.imul(x, 1664525) + 1013904223) >>> 0;
    return Math.floor((x / 2 ** 32) * n);
  };
}

const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** @param {number} seed @param {number} steps */
async function wander(seed, steps) {
  const random = generator(seed);
  const address = { hash: "" };
  const world = {
    fragment: () => address.hash,
    labUrl: () => "https://lab.test/",
    embedUrl: () => "https://lab.test/embed.html",
    stores: true,
    draft: memory(),
    lastEdit: memory(),
    address: { replace: (/** @type {string} */ f) => void (address.hash = f), push: (/** @type {string} */ f) => void (address.hash = f) },
  };
  const solver = tellingSolver();
  const open = () => createLab({ ...world, openSolver: async () => solver });
  let lab = open();
  await lab.boot();
  const sent = await pack({ ...blankDocument(), name: "sent", discount: 0.3 });
  /** @type {string[]} */
  const done = [];
  /** @type {Record<string, () => unknown>} */
  const acts = {
    edit: () => lab.edit((/** @type {any} */ d) => replaceAt(d, "/discount", [0.1, 0.2, 0.5, 0.9, 1][random(5)]), "/discount"),
    turn: () => lab.turn({ ...knobsOf(lab.doc(), { kind: "blank" }, [])[0], pointer: "/discount" }, [0.1, 0.2, 0.5, 0.9][random(4)]),
    rename: () => lab.edit((/** @type {any} */ d) => replaceAt(d, "/name", `m${random(9)}`), "/name"),
    addState: () => lab.doc().states.length < 6 && lab.reshape(addState),
    removeState: () => lab.doc().states.length > 1 && lab.reshape((/** @type {any} */ d) => removeState(d, 0)),
    undo: () => lab.undo(),
    redo: () => lab.redo(),
    settle: () => lab.settle(),
    example: () => lab.chooseExample(["first", "second"][random(2)]),
    parameter: () => lab.setParameter("discount", random(9) / 10),
    blank: () => lab.newModel(),
    file: () => lab.openText(JSON.stringify({ ...blankDocument(), discount: random(9) / 10 }), "f.json"),
    solve: () => lab.solve(),
    stop: () => lab.stop(),
    cancel: () => lab.cancel(),
    live: () => lab.setLive(random(2) === 0),
    run: () => {
      const { list } = lab.get().runs;
      return list.length > 0 && lab.openRun(list[random(list.length)].id);
    },
    link: () => {
      address.hash = sealed(writeFragment({ problem: sent.text, sum: sent.sum }));
      return lab.followFragment();
    },
    cut: () => {
      address.hash = sealed(writeFragment({ problem: sent.text, sum: sent.sum })).slice(0, -1 - random(40));
      return lab.followFragment();
    },
    aside: () => {
      const { aside } = lab.shown();
      return aside && lab.openAnswer(aside);
    },
    reload: async () => {
      lab.keepDraft();
      lab = open();
      await lab.boot();
    },
    wait: () => pause(random(4)),
  };
  const names = Object.keys(acts);
  for (let i = 0; i < steps; i++) {
    const name = names[random(names.length)];
    done.push(name);
    const going = acts[name]();
    look(lab, done);
    if (random(3) === 0) await going;
    else await pause(0);
    look(lab, done);
  }
  lab.cancel();
  lab.setLive(false);
  return done.length;
}

/** @param {import("../src/lab.js").Lab} lab @param {string[]} done */
function look(lab, done) {
  const state = lab.get();
  const page = renderToString(html`<${Page} lab=${lab} state=${state} />`);
  const after = `after ${done.slice(-12).join(", ")}`;
  const answer = /<section class="answer[^]*$/.exec(page)?.[0] ?? "";
  const shown = /data-objective="([^"]*)"/.exec(answer)?.[1];
  const fresh = /<section class="[^"]*"[^>]*data-fresh="true"/.test(answer);
  const here = worthOf(state.history.present.doc);
  assert.ok(state.notices.length <= 1, `one notice at a time ${after}`);
  if (state.empty) {
    assert.ok(!fresh && shown === undefined, `an answer on an empty page ${after}`);
    return;
  }
  if (fresh && shown !== undefined) assert.equal(Number(shown), here, `an answer of another model ${after}`);
  if (!fresh && shown !== undefined) {
    assert.match(answer, /Out of date|Following the change/, `an answer that is not said to be out of date ${after}`);
    assert.doesNotMatch(answer.slice(0, answer.indexOf("</h2>") + 400), /M4 12\.5/, `a tick on an answer that is out of date ${after}`);
  }
  const bar = /<div class="solvebar"[^]*?<\/a>/.exec(page)?.[0] ?? "";
  const value = /<b>([^<]*)<\/b>/.exec(bar)?.[1];
  if (value !== undefined && !state.run) assert.equal(Number(value.replace(/[^\d.]/g, "")), here, `the bar speaks of another model ${after}`);
}

test("no answer ever stands beside a document it does not belong to", async () => {
  const seeds = process.env.RCMDP_LONG ? 200 : 6;
  for (let seed = 1; seed <= seeds; seed++) assert.equal(await wander(seed, 70), 70);
});
