// @ts-check
// guest.js — one frame of embed.html as the page around it has it: made, sized, asked and heard. Of the element and of
// notebooks.

import { writeFragment } from "../share/fragment.js";
import { clampHeight, saidBy, TYPE } from "./frames.js";

/** @typedef {{ problem: string, answer: Record<string, any> | null }} Asked a document as text, and a result to show with it before anything runs */

let guests = 0;

export class Guest {
  frame = document.createElement("iframe");
  #name = `f${++guests}`;
  #home;
  #on;
  #height = "auto";
  /** What the frame is to be asked when it is ready. @type {Asked | null} */
  #asked = null;
  #ready = false;
  #listen = (/** @type {MessageEvent} */ event) => this.#hear(event);

  /**
   * @param {URL} home where embed.html is
   * @param {{ result?: (result: Record<string, any> | null) => void, problem?: (problem: Record<string, any>) => void, failed?: (why: string) => void }} on
   *   what the frame tells when its address asks it to
   */
  constructor(home, on) {
    this.#home = home;
    this.#on = on;
    Object.assign(this.frame.style, { border: "0", width: "100%", display: "block", height: "480px" });
    this.frame.loading = "lazy";
    this.frame.allow = "clipboard-write";
  }

  listen() {
    addEventListener("message", this.#listen);
  }

  leave() {
    removeEventListener("message", this.#listen);
  }

  /** Points the frame at an address. @param {import("../share/fragment.js").Link} link */
  open(link) {
    this.#ready = false;
    this.frame.src = new URL("embed.html", this.#home).href + writeFragment({ ...link, frame: this.#name });
  }

  /** Hands a model over, as soon as the frame can take it. @param {Asked | null} asked */
  ask(asked) {
    this.#asked = asked;
    if (this.#ready && asked) this.frame.contentWindow?.postMessage({ type: TYPE, frame: this.#name, ...asked }, this.#home.origin);
  }

  /** @param {string} height "auto", or pixels */
  fit(height) {
    this.#height = height;
    if (height !== "auto") this.frame.style.height = `${clampHeight(Number.parseFloat(height))}px`;
  }

  /** @param {MessageEvent} event */
  #hear(event) {
    const { height, ready, problem, result, failed } = saidBy(event, this.frame.contentWindow, this.#home.origin, this.#name) ?? {};
    if (height !== undefined && this.#height === "auto") this.frame.style.height = `${clampHeight(height)}px`;
    if (ready) {
      this.#ready = true;
      this.ask(this.#asked);
    }
    if (problem) this.#on.problem?.(problem);
    if (result !== undefined) this.#on.result?.(result);
    if (failed !== undefined) this.#on.failed?.(failed);
  }
}
