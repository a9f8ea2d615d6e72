// @ts-check
// inside.js — the model that travels inside a saved picture. Pure.

/** What the model is called inside a PNG file. */
export const KEYWORD = "rcmdp-document";

const OPENING = "<metadata id=\"rcmdp-document\">";

/** The metadata element for a picture of a model. @param {unknown} document */
export const metadataOf = (document) => `${OPENING}${inXml(JSON.stringify(document))}</metadata>`;

/** JSON as text of an element: "]]>" may not stand there, nor the two signs that JSON leaves as they are and XML forbids. @param {string} json */
const inXml = (json) =>
  json.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("]]>", "]]&gt;").replace(
    /[\ufffe\uffff]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16)}`,
  );

/** Whether a file that begins so is a picture with a model in it. @param {string} head */
export const isPicture = (head) => /^\s*(<\?xml[^>]*>\s*)?<svg[\s>]/.test(head) && head.includes(OPENING);

/**
 * @param {string} svg
 * @returns {any} null when there is none, or none that is whole
 */
export function documentInside(svg) {
  if (!isPicture(svg)) return null;
  const from = svg.indexOf(OPENING) + OPENING.length;
  const to = svg.indexOf("</metadata>", from);
  try {
    return JSON.parse(svg.slice(from, to).replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&"));
  } catch {
    return null;
  }
}

/** Whether a file that begins so is a PNG. @param {Uint8Array} head */
export const isPngFile = (head) => head[0] === 0x89 && head[1] === 0x50 && head[2] === 0x4e && head[3] === 0x47;

/** @param {Uint8Array} png @returns {Promise<any>} null when there is none, or none that is whole */
export async function documentInsidePng(png) {
  const { textIn } = await import("./png.js");
  try {
    return JSON.parse(textIn(png, KEYWORD) ?? "null");
  } catch {
    return null;
  }
}
