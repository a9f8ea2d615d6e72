// @ts-check
// guest.js — one frame of embed.html as the page around it has it: made, sized, asked and heard. Of the element and of
// notebooks.

import { writeFragment } from "../share/fragment.js";
import { clampHeight, isOurs, saidBy, TYPE } from "./frames.js";

/** @typedef {{ problem: string, answer: Record<string, any> | null }} Asked a document as text, and a result to show with it before anything runs */

let guests = 0;

export class Guest {
  frame = document.createElement("iframe");
  #name = "";
  #address = "";
  #home;
  #on;
  #height = "auto";
  /** What the frame is to be asked when it is ready. @type {Asked | null} */
  #asked = null;
  /** Which model the host means, 0 for that of the address; what is told of an earlier one is none of its. */
  #turn = 0;
  /** Whether a page of ours has been heard in the frame, and whether the present one takes a model. */
  #there = false;
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
    this.#there = this.#ready = false;
    // Put into the page again, a browser may begin with the old address, or wait for a sight of the frame that it had before.
    this.frame.removeAttribute("src");
    this.frame.loading = "eager";
    removeEventListener("message", this.#listen);
  }

  /** Points the frame at an address, under a name that no page before it had. @param {import("../share/fragment.js").Link} link */
  open(link) {
    this.#name = `f${++guests}`;
    if (this.#asked === null) this.#turn = 0;
    this.#address = new URL("embed.html", this.#home).href + writeFragment({ ...link, frame: this.#name });
    if (this.#there) this.#go();
    else this.frame.src = this.#address;
    this.#ready = false;
  }

  #go() {
    this.frame.contentWindow?.location.replace(this.#address); // no step in the history of the page around it
  }

  /** Hands a model over, as soon as the frame can take it. @param {Asked | null} asked */
  ask(asked) {
    this.#asked = asked;
    this.#turn++;
    if (this.#ready) this.#hand();
  }

  #hand() {
    if (this.#asked) this.frame.contentWindow?.postMessage({ type: TYPE, frame: this.#name, turn: this.#turn, ...this.#asked }, this.#home.origin);
  }

  /** @param {string} height "auto", or pixels */
  fit(height) {
    this.#height = height;
    if (height !== "auto") this.frame.style.height = `${clampHeight(Number.parseFloat(height))}px`;
  }

  /** @param {MessageEvent} event */
  #hear(event) {
    const said = saidBy(event, this.frame.contentWindow, this.#home.origin, this.#name);
    if (said === null) {
      // A browser may open an address that was taken back before it had begun.
      if (isOurs(event, this.frame.contentWindow, this.#home.origin)) this.#go();
      return;
    }
    this.#there = true;
    const { height, ready, turn, problem, result, failed } = said;
    if (height !== undefined && this.#height === "auto") this.frame.style.height = `${clampHeight(height)}px`;
    if (ready) {
      this.#ready = true;
      this.#hand();
    }
    if (turn !== this.#turn) return;
    if (problem) this.#on.problem?.(problem);
    if (result !== undefined) this.#on.result?.(result);
    if (failed !== undefined) this.#on.failed?.(failed);
  }
}
