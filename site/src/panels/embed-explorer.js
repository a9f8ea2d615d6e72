// @ts-check
// embed-explorer.js — the trade-off of one limit or radius in an embed: the curve that came with
// it, and after Run the one that is found here.

import { html, useEffect, useMemo, useState } from "../view.js";
import { knobsOf, sameCurve } from "../lab/knobs.js";
import { readCurve, unpack } from "../share/share.js";
import { Explorer } from "./tradeoff.js";

/** @typedef {import("../lab/tradeoff.js").SweepPoint} SweepPoint */
/** @typedef {import("../lab/knobs.js").Knob} Knob */

/**
 * @param {{ lab: import("../lab.js").Lab, state: import("../lab/state.js").State, pointer: string, curve?: string | unknown[], exports?: boolean }} props
 *   pointer: of the number to turn; curve: points as a link carries them, packed, or as the gallery's file does
 */
export function EmbedExplorer({ lab, state, pointer, curve, exports = true }) {
  const { doc } = state.history.present;
  const [told, setTold] = useState(/** @type {SweepPoint[] | null} */ (curve ? null : []));
  const [unread, setUnread] = useState(false);
  const first = useMemo(() => knobAt(doc, pointer), [pointer]);
  const [of] = useState(doc); // the model that the curve came with
  useEffect(() => {
    if (!curve) return;
    void Promise.resolve(typeof curve === "string" ? unpack(curve) : curve).then((points) => readCurve(doc, points), () => null).then((points) => {
      setUnread(points === null);
      setTold(points ?? []);
    });
  }, [curve]);
  const knob = knobAt(doc, pointer);
  if (!first || !knob) return html`<p class="fault">${missing(doc, pointer)}</p>`;
  if (!told) return html`<p class="quiet" aria-busy="true">Loading…</p>`;
  const curved = sameCurve(of, doc, knob) ? told : [];
  // The ends stay where they were when a plan is opened and the number stands elsewhere.
  const ends = told.length > 0 ? { min: told[0].value, max: told[told.length - 1].value } : { min: first.min, max: first.max };
  const ready = state.engine.phase === "ready" && !state.run;
  return html`<section class="explorer" aria-label=${`Trade-off of ${knob.label}`}>
    ${unread && html`<p class="quiet">The curve that came with this frame is not whole; run it here, and it is drawn anew.</p>`}
    <${Explorer} lab=${lab} problem=${doc} origin=${{ kind: "link" }} knobs=${[{ ...knob, ...ends }]} kept=${
    state.panels.tradeoff ?? null
  } ready=${ready} told=${curved} embedded=${true} exports=${exports} /></section>`;
}

/** @param {import("../rcmdp.js").Problem} doc @param {string} pointer @returns {Knob | undefined} */
const knobAt = (doc, pointer) => knobsOf(doc, { kind: "link" }, []).find((k) => k.pointer === pointer);

/** What could have been meant. @param {import("../rcmdp.js").Problem} doc @param {string} pointer */
function missing(doc, pointer) {
  const there = knobsOf(doc, { kind: "link" }, []).map((k) => k.pointer);
  return `The model has no limit or radius at ${pointer}${there.length > 0 ? `; it has ${there.join(", ")}` : " and none to explore"}.`;
}
