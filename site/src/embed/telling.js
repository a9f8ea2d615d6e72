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
  /** What the host knows, of which of its models. @type {{ turn: number, doc: Doc | null, result: object | null | undefined, failed: string }} */
  const known = { turn: 0, doc: null, result: null, failed: "" };
  /** The model that is being opened: until it is there nothing is told, as that would be of the one before. @type {object | null} */
  let opening = null;
  const post = (/** @type {object} */ message) => parent.postMessage({ type: TYPE, frame, turn: known.turn, ...message }, origin);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  /** Tells the host what it does not know yet. */
  function follow() {
    timer = undefined;
    if (opening) return;
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

  /** @param {import("./frames.js").Asked} asked */
  async function open(asked) {
    opening = asked;
    lab.cancel();
    const came = await lay(asked);
    if (opening !== asked) return;
    opening = null;
    if (came === false) {
      post({ turn: asked.turn, failed: lab.get().notices.at(-1)?.text ?? "" });
      return; // what else is told is of the model that stays
    }
    Object.assign(known, { turn: asked.turn, result: undefined, failed: "" });
    if (came) known.doc = lab.get().history.present.doc;
    follow();
    if (came && solve) await solve();
  }

  /** @param {import("./frames.js").Asked} asked @returns {Promise<boolean | null>} whether it is there; null where another was asked for meanwhile */
  async function lay(asked) {
    const { problem, answer } = asked;
    if (!isJson(problem)) {
      lab.notify("The page around this frame has handed over what is no JSON.", [], "bad");
      return false;
    }
    const packed = answer && (await pack(answer)).text;
    if (opening !== asked) return null;
    world.kept = () => ({ sum: "told", text: problem });
    return lab.openLink({ kept: "told", ...(packed && { answer: packed }) });
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
