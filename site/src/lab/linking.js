// @ts-check
// linking.js — the model and its method as a link: for the page's own address and for others.

import { isPaintedLike } from "../document/reading.js";
import { isOwn, shownAnswer } from "./state.js";
import { sealed, writeFragment } from "../share/fragment.js";
import { changedOptions } from "./presets.js";
import { leanAnswer, pack } from "../share/share.js";

/**
 * @typedef {import("../share/fragment.js").Link} Link
 * @typedef {{ run?: boolean, answer?: boolean, carried?: boolean, more?: Link }} Choices answer: with the answer, when it is short; carried: an example too travels whole
 */

/** An answer travels in a link when it takes no more than so many characters, */
const LONGEST_ANSWER = 1600;
/** and the model in the page's own address when the link takes no more than so many. */
const LONGEST_ADDRESS = 12_000;
/** A longer model stands in the tab's history beside the address, when its text takes no more than so many. */
const LONGEST_KEPT = 6_000_000;

/** @param {import("./core.js").Core} core */
export function linking(core) {
  const { get, world } = core;

  /**
   * The model and method as a link's fragment, when a model that was asked for is there; with the answer when it is a small one.
   * @param {Choices} [choices]
   */
  async function fragment(choices = {}) {
    await core.settled();
    return sealed(writeFragment(await linkOf(choices)));
  }

  /**
   * What is in it is of the moment of the call, however long the packing takes.
   * @param {Choices} choices
   * @returns {Promise<Link>}
   */
  async function linkOf({ run = false, answer: along = false, carried = false, more = /** @type {Link} */ ({}) }) {
    const { present } = get().history;
    const { doc, origin } = present;
    const { answer, fresh } = shownAnswer(get());
    const method = core.algorithm();
    const changed = method ? changedOptions(method, core.settings()) : {};
    /** @type {Link} */
    const link = { algorithm: method?.id, option: texts(changed), run, ...more };
    if (origin.kind === "example" && !isOwn(present) && !carried) {
      const known = get().examples.find((e) => e.id === origin.id)?.parameters ?? [];
      link.example = origin.id;
      link.param = texts(
        Object.fromEntries(Object.entries(origin.parameters).filter(([name, v]) => known.find((p) => p.name === name)?.default !== v)),
      );
    } else {
      Object.assign(link, await packed(doc, along && fresh ? answer : null));
    }
    return link;
  }

  const pageLink = async () => world.labUrl() + (await fragment({ answer: true }));

  return {
    fragment,
    pageLink,
    /** The model that an answer is of as a link, which is not the document's when that was edited since. @param {import("./state.js").Answer} answer */
    async linkTo(answer) {
      const shown = shownAnswer(get());
      if (shown.answer === answer && shown.fresh) return pageLink();
      const { problem, algorithm, result } = answer;
      const method = core.algorithm(algorithm);
      const option = method && texts(changedOptions(method, result.options));
      return world.labUrl() + sealed(writeFragment({ algorithm, option, ...await packed(problem, answer) }));
    },
    /** The page's own address, and what has to stand beside it. @param {Doc} doc as it is now @returns {Promise<{ next: string, kept?: import("./core.js").Kept }>} */
    async addressOf(doc) {
      const link = await linkOf({});
      const next = sealed(writeFragment(link));
      if (next.length <= LONGEST_ADDRESS) return { next };
      const text = JSON.stringify(doc);
      if (text.length > LONGEST_KEPT) return { next: "" };
      const { problem: _, sum = "", ...rest } = link;
      return { next: sealed(writeFragment({ ...rest, kept: sum })), kept: { sum, text } };
    },
  };
}

/** A model as a link carries it, with its answer when there is one that is short. @param {Doc} doc @param {import("./state.js").Answer | null} answer @returns {Promise<Link>} */
async function packed(doc, answer) {
  // A grid is short without its answer, which is soon found again.
  const grid = isPaintedLike(doc) ? await (await import("../share/grid-code.js")).packGrid(doc) : null;
  if (grid !== null && grid.length < LONGEST_ADDRESS / 2) return { grid };
  const { text, sum } = await pack(doc);
  const lean = answer ? (await pack(leanAnswer(answer.result))).text : "";
  return { problem: text, sum, ...(lean !== "" && lean.length <= LONGEST_ANSWER ? { answer: lean } : {}) };
}

/** @typedef {ReturnType<typeof linking>} Linking */

/** @param {Record<string, unknown>} values */
const texts = (values) => Object.fromEntries(Object.entries(values).map(([k, v]) => [k, String(v)]));
