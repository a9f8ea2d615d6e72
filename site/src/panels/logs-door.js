// @ts-check
// logs-door.js — the door to a model from logs, whose content is loaded when it is first opened.

import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";

/** @param {{ lab: import("./parts.js").Lab, onDone: () => void, given?: string }} props */
export function LogsDoor({ lab, onDone, given }) {
  const [content, setContent] = useState(/** @type {{ Logs: any } | null} */ (null));
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    import("./logs.js").then(({ Logs }) => setContent({ Logs }), () => setFailed(true));
  }, []);
  if (failed) return html`<p class="quiet">This part of the page did not load. Reload the page to try again.</p>`;
  return content ? html`<${content.Logs} lab=${lab} onDone=${onDone} given=${given} />` : html`<p class="quiet" aria-busy="true">Loading…</p>`;
}
