// @ts-check
// telling.js — the frame's side of a conversation that its host asked for (tell=ORIGIN): a model comes by message,
// its result and a reader's edits go back, to the page around this frame alone and only where that is of the origin named. What was
// not found or checked here is told as what it is: unchecked, without a bound. Loaded for hosts that ask; what every embed has is
// given to it, as what it imported would be cut out of the embed into pieces.

import { askedBy, originIn, TYPE } from "./frames.js";

/** What happens within so many milliseconds is told once. */
const PAUSE = 50;

/**
 * @param {{
 *   lab: import("../lab.js").Lab, world: import("../lab/core.js").World, tell: string, frame: string, solve?: false | (() => Promise<void>),
 *   pack: typeof import("../share/share.js").pack, lean: typeof import("../share/share.js").leanAnswer,
 * }} asked world: that of the lab, beside whose address a model is laid that comes; solve: where such a model is to be solved at once
 */
export function telling({ lab, world, tell, frame, solve, pack, lean }) {
  const origin = originIn(tell);
  if (origin === null || parent === window) {
    lab.notify(`This frame tells nobody: ${origin === null ? `“${tell.slice(0, 80)}” is no origin of a page` : "there is no page around it"}.`);
    return;
  }
  const post = (/** @type {object} */ message) => parent.postMessage({ type: TYPE, frame, ...message }, origin);
  /** What the host knows. @type {{ doc: Doc | null, result: object | null, failed: string }} */
  const known = { doc: null, result: null, failed: "" };
  let turn = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  /** Tells the host what it does not know yet. */
  function follow() {
    timer = undefined;
    const state = lab.get();
    fail(state.engine.phase === "failed" ? state.engine.message ?? "" : lab.faults(state).map(({ pointer, message }) => `${pointer}: ${message}.`).join(" "));
    if (!state.opened) return;
    const { doc } = state.history.present;
    if (known.doc === null) known.doc = doc;
    if (doc !== known.doc) {
      known.doc = doc;
      post({ problem: JSON.parse(JSON.stringify(doc)) });
    }
    const { answer, fresh } = lab.shown(state);
    const result = fresh && answer && !state.run ? answer.result : null;
    if (result === known.result) return;
    known.result = result;
    post({ result: result && JSON.parse(JSON.stringify(lean(/** @type {import("../rcmdp.js").Result} */ (result)))) });
  }

  /** @param {string} why */
  function fail(why) {
    if (why !== "" && why !== known.failed) post({ failed: why });
    known.failed = why;
  }

  /** @param {{ problem: string, answer: Record<string, any> | null }} asked */
  async function open({ problem, answer }) {
    const mine = ++turn;
    lab.cancel();
    known.failed = "";
    if (!isJson(problem)) {
      const why = "The page around this frame has handed over what is no JSON.";
      lab.notify(why, [], "bad");
      fail(why);
      return;
    }
    const kept = String(mine);
    world.kept = () => ({ sum: kept, text: problem });
    const came = await lab.openLink({ kept, ...(answer && { answer: (await pack(answer)).text }) });
    if (mine !== turn) return;
    if (came === false) fail(lab.get().notices.at(-1)?.text ?? "");
    if (!came) return;
    known.doc = lab.get().history.present.doc;
    if (solve) await solve();
  }

  lab.store.subscribe(() => {
    if (timer === undefined) timer = setTimeout(follow, PAUSE);
  });
  addEventListener("message", (event) => {
    const asked = askedBy(event, parent, origin, frame);
    if (asked) void open(asked);
  });
  post({ ready: true });
  follow();
}

/** @param {string} text */
function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
