// @ts-check
// dialogs.js — every dialog of the page, in one place: which there are, how one is opened and left, and where the focus
// is then. What is in it is loaded when it is first asked for. Emits: closing.

import { html, useId, useLayoutEffect, useRef } from "../view.js";
import { later } from "./bench.js";
import { deferred, pure } from "./parts.js";

/** @typedef {import("./parts.js").Lab} Lab */
/** @typedef {import("../lab/state.js").State} State */
/** @typedef {NonNullable<State["dialog"]>} Asked */

/**
 * @type {{ [K in Asked["kind"]]: { title: (asked: any) => string, Content: (props: any) => Content, of?: (lab: Lab, state: State) => object } }}
 *   title: what it says it is; of: the slice of the state that its content draws
 */
const dialogs = {
  examples: {
    title: () => "Examples",
    Content: later("Groups"),
    of: (lab, { examples, empty, history: { present: { origin } } }) => ({
      examples,
      items: lab.galleryItems(),
      chosen: !empty && origin.kind === "example" ? origin.id : "",
    }),
  },
  new: { title: ({ door }) => ({ "": "Start a model", table: "From a table", logs: "From logs" }[/** @type {""} */ (door)]), Content: later("Doors") },
  share: { title: () => "Share this model", Content: deferred(() => import("./sharing.js"), "Sharing") },
  address: { title: ({ url }) => (url ? "This link asks for a model from another place" : "A model from an address"), Content: later("Address") },
  trouble: {
    title: () => "Report a problem",
    Content: later("Trouble"),
    of: (lab, { version, crash, notices }) => ({ version, crash, notices, answer: lab.answer() }),
  },
  keys: { title: () => "Keys", Content: later("Keys") },
  import: {
    title: ({ names }) => (names ? `Open ${names}` : "Open the pasted text"),
    Content: deferred(() => import("./import.js"), "Import"),
    of: (_lab, { import: importing }) => ({ importing }),
  },
};
for (const one of Object.values(dialogs)) one.Content = pure(one.Content);

/** The dialog that is open, if one is: files that are looked at come first. @param {State} state @returns {Asked | null} */
const openOf = ({ import: importing, dialog }) => importing ? { kind: "import", names: importing.files.map((f) => f.name).filter(Boolean).join(", ") } : dialog;

/** @param {{ lab: Lab, state: State }} props */
export function Dialogs({ lab, state }) {
  const asked = openOf(state);
  if (!asked) return null;
  const { kind, ...about } = asked;
  const { title, Content, of } = dialogs[kind];
  // That it is closed is told a moment later: another may have been asked for by then, which is not to go with it.
  const { dialog, import: importing } = state;
  const close = () => {
    const now = lab.get();
    if (importing ? now.import?.files === importing.files : now.dialog === dialog) importing ? lab.cancelImport() : lab.ask(null);
  };
  return html`<${Dialog} key=${kind} kind=${kind} what=${importing?.files ?? dialog} title=${title(asked)} onClose=${close}><${Content} key=${
    asked.kind === "address" && asked.url
  } lab=${lab} ...${about} ...${of?.(lab, state)} /><//>`;
}

/** What a person can use in a dialog, but for what only closes it. */
const USEFUL = ":is(button, input, select, textarea, a[href], summary):not(:disabled, [tabindex='-1'], .close)";

/**
 * It has the focus from when it is drawn: on what is chosen in it, or its first useful control, as soon as that has come.
 * Closed, by Escape, its button or because it has had its answer, it gives the focus back to where it was. Asked for anew before
 * it was heard that it was closed (other files are dropped), it opens again.
 * @param {{ kind: string, what: unknown, title: string, onClose: () => void, children?: Content }} props what: changes with each asking
 */
function Dialog({ kind, what, title, onClose, children }) {
  const id = useId();
  const place = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useLayoutEffect(() => {
    const dialog = /** @type {HTMLDialogElement} */ (place.current);
    if (dialog.open) return;
    dialog.showModal();
    const settle = () => {
      const first = /** @type {HTMLElement | null} */ (dialog.querySelector(`[aria-current]${USEFUL}`) ?? dialog.querySelector(USEFUL));
      const moved = document.activeElement !== dialog && !document.activeElement?.matches(".close");
      if (!moved) first?.focus();
      if (moved || first) watch.disconnect();
    };
    const watch = new MutationObserver(settle);
    watch.observe(dialog, { subtree: true, childList: true });
    settle();
    return () => watch.disconnect();
  }, [what]);
  useLayoutEffect(() => () => {
    const dialog = place.current;
    place.current = null;
    dialog?.close();
  }, []);
  return html`<dialog ref=${place} class=${kind} aria-labelledby=${id} onClose=${() => place.current?.open === false && onClose()}>
    <form method="dialog" class="dialog-head"><h2 id=${id}>${title}</h2><button class="close">Close</button></form>
    <div class="dialog-body">${children}</div></dialog>`;
}
