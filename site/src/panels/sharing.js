// @ts-check
// sharing.js — the model as a link, as code for another page with a preview of what it
// shows, and as one file.

import { html, useRef, useState } from "../view.js";
import { copyText, fileStem, onDisk, saveFile } from "../browser.js";
import { labAsOneFile } from "../pages/download.js";
import { knobsOf, sameCurve } from "../lab/knobs.js";
import { framed } from "../share/one-file.js";
import { forms } from "../share/embed-code.js";
import { leanCurve, pack } from "../share/share.js";
import { count, integer } from "../words/format.js";
import { Export } from "./export.js";
import { useMade } from "./made.js";
import { Icon, Tabs } from "./parts.js";

/** @typedef {import("./parts.js").Lab} Lab */

/** Messengers and bookmarks begin to cut links around here, */
const LONG_LINK = 2000;
/** and browsers do here. Beyond it a text is copied without being shown. */
const LONGEST_LINK = 60_000;
/** A QR code of a longer link has squares too small for most cameras. */
const LONGEST_CODE = 1200;
/** The height of a frame before it has told its own. */
const HEIGHT = 640;

/** A curve with its plans travels in an embed's address when it takes no more than so many characters; a longer one without its plans. */
const LONGEST_CURVE = 20_000;

const tabs = [{ id: "link", title: "Link" }, { id: "embed", title: "Embed" }, { id: "file", title: "One file" }, { id: "formats", title: "Other formats" }];

/** @param {{ lab: Lab, link: string }} props */
export function Sharing({ lab, link }) {
  const [tab, setTab] = useState("link");
  return html`<${Tabs} label="How to share" panel="share-part" tabs=${tabs} value=${tab} onChoose=${setTab} />
      <div id="share-part" role="tabpanel" aria-labelledby=${`share-part-tab-${tab}`}>
      ${tab === "link" && html`<${Link} lab=${lab} link=${link} />`}
      ${
    tab === "embed" && (link.startsWith("#")
      ? html`<p>An embed is a frame of a page on the web, and this file knows of none that has the lab. Send the model as one file.</p>`
      : html`<${Embedding} lab=${lab} link=${link} />`)
  }
      ${tab === "file" && html`<${Download} lab=${lab} link=${link} />`}
      ${tab === "formats" && html`<${Export} lab=${lab} />`}
      </div>`;
}

/** @param {{ lab: Lab, link: string }} props */
function Link({ lab, link }) {
  if (link.startsWith("#")) return html`<p>This page is a file on a disk: there is no address that a link could lead to. Send the model as one file.</p>`;
  return html`<${Copy} lab=${lab} title="Copy link" text=${link} label="Link" />
    <p class="help">${
    link.length > LONGEST_LINK
      ? `This link would be ${integer(link.length)} characters long, more than most programs take. Share the model as one file, or save it and send that.`
      : link.length > LONG_LINK
      ? `This link is ${integer(link.length)} characters long; some programs cut links beyond ${
        integer(LONG_LINK)
      }. A cut link is noticed and reported. One file is safer.`
      : `${integer(link.length)} characters. The model travels in the link itself; no server sees it.`
  }</p>
    ${link.length <= LONGEST_CODE && html`<${Code} link=${link} />`}`;
}

/** The link for a camera: from a slide, a poster, another screen. @param {{ link: string }} props */
function Code({ link }) {
  const { made: code } = useMade(async () => (await import("../share/qr.js")).qrOf(link), [link]);
  const place = useRef(/** @type {SVGSVGElement | null} */ (null));
  if (!code) return html`<p class="quiet" aria-busy="true">Drawing the code…</p>`;
  return html`<figure class="qr"><svg ref=${place} xmlns="http://www.w3.org/2000/svg" viewBox=${`0 0 ${code.size} ${code.size}`} role="img" aria-label="The link as a QR code" shape-rendering="crispEdges"><rect width="100%" height="100%" fill="#fff" /><path d=${code.path} fill="#000" /></svg>
    <figcaption class="help">For a camera: a slide, a poster, another screen. <button type="button" class="plain" onClick=${() =>
    saveFile("rcmdp-lab-link.svg", place.current?.outerHTML ?? "", "image/svg+xml")}>Save the code</button></figcaption></figure>`;
}

/** What can be left out of an embed, as it is called there and here. */
const leavable = [["picture", "picture"], ["model", "problem"], ["plan", "plan"], ["search", "search"], ["proof", "proof"], ["lab", "link to the lab"]];

/** @param {{ lab: Lab, link: string }} props */
function Embedding({ lab, link }) {
  const doc = lab.get().history.present.doc;
  const [form, setForm] = useState(forms[0].id);
  const [hide, setHide] = useState(/** @type {string[]} */ ([]));
  const [theme, setTheme] = useState("");
  const [slider, setSlider] = useState("");
  const [explore, setExplore] = useState("");
  const [run, setRun] = useState(false);
  const knobs = doc?.states ? knobsOf(doc, { kind: "link" }, []) : [];
  // The curve that was drawn under Trade-off goes along.
  const knob = knobs.find(({ pointer }) => pointer === explore);
  const drawn = lab.get().panels.tradeoff;
  const kept = knob && drawn?.knob === knob.id && sameCurve(drawn.problem, doc, knob) ? drawn.points.filter(Boolean) : [];
  const onWeb = !onDisk();
  const { made, current, newest } = useMade(async () => {
    const choices = { run, answer: true, more: { hide: hide.join(","), theme, slider, explore, curve: await packedCurve(kept) } };
    const code = await lab.fragment(choices);
    return { code, shown: onWeb ? code : await lab.fragment({ ...choices, carried: true }) }; // a file has no gallery that an example could come from
  }, [hide, theme, slider, explore, run]);
  const { write, help } = forms.find(({ id }) => id === form) ?? forms[0];
  const home = link.split("#")[0];
  const codeOf = (/** @type {string} */ fragment) =>
    write({
      name: String(doc?.name || "model"),
      embed: `${lab.embedUrl()}${fragment}`,
      lab: link,
      script: new URL("embed.js", home).href,
      fragment,
      height: HEIGHT,
      year: new Date().getFullYear(),
    });
  const code = async () => {
    const it = await newest();
    return it && codeOf(it.code);
  };
  const toggle = (/** @type {string} */ part) => setHide(hide.includes(part) ? hide.filter((p) => p !== part) : [...hide, part]);
  return html`<div class="embedding">
      <div class="stack">
      <fieldset class="row"><legend>Show</legend>${
    leavable.map(([part, words]) =>
      html`<label class="check"><input type="checkbox" checked=${!hide.includes(part)} onChange=${() => toggle(part)} />${words}</label>`
    )
  }</fieldset>
      <p class="row"><label>Colours <select value=${theme} onChange=${(/** @type {FieldEvent} */ e) =>
    setTheme(e.target.value)}><option value="">light</option><option value="dark">dark</option><option value="auto">the reader's</option></select></label>
      ${
    knobs.length > 0 && html`<${Pick} label="Slider" knobs=${knobs} value=${slider} onPick=${setSlider} />
      <${Pick} label="Trade-off" knobs=${knobs} value=${explore} onPick=${setExplore} />`
  }
      <label class="check"><input type="checkbox" checked=${run} onChange=${() => setRun(!run)} />solve at once</label></p>
      ${
    explore !== "" && html`<p class="help">${
      kept.length > 0
        ? `The ${count(kept.length, "point")} drawn under Trade-off go along and are shown before anything runs.`
        : "The curve is drawn when a reader runs it. Draw it here first, under Trade-off, and it is shown before anything runs."
    }</p>`
  }
      <p class="row"><label>Written as <select value=${form} onChange=${(/** @type {FieldEvent} */ e) => setForm(e.target.value)}>${
    forms.map(({ id, title }) => html`<option value=${id}>${title}</option>`)
  }</select></label></p>
      <${Copy} lab=${lab} title="Copy embed code" text=${codeOf(made?.code ?? "")} newest=${code} current=${current} label="Embed code" />
      <p class="help">${help}</p>
      </div>
      ${
    made !== null &&
    html`<iframe class="preview" key=${made.code} ...${onWeb ? { src: `${lab.embedUrl()}${made.shown}` } : { srcdoc: framed(made.shown) }} aria-busy=${
      current ? undefined : "true"
    } title="Preview of the embed" loading="lazy" allow="clipboard-write"></iframe>`
  }
    </div>`;
}

/** @param {{ label: string, knobs: import("../lab/knobs.js").Knob[], value: string, onPick: (pointer: string) => void }} props */
const Pick = ({ label, knobs, value, onPick }) =>
  html`<label>${label} <select value=${value} onChange=${(/** @type {FieldEvent} */ e) => onPick(e.target.value)}><option value="">none</option>${
    knobs.map((k) => html`<option value=${k.pointer}>${k.label}</option>`)
  }</select></label>`;

/** @param {import("../rcmdp.js").SweepPoint[]} points */
async function packedCurve(points) {
  if (points.length === 0) return undefined;
  const { text } = await pack(leanCurve(points));
  return text.length <= LONGEST_CURVE ? text : (await pack(leanCurve(points, false))).text;
}

/**
 * The lab as one HTML file, with this model in it or as it comes.
 * @param {{ lab: Lab, link: string }} props
 */
function Download({ lab, link }) {
  const [said, setSaid] = useState("");
  const save = async (/** @type {boolean} */ withModel) => {
    setSaid("Putting the file together…");
    try {
      const title = withModel ? String(lab.get().history.present.doc?.name ?? "") : "";
      const home = link.split("#")[0];
      const text = await labAsOneFile({ title, fragment: withModel ? `#${link.split("#")[1] ?? ""}` : "", home: /^https?:/.test(home) ? home : "" });
      saveFile(`${withModel ? fileStem(title) : "rcmdp-lab"}.html`, text, "text/html");
      setSaid(`Saved, ${integer(text.length / 1000)} kB. The file opens in a browser without a server or a network.`);
      lab.say("File saved.");
    } catch (error) {
      setSaid(`The file could not be made: ${/** @type {Error} */ (error).message}.`);
    }
  };
  return html`<p class="row">
      <button type="button" class="primary" onClick=${() => save(true)}>Download as one file</button>
      <button type="button" onClick=${() => save(false)}>The whole lab as one file</button>
    </p>
    <p class="help" aria-live="polite">${
    said || "A page that carries the model, its answer and the solver: for a disk, a mail, a talk without a network."
  }</p>`;
}

/**
 * A text with a button that copies it; where the browser does not let us, the
 * text is selected for the person to copy.
 * @param {{ lab: Lab, title: string, text: string, label: string, newest?: () => Promise<string | null>, current?: boolean }} props newest: the
 *   text of the choices as they are, which may come later; current: the one that is shown is
 */
function Copy({ lab, title, text, label, newest = async () => text, current = true }) {
  const area = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  const [state, setState] = useState("");
  const copy = async () => {
    const now = await newest();
    if (now === null) return;
    if (await copyText(now)) {
      setState("Copied.");
      lab.say(`${label} copied.`);
    } else {
      area.current?.select();
      setState(area.current ? "Press Ctrl+C to copy the selected text." : "The browser does not let the page copy it.");
    }
  };
  return html`${
    text.length <= LONGEST_LINK &&
    html`<p class="row"><textarea ref=${area} readonly rows="3" aria-label=${label} aria-busy=${current ? undefined : "true"} value=${text} onFocus=${(
      /** @type {FieldEvent} */ e,
    ) => e.target.select()}></textarea></p>`
  }
    <p class="row"><button type="button" onClick=${copy}><${Icon} name="copy" />${title}</button><span class="why">${state}</span></p>`;
}
