// @ts-check
// embed-element.js — the custom element <rcmdp-embed>, built into embed.js:
//
//   <script type="module" src="https://…/embed.js"></script>
//   <rcmdp-embed src="problem.json" algorithm="epirc-pgs" height="auto"></rcmdp-embed>
//
// It makes an iframe of embed.html beside this script and gives it the height it
// asks for. Attributes: src (a problem document, or a saved run with its answer) or example (an id
// of the gallery) or fragment (all of an address's, as the lab's Share gives it), answer (a result, from a file), algorithm, run (solve at once), hide and show
// (parts, with commas between), theme (light, dark or auto), slider (JSON Pointer of a number that
// readers can move), explore (JSON Pointer of a limit or radius whose trade-off they can explore; empty: that of a saved
// trade-off in src, whose curve is shown before anything runs), height ("auto" or pixels), label (the frame's title), tell (the
// page wants to know: an event "result" with each result in its detail, "edit" with the model as a reader has changed it). The property `problem` takes a document of any size, instead of src.

import { valueAt } from "../document/patch.js";
import { readFragment } from "../share/fragment.js";
import { Guest } from "./guest.js";
import { fetched } from "../browser.js";
import { leanAnswer, leanCurve, pack } from "../share/share.js";

const home = new URL("./", import.meta.url);

/** @param {string} url from the page */
const json = async (url) => (await fetched(new URL(url, document.baseURI))).json();

/** The problem and the result in a file: a document, a result, a saved run, or an export of one. @param {any} file */
function partsOf(file) {
  const run = Array.isArray(file?.runs) ? file.runs[0] : file;
  return { problem: run?.problem ?? file, result: run?.result ?? (file?.status ? file : null) };
}

/**
 * A saved trade-off: along what, its points, and as the answer that of the model as it is.
 * @param {any} sweep
 * @param {Doc} problem
 * @param {string} [wanted] the pointer asked for, of which it may be no curve
 * @returns {Promise<import("../share/fragment.js").Link>}
 */
async function packedCurve({ pointer, points }, problem, wanted) {
  if (!pointer || (wanted && wanted !== pointer)) return {};
  const own = points.find((/** @type {any} */ p) => p?.value === valueAt(problem, pointer));
  return { explore: pointer, curve: (await pack(leanCurve(points))).text, answer: own && (await pack(leanAnswer(own))).text };
}

class RcmdpEmbed extends HTMLElement {
  static observedAttributes = [
    ...["src", "example", "fragment", "answer", "algorithm", "run", "hide", "show", "theme", "slider", "explore", "height", "label", "tell"],
  ];
  #turn = 0;
  /** @type {object | null} */
  #problem = null;
  #guest = new Guest(home, {
    result: (detail) => this.dispatchEvent(new CustomEvent("result", { detail })),
    problem: (detail) => this.dispatchEvent(new CustomEvent("edit", { detail })),
    failed: (message) => this.dispatchEvent(new ErrorEvent("error", { message })),
  });

  constructor() {
    super();
    this.attachShadow({ mode: "open" }).append(this.#guest.frame);
  }

  connectedCallback() {
    if (!this.style.display) this.style.display = "block";
    if (Object.hasOwn(this, "problem")) { // set before this script had come
      const { problem } = this;
      Reflect.deleteProperty(this, "problem");
      this.#problem = problem;
    }
    this.#guest.listen();
    void this.#show();
  }

  disconnectedCallback() {
    this.#guest.leave();
  }

  /** @param {string} name */
  attributeChangedCallback(name) {
    if (!this.isConnected) return;
    if (name === "height") this.#size();
    else void this.#show();
  }

  /** A document, instead of src; null for none. */
  get problem() {
    return this.#problem;
  }

  set problem(document) {
    const first = this.#problem === null || document === null;
    this.#problem = document;
    this.#ask();
    if (this.isConnected && first) void this.#show();
  }

  #ask() {
    this.#guest.ask(this.#problem && { problem: JSON.stringify(this.#problem), answer: null });
  }

  /** Points the frame at what the attributes name. */
  async #show() {
    const turn = ++this.#turn;
    this.#guest.frame.title = this.getAttribute("label") ?? "RCMDP Lab";
    this.#size();
    const src = this.getAttribute("src");
    /** @type {import("../share/fragment.js").Link} */
    const link = { run: this.hasAttribute("run") };
    if (this.#problem || this.hasAttribute("tell")) link.tell = location.origin;
    for (const name of /** @type {const} */ (["algorithm", "hide", "show", "theme", "slider", "explore"])) link[name] = this.getAttribute(name) ?? undefined;
    try {
      const whole = this.getAttribute("fragment");
      if (this.#problem) {
        this.#ask();
      } else if (whole) {
        const { link: given, damage } = readFragment(whole);
        if (damage) throw new Error(damage);
        Object.assign(link, given, { tell: link.tell });
      } else if (src) {
        const { problem, result } = partsOf(await json(src));
        const { text, sum } = await pack(problem);
        Object.assign(link, { problem: text, sum });
        const answer = this.getAttribute("answer");
        const found = answer ? partsOf(await json(answer)).result : result;
        if (found?.points) Object.assign(link, await packedCurve(found, problem, link.explore));
        else if (found) link.answer = (await pack(leanAnswer(found))).text;
      } else {
        link.example = this.getAttribute("example") ?? undefined;
      }
      if (turn === this.#turn) this.#guest.open(link);
    } catch (error) {
      if (turn === this.#turn) this.#fail(`The model for this frame could not be loaded: ${/** @type {Error} */ (error).message}.`);
    }
  }

  /** @param {string} message */
  #fail(message) {
    const note = document.createElement("p");
    note.setAttribute("role", "alert");
    note.textContent = message;
    this.shadowRoot?.replaceChildren(note);
  }

  #size() {
    this.#guest.fit(this.getAttribute("height") ?? "auto");
  }
}

if (!customElements.get("rcmdp-embed")) customElements.define("rcmdp-embed", RcmdpEmbed);
