// @ts-check
// fragment.js — the part of the state that a link carries, as one table of
// properties <-> URL fragment. Pure.
//
//   #v1=<checksum>&example=gradient-conflict&param.delta=0.09&algorithm=epirc-pgs&option.stepSize=5e-4
//   #v1=<checksum>&problem=<packed document>&sum=<its checksum>&answer=<packed answer>
//   #v1=<checksum>&grid=<packed painting>
//
// The version stands first, with a checksum of all that follows: a link that was
// cut or changed anywhere is noticed. What a person writes by hand needs neither:
//
//   #example=gradient-conflict&algorithm=epirc-pgs&run=1

import { checksum, CUT, unpack } from "./share.js";

/**
 * @typedef {{
 *   example?: string, param?: Record<string, string>, problem?: string, sum?: string, grid?: string, kept?: string, url?: string,
 *   algorithm?: string, option?: Record<string, string>, answer?: string, run?: boolean,
 *   hide?: string, show?: string, theme?: string, slider?: string, explore?: string, curve?: string, frame?: string, tell?: string,
 * }} Link
 */

const VERSION = 1;

/** @type {{ name: keyof Link, type: "text" | "flag" | "map" }[]} */
const properties = [
  { name: "example", type: "text" },
  { name: "param", type: "map" },
  { name: "problem", type: "text" },
  { name: "sum", type: "text" },
  { name: "grid", type: "text" }, // instead, of a painted grid: its cells and little else
  { name: "kept", type: "text" }, // instead: the checksum of a model too long for an address, which the history of one tab has
  { name: "url", type: "text" }, // an address to ask the person about, where a model may be fetched
  { name: "algorithm", type: "text" },
  { name: "option", type: "map" },
  { name: "answer", type: "text" },
  { name: "run", type: "flag" },
  { name: "hide", type: "text" }, // an embed's parts to leave out, with commas between
  { name: "show", type: "text" }, // or the only ones to show
  { name: "theme", type: "text" }, // of an embed: light, dark, or as the reader's system
  { name: "slider", type: "text" }, // JSON Pointer of a number of the model that readers of an embed can move
  { name: "explore", type: "text" }, // JSON Pointer of a limit or a radius whose trade-off readers of an embed can explore
  { name: "curve", type: "text" }, // packed: the points of that trade-off as they were found before
  { name: "frame", type: "text" }, // which frame of a host page an embed is; its messages repeat it
  { name: "tell", type: "text" }, // the origin of a host page that the frame tells its result and a reader's edits
];

/**
 * @param {Link} link
 * @returns {string} with its "#", as a person would write it
 */
export function writeFragment(link) {
  const parts = properties.flatMap(({ name, type }) => {
    const value = link[name];
    if (value === undefined || value === "" || value === false) return [];
    if (type === "map") return Object.entries(value).map(([key, v]) => `${name}.${encode(key)}=${encode(v)}`);
    return `${name}=${type === "flag" ? 1 : encode(/** @type {string} */ (value))}`;
  });
  return parts.length ? `#${parts.join("&")}` : "";
}

/**
 * A fragment with the version and a checksum in front.
 * @param {string} fragment as writeFragment gives it
 */
export const sealed = (fragment) => (fragment === "" ? "" : `#v${VERSION}=${sumOf(fragment.slice(1))}&${fragment.slice(1)}`);

/** @param {string} text */
const sumOf = (text) => checksum(new TextEncoder().encode(text));

/**
 * What is wrong with a fragment that carries a version; empty when nothing is.
 * @param {string} fragment
 */
function damageOf(fragment) {
  const seal = /(?:^|&)v(\d*)(?:=([^&]*))?(?:&|$)/.exec(fragment);
  if (!seal) return "";
  const [whole, version, sum] = seal;
  if (Number(version) > VERSION) return "This link was made by a newer version of this page. Reload the page, or ask for the model as a file.";
  const rest = fragment.slice(seal.index + whole.length);
  return Number(version) === VERSION && sum === sumOf(rest) ? "" : `This link is not whole. ${CUT}`;
}

/**
 * @param {string} fragment with or without "#"
 * @returns {{ link: Link, unknown: string[], damage: string }} unknown: parts this page has no meaning for; damage: why
 *   nothing of it may be opened, empty when it may
 */
export function readFragment(fragment) {
  const damage = damageOf(fragment.replace(/^#/, ""));
  if (damage) return { link: {}, unknown: [], damage };
  /** @type {any} */
  const link = {};
  const unknown = [];
  for (const [key, value] of new URLSearchParams(fragment.replace(/^#/, ""))) {
    if (/^v\d+$/.test(key)) continue;
    const [, name, of] = /** @type {RegExpExecArray} */ (/^([^.]*)(?:\.([^]*))?$/.exec(key));
    const type = properties.find((p) => p.name === name && (p.type === "map") === (of !== undefined))?.type;
    if (type === undefined || value.includes("\ufffd")) unknown.push(key); // the sign for what is no text
    else link[name] = type === "text" ? value : type === "flag" ? value !== "0" && value !== "false" : { ...link[name], [of]: value };
  }
  return { link, unknown, damage: "" };
}

/** Whether a link carries its model whole. @param {Link} link */
export const carriesModel = (link) => link.problem !== undefined || link.grid !== undefined;

/** Whether a link names a model to open. @param {Link} link */
export const namesModel = (link) => link.example !== undefined || link.kept !== undefined || carriesModel(link);

/** The model that a link carries: any JSON, whoever asks looks at it. @param {Link} link @returns {Promise<any>} */
export const carriedModel = async ({ problem = "", sum, grid }) =>
  grid === undefined ? unpack(problem, sum) : (await import("./grid-code.js")).unpackGrid(grid);

/** @param {string | number | boolean} text */
const encode = (text) => encodeURIComponent(String(text)).replace(/%20/g, "+").replace(/%2F/gi, "/").replace(/%3A/gi, ":");
