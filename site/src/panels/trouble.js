// @ts-check
// trouble.js — composes a report of a problem, for a person to send as they like. It sends nothing.

import { html, useEffect, useState } from "../view.js";
import { copyText, onDisk } from "../browser.js";
import { mailOf, reportText } from "../share/problem-report.js";
import { number } from "../words/format.js";

/** A model travels as a link where that is no longer than this, else as its document. */
const LONG_LINK = 2000;

/**
 * What it says of the solver and of the answer follows them: either may come while the dialog is open.
 * @param {{ lab: import("./parts.js").Lab, answer: import("../lab/state.js").Answer | null } & Pick<import("../lab/state.js").State, "version" | "crash" | "notices">} props
 */
export function Trouble({ lab, version, crash, notices, answer }) {
  const [happened, setHappened] = useState("");
  const [along, setAlong] = useState(true);
  const [model, setModel] = useState("");
  const [told, setTold] = useState("");
  useEffect(() => {
    void lab.pageLink().then((link) => setModel(link.length <= LONG_LINK ? link : `\n${JSON.stringify(lab.doc())}`));
  }, []);
  const of = {
    happened,
    page: onDisk() ? "one file on a disk" : location.href.split("#")[0],
    version: version ? `${version.rcmdp} (${version.commit}), ${version.go}` : "the solver did not load",
    browser: navigator.userAgent,
    screen: `${innerWidth} × ${innerHeight}, ${devicePixelRatio} pixels a unit, ${navigator.hardwareConcurrency} cores, ${
      navigator.onLine ? "on line" : "off line"
    }`,
    model: along ? model : "",
    answer: answer ? `${answer.result.status} by ${answer.algorithm}, ${number(answer.result.objective.value)}` : "",
    trouble: [...(crash ? [crash.message, ...crash.details] : []), ...notices.map(({ text }) => text)],
  };
  const text = reportText(of);
  const mail = mailOf("RCMDP Lab: a problem", of);
  return html`<p class="help">This makes a text for a mail or an issue. Nothing is sent from here: you see all of it below, and send it as you like.</p>
    <p><label class="broad">What happened, and what had you expected? <textarea rows="4" value=${happened} onInput=${(/** @type {FieldEvent} */ e) =>
    setHappened(e.target.value)}></textarea></label></p>
    <p><label class="check"><input type="checkbox" checked=${along} onChange=${() => setAlong(!along)} />with the model that is open</label></p>
    <textarea readonly rows="8" aria-label="The report" value=${text} onFocus=${(/** @type {FieldEvent} */ e) => e.target.select()}></textarea>
    <p class="row"><button type="button" class="primary" onClick=${async () =>
    setTold(await copyText(text) ? "Copied." : "The browser does not let the page copy it: select the text and copy it yourself.")}>Copy the report</button>
      <a class="button" href=${mail.href}>Write it as a mail</a><span class="why" role="status">${told}</span></p>
    ${!mail.whole && html`<p class="help">The model is too long for the address of a mail. Copy the report, and paste it into the mail.</p>`}`;
}
