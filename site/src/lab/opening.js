// @ts-check
// opening.js — what a visit begins with, and links followed later. Opening never destroys:
// what was there is one undo away.

import { unreadable } from "../document/shape.js";
import { carriedModel, carriesModel, namesModel, readFragment } from "../share/fragment.js";
import { LinkError, readAnswer, unpack } from "../share/share.js";
import { addressing } from "./address.js";
import { connecting } from "./connecting.js";
import { draftOf, offerLastEdit, parse } from "./drafts.js";
import { examples } from "./examples.js";
import { isOwn, shownAnswer } from "./state.js";

/** @typedef {import("../share/fragment.js").Link} Link */

const NAMELESS = "The link names no model of this page.";

/**
 * @typedef {import("./editing.js").Editing & import("./methods.js").Methods & import("./library.js").Library & import("./running.js").Running
 *   & import("./gallery.js").Gallery & import("./linking.js").Linking & import("./judging.js").Judging} Given
 * @typedef {Given & import("./examples.js").Examples & ReturnType<typeof connecting>} Shown
 * @typedef {Shown & ReturnType<typeof linked> & ReturnType<typeof arriving>} Doors
 */

/**
 * @param {import("./core.js").Core} core
 * @param {Given} given
 */
export function opening(core, given) {
  const shown = { ...given, ...connecting(core), ...examples(core, given) };
  const doors = { ...shown, ...linked(core, shown), ...arriving(core, shown) };
  const { connect, openExample, setParameter, openLink, arrive, showEmpty } = doors;
  const boot = beginning(core, doors);

  return {
    connect,
    openExample,
    openLink,
    arrive,
    showEmpty,
    boot,
    retry: boot,
    setParameter,
    followFragment: following(core, doors),
    embedUrl: core.world.embedUrl,
    /** An example that a person chooses, with its answer. @param {string} id @param {Record<string, number>} [parameters] */
    async chooseExample(id, parameters) {
      if (await openExample(id, parameters)) await arrive();
    },
    /** Shows the model that an answer is of again, with the answer. @param {import("./state.js").Answer} answer */
    openAnswer: (answer) => given.put({ doc: answer.problem, origin: { kind: "draft" }, line: answer.line }),
  };
}

/**
 * What follows when a model has come, or could not.
 * @param {import("./core.js").Core} core
 * @param {Shown} given
 */
function arriving(core, { solve, confirmAnswers, openExample }) {
  const { get } = core;
  return {
    /** A model that has just come gets its answer: one that came with it and holds, or a short run. */
    async arrive() {
      if (!core.solver || get().empty || !get().opened) return;
      const { line } = get().history.present;
      await confirmAnswers();
      if (line !== get().history.present.line) return; // another has come meanwhile
      if (!shownAnswer(get()).fresh) await solve({ auto: "arrival" });
    },

    /** What is shown in place of a model that could not be opened. @param {string} why */
    showEmpty(why) {
      core.set({ empty: true, opened: true });
      core.notify(why, [{ label: "Open an example", run: () => void openExample() }], "bad");
    },
  };
}

/**
 * The beginning of a visit.
 * @param {import("./core.js").Core} core
 * @param {Doors} does
 */
function beginning(core, does) {
  const { get } = core;
  const { connect, openExample, openLink, arrive, showEmpty } = does;

  /**
   * Opens what the address, the last draft or the gallery names, with its answer:
   * what needs no solver before it is there, the rest as soon as it is.
   */
  return async function boot() {
    let untouched = () => true;
    const loading = connect().then((there) => {
      const { method, settings } = get();
      untouched = () => get().method === method && get().settings === settings;
      return there;
    });
    await does.loadGallery();
    const { link, damage } = readLink(core);
    const kept = draftOf(core, link, damage);
    const restored = kept && (await import("./restoring.js")).restoring(core, does, kept);
    const open = () => (restored ? restored.openDraft() : namesModel(link) ? openLink(link) : openExample());
    const early = get().opened || damage !== "" || (await open()) !== false;
    if (damage) showEmpty(damage);
    askFor(core, link);
    if (!(await loading)) return;
    if (!early && !get().opened && (await open()) === false) {
      if (namesModel(link) && !kept) showEmpty(get().notices.at(-1)?.text ?? NAMELESS);
      else if (kept) await openExample();
    }
    if (untouched()) { // what a person has chosen meanwhile stands
      if (restored) restored.restoreSettings();
      else does.applyMethod(link);
    }
    await does.check();
    void does.loadRuns().then(restored?.offerToContinue);
    if (kept?.answer?.saving) await does.restoreAnswer(kept.answer.id);
    else if (!damage) offerLastEdit(core, does, arrive);
    await arrive();
    if (get().wanted) await does.solve();
  };
}

/**
 * A link typed or followed while the page is open, or the way back.
 * @param {import("./core.js").Core} core
 * @param {Doors} does
 */
function following(core, does) {
  const { get } = core;
  const { openLink, arrive, showEmpty } = does;
  const address = addressing(core, does);

  return async function followFragment() {
    address.noted();
    if (!core.solver && !get().opened) return;
    const { link, damage } = readLink(core);
    if (damage) {
      core.leaving();
      showEmpty(damage);
      return;
    }
    askFor(core, link);
    if (!(namesModel(link) || isBare(core.world.fragment())) || address.isOwn()) return;
    const had = get().history.past.length > 0 || isOwn(get().history.present);
    address.goneTo();
    const opened = await openLink(link);
    if (!opened) address.stays();
    if (opened === false) showEmpty(get().notices.at(-1)?.text ?? NAMELESS);
    if (!opened) return;
    does.applyMethod(link);
    if (had) core.notify("The link was opened as a new model.", [{ label: "Back to the model before", run: does.undo }]);
    await arrive();
  };
}

/** @typedef {ReturnType<typeof opening>} Opening */

/** A link may name an address to fetch from, which is done when the person says so. @param {import("./core.js").Core} core @param {Link} link */
const askFor = ({ set }, { url }) => void (url !== undefined && set({ dialog: { kind: "address", url } }));

/** Whether an address asks for nothing, which is the first example. @param {string} fragment */
const isBare = (fragment) => fragment.length <= 1;

/** What the page's address asks for. @param {import("./core.js").Core} core */
function readLink({ world, notify }) {
  const { link, unknown, damage } = readFragment(world.fragment());
  if (unknown.length > 0) notify(`This link has parts that this page does not know and has left out: ${unknown.join(", ")}.`);
  return { link, damage };
}

/**
 * Models that links carry or name.
 * @param {import("./core.js").Core} core
 * @param {Shown} given
 */
function linked(core, { show, openExample, offer }) {
  /** Shows the model in a link; nothing of one that is not whole. @param {Link} link @param {() => boolean} wanted */
  async function unpacked(link, wanted) {
    const doc = carriesModel(link) ? await carriedModel(link) : fromHistory(link.kept ?? "");
    const why = unreadable(doc);
    if (why !== null) throw new LinkError(`The link holds no model that can be shown. ${why}`);
    const answer = link.answer === undefined ? null : readAnswer(doc, await unpack(link.answer));
    if (!wanted()) return null;
    const line = core.newLine();
    const checked = show({ doc, origin: { kind: "link" }, line });
    if (answer) offer({ problem: doc, result: answer, id: `link:${line}`, name: String(doc.name ?? ""), line, source: "link" });
    return { checked };
  }

  /** The model that stands in this tab's history beside the address. @param {string} sum */
  function fromHistory(sum) {
    const kept = core.world.kept?.();
    const doc = kept?.sum === sum ? parse(kept.text) : null;
    if (doc !== null) return doc;
    throw new LinkError(
      "This address is of a model that is too long for one, and only the tab that it was made in has it. Share, there, makes one file or a document to send.",
    );
  }

  return {
    /**
     * Opens the model that a link carries or names, with the answer it carries.
     * @param {Link} link
     * @returns {Promise<boolean | null>} null when another model was asked for meanwhile
     */
    async openLink(link) {
      if (link.kept === undefined && !carriesModel(link))
        return openExample(link.example, Object.fromEntries(Object.entries(link.param ?? {}).map(([k, v]) => [k, Number(v)])));
      const came = await core.bringIn((wanted) => unpacked(link, wanted));
      return came && true;
    },
  };
}
