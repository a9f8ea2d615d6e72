// @ts-check
// fragment.js — the part of the state that a link carries, as one table of
// properties <-> URL fragment. Pure.
//
//   #example=gradient-conflict&param.delta=0.09&algorithm=epirc-pgs&option.stepSize=5e-4&run=1
//   #problem=<packed document>&sum=<checksum>&algorithm=slp

/**
 * @typedef {{
 *   example?: string, param?: Record<string, string>, problem?: string, sum?: string,
 *   algorithm?: string, option?: Record<string, string>, run?: boolean, frame?: string,
 * }} Link
 */

/** @type {{ name: keyof Link, type: "text" | "flag" | "map" }[]} */
const properties = [
  { name: "example", type: "text" },
  { name: "param", type: "map" },
  { name: "problem", type: "text" },
  { name: "sum", type: "text" },
  { name: "algorithm", type: "text" },
  { name: "option", type: "map" },
  { name: "run", type: "flag" },
  { name: "frame", type: "text" }, // which frame of a host page an embed is; its messages repeat it
];

/**
 * @param {Link} link
 * @returns {string} with its "#"
 */
export function writeFragment(link) {
  const parts = [];
  for (const { name, type } of properties) {
    const value = link[name];
    if (value === undefined || value === "" || value === false) continue;
    if (type === "flag") parts.push(`${name}=1`);
    else if (type === "text") parts.push(`${name}=${encode(/** @type {string} */ (value))}`);
    else for (const [key, v] of Object.entries(value)) parts.push(`${name}.${encode(key)}=${encode(v)}`);
  }
  return parts.length ? `#${parts.join("&")}` : "";
}

/**
 * @param {string} fragment with or without "#"
 * @returns {{ link: Link, unknown: string[] }} unknown: parts this page has no meaning for
 */
export function readFragment(fragment) {
  /** @type {any} */
  const link = {};
  const unknown = [];
  for (const part of fragment.replace(/^#/, "").split("&")) {
    if (part === "") continue;
    const at = part.indexOf("=");
    const key = at < 0 ? part : part.slice(0, at);
    const value = decode(at < 0 ? "" : part.slice(at + 1));
    const dot = key.indexOf(".");
    const name = dot < 0 ? key : key.slice(0, dot);
    const property = properties.find((p) => p.name === name && (p.type === "map") === dot > 0);
    if (!property || value === null) {
      unknown.push(key);
      continue;
    }
    if (property.type === "flag") link[name] = value !== "0" && value !== "false";
    else if (property.type === "text") link[name] = value;
    else link[name] = { ...link[name], [decode(key.slice(dot + 1)) ?? ""]: value };
  }
  return { link, unknown };
}

/**
 * Whether a link names a model to open.
 * @param {Link} link
 */
export const namesModel = (link) => Boolean(link.example || link.problem);

/** @param {string | number | boolean} text */
const encode = (text) => encodeURIComponent(String(text)).replace(/%20/g, "+").replace(/%2F/gi, "/").replace(/%3A/gi, ":");

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text.replace(/\+/g, " "));
  } catch {
    return null;
  }
}
