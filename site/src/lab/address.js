// @ts-check
// address.js — keeps the page's own address to the model: another model is a step of the
// browser's history, an edit is none.

/** The address follows this long after the last change. */
const ADDRESS_MS = 300;

/**
 * @param {import("./core.js").Core} core
 * @param {{ keepDraft: () => void } & import("./linking.js").Linking} given
 */
export function addressing(core, { keepDraft, addressOf }) {
  const { get, world } = core;
  /** The fragment that this page has put there. */
  let written = "";
  /** The fragment that this page has read or put there: another is a link that it is about to be told of. */
  let known = world.fragment();
  /** The model that it is of, by line; 0 before the first. */
  let addressed = 0;
  /** The model that the visit began with: leaving it is a step too, also before its address was written. */
  let first = 0;
  /** The model that was there when the address was gone to: until another comes nothing is written, and then in the address's place. */
  let leaving = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** What the address was last written for. @type {unknown[]} */
  let parts = [];

  function follow() {
    const s = get();
    if (!world.address || !s.opened || s.empty) return;
    const { line } = s.history.present;
    first ||= line;
    if (line === leaving || (s.engine.phase !== "ready" && line === first)) return; // a link to the first may say more than is known of it yet
    const now = [s.history.present, s.method, s.settings];
    if (now.every((part, i) => part === parts[i])) return;
    parts = now;
    clearTimeout(timer);
    timer = setTimeout(write, ADDRESS_MS);
  }

  async function write() {
    const { line, doc } = get().history.present;
    const of = parts;
    const { next, kept } = await addressOf(doc);
    if (parts !== of || get().history.present.doc !== doc) return;
    if (world.fragment() !== known) return; // the link goes first
    const another = leaving === 0 && line !== (addressed || first);
    leaving = 0;
    written = next;
    addressed = line;
    if (next === world.fragment()) return;
    core.addressBefore = another ? "" : world.fragment();
    if (another) world.address?.push(next, kept);
    else world.address?.replace(next, kept);
    known = world.fragment();
    keepDraft();
  }
  core.store.subscribe(follow);

  return {
    /** The page has looked at the address as it is. */
    noted: () => {
      known = world.fragment();
    },
    /** Whether the address is what this page has put there. */
    isOwn: () => world.fragment() === written,
    /** The model that the address is of is being opened. */
    goneTo: () => {
      clearTimeout(timer);
      parts = [];
      written = world.fragment();
      leaving = get().history.present.line;
    },
    /** It could not be. */
    stays: () => {
      leaving = 0;
    },
  };
}
