// @ts-check
// embed-element.js — the custom element <rcmdp-embed>, built into embed.js:
//
//   <script type="module" src="https://…/embed.js"></script>
//   <rcmdp-embed src="problem.json" algorithm="epirc-pgs" height="auto"></rcmdp-embed>
//
// It makes an iframe of embed.html beside this script and gives it the height it
// asks for. Attributes: src (a problem document) or example (an id of the gallery),
// algorithm, run (solve at once), height ("auto" or pixels), label (the frame's title).

import { writeFragment } from "../share/fragment.js";
import { clampHeight, isFromFrame } from "./frames.js";
import { pack } from "../share/share.js";

const home = new URL("embed.html", import.meta.url);
let frames = 0;

class RcmdpEmbed extends HTMLElement {
  static observedAttributes = ["src", "example", "algorithm", "run", "height", "label"];
  #frame = document.createElement("iframe");
  #id = `f${++frames}`;
  #turn = 0;
  #listen = (/** @type {MessageEvent} */ event) => this.#hear(event);

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    Object.assign(this.#frame.style, { border: "0", width: "100%", display: "block", height: "480px" });
    this.#frame.loading = "lazy";
    this.#frame.allow = "clipboard-write";
    root.append(this.#frame);
  }

  connectedCallback() {
    if (!this.style.display) this.style.display = "block";
    addEventListener("message", this.#listen);
    void this.#show();
  }

  disconnectedCallback() {
    removeEventListener("message", this.#listen);
  }

  /** @param {string} name */
  attributeChangedCallback(name) {
    if (!this.isConnected) return;
    if (name === "height") this.#size();
    else void this.#show();
  }

  /** Points the frame at what the attributes name. */
  async #show() {
    const turn = ++this.#turn;
    this.#frame.title = this.getAttribute("label") ?? "RCMDP Lab";
    this.#size();
    const src = this.getAttribute("src");
    /** @type {import("../share/fragment.js").Link} */
    const link = { algorithm: this.getAttribute("algorithm") ?? undefined, run: this.hasAttribute("run"), frame: this.#id };
    try {
      if (src) {
        const response = await fetch(new URL(src, document.baseURI));
        if (!response.ok) throw new Error(`${src} answered ${response.status}`);
        const { text, sum } = await pack(await response.json());
        Object.assign(link, { problem: text, sum });
      } else {
        link.example = this.getAttribute("example") ?? undefined;
      }
      if (turn === this.#turn) this.#frame.src = home.href + writeFragment(link);
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
    const wanted = this.getAttribute("height") ?? "auto";
    if (wanted !== "auto") this.#frame.style.height = `${clampHeight(Number.parseFloat(wanted))}px`;
  }

  /** @param {MessageEvent} event */
  #hear(event) {
    if (!isFromFrame(event, this.#frame.contentWindow, home.origin, this.#id)) return;
    if ((this.getAttribute("height") ?? "auto") === "auto") this.#frame.style.height = `${clampHeight(event.data.height)}px`;
  }
}

if (!customElements.get("rcmdp-embed")) customElements.define("rcmdp-embed", RcmdpEmbed);
